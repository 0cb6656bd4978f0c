// SPDX-License-Identifier: MIT
// The verbs of every handle over a driver object, counted in the driver's ledger.
#include <support/devices.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
using signature = void(int*);

template <class Handle>
constexpr bool is_owner = std::is_nothrow_move_constructible_v<Handle> && std::is_nothrow_move_assignable_v<Handle> &&
                          std::is_nothrow_swappable_v<Handle> && std::is_nothrow_default_constructible_v<Handle> &&
                          !std::is_copy_constructible_v<Handle> && !std::is_copy_assignable_v<Handle> &&
                          std::is_constructible_v<bool, Handle> && !std::is_convertible_v<Handle, bool>;
static_assert(is_owner<ocl::stream> && is_owner<ocl::out_of_order_stream> && is_owner<ocl::event>);
static_assert(is_owner<ocl::timed_event> && is_owner<ocl::kernel<signature>>);
static_assert(is_owner<ocl::device_allocation<int>> && is_owner<ocl::sub_buffer<int>>);
static_assert(is_owner<ocl::pagelocked_array<int>> && is_owner<ocl::svm_allocation<int, ocl::svm::coarse>>);

/// Two pointers and a flag: the context, the driver's object, whether it is owned.
static_assert(sizeof(ocl::event) <= 4 * sizeof(void*) && sizeof(ocl::stream) <= 6 * sizeof(void*));
static_assert(sizeof(ocl::module) == 2 * sizeof(void*));

/// Effects: runs every verb of a handle. `make()` creates one, `adopt(native)` and `borrow(native)` take one,
/// `use(handle)` is an operation that an empty handle must refuse.
template <class Make, class Adopt, class Borrow, class Use>
void check_verbs(opencl_interposer& driver, const std::string& release, Make make, Adopt adopt, Borrow borrow,
                 Use use) {
  using handle = decltype(make());
  const std::size_t before = driver.live().size();
  std::size_t mark = driver.mark();
  const auto released = [&] { return driver.count(release, mark); };
  {
    handle first = make();
    handle second = make();
    CHECK(static_cast<bool>(first));
    const auto first_native = first.native_handle();
    const auto second_native = second.native_handle();
    CHECK(first_native != second_native);
    first = std::move(second);  // releases first
    CHECK(released() == 1);
    CHECK(first.native_handle() == second_native);
    CHECK_FALSE(static_cast<bool>(second));  // NOLINT: what a moved-from handle does is the point
    handle& same = first;
    first = std::move(same);
    CHECK(first.native_handle() == second_native);
    CHECK(released() == 1);
    try {
      use(second);
      FAIL_CHECK("a moved-from handle was used");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::empty_handle);
    }
    swap(first, second);
    CHECK(second.native_handle() == second_native);
    CHECK_FALSE(static_cast<bool>(first));
    first.swap(second);
    handle third = std::move(first);
    use(third);
    third.reset();
    CHECK(released() == 2);
    third.reset();
    CHECK(released() == 2);
    CHECK_THROWS_AS(use(third), yoke::logic_error);
  }
  CHECK(released() == 2);

  handle giver = make();
  mark = driver.mark();
  const auto native = giver.release();
  CHECK(released() == 0);
  CHECK_FALSE(static_cast<bool>(giver));
  CHECK_THROWS_AS(use(giver), yoke::logic_error);
  {
    handle borrowed = borrow(native);
    use(borrowed);
    handle moved = std::move(borrowed);
    CHECK(moved.release() == native);
    const handle again = borrow(native);
  }
  CHECK(released() == 0);
  {
    const handle adopted = adopt(native);
    CHECK(adopted.native_handle() == native);
  }
  CHECK(released() == 1);
  CHECK(driver.live().size() == before);
  CHECK(driver.bad_releases().empty());
}

}  // namespace

