// SPDX-License-Identifier: MIT
// The indices of an array: integers, slices, new axes and an ellipsis, as in Python.
#ifndef YOKE_ARRAY_GEOMETRY_SLICE_HPP
#define YOKE_ARRAY_GEOMETRY_SLICE_HPP

#include <yoke/core/narrow.hpp>

#include <cstddef>

namespace yoke::inline v0_1 {

/// The open end of a slice: `slice(3, none)` begins at 3. Python's `None`.
struct none_t {};
inline constexpr none_t none{};
/// A new axis of extent 1.
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};
/// Stands for all axes that the other indices do not name. At most one index may be an ellipsis.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

/// One end of a slice: an index, which counts from the end of the axis if below 0, or `none`.
struct slice_bound {
  constexpr slice_bound(none_t) noexcept {}  // NOLINT: an open end
  template <integer Index>
  constexpr slice_bound(Index at) noexcept : is_given(true), index(clamped(at)) {}  // NOLINT: an end

  bool is_given = false;
  std::ptrdiff_t index = 0;

  /// Returns: the index, limited to the range of a pointer difference. No axis is longer.
  template <integer Index>
  [[nodiscard]] static constexpr std::ptrdiff_t clamped(Index at) noexcept {
    if (std::in_range<std::ptrdiff_t>(at)) return static_cast<std::ptrdiff_t>(at);
    return std::cmp_less(at, 0) ? detail::least_of<std::ptrdiff_t> : detail::greatest_of<std::ptrdiff_t>;
  }
};

/// The elements `start`, `start + step`, ... before `stop` of one axis. As in Python, bounds below 0 count from the
/// end, bounds outside the axis are moved to its nearest end, and a step below 0 goes backwards. Indexing refuses a
/// step of 0.
/// Thread safety: a value. Example: `a(slice(1, 5), slice(none, none, -2))`
struct slice {
  /// Selects the whole axis.
  constexpr slice() noexcept = default;
  constexpr slice(slice_bound first, slice_bound last) noexcept : start(first), stop(last) {}
  template <integer Step>
  constexpr slice(slice_bound first, slice_bound last, Step by) noexcept
      : start(first), stop(last), step(slice_bound::clamped(by)) {}

  slice_bound start = none;
  slice_bound stop = none;
  std::ptrdiff_t step = 1;
};

/// Selects the whole axis.
inline constexpr slice whole{};
/// Selects the whole axis backwards.
inline constexpr slice reversed{none, none, -1};

namespace detail {

/// One index of any kind.
struct index_item {
  enum class kind : unsigned char { integer, slice, newaxis, ellipsis };
  template <integer Index>
  constexpr index_item(Index index) noexcept  // NOLINT: an index
      : is(kind::integer), range(slice_bound(index), none) {}
  constexpr index_item(const slice& of) noexcept : is(kind::slice), range(of) {}  // NOLINT: an index
  constexpr index_item(newaxis_t) noexcept : is(kind::newaxis) {}                 // NOLINT: an index
  constexpr index_item(ellipsis_t) noexcept : is(kind::ellipsis) {}               // NOLINT: an index

  kind is;
  yoke::slice range{};  // an integer is stored as the start
};

template <class T, class... Kinds>
inline constexpr bool is_index_word = (std::same_as<T, Kinds> || ...);

}  // namespace detail

/// An index of an array.
template <class T>
concept array_index = integer<T> || detail::is_index_word<std::remove_cv_t<T>, slice, newaxis_t, ellipsis_t>;

namespace detail {

/// Returns: the rank of the result of indexing. Does not compile for more indices than axes.
template <std::size_t Rank, array_index... Indices>
consteval std::size_t indexed_rank() {
  constexpr std::size_t integers = (std::size_t{integer<Indices>} + ... + 0);
  constexpr std::size_t slices = (std::size_t{std::same_as<Indices, slice>} + ... + 0);
  constexpr std::size_t added = (std::size_t{std::same_as<Indices, newaxis_t>} + ... + 0);
  static_assert(integers + slices <= Rank, "more indices than the array has axes");
  static_assert((std::size_t{std::same_as<Indices, ellipsis_t>} + ... + 0) <= 1, "more than one ellipsis");
  static_assert(Rank - integers + added <= 8, "an array has at most 8 axes");
  return integers + slices <= Rank ? Rank - integers + added : 0;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
