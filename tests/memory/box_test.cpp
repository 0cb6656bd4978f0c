// SPDX-License-Identifier: MIT
// Copies within one allocation: what shares bytes is refused before the driver sees it, what does not is copied.
#include <support/rig.hpp>

#include <string>

using namespace yoke_test;

namespace {

std::vector<std::size_t> elements_of(const yoke::box_layout& box) {
  const std::size_t row_pitch = box.row_pitch == 0 ? box.width : box.row_pitch;
  const std::size_t slice_pitch = box.slice_pitch == 0 ? row_pitch * box.height : box.slice_pitch;
  std::vector<std::size_t> all;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      for (std::size_t x = 0; x < box.width; ++x) {
        all.push_back(box.offset + z * slice_pitch + y * row_pitch + x);
      }
    }
  }
  return all;
}

bool share_elements(const yoke::box_layout& from, const yoke::box_layout& to) {
  const auto first = elements_of(from);
  const auto second = elements_of(to);
  return std::ranges::any_of(first, [&](std::size_t each) { return std::ranges::count(second, each) != 0; });
}

/// Copies one box of an allocation to another. Returns: whether that was refused; else the content was checked.
template <class Backend>
bool refused_within(rig<Backend>& on, const yoke::box_layout& from, const yoke::box_layout& to, std::size_t size) {
  std::vector<int> expected = counting(size);
  auto memory = yoke::to_device(expected, on.stream);
  const std::size_t mark = on.driver.mark();
  try {
    yoke::copy(yoke::strided(memory, from), yoke::strided(memory, to), on.stream);
  } catch (const yoke::logic_error& failure) {
    CHECK(failure.code() == yoke::errc::invalid_argument);
    CHECK_THAT(std::string(failure.what()), ContainsSubstring("source and destination overlap: bytes "));
    CHECK(on.driver.count_all(mark) == 0);
    return true;
  }
  const auto first = elements_of(from);
  const auto second = elements_of(to);
  for (std::size_t i = 0; i < first.size(); ++i) expected[second[i]] = static_cast<int>(first[i]) + 1;
  CHECK(download(memory, on.stream) == expected);
  return false;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("overlapping ranges of one allocation are refused, neighbours are copied", "[memory]") {
  rig on(device);
  auto memory = yoke::to_device(counting(100), on.stream);
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](auto&& from, auto&& to) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::copy(from, to, on.stream); });
  };
  CHECK_THAT(
      refused(memory.subspan(10, 30), memory.subspan(39, 30)),
      ContainsSubstring("source and destination overlap: bytes 40 .. 160 and bytes 156 .. 276 of the same memory "
                        "(at ") &&
          ContainsSubstring("box_test.cpp:"));
  CHECK_THAT(refused(memory.subspan(39, 30), memory.subspan(10, 30)),
             ContainsSubstring("bytes 156 .. 276 and bytes 40 .. 160"));
  refused(memory, memory);
  refused(memory.subspan(5, 1), memory.subspan(5, 1));
  refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                             [&] { (void)yoke::copy_async(memory.subspan(0, 10), memory.subspan(9, 10), on.stream); });
  CHECK(on.driver.count_all(mark) == 0);

  yoke::copy(memory.subspan(10, 30), memory.subspan(40, 30), on.stream);
  yoke::copy_async(memory.subspan(90, 10), memory.subspan(80, 10), on.stream).wait();
  std::vector<int> expected = counting(100);
  std::copy_n(expected.begin() + 10, 30, expected.begin() + 40);
  std::copy_n(expected.begin() + 90, 10, expected.begin() + 80);
  CHECK(download(memory, on.stream) == expected);
}

YOKE_DEVICE_TEST_CASE("rectangles of one allocation are refused where they share elements, and only there",
                      "[memory]") {
  rig on(device);
  const yoke::box_layout from{.width = 3, .height = 3, .row_pitch = 8, .offset = 9};
  std::size_t refused = 0;
  for (std::size_t offset = 0; offset < 64 - 19; ++offset) {
    // Rows that reach over the end of a pitch make drivers with OpenCL 1.2's rule refuse some that are apart.
    if (offset % from.row_pitch + from.width > from.row_pitch) continue;
    yoke::box_layout to = from;
    to.offset = offset;
    CAPTURE(offset);
    const bool now = refused_within(on, from, to, 64);
    CHECK(now == share_elements(from, to));
    refused += now ? 1 : 0;
  }
  CHECK(refused == 16);

  auto memory = yoke::to_device(counting(64), on.stream);
  CHECK_THAT(refusal<yoke::logic_error>(
                 yoke::errc::invalid_argument,
                 [&] {
                   yoke::copy(yoke::strided(memory, from),
                              yoke::strided(memory, {.width = 3, .height = 3, .row_pitch = 8, .offset = 19}),
                              on.stream);
                 }),
             ContainsSubstring("bytes 36 .. 112 and bytes 76 .. 152 of the same memory, in 3 rows of 12 bytes each"));
}

