// SPDX-License-Identifier: MIT
// Ordinary host memory at an alignment: a contiguous range that owns its elements.
#include <support/rig.hpp>

#include <ranges>
#include <span>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<yoke::aligned_array<int>>);
static_assert(std::is_nothrow_move_constructible_v<yoke::aligned_array<int>>);
static_assert(std::ranges::contiguous_range<yoke::aligned_array<int>>);
static_assert(std::ranges::contiguous_range<const yoke::aligned_array<int>>);
static_assert(!std::is_convertible_v<int, yoke::aligned_array<int>>);

namespace {
struct alignas(64) wide {
  float x[16];
};
template <class T>
bool is_at(const yoke::aligned_array<T>& array, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(array.data()) % bytes == 0;
}
}  // namespace

TEST_CASE("an aligned array begins at a page, or at what is asked for", "[memory]") {
  const yoke::aligned_array<int> page{1000};
  CHECK(page.size() == 1000);
  CHECK(page.size_bytes() == 4000);
  CHECK(is_at(page, 4096));
  CHECK(is_at(yoke::aligned_array<char>{3, 1 << 16}, 1 << 16));
  CHECK(is_at(yoke::aligned_array<char>{3, 1}, 1));
  CHECK(is_at(yoke::aligned_array<wide>{3, 4}, 64));  // the elements' own
  for (const std::size_t wrong : std::initializer_list<std::size_t>{0, 3, 4095, 12}) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::aligned_array<char>(8, wrong); }),
               ContainsSubstring("an alignment of " + std::to_string(wrong) + " bytes is no power of two"));
    refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::aligned_array<wide>(8, wrong); });
  }
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [] { yoke::aligned_array<int>(-1); });
  CHECK_THAT(
      refusal<yoke::memory_error>(yoke::errc::out_of_memory, [] { yoke::aligned_array<char>(std::size_t{1} << 60); }),
      ContainsSubstring("host allocation of 1152921504606846976 bytes, aligned to 4096 bytes"));
}

TEST_CASE("an aligned array has zeros where they are asked for", "[memory]") {
  const yoke::aligned_array<double> zeros{1000, yoke::zeroed};
  CHECK(std::ranges::count(zeros, 0.0) == 1000);
  CHECK(is_at(yoke::aligned_array<double>{1000, yoke::zeroed, 8192}, 8192));
  const yoke::aligned_array<double> nothing{0, yoke::zeroed};
  CHECK(nothing.empty());
  CHECK(nothing.data() == nullptr);
}

TEST_CASE("an aligned array is moved, swapped and freed", "[memory]") {
  yoke::aligned_array<int> first{10}, second{20};
  first[9] = 7;
  const int* const address = first.data();
  swap(first, second);
  CHECK(first.size() == 20);
  CHECK(second.data() == address);
  yoke::aligned_array<int> moved = std::move(second);
  CHECK(second.empty());  // NOLINT: that is what is asked
  CHECK(std::as_const(moved)[9] == 7);
  moved = std::move(first);
  CHECK(moved.size() == 20);
  moved.reset();
  CHECK(moved.empty());
  CHECK(moved.begin() == moved.end());
}

YOKE_DEVICE_TEST_CASE("an aligned array is a side of copies", "[memory]") {
  rig on(device);
  yoke::aligned_array<int> from{1000}, back{1000, yoke::zeroed};
  std::iota(from.begin(), from.end(), 5);
  backend::device_allocation<int> memory{on.context, 1000};
  yoke::copy(from, memory, on.stream);
  yoke::copy(memory, back.span(), on.stream);
  CHECK(std::ranges::equal(from, back));
}
