// SPDX-License-Identifier: MIT
// The axes that a reduction or a scan goes along.
#ifndef YOKE_ARRAY_GEOMETRY_ALONG_HPP
#define YOKE_ARRAY_GEOMETRY_ALONG_HPP

#include <yoke/array/geometry/shape.hpp>

#include <cstdint>

namespace yoke::inline v0_1 {

/// The numbers of axes, as `along` makes them; those below 0 count from the end. With `Keep` the axes stay in the
/// result, with an extent of 1.
template <std::size_t Count, bool Keep = false>
struct reduced_axes {
  std::array<std::ptrdiff_t, Count> axes{};

  /// The same axes, kept in the result with an extent of 1, so that the result broadcasts to the shape that was
  /// reduced.
  [[nodiscard]] constexpr reduced_axes<Count, true> keep_dims() const noexcept { return {axes}; }
};

/// Names the axes to reduce: `sum(a, along(0, 2))`, `a - mean(a, along(-1).keep_dims())`. Thread safety: a value.
template <integer... Axes>
  requires(sizeof...(Axes) > 0)
[[nodiscard]] constexpr reduced_axes<sizeof...(Axes)> along(Axes... axes) noexcept {
  return {{static_cast<std::ptrdiff_t>(axes)...}};
}

namespace detail {

/// Returns: all axes.
template <std::size_t Rank>
[[nodiscard]] constexpr reduced_axes<Rank> every_axis() noexcept {
  reduced_axes<Rank> all;
  for (std::size_t axis = 0; axis < Rank; ++axis) all.axes[axis] = static_cast<std::ptrdiff_t>(axis);
  return all;
}

/// Does not compile: chosen where an axis is given as a plain number; the message tells to use `along`.
template <class Axis>
auto refuse_axis() {
  static_assert(!std::same_as<Axis, Axis>, "an axis is given by along: write sum(a, along(0)), cumsum(a, along(1))");
  return 0;
}
/// Returns: a mask with one bit for each axis. Throws: `logic_error` for an axis that does not exist or is given
/// twice.
template <std::size_t Count>
[[nodiscard]] std::uint32_t axis_mask(const std::array<std::ptrdiff_t, Count>& axes, std::size_t rank,
                                      const source_location& where) {
  std::uint32_t mask = 0;
  for (const std::ptrdiff_t each : axes) {
    const auto count = static_cast<std::ptrdiff_t>(rank);
    if (each < -count || each >= count) throw_axis(each, rank, where);
    const auto axis = static_cast<std::size_t>(each < 0 ? each + count : each);
    if ((mask >> axis & 1U) != 0) throw_axis_twice(axis, where);
    mask |= 1U << axis;
  }
  return mask;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