YOKE_DEVICE_TEST_CASE("boxes of one allocation are refused where they share elements", "[memory]") {
  rig on(device);
  yoke::box_layout from{.width = 2, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 20, .offset = 5};
  yoke::box_layout to = from;
  const auto at = [&](std::size_t x, std::size_t y, std::size_t z) {
    to.offset = z * from.slice_pitch + y * from.row_pitch + x;
    const bool refused = refused_within(on, from, to, 100);
    CHECK(refused == share_elements(from, to));
    return refused;
  };
  CHECK(at(1, 1, 0));
  CHECK(at(2, 2, 1));
  CHECK_FALSE(at(3, 1, 0));                // in the gaps between rows
  CHECK_FALSE(at(1, 3, 0));                // in the gaps between slices
  CHECK_FALSE(at(1, 1, 2));                // behind
  from.slice_pitch = to.slice_pitch = 17;  // no whole number of rows: goes slice by slice, and is compared row by row
  CHECK(at(1, 1, 1));
  CHECK_FALSE(at(3, 1, 0));
}

// OpenCL's drivers take no rectangles of different pitches within one buffer.
YOKE_CUDA_TEST_CASE("rectangles of different pitches within one allocation are compared row by row", "[memory]") {
  rig on(device);
  const yoke::box_layout from{.width = 2, .height = 3, .row_pitch = 10, .offset = 2};
  CHECK(refused_within(on, from, {.width = 2, .height = 3, .row_pitch = 3, .offset = 7}, 50));
  CHECK_FALSE(refused_within(on, from, {.width = 2, .height = 3, .row_pitch = 3, .offset = 4}, 50));
  CHECK_FALSE(refused_within(on, from, {.width = 2, .height = 3, .row_pitch = 9, .offset = 24}, 50));
}

YOKE_CUDA_TEST_CASE("ranges that overlap are refused whatever address they count from", "[memory]") {
  rig on(device);
  auto memory = yoke::to_device(counting(50), on.stream);
  const auto later =
      yoke::cuda::device_span<int>(on.context.native_handle(), memory.native_handle() + 10 * sizeof(int), 0, 20);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { yoke::copy(later, memory.subspan(29, 20), on.stream); }),
             ContainsSubstring("bytes 40 .. 120 and bytes 116 .. 196"));
  yoke::copy(later, memory.subspan(30, 20), on.stream);
  const auto moved = memory.subspan(30, 20);
  CHECK(download(moved, on.stream) == counting(20, 11));
}

YOKE_CUDA_TEST_CASE("ranges that overlap are refused by address through the port chosen at run time, too", "[memory]") {
  rig on(device);
  auto memory = yoke::to_device(counting(50), on.stream);
  const yoke::any_port any{on.device.port()};
  CHECK(any.memory_is_address());
  using handles = yoke::any_handles;
  const auto at = [&](std::size_t element) {
    return handles::memory_handle{reinterpret_cast<void*>(memory.native_handle() + element * sizeof(int))};
  };
  const auto context =
      yoke::context<>::borrow(any, handles::context_handle{static_cast<void*>(on.context.native_handle())});
  const yoke::stream<> stream{context};
  const yoke::device_span<int> first(context.native_handle(), at(0), 10, 20),
      later(context.native_handle(), at(20), 9, 20), behind(context.native_handle(), at(20), 10, 20);
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::copy(first, later, stream); }),
             ContainsSubstring("bytes 40 .. 120 and bytes 116 .. 196 of the same memory"));
  CHECK(on.driver.count_all(mark) == 0);
  yoke::copy(first, behind, stream);
  const auto moved = memory.subspan(30, 20);
  CHECK(download(moved, on.stream) == counting(20, 11));
}

YOKE_OPENCL_TEST_CASE("ranges of shared virtual memory that overlap are refused", "[memory]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  ocl::svm_allocation<int, ocl::svm::coarse> shared{on.context, 60, on.stream};
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          yoke::copy(yoke::strided(shared, {.width = 20}),
                                                     yoke::strided(shared, {.width = 20, .offset = 19}), on.stream);
                                        }),
             ContainsSubstring("bytes 0 .. 80 and bytes 76 .. 156"));
  CHECK(on.driver.count_all(mark) == 0);
  yoke::copy(yoke::strided(shared, {.width = 20}), yoke::strided(shared, {.width = 20, .offset = 20}), on.stream);
}
