// SPDX-License-Identifier: MIT
// The extents of an array, made from any integers.
#ifndef YOKE_ARRAY_GEOMETRY_SHAPE_HPP
#define YOKE_ARRAY_GEOMETRY_SHAPE_HPP

#include <yoke/array/geometry/geometry_error.hpp>
#include <yoke/core/narrow.hpp>

#include <array>
#include <cstddef>

namespace yoke::inline v0_1 {

/// The maximum rank of an array.
inline constexpr std::size_t max_array_rank = 8;

/// One extent between braces, of any integer type: `to_device_array(host, {rows, 4}, stream)` has two. Extents below 0
/// are stored; functions that make arrays refuse them, and `reshape` accepts one of -1.
struct axis_extent {
  template <integer Extent>
  constexpr axis_extent(Extent extent) noexcept : value(static_cast<std::size_t>(extent)) {}  // NOLINT: reads as one
  std::size_t value;
};

/// The extents of an array's axes. In C order the first axis is the slowest. Functions that make arrays check the
/// values.
/// Thread safety: a value. Example: `yoke::shape{rows, 4}`
template <std::size_t Rank>
class shape {
  static_assert(Rank <= max_array_rank, "an array has at most 8 axes");

 public:
  /// Sets all extents to 0.
  constexpr shape() noexcept = default;
  template <integer... Extents>
    requires(sizeof...(Extents) > 0)
  constexpr shape(Extents... extents) noexcept  // NOLINT: `{3, 4}` is a shape, and so is 3
      : extents_(listed(extents...)) {}
  constexpr explicit shape(const std::array<std::size_t, Rank>& extents) noexcept : extents_(extents) {}
  /// Makes a shape from a braced list, for functions that take any number of extents.
  [[nodiscard]] static constexpr shape of(const axis_extent (&extents)[Rank]) noexcept
    requires(Rank > 0)
  {
    shape result;
    for (std::size_t axis = 0; axis < Rank; ++axis) result.extents_[axis] = extents[axis].value;
    return result;
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] constexpr std::size_t operator[](std::size_t axis) const noexcept { return extents_[axis]; }
  [[nodiscard]] constexpr std::size_t& operator[](std::size_t axis) noexcept { return extents_[axis]; }
  [[nodiscard]] constexpr const std::array<std::size_t, Rank>& extents() const noexcept { return extents_; }
  [[nodiscard]] constexpr const std::size_t* begin() const noexcept { return extents_.data(); }
  [[nodiscard]] constexpr const std::size_t* end() const noexcept { return extents_.data() + Rank; }
  [[nodiscard]] friend constexpr bool operator==(const shape&, const shape&) noexcept = default;

 private:
  template <class... Extents>
  static constexpr std::array<std::size_t, Rank> listed(Extents... extents) noexcept {
    static_assert(sizeof...(Extents) == Rank, "this shape has another number of extents than the array has axes");
    if constexpr (sizeof...(Extents) == Rank) {
      return {static_cast<std::size_t>(extents)...};
    } else {
      return {};
    }
  }

  std::array<std::size_t, Rank> extents_{};
};

template <integer... Extents>
shape(Extents...) -> shape<sizeof...(Extents)>;

namespace detail {

/// Returns: "(3, 4)", "(3,)" or "()". Throws: `std::bad_alloc`.
template <std::size_t Rank>
[[nodiscard]] std::string shape_text(const shape<Rank>& of) {
  return shape_text(of.begin(), Rank);
}

}  // namespace detail

/// Returns: the shape to which two arrays broadcast: from the last axis on, extents are equal or one of them is 1.
/// Throws: `logic_error`: "cannot broadcast (3, 4) with (3, 5): axis 1". Thread safety: safe.
template <std::size_t Left, std::size_t Right>
[[nodiscard]] constexpr shape<(Left > Right ? Left : Right)> broadcast_shapes(
    const shape<Left>& left, const shape<Right>& right, const source_location& where = source_location::current()) {
  constexpr std::size_t rank = Left > Right ? Left : Right;
  shape<rank> result;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::size_t a = axis + Left < rank ? 1 : left[axis + Left - rank];
    const std::size_t b = axis + Right < rank ? 1 : right[axis + Right - rank];
    if (a != b && a != 1 && b != 1) [[unlikely]]
      detail::throw_broadcast(left.begin(), Left, "with", right.begin(), Right, axis, where);
    result[axis] = a == 1 ? b : a;
  }
  return result;
}

}  // namespace yoke::inline v0_1

#endif
