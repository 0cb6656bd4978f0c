// SPDX-License-Identifier: MIT
// The verbs of every handle over a driver object, counted in the driver's ledger.
#include <execution/handle_verbs.hpp>
#include <support/faults/fault_run.hpp>

#include <thread>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

constexpr const char* source = "YOKE_KERNEL twice(YOKE_GLOBAL int* a) { a[get_global_id(0)] *= 2; }";
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
static_assert(sizeof(ocl::event) <= 5 * sizeof(void*));
/// And the slot for what pools keep of a stream.
static_assert(sizeof(ocl::stream) <= 8 * sizeof(void*));
static_assert(sizeof(ocl::module) == 2 * sizeof(void*));

/// Shared handles cannot give their reference up: what adds one has another name.
template <class Handle>
concept gives_up = requires(Handle handle) { handle.release(); };
static_assert(!gives_up<ocl::context> && !gives_up<ocl::module> && gives_up<ocl::stream>);

}  // namespace

YOKE_DEVICE_TEST_CASE("the verbs of streams and events", "[execution]") {
  interposer driver(Backend::driver());
  const backend::context context{through(driver, device)};
  const backend::stream stream{context, {.timing = true}};
  check_verbs(
      driver, calls::release_stream, [&] { return backend::stream{context}; },
      [&](native_stream native) { return backend::stream::adopt(context, native); },
      [&](native_stream native) { return backend::stream::borrow(context, native); },
      [](const backend::stream& each) { each.synchronize(); });
  // Adopted events: recorded ones go to their context.
  check_verbs(
      driver, calls::release_event, [&] { return backend::event::adopt(context, stream.record().release()); },
      [&](native_event native) { return backend::event::adopt(context, native); },
      [&](native_event native) { return backend::event::borrow(context, native); },
      [](const backend::event& each) { each.wait(); });
  check_verbs(
      driver, calls::release_event,
      [&] { return backend::timed_event::adopt(context, stream.record_timed().release()); },
      [&](native_event native) { return backend::timed_event::adopt(context, native); },
      [&](native_event native) { return backend::timed_event::borrow(context, native); },
      [](const backend::timed_event& each) { each.wait(); });
}

YOKE_DEVICE_TEST_CASE("the verbs of device memory", "[execution]") {
  interposer driver(Backend::driver());
  const backend::context context{through(driver, device)};
  const backend::stream stream{context};
  check_verbs(
      driver, calls::free,
      [&] {
        return backend::device_allocation<int>{context, 4};
      },
      [&](native_memory native) { return backend::device_allocation<int>::adopt(context, native, 4); },
      [&](native_memory native) { return backend::device_allocation<int>::borrow(context, native, 4); },
      [&](backend::device_allocation<int>& each) { yoke::fill(each, 1, stream); });
}

YOKE_DEVICE_TEST_CASE("the verbs of page-locked memory", "[execution]") {
  interposer driver(Backend::driver());
  const backend::context context{through(driver, device)};
  const backend::stream stream{context};
  backend::device_allocation<int> memory{context, 4};
  using array = backend::pagelocked_array<int>;
  using native = typename array::native_type;
  const std::string freed = std::same_as<port, ocl::port> ? calls::free : calls::free_pagelocked;
  check_verbs(
      driver, freed, [&] { return array(context, 4); }, [&](native each) { return array::adopt(context, each, 4); },
      [&](native each) { return array::borrow(context, each, 4); },
      [&](array& each) { yoke::copy(each, memory, stream); });
}

YOKE_DEVICE_TEST_CASE("the verbs of modules, which are shared", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    backend::module first = yoke::compile(context, source);
    const backend::module copy = first;
    const native_module reference = first.retain_native();  // one more, for the caller
    first.reset();
    CHECK_FALSE(static_cast<bool>(first));
    CHECK_THROWS_AS(first.kernel_names(), yoke::logic_error);
    CHECK(driver.count(calls::release_module) == 0);
    CHECK(backend::module::borrow(context, reference).kernel_names() == copy.kernel_names());
    CHECK(driver.count(calls::release_module) == 0);
    { const backend::module adopted = backend::module::adopt(context, reference); }
    CHECK(driver.count(calls::release_module) == (Backend::counts_references ? 1 : 0));
    CHECK_THROWS_AS(backend::module::adopt(context, native_module{}), yoke::logic_error);
    backend::module other = copy;
    swap(first, other);
    CHECK(first.native_handle() == copy.native_handle());
    CHECK_FALSE(static_cast<bool>(other));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a failing release is reported once and never thrown", "[execution]") {
  interposer driver(Backend::driver());
  cleanup_recorder recorder;
  {
    const backend::context context{through(driver, device)};
    const backend::stream stream{context};
    const std::size_t mark = driver.mark();
    driver.fail_function(calls::release_event, 1, fault_mode::once, codes::invalid_handle);
    { const auto point = backend::event::adopt(context, stream.record().release()); }
    const auto failures = cleanup_recorder::take();
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].call == Backend::symbol(calls::release_event));
    CHECK(failures[0].code == codes::invalid_handle);
    CHECK(driver.count(calls::release_event, mark) == 1);  // not tried again
  }
  CHECK(cleanup_recorder::take().empty());
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("handles are made, used and ended on any thread in any order", "[execution]") {
  backend::stream stream;
  backend::device_allocation<int> memory;
  backend::pagelocked_array<int> host;
  backend::event point;
  std::thread([&] {
    const backend::context context{device};
    stream = backend::stream{context};
    memory = backend::device_allocation<int>{context, 1000};
    host = backend::pagelocked_array<int>{context, 1000};
    yoke::fill(memory, 7, stream);
    point = stream.record();
  }).join();
  point.wait();
  yoke::copy(memory, host, stream);
  CHECK(host[999] == 7);
  std::thread([&] {
    stream.reset();
    memory.reset();
    host.reset();
    point.reset();
  }).join();
  CHECK_FALSE(static_cast<bool>(stream));
}
