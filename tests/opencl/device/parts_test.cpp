// SPDX-License-Identifier: MIT
// Contexts over several devices: the parts of a device, their streams, memory and programs.
#include <support/devices/parts.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

YOKE_OPENCL_TEST_CASE("a context over several devices wants to know which", "[execution]") {
  opencl_interposer driver(raw_opencl());
  auto parts = two_parts(through(driver, device));
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  {
    const ocl::context context{parts};
    parts.clear();  // the context keeps them
    REQUIRE(context.devices().size() == 2);
    try {
      (void)context.only_device();
      FAIL("one of two devices was called the only one");
    } catch (const yoke::logic_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("this context has 2 devices: say which, as in stream{ctx, device}"));
    }
    CHECK_THROWS_AS(ocl::stream{context}, yoke::logic_error);
    const ocl::stream first{context, context.devices()[0]}, second{context, context.devices()[1]};
    CHECK(first.device_of() == context.devices()[0]);
    CHECK(second.device_of() == context.devices()[1]);
    CHECK(driver.real().get_queue_info != nullptr);
    abi::device asked = nullptr;
    driver.real().get_queue_info(second.native_handle(), abi::queue_device, sizeof asked, &asked, nullptr);
    CHECK(asked == context.devices()[1].native_handle());
    const ocl::event point = first.record();
    second.wait(point);
    second.synchronize();
    CHECK_THROWS_WITH((ocl::stream{context, through(driver, device)}),
                      ContainsSubstring("the device is not one of this context's"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("swapped streams keep their devices and their timing", "[execution]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  const ocl::context context{parts};
  ocl::stream first{context, parts[0], {.timing = true}}, second{context, parts[1]};
  swap(first, second);
  CHECK(first.device_of() == parts[1]);
  CHECK_FALSE(first.has_timing());
  CHECK(second.device_of() == parts[0]);
  CHECK(second.has_timing());
  const ocl::stream moved = std::move(second);
  CHECK(moved.device_of() == parts[0]);
  CHECK_THROWS_AS(second.device_of(), yoke::logic_error);  // NOLINT: what a moved-from stream does is the point
}

YOKE_OPENCL_TEST_CASE("both devices of a context run one program on one buffer", "[execution]") {
  const auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  opencl_interposer driver(raw_opencl());
  const ocl::device whole = through(driver, device);
  {
    const ocl::context context{std::vector{ocl::device::borrow(whole.port(), parts[0].native_handle()),
                                           ocl::device::borrow(whole.port(), parts[1].native_handle())}};
    const std::vector<ocl::device>& devices = context.devices();
    const ocl::stream first{context, devices[0]}, second{context, devices[1]};
    const auto module = yoke::compile(
        context, "kernel void add(global int* a, int n) { a[get_global_id(0)] += n * (get_global_id(0) + 1); }");
    CHECK(driver.count("build_program") == 1);
    constexpr int size = 256;
    const auto sums = [&](const ocl::module& of) {
      const auto add = of.get_kernel<void(int*, int)>("add");
      CHECK_THROWS_WITH(add.limits(), ContainsSubstring("this context has 2 devices"));
      CHECK(add.limits(devices[0]).max_block > 0);
      CHECK(add.limits(devices[1]).max_block > 0);
      ocl::device_allocation<int> shared{context, size};
      yoke::fill(shared, 0, first);
      add(first, yoke::launch_over(size, 16), shared, 1);
      const ocl::event there = add.enqueue(second, yoke::launch_over(size, 16), shared, 10, {.after = first.record()});
      const ocl::event back = add.enqueue(first, yoke::launch_over(size, 16), shared, 100, {.after = there});
      second.wait(back);
      std::vector<int> host(size);
      yoke::copy(shared, host, second);
      return host;
    };
    std::vector<int> expected(size);
    for (int i = 0; i < size; ++i) expected[static_cast<std::size_t>(i)] = 111 * (i + 1);
    CHECK(sums(module) == expected);

    const std::vector<std::byte> binary = module.export_binary();
    CHECK(sums(yoke::load(context, binary)) == expected);
    CHECK(driver.count("create_program_with_binary") == 1);
    CHECK_THROWS_AS((ocl::stream{context, whole}), yoke::logic_error);
    CHECK_THROWS_AS(module.get_kernel<void(int*, int)>("add").limits(whole), yoke::logic_error);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}