YOKE_DEVICE_TEST_CASE("the verbs of streams and events", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context, {.timing = true}};
  check_verbs(
      driver, "release_queue", [&] { return ocl::stream{context}; },
      [&](abi::queue native) { return ocl::stream::adopt(context, native); },
      [&](abi::queue native) { return ocl::stream::borrow(context, native); },
      [](const ocl::stream& each) { each.synchronize(); });
  check_verbs(
      driver, "release_event", [&] { return stream.record(); },
      [&](abi::event native) { return ocl::event::adopt(context, native); },
      [&](abi::event native) { return ocl::event::borrow(context, native); },
      [](const ocl::event& each) { each.wait(); });
  check_verbs(
      driver, "release_event", [&] { return stream.record_timed(); },
      [&](abi::event native) { return ocl::timed_event::adopt(context, native); },
      [&](abi::event native) { return ocl::timed_event::borrow(context, native); },
      [](const ocl::timed_event& each) { (void)each.times(); });
}

YOKE_DEVICE_TEST_CASE("the verbs of out-of-order streams", "[execution]") {
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  check_verbs(
      driver, "release_queue", [&] { return ocl::out_of_order_stream{context}; },
      [&](abi::queue native) { return ocl::out_of_order_stream::adopt(context, native); },
      [&](abi::queue native) { return ocl::out_of_order_stream::borrow(context, native); },
      [](const ocl::out_of_order_stream& each) { each.synchronize(); });
}

YOKE_DEVICE_TEST_CASE("the verbs of device memory", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  check_verbs(
      driver, "release_memory",
      [&] {
        return ocl::device_allocation<int>{context, 4};
      },
      [&](abi::memory native) { return ocl::device_allocation<int>::adopt(context, native, 4); },
      [&](abi::memory native) { return ocl::device_allocation<int>::borrow(context, native, 4); },
      [&](ocl::device_allocation<int>& each) { yoke::fill(each, 1, stream); });
}

YOKE_DEVICE_TEST_CASE("the verbs of kernels", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::module module = yoke::compile(context, source);
  check_verbs(
      driver, "release_kernel", [&] { return module.get_kernel<signature>("twice"); },
      [&](auto* native) { return ocl::kernel<signature>::adopt(module, native); },
      [&](auto* native) { return ocl::kernel<signature>::borrow(module, native); },
      [](const ocl::kernel<signature>& each) { (void)each.limits(); });
}

YOKE_DEVICE_TEST_CASE("the verbs of modules, which are shared", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    ocl::module first = yoke::compile(context, source);
    const ocl::module copy = first;
    const abi::program reference = first.release();  // one more, for the caller
    CHECK(driver.count("retain_program") == 1);
    first.reset();
    CHECK_FALSE(static_cast<bool>(first));
    CHECK_THROWS_AS(first.kernel_names(), yoke::logic_error);
    CHECK(driver.count("release_program") == 0);
    CHECK(ocl::module::borrow(context, reference).kernel_names() == copy.kernel_names());
    CHECK(driver.count("release_program") == 0);
    { const ocl::module adopted = ocl::module::adopt(context, reference); }
    CHECK(driver.count("release_program") == 1);
    CHECK_THROWS_AS(ocl::module::adopt(context, nullptr), yoke::logic_error);
    ocl::module other = copy;
    swap(first, other);
    CHECK(first.native_handle() == copy.native_handle());
    CHECK_FALSE(static_cast<bool>(other));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a failing release is reported once and never thrown", "[execution]") {
  static int failures;
  failures = 0;
  const auto before = yoke::set_cleanup_handler(+[](const yoke::cleanup_failure& failure) noexcept {
    if (failure.call == std::string_view("clReleaseEvent") && failure.code.value() == -58) ++failures;
  });
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const std::size_t mark = driver.mark();
    driver.fail_function("release_event", 1, fault_mode::once, -58);
    { const ocl::event point = stream.record(); }
    CHECK(failures == 1);
    CHECK(driver.count("release_event", mark) == 1);  // not tried again
  }
  yoke::set_cleanup_handler(before);
  CHECK(driver.live().empty());
}
