// SPDX-License-Identifier: MIT
// The verbs of handles that OpenCL alone has, or alone counts the references of.
#include <execution/handle_verbs.hpp>
#include <yoke/image.hpp>

#include <utility>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
using signature = void(int*);
}  // namespace

YOKE_OPENCL_TEST_CASE("the verbs of out-of-order streams", "[execution]") {
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

YOKE_OPENCL_TEST_CASE("the verbs of kernels", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::module module = yoke::compile(context, source);
  check_verbs(
      driver, "release_kernel", [&] { return module.get_kernel<signature>("twice"); },
      [&](auto* native) { return ocl::kernel<signature>::adopt(module, native); },
      [&](auto* native) { return ocl::kernel<signature>::borrow(module, native); },
      [](const ocl::kernel<signature>& each) { (void)each.limits(); });
}

namespace {

/// Effects: takes a third share of what `make` makes: the handle adds one reference, and its end takes away that one.
template <class Make, class Retain, class Use>
void check_retained(opencl_interposer& driver, const std::string& add, const std::string& end, Make make, Retain retain,
                    Use use) {
  auto first = make();
  const auto native = first.native_handle();
  const std::size_t mark = driver.mark();
  {
    auto second = retain(native);
    CHECK(second.native_handle() == native);
    CHECK(driver.count(add, mark) == 1);
    use(second);
    auto third = std::move(second);
    CHECK(third.native_handle() == native);
  }
  CHECK(driver.count(end, mark) == 1);
  use(first);
  auto last = retain(native);
  first.reset();  // either may end first
  use(last);
  last.reset();
  CHECK(driver.count(add, mark) == 2);
  CHECK(driver.count(end, mark) == 3);
  // Null is refused before anything is counted.
  CHECK_THROWS_AS(retain(decltype(native){}), yoke::logic_error);
  CHECK(driver.count(add, mark) == 2);
  CHECK(driver.bad_releases().empty());
}

}  // namespace

YOKE_OPENCL_TEST_CASE("retain shares a native object by a reference of the handle's own", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    check_retained(
        driver, "retain_queue", "release_queue", [&] { return ocl::stream{context}; },
        [&](abi::queue native) { return ocl::stream::retain(context, native); },
        [](const ocl::stream& each) { each.synchronize(); });
    check_retained(
        driver, "retain_event", "release_event", [&] { return ocl::event::adopt(context, stream.record().release()); },
        [&](abi::event native) { return ocl::event::retain(context, native); },
        [](const ocl::event& each) { each.wait(); });
    check_retained(
        driver, "retain_memory", "release_memory",
        [&] {
          return ocl::device_allocation<int>{context, 4};
        },
        [&](abi::memory native) { return ocl::device_allocation<int>::retain(context, native, 4); },
        [&](ocl::device_allocation<int>& each) { yoke::fill(each, 1, stream); });
    ocl::device_allocation<int> whole{context, 64};
    check_retained(
        driver, "retain_memory", "release_memory",
        [&] {
          return ocl::sub_buffer<int>{whole, 0, 8};
        },
        [&](abi::memory native) { return ocl::sub_buffer<int>::retain(context, native, 8); },
        [&](ocl::sub_buffer<int>& each) { yoke::fill(each, 1, stream); });
    using image = ocl::image<float, 2>;
    check_retained(
        driver, "retain_memory", "release_memory",
        [&] {
          return image{context, {4, 3}};
        },
        [&](abi::memory native) {
          return image::retain(context, native, {4, 3});
        },
        [&](image& each) { yoke::fill(each, 1.0F, stream); });
    using layers = ocl::layered_image<float, 2>;
    check_retained(
        driver, "retain_memory", "release_memory",
        [&] {
          return layers{context, {4, 3}, 2};
        },
        [&](abi::memory native) {
          return layers::retain(context, native, {4, 3}, 2);
        },
        [&](layers& each) { yoke::fill(each, 1.0F, stream); });
    check_retained(
        driver, "retain_sampler", "release_sampler",
        [&] {
          return ocl::sampler{context, yoke::sampler{}};
        },
        [&](abi::sampler native) { return ocl::sampler::retain(context, native); },
        [](const ocl::sampler& each) { (void)each.description(); });
    CHECK_THROWS_AS(ocl::device_allocation<int>::retain(context, whole.native_handle(), 65), yoke::logic_error);
    ocl::module module = yoke::compile(context, source);
    ocl::kernel<signature> kernel = module.get_kernel<signature>("twice");
    check_retained(
        driver, "retain_kernel", "release_kernel", [&] { return module.get_kernel<signature>("twice"); },
        [&](abi::kernel native) { return ocl::kernel<signature>::retain(module, native); },
        [&](const ocl::kernel<signature>& each) { (void)each.limits(); });
    {
      const std::size_t mark = driver.mark();
      ocl::module second = ocl::module::retain(context, module.native_handle());
      CHECK(driver.count("retain_program", mark) == 1);
      module.reset();
      CHECK(second.kernel_names() == std::vector<std::string>{"twice"});
    }
    const std::size_t mark = driver.mark();
    {
      const ocl::context again = ocl::context::retain(context.port(), context.native_handle());
      CHECK(driver.count("retain_context", mark) == 1);
      CHECK(again == context);
      ocl::device_allocation<int> x{again, 4};
      const ocl::stream order{again};
      yoke::fill(x, 5, order);
      CHECK(yoke::to_host(x, order) == std::vector<int>(4, 5));
    }
    CHECK(driver.count("release_context", mark) == 1);
    stream.synchronize();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("retain shares out-of-order streams and sub-devices", "[execution]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) != 0) {
    check_retained(
        driver, "retain_queue", "release_queue", [&] { return ocl::out_of_order_stream{context}; },
        [&](abi::queue native) { return ocl::out_of_order_stream::retain(context, native); },
        [](const ocl::out_of_order_stream& each) { each.synchronize(); });
  }
  const std::size_t mark = driver.mark();
  { const ocl::device again = ocl::device::retain(context.port(), context.only_device().native_handle()); }
  CHECK(driver.count("retain_device", mark) == 1);
  CHECK(driver.count("release_device", mark) == 1);
}

template <class Handle>
concept retains = requires(const yoke::context<typename Handle::port_type>& context,
                           typename Handle::native_type native) { Handle::retain(context, native); };
static_assert(!retains<yoke::stream<yoke::cuda::port>> && !retains<yoke::event<yoke::cuda::port>>);
static_assert(!retains<yoke::stream<>> && retains<ocl::stream> && retains<ocl::event>);
