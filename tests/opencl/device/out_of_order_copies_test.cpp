// SPDX-License-Identifier: MIT
// Copies and fills in out-of-order streams: they pass blocked commands, and stand before markers and barriers.
#include <image/image_rig.hpp>
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>
#include <support/soon.hpp>

#include <yoke/array.hpp>
#include <yoke/opencl/device/device.hpp>
#include <yoke/opencl/device/user_event.hpp>

#include <thread>

using namespace yoke_test;

namespace {
bool offers_it(const opencl_device& device) {
  return (ocl::get(device, ocl::info::queue_on_host_properties) & ocl::abi::queue_out_of_order) != 0;
}
}  // namespace

YOKE_OPENCL_TEST_CASE("copies and fills of an out-of-order stream follow their events alone", "[memory][opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  rig on(device);
  const auto before = on.alive();
  {
    const ocl::out_of_order_stream stream{on.context};
    ocl::device_allocation<int> x{on.context, 12}, y{on.context, 12}, z{on.context, 12};
    ocl::pagelocked_array<int> host{on.context, 12};
    yoke::fill(x, 1, on.stream);
    on.stream.synchronize();
    ocl::user_event gate{on.context};
    const auto blocked = yoke::fill(x, 7, stream, {.after = gate.as_event()});
    auto behind = yoke::copy_async(x, host, stream, {.after = blocked});
    // These pass it.
    const auto filled = yoke::fill(y, 3, stream);
    const auto copied = yoke::enqueue_copy(y, z, stream, {.after = filled});
    std::vector<int> found(12);
    yoke::copy(z, found, stream, {.after = copied});
    CHECK(found == std::vector<int>(12, 3));
    CHECK(filled.is_done());
    const std::vector<int> given(12, 4);
    yoke::copy(given, y, stream);
    CHECK(yoke::to_host(y, on.stream) == given);
    CHECK_FALSE(blocked.is_done());
    CHECK_FALSE(behind.is_done());
    gate.complete();
    behind.wait();
    CHECK(blocked.is_done());
    CHECK(std::vector<int>(host.begin(), host.end()) == std::vector<int>(12, 7));
    stream.synchronize();
  }
  CHECK(on.alive() == before);
}

YOKE_OPENCL_TEST_CASE("barriers, markers and kernels of an out-of-order stream order its copies", "[memory][opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  rig on(device);
  const ocl::out_of_order_stream stream{on.context};
  const auto add = yoke::compile(on.context, "__kernel void add(__global int* a, int n) { a[get_global_id(0)] += n; }")
                       .get_kernel<void(int*, int)>("add");
  ocl::device_allocation<int> x{on.context, 8}, y{on.context, 8};
  ocl::user_event gate{on.context};
  const auto filled = yoke::fill(x, 1, stream, {.after = gate.as_event()});
  const auto added = add.enqueue(stream, {.grid = 1, .block = 8}, x, 10, {.after = filled});
  const auto marked = stream.record();
  const auto wall = stream.barrier();
  const auto late = yoke::enqueue_copy(x, y, stream);  // no event: the barrier alone holds it back
  stream.flush();
  CHECK_FALSE(marked.is_done());
  CHECK_FALSE(wall.is_done());
  CHECK_FALSE(late.is_done());
  gate.complete();
  stream.synchronize();
  CHECK(late.is_done());
  CHECK(added.is_done());
  CHECK(yoke::to_host(y, on.stream) == std::vector<int>(8, 11));
}

YOKE_OPENCL_TEST_CASE("boxes, images, odd elements, arrays and shared memory are copied out of order",
                      "[memory][opencl]") {
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  rig on(device);
  const ocl::out_of_order_stream stream{on.context};
  // Elements of 12 bytes: a fill of several commands, which need an order.
  using triple = std::array<int, 3>;
  ocl::device_allocation<triple> triples{on.context, 1000};
  const auto filled = yoke::fill(triples, triple{1, 2, 3}, stream);
  std::vector<triple> back(1000);
  yoke::copy(triples, back, stream, {.after = filled});
  CHECK(back == std::vector<triple>(1000, {1, 2, 3}));

  const auto numbers = counting<float>(40);
  ocl::device_allocation<float> rows{on.context, numbers, on.stream};
  on.stream.synchronize();
  const yoke::box_layout box{.width = 5, .height = 4, .row_pitch = 8, .offset = 2};
  const yoke::box_layout tight{.width = 5, .height = 4, .row_pitch = 5};
  std::vector<float> part(20);
  yoke::copy(yoke::strided(rows, box), yoke::strided(part, tight), stream);
  std::vector<float> wanted;
  for (std::size_t i = 0; i < 20; ++i) wanted.push_back(numbers[2 + i / 5 * 8 + i % 5]);
  CHECK(part == wanted);

  ocl::image<float, 2> picture{on.context, {5, 4}};
  const auto drawn = yoke::fill(picture, 2.5F, stream);
  const auto pasted = yoke::enqueue_copy(yoke::strided(rows, box), picture, stream, {.after = drawn});
  yoke::copy(picture, part, stream, {.after = pasted});
  CHECK(part == wanted);

  yoke::device_array<float, 1, ocl::port> array{on.stream, {20}};
  array.fill(1.0F);
  yoke::fill(array, 6, stream).wait();  // behind what the array's own stream does with it
  CHECK(array.to_host() == std::vector<float>(20, 6.0F));
  CHECK_THROWS_AS(yoke::fill(yoke::device_array<std::uint8_t, 1, ocl::port>{on.stream, {20}}, 300, stream),
                  yoke::logic_error);
  if (!device.port().svm(device.native_handle(), {}).coarse) return;
  ocl::svm_allocation<float, ocl::svm::coarse> shared{on.context, 20};
  const auto set = yoke::fill(shared, 8.0F, stream);
  yoke::copy(shared, part, stream, {.after = set});
  CHECK(part == std::vector<float>(20, 8.0F));
}

YOKE_OPENCL_TEST_CASE("many threads copy and fill in one out-of-order stream", "[memory][opencl]") {
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  const ocl::context context{device};
  const ocl::out_of_order_stream stream{context};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int each = 0; each < 4; ++each) {
    threads.emplace_back([&, each] {
      ocl::device_allocation<int> x{context, 100};
      std::vector<int> found(100);
      for (int turn = 0; turn < 20; ++turn) {
        yoke::copy(x, found, stream, {.after = yoke::fill(x, 100 * each + turn, stream)});
        if (found != std::vector<int>(100, 100 * each + turn)) ++wrong;
      }
    });
  }
  for (auto& each : threads) each.join();
  CHECK(wrong == 0);
}

YOKE_OPENCL_TEST_CASE("an out-of-order stream that is empty takes no copy, and a moved one goes on",
                      "[memory][opencl]") {
  if (!offers_it(device)) YOKE_SKIP("the device has no out-of-order streams");
  rig on(device);
  ocl::device_allocation<int> x{on.context, 4}, y{on.context, 5};
  ocl::out_of_order_stream stream{on.context};
  yoke::fill(x, 1, stream).wait();
  CHECK_THROWS_AS(yoke::copy(x, y, stream), yoke::logic_error);
  const ocl::out_of_order_stream moved = std::move(stream);
  yoke::fill(x, 2, moved).wait();
  CHECK(yoke::to_host(x, on.stream) == std::vector<int>(4, 2));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::fill(x, 1, stream); }),  // NOLINT
             ContainsSubstring("out-of-order stream"));
}
