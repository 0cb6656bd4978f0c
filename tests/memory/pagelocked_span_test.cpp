// SPDX-License-Identifier: MIT
// A part of page-locked memory: copied asynchronously, and alive as long as something uses it.
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>
#include <support/rig.hpp>

#include <ranges>
#include <utility>

using namespace yoke_test;

static_assert(std::ranges::contiguous_range<ocl::pagelocked_span<int>>);
static_assert(std::is_copy_constructible_v<ocl::pagelocked_span<int>>);
static_assert(std::is_convertible_v<ocl::pagelocked_span<int>, ocl::pagelocked_span<const int>>);
static_assert(!std::is_convertible_v<ocl::pagelocked_span<const int>, ocl::pagelocked_span<int>>);

YOKE_DEVICE_TEST_CASE("a part of page-locked memory is copied asynchronously", "[memory]") {
  rig on(device);
  backend::pagelocked_array<int> host{on.context, 100};
  std::iota(host.begin(), host.end(), 0);
  backend::device_allocation<int> memory{on.context, 10};
  const yoke::pagelocked_span<int, port> part = host.subspan(20, 10);
  CHECK(part.data() == host.data() + 20);
  CHECK(part.size() == 10);
  CHECK(part.size_bytes() == 40);
  CHECK(part.context_of() == on.context);
  const std::size_t mark = on.driver.mark();
  yoke::copy_async(part, memory, on.stream).wait();
  CHECK(on.enqueued(mark) >= 1);
  CHECK(download(memory, on.stream) == counting(10, 20));
  yoke::fill(memory, -1, on.stream);
  yoke::copy_async(memory, host.subspan(90), on.stream).wait();  // from there on
  CHECK(host[89] == 89);
  CHECK(host[90] == -1);
  CHECK(host[99] == -1);

  part[0] = 7;
  yoke::enqueue_copy(part, memory, on.stream);
  on.stream.synchronize();
  yoke::copy(memory, host.subspan(0, 10), on.stream);
  CHECK(host[0] == 7);
  const auto& constant = host;
  static_assert(std::same_as<decltype(constant.subspan(0, 1)), yoke::pagelocked_span<const int, port>>);
  yoke::copy_async(constant.subspan(30, 10), memory, on.stream).wait();
  yoke::copy_async(yoke::strided(host.subspan(40, 20), {.width = 5, .height = 2, .row_pitch = 10}), memory, on.stream)
      .wait();
  CHECK(download(memory, on.stream) == std::vector<int>{40, 41, 42, 43, 44, 50, 51, 52, 53, 54});
  const auto inner = part.subspan(5).subspan(1, 2);
  CHECK(inner.data() == host.data() + 26);
  CHECK(yoke::to_host(yoke::to_device(inner, on.stream), on.stream) == std::vector<int>{26, 27});
}

YOKE_DEVICE_TEST_CASE("a part of page-locked memory keeps it alive until its transfers are done", "[memory][held]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig on(device);
  auto memory = yoke::to_device(counting(8), on.stream);
  backend::pagelocked_array<int> host{on.context, 256};
  const auto freed = [&] { return on.driver.count(calls::free_pagelocked); };
  auto part = host.subspan(8, 8);
  host.reset();
  CHECK(freed() == 0);
  part[0] = 5;
  gate held{on.stream};
  backend::transfer down = yoke::copy_async(memory, part, on.stream);
  part = {};
  CHECK(freed() == 0);
  held.open();
  down.wait();
  CHECK(freed() == 1);
}

YOKE_DEVICE_TEST_CASE("a part of page-locked memory never leaves it", "[memory]") {
  rig on(device);
  backend::pagelocked_array<int> host{on.context, 10};
  const auto part = host.subspan(2, 5);
  using yoke::errc;
  CHECK_THAT(refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)host.subspan(8, 3); }),
             ContainsSubstring("elements 8 to 8 + 3 are outside the 10 there are"));
  refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)part.subspan(0, 6); });
  refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)part.subspan(6); });
  refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)host.subspan(-1, 1); });
  backend::device_allocation<int> memory{on.context, 4};
  refusal<yoke::logic_error>(errc::size_mismatch, [&] { yoke::copy(part, memory, on.stream); });
  const yoke::pagelocked_span<int, port> none;
  CHECK(none.empty());
  refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::copy(none, memory, on.stream); });
  const backend::context elsewhere = Backend::another_context(on.device);
  const backend::stream foreign{elsewhere};
  backend::device_allocation<int> theirs{elsewhere, 5};
  refusal<yoke::logic_error>(errc::wrong_context, [&] { (void)yoke::copy_async(part, theirs, foreign); });
}

YOKE_CUDA_TEST_CASE("a part of registered memory is page-locked, too", "[memory]") {
  namespace cu = yoke::cuda;
  rig on(device);
  std::vector<int> own = counting(1000);
  cu::device_allocation<int> memory{on.context, 10};
  {
    cu::registered_memory<int> pinned{on.context, std::span{own}};
    cu::transfer up = yoke::copy_async(pinned.subspan(100, 10), memory, on.stream);
    pinned.reset();
    CHECK(on.driver.count("mem_host_unregister") == 0);
    up.wait();
    CHECK(on.driver.count("mem_host_unregister") == 1);
  }
  CHECK(download(memory, on.stream) == counting(10, 101));
  cu::pagelocked_array<int> host{on.context, 100, {.mapped = true}};
  std::iota(host.begin(), host.end(), 0);
  CHECK(yoke::to_host(cu::mapped(host.subspan(10, 3)), on.stream) == std::vector<int>{10, 11, 12});
}
