// SPDX-License-Identifier: MIT
// A box of an array's elements: where it begins, and how far it reaches.
#ifndef YOKE_DISTRIBUTED_INDEX_BOX_HPP
#define YOKE_DISTRIBUTED_INDEX_BOX_HPP

#include <yoke/array/geometry/axes.hpp>
#include <yoke/array/geometry/shape.hpp>
#include <yoke/array/geometry/slice.hpp>

#include <utility>

namespace yoke::inline v0_1 {

namespace detail {
/// Throws: `logic_error` for a box that begins before an array, or ends behind it.
[[noreturn, gnu::cold]] YOKE_API void throw_box_outside(const std::size_t* first, const std::size_t* extents,
                                                        const std::size_t* shape, std::size_t rank,
                                                        const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_box_axis(const char* what, int axis, std::size_t rank,
                                                     const source_location& where);
/// Throws: `logic_error` for an axis that does not exist.
constexpr void check_box_axis(const char* what, int axis, std::size_t rank, const source_location& where) {
  if (axis < 0 || static_cast<std::size_t>(axis) >= rank) throw_box_axis(what, axis, rank, where);
}
[[noreturn, gnu::cold]] YOKE_API void throw_box_shift(std::size_t first, std::ptrdiff_t by, int axis,
                                                      const source_location& where);
}  // namespace detail

/// The elements from `first` on, `extents` of them along each axis. It selects these of any array or view:
/// `box(u) = 0.5f * (box.shifted(0, -1)(v) + box.shifted(0, 1)(v));`
/// Thread safety: a value.
template <std::size_t Rank>
struct index_box {
  shape<Rank> first{};
  shape<Rank> extents{};

  [[nodiscard]] constexpr std::size_t size() const noexcept { return detail::volume(extents.begin(), Rank); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] constexpr bool contains(const shape<Rank>& index) const noexcept {
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (index[axis] < first[axis] || index[axis] - first[axis] >= extents[axis]) return false;
    }
    return true;
  }
  /// Returns: the box, moved along an axis.
  /// Throws: `logic_error` for a box that would begin before element 0 or beyond all elements, and for an axis that does
  /// not exist.
  [[nodiscard]] constexpr index_box shifted(int axis, std::ptrdiff_t by,
                                            const source_location& where = source_location::current()) const {
    detail::check_box_axis("shifted", axis, Rank, where);
    index_box made = *this;
    std::size_t& begin = made.first[static_cast<std::size_t>(axis)];
    const auto step = static_cast<std::size_t>(by);
    if (by < 0 ? begin < std::size_t{0} - step : begin + step < begin) detail::throw_box_shift(begin, by, axis, where);
    begin += step;
    return made;
  }
  /// Returns: these elements of an array or view. Throws: `logic_error` for a box that leaves it.
  template <class Array>
  [[nodiscard]] auto operator()(Array&& of, const source_location& where = source_location::current()) const {
    const auto& all = of.layout().shape();
    static_assert(std::remove_cvref_t<decltype(all)>::rank() == Rank, "the box has another number of axes");
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (first[axis] > all[axis] || extents[axis] > all[axis] - first[axis]) [[unlikely]]
        detail::throw_box_outside(first.begin(), extents.begin(), all.begin(), Rank, where);
    }
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::forward<Array>(of).part_at(where, slice(first[K], first[K] + extents[K])...);
    }(std::make_index_sequence<Rank>());
  }
  [[nodiscard]] friend constexpr bool operator==(const index_box& left, const index_box& right) noexcept {
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (left.first[axis] != right.first[axis] || left.extents[axis] != right.extents[axis]) return false;
    }
    return true;
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/index_box.ipp>
#endif

#endif
