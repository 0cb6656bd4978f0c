// SPDX-License-Identifier: MIT
// Copies and fills behind events: `.after` of each kind of copy and fill, and the events that they give.
#include <image/image_rig.hpp>
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

#include <yoke/array.hpp>

using namespace yoke_test;

YOKE_DEVICE_TEST_CASE("fills and copies wait for the events that they are given, and give their own", "[memory]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const backend::context context{device};
  const backend::stream source{context}, stream{context}, boxes{context}, images{context};
  backend::device_allocation<int> x{context, 12}, y{context, 12}, z{context, 8};
  backend::pagelocked_array<int> host{context, 12}, rows{context, 4};
  yoke::image<float, 2, port> picture{context, {4, 3}};
  backend::device_allocation<float> texels{context, 12};
  yoke::fill(x, 1, stream);
  yoke::fill(y, 1, stream);
  yoke::fill(texels, 1.0F, stream);
  yoke::fill(picture, 1.0F, stream);
  stream.synchronize();
  yoke::transfer<port> box_copied, image_copied, copied;  // what is thrown below opens the gate before these wait
  std::fill(host.begin(), host.end(), 0);
  std::fill(rows.begin(), rows.end(), 0);

  gate held{source};
  const auto open = source.record();
  const auto filled = yoke::fill(x, 7, stream, {.after = open});
  const yoke::box_layout left{.width = 2, .height = 2, .row_pitch = 4};
  const yoke::box_layout tight{.width = 2, .height = 2, .row_pitch = 2};
  const auto box_filled = yoke::fill(yoke::strided(y, left), 9, boxes, {.after = {open, open}});
  box_copied = yoke::copy_async(yoke::strided(y, left), yoke::strided(rows, tight), boxes, {.after = box_filled});
  const auto image_filled = yoke::fill(picture, 5.0F, images, {.after = open});
  image_copied = yoke::copy_async(picture, texels, images, {.after = image_filled});
  // In a stream that holds nothing itself: the event alone holds the copy back.
  const backend::stream other{context};
  copied = yoke::copy_async(x, host, other, {.after = filled});
  const auto enqueued = yoke::enqueue_copy(x.subspan(4, 8), z, other, {.after = filled});
  for (const auto* const each : {&stream, &boxes, &images, &other}) each->flush();
  for (const auto* const each :
       {&filled, &box_filled, &box_copied.done(), &image_filled, &image_copied.done(), &copied.done(), &enqueued}) {
    CHECK(*each);
    CHECK_FALSE(each->is_done());
  }
  CHECK(host[0] == 0);
  held.open();
  copied.wait();
  CHECK(filled.is_done());
  CHECK(std::vector<int>(host.begin(), host.end()) == std::vector<int>(12, 7));
  box_copied.wait();
  CHECK(std::vector<int>(rows.begin(), rows.end()) == std::vector<int>(4, 9));
  image_copied.wait();
  CHECK(yoke::to_host(texels, images) == std::vector<float>(12, 5.0F));
  enqueued.wait();
  CHECK(yoke::to_host(z, stream) == std::vector<int>(8, 7));
  filled.wait();
}

YOKE_DEVICE_TEST_CASE("a copy that waits for events blocks until it is done", "[memory]") {
  const backend::context context{device};
  const backend::stream first{context}, second{context};
  backend::device_allocation<int> x{context, 1000};
  const auto filled = yoke::fill(x, 3, first, {.after = first.record()});
  std::vector<int> host(1000);
  yoke::copy(x, host, second, {.after = filled});  // pageable memory, too
  CHECK(host == std::vector<int>(1000, 3));
  host.assign(1000, 4);
  yoke::copy(host, x, second, {.after = {filled, second.record()}});
  CHECK(yoke::to_host(x, second) == host);
}

YOKE_DEVICE_TEST_CASE("arrays are filled behind events, with numbers that they can hold", "[memory]") {
  rig on(device);
  yoke::device_array<std::uint8_t, 1, port> a{on.stream, {5}};
  yoke::fill(a, 9, on.stream, {.after = on.stream.record()}).wait();
  CHECK(a.to_host() == std::vector<std::uint8_t>(5, 9));
  CHECK_THROWS_AS(yoke::fill(a, 300, on.stream, {.after = on.stream.record()}), yoke::logic_error);
  CHECK(a.to_host() == std::vector<std::uint8_t>(5, 9));
}

YOKE_DEVICE_TEST_CASE("copies and fills of nothing give an event behind those given", "[memory]") {
  const backend::context context{device};
  const backend::stream source{context}, stream{context};
  backend::device_allocation<int> none{context, 0};
  backend::pagelocked_array<int> nothing{context, 0};
  const auto before = source.record();
  const auto filled = yoke::fill(none, 1, stream, {.after = before});
  CHECK(filled);
  filled.wait();
  CHECK(before.is_done());
  auto copied = yoke::copy_async(none, nothing, stream, {.after = before});
  CHECK(copied.done());
  copied.wait();
  yoke::copy(none, nothing, stream, {.after = before});
  CHECK_FALSE(yoke::copy_async(none, nothing, stream).done());  // without events it is no command
}

YOKE_DEVICE_TEST_CASE("nothing is enqueued for a wrong copy, fill or list of events", "[memory]") {
  rig on(device);
  backend::device_allocation<int> x{on.context, 12}, y{on.context, 5};
  const auto before = on.stream.record();
  const backend::event empty;
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { (void)yoke::copy_async(x, y, on.stream, {.after = before}); }),
             ContainsSubstring("12"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::empty_handle,
                                 [&] { (void)yoke::copy_async(x.subspan(0, 5), y, on.stream, {.after = empty}); }),
      ContainsSubstring("an event to wait for is empty"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::fill(x, 1, on.stream, {.after = empty}); }),
      ContainsSubstring("an event to wait for is empty"));
  CHECK(on.enqueued(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("parts of shared memory and of images are filled behind events", "[memory][opencl]") {
  rig on(device);
  const ocl::stream other{on.context};
  ocl::image<float, 2> picture{on.context, {4, 3}};
  const auto cleared = yoke::fill(picture, 0.0F, other, {.after = other.record()});
  const auto drawn = yoke::fill(yoke::region(picture, {1, 1}, {2, 2}), 3.0F, on.stream, {.after = cleared});
  std::vector<float> found(12);
  yoke::copy(picture, found, other, {.after = drawn});
  CHECK(found == std::vector<float>{0, 0, 0, 0, 0, 3, 3, 0, 0, 3, 3, 0});
  if (!device.port().svm(device.native_handle(), {}).coarse) return;
  ocl::svm_allocation<int, ocl::svm::coarse> shared{on.context, 6, on.stream};
  const auto whole = yoke::fill(shared, 1, on.stream, {.after = drawn});
  const auto part = yoke::fill(shared.subspan(2, 3), 5, other, {.after = whole});
  std::vector<int> numbers(6);
  yoke::copy(shared, numbers, on.stream, {.after = part});
  CHECK(numbers == std::vector{1, 1, 5, 5, 5, 1});
  const yoke::box_layout column{.width = 1, .height = 2, .row_pitch = 3, .offset = 2};
  const auto boxed = yoke::fill(yoke::strided(shared, column), 8, on.stream, {.after = part});
  yoke::copy(shared, numbers, other, {.after = boxed});
  CHECK(numbers == std::vector{1, 1, 8, 5, 5, 8});
}
