// SPDX-License-Identifier: MIT
// The layout of an array: extents, strides and an offset, without the memory.
#ifndef YOKE_ARRAY_GEOMETRY_ARRAY_LAYOUT_HPP
#define YOKE_ARRAY_GEOMETRY_ARRAY_LAYOUT_HPP

#include <yoke/array/geometry/axes.hpp>

#include <concepts>
#include <optional>

namespace yoke::inline v0_1 {

/// Extents, signed strides and an offset from the start of memory. Every view of an array has such a layout. None of
/// these functions touches memory.
/// Thread safety: a value. Units: strides and offsets in bytes, all else in elements.
template <std::size_t Rank>
class array_layout {
 public:
  using strides_type = std::array<std::ptrdiff_t, Rank>;

  /// A layout without elements; of rank 0, with one element.
  constexpr array_layout() noexcept = default;
  /// The layout of an array without gaps.
  /// Throws: `logic_error` for an extent below 0, and for more bytes than a pointer difference counts.
  constexpr array_layout(const yoke::shape<Rank>& extents, std::size_t element_bytes,
                         array_order order = array_order::c, const source_location& where = source_location::current())
      : shape_(extents), element_bytes_(element_bytes) {
    detail::set_dense_strides(shape_.begin(), strides_.data(), Rank, element_bytes, order, where);
  }
  /// A layout with any strides. Elements may share bytes.
  /// Throws: `logic_error` as above, and for elements before the start of memory.
  constexpr array_layout(const yoke::shape<Rank>& extents, const strides_type& strides, std::size_t offset_bytes,
                         std::size_t element_bytes, const source_location& where = source_location::current())
      : array_layout(extents, element_bytes, array_order::c, where) {
    strides_ = strides;
    offset_bytes_ = offset_bytes;
    check_reach(where);
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] constexpr const yoke::shape<Rank>& shape() const noexcept { return shape_; }
  /// Returns: the extent of an axis; axes below 0 count from the end. Throws: `logic_error` for an axis that does not
  /// exist.
  template <integer Axis>
  [[nodiscard]] constexpr std::size_t extent(Axis axis,
                                             const source_location& where = source_location::current()) const {
    return shape_[existing(axis, where)];
  }
  [[nodiscard]] constexpr const strides_type& strides() const noexcept { return strides_; }
  /// The stride along an axis. Throws: as above.
  template <integer Axis>
  [[nodiscard]] constexpr std::ptrdiff_t stride(Axis axis,
                                                const source_location& where = source_location::current()) const {
    return strides_[existing(axis, where)];
  }
  /// The bytes from the start of memory to the first element.
  [[nodiscard]] constexpr std::size_t offset_bytes() const noexcept { return offset_bytes_; }
  [[nodiscard]] constexpr std::size_t element_bytes() const noexcept { return element_bytes_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return detail::volume(shape_.begin(), Rank); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] constexpr std::size_t size_bytes() const noexcept { return size() * element_bytes_; }
  /// Whether the elements lie without gaps in C order, or in F order. Axes of extent 1 are ignored. Both may be true.
  [[nodiscard]] constexpr bool is_c_contiguous() const noexcept {
    return detail::are_contiguous(axes(), element_bytes_, array_order::c);
  }
  [[nodiscard]] constexpr bool is_f_contiguous() const noexcept {
    return detail::are_contiguous(axes(), element_bytes_, array_order::f);
  }
  /// Whether no two elements share a byte, so that kernels may write. True for all views of an array except broadcast
  /// ones.
  [[nodiscard]] constexpr bool is_injective() const noexcept { return detail::are_apart(axes(), element_bytes_); }
  /// The first byte of all elements, and the byte behind the last one. Without elements both are the offset.
  [[nodiscard]] constexpr std::size_t first_byte() const noexcept {
    return offset_bytes_ + static_cast<std::size_t>(detail::footprint_of(axes(), element_bytes_).first);
  }
  [[nodiscard]] constexpr std::size_t end_byte() const noexcept {
    return offset_bytes_ + static_cast<std::size_t>(detail::footprint_of(axes(), element_bytes_).last);
  }
  /// Returns: the bytes from the start of memory to an element. Requires: each index is inside its axis.
  [[nodiscard]] constexpr std::size_t byte_of(const std::array<std::size_t, Rank>& indices) const noexcept {
    std::size_t byte = offset_bytes_;
    for (std::size_t axis = 0; axis < Rank; ++axis) byte += indices[axis] * static_cast<std::size_t>(strides_[axis]);
    return byte;
  }
  [[nodiscard]] friend constexpr bool operator==(const array_layout&, const array_layout&) noexcept = default;

  /// A part, as in NumPy's indexing: an integer drops its axis, a slice narrows it, `newaxis` adds one, and `ellipsis`
  /// stands for all axes that are not named. Axes left out at the end stay whole.
  /// Throws: `logic_error` with axis, index and shape for an integer outside its axis, and for a step of 0. Too many
  /// indices do not compile.
  template <array_index... Indices>
  [[nodiscard]] constexpr auto operator()(const Indices&... indices) const {
    return part_at({}, indices...);
  }
  template <array_index... Indices>
  [[nodiscard]] constexpr auto part_at(const source_location& where, const Indices&... indices) const {
    const detail::index_item items[]{indices..., detail::index_item(ellipsis)};  // one more: `indices` may be empty
    array_layout<detail::indexed_rank<Rank, std::remove_cv_t<Indices>...>()> result = blank<decltype(result)>();
    const std::ptrdiff_t moved = detail::take_indices(axes(), items, sizeof...(Indices), result.own_axes(), where);
    result.offset_bytes_ = offset_bytes_ + static_cast<std::size_t>(moved);
    return result;
  }

  /// Reverses the order of the axes.
  [[nodiscard]] constexpr array_layout transpose() const noexcept {
    array_layout result = *this;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      result.shape_[axis] = shape_[Rank - 1 - axis];
      result.strides_[axis] = strides_[Rank - 1 - axis];
    }
    return result;
  }
  /// Puts the axes in the order given: axis `i` of the result is axis `order[i]`; numbers below 0 count from the end.
  /// Throws: `logic_error` for an axis that does not exist or is given twice. Example: `x.transpose({2, 0, 1})`
  [[nodiscard]] constexpr array_layout transpose(const int (&order)[Rank == 0 ? 1 : Rank],
                                                 const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    array_layout result = *this;
    bool seen[Rank == 0 ? 1 : Rank]{};
    for (std::size_t to = 0; to < Rank; ++to) {
      const std::size_t from = axis_number(order[to], where);
      if (seen[from]) detail::throw_axis_twice(from, where);
      seen[from] = true;
      result.shape_[to] = shape_[from];
      result.strides_[to] = strides_[from];
    }
    return result;
  }
  /// Repeats the elements along axes of extent 1 and along new axes in front, as NumPy does.
  /// Throws: `logic_error` with both shapes and the axis.
  template <std::size_t New>
  [[nodiscard]] constexpr array_layout<New> broadcast_to(
      const yoke::shape<New>& extents, const source_location& where = source_location::current()) const {
    static_assert(New >= Rank, "a broadcast leaves no axis out");
    array_layout<New> result = blank<array_layout<New>>();
    result.set_shape(extents, where);
    for (std::size_t axis = 0; axis != New; ++axis) result.strides_[axis] = 0;
    for (std::size_t from = 0; from != Rank; ++from) {
      const std::size_t axis = from + New - Rank;
      if (shape_[from] == extents[axis]) {
        result.strides_[axis] = strides_[from];
      } else if (shape_[from] != 1) {
        detail::throw_broadcast(shape_.begin(), Rank, "to", extents.begin(), New, axis, where);
      }
    }
    return result;
  }
  template <std::size_t New>
  [[nodiscard]] constexpr array_layout<New> broadcast_to(
      const axis_extent (&extents)[New], const source_location& where = source_location::current()) const {
    return broadcast_to(yoke::shape<New>::of(extents), where);
  }
  /// Drops an axis of extent 1. Throws: `logic_error` for an axis of another extent, or one that does not exist.
  [[nodiscard]] constexpr auto squeeze(int axis, const source_location& where = source_location::current()) const
    requires(Rank > 0)
  {
    array_layout<Rank == 0 ? 0 : Rank - 1> result = blank<decltype(result)>();
    const std::size_t dropped = axis_number(axis, where);
    if (shape_[dropped] != 1) detail::throw_squeeze(shape_.begin(), Rank, dropped, where);
    for (std::size_t to = 0; to + 1 < Rank; ++to) {
      const std::size_t from = to < dropped ? to : to + 1;
      result.shape_[to] = shape_[from];
      result.strides_[to] = strides_[from];
    }
    return result;
  }

  /// Selects a diagonal of two axes: the elements whose index along `axis2` is `offset` more than that along `axis1`.
  /// The two axes make one, which is the last of the result. A diagonal outside of the matrix has no elements.
  /// Throws: `logic_error` for an axis that does not exist or is given twice. Source: NumPy's `diagonal`.
  [[nodiscard]] constexpr auto diagonal(std::ptrdiff_t offset = 0, int axis1 = 0, int axis2 = 1,
                                        const source_location& where = source_location::current()) const
    requires(Rank > 1)
  {
    array_layout < Rank<2 ? 0 : Rank - 1> result = blank<decltype(result)>();
    const std::size_t row = axis_number(axis1, where);
    const std::size_t column = axis_number(axis2, where);
    if (row == column) detail::throw_axis_twice(row, where);
    std::size_t to = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (axis == row || axis == column) continue;
      result.shape_[to] = shape_[axis];
      result.strides_[to++] = strides_[axis];
    }
    const std::size_t first_row = offset < 0 ? std::size_t{0} - static_cast<std::size_t>(offset) : 0;
    const std::size_t first_column = offset < 0 ? 0 : static_cast<std::size_t>(offset);
    const std::size_t rows = first_row < shape_[row] ? shape_[row] - first_row : 0;
    const std::size_t columns = first_column < shape_[column] ? shape_[column] - first_column : 0;
    const std::size_t count = rows < columns ? rows : columns;
    result.shape_[to] = count;
    // With fewer elements nobody uses the stride, and the sum might overflow.
    result.strides_[to] = count > 1 ? strides_[row] + strides_[column] : static_cast<std::ptrdiff_t>(element_bytes_);
    if (count != 0) {
      result.offset_bytes_ += first_row * static_cast<std::size_t>(strides_[row]) +
                              first_column * static_cast<std::size_t>(strides_[column]);
    }
    return result;
  }

  /// Gives the same elements, in the same order, other extents. One extent may be -1: it is calculated from the
  /// others.
  /// Returns: an empty optional where no strides give that shape. Throws: `logic_error` with both shapes for another
  /// number of elements.
  template <std::size_t New>
  [[nodiscard]] constexpr std::optional<array_layout<New>> try_reshape(
      const yoke::shape<New>& extents, array_order order = array_order::c,
      const source_location& where = source_location::current()) const {
    array_layout<New> result = blank<array_layout<New>>();
    result.shape_ = extents;
    detail::complete_shape(axes(), result.own_axes().extents, New, where);
    if (empty()) {
      result.set_shape(result.shape_, where);
    } else if (!detail::set_reshaped_strides(axes(), element_bytes_, result.own_axes(), order)) {
      return std::nullopt;
    }
    return result;
  }
  template <std::size_t New>
  [[nodiscard]] constexpr std::optional<array_layout<New>> try_reshape(
      const axis_extent (&extents)[New], array_order order = array_order::c,
      const source_location& where = source_location::current()) const {
    return try_reshape(yoke::shape<New>::of(extents), order, where);
  }
  /// As `try_reshape`. Throws: as `try_reshape`, and `logic_error` where no strides give that shape.
  template <std::size_t New>
  [[nodiscard]] constexpr array_layout<New> reshape(const yoke::shape<New>& extents, array_order order = array_order::c,
                                                    const source_location& where = source_location::current()) const {
    const auto result = try_reshape(extents, order, where);
    if (!result) [[unlikely]]
      detail::throw_no_view(axes(), extents.begin(), New, order, where);
    return *result;
  }
  template <std::size_t New>
  [[nodiscard]] constexpr array_layout<New> reshape(const axis_extent (&extents)[New],
                                                    array_order order = array_order::c,
                                                    const source_location& where = source_location::current()) const {
    return reshape(yoke::shape<New>::of(extents), order, where);
  }
  /// Puts all elements along one axis. Throws: `logic_error` where no single stride reaches them.
  [[nodiscard]] constexpr array_layout<1> ravel(array_order order = array_order::c,
                                                const source_location& where = source_location::current()) const {
    return reshape(yoke::shape<1>(size()), order, where);
  }

  /// Returns: the number of pieces of `length` along an axis; the last piece may be shorter.
  /// Throws: `logic_error` for a length below 1 and for an axis that does not exist.
  [[nodiscard]] constexpr std::size_t chunk_count(std::ptrdiff_t length, int axis = 0,
                                                  const source_location& where = source_location::current()) const {
    if (length < 1) detail::throw_pieces("the length of a chunk", length, where);
    const std::size_t extent = shape_[axis_number(axis, where)];
    const auto size = static_cast<std::size_t>(length);
    return extent / size + (extent % size == 0 ? 0 : 1);
  }
  /// Returns: one of the pieces that `chunk_count` counts. Throws: as above, and for a piece that does not exist.
  [[nodiscard]] constexpr array_layout chunk(std::size_t piece, std::ptrdiff_t length, int axis = 0,
                                             const source_location& where = source_location::current()) const {
    const std::size_t count = chunk_count(length, axis, where);
    if (piece >= count) detail::throw_piece(piece, count, where);
    const std::size_t along = axis_number(axis, where);
    const std::size_t first = piece * static_cast<std::size_t>(length);
    const std::size_t rest = shape_[along] - first;
    return between(along, first, rest < static_cast<std::size_t>(length) ? rest : static_cast<std::size_t>(length));
  }
  /// Returns: one of `count` pieces along an axis. Their lengths differ by one at most; the longer pieces come first.
  /// Throws: `logic_error` for a count below 1, a piece that does not exist, and an axis that does not exist.
  [[nodiscard]] constexpr array_layout part(std::size_t piece, std::ptrdiff_t count, int axis = 0,
                                            const source_location& where = source_location::current()) const {
    if (count < 1) detail::throw_pieces("the number of parts", count, where);
    const auto parts = static_cast<std::size_t>(count);
    if (piece >= parts) detail::throw_piece(piece, parts, where);
    const std::size_t along = axis_number(axis, where);
    const std::size_t length = shape_[along] / parts;
    const std::size_t longer = shape_[along] % parts;
    return between(along, piece * length + (piece < longer ? piece : longer), length + (piece < longer ? 1 : 0));
  }

  /// Selects the same bytes of each element: a member of a struct. Throws: `logic_error` where the element is too
  /// small.
  [[nodiscard]] constexpr array_layout member(std::size_t offset_in_element, std::size_t bytes,
                                              const source_location& where = source_location::current()) const {
    if (offset_in_element > element_bytes_ || bytes > element_bytes_ - offset_in_element) [[unlikely]]
      detail::throw_member(offset_in_element, bytes, element_bytes_, where);
    array_layout result = *this;
    if (!empty()) result.offset_bytes_ += offset_in_element;
    result.element_bytes_ = bytes;
    return result;
  }
  /// Regards the same memory as elements of another size; the last axis becomes longer or shorter.
  /// Throws: `logic_error` where the sizes differ and the last axis has gaps or its bytes are not a multiple of the
  /// new size.
  [[nodiscard]] constexpr array_layout reinterpret(std::size_t bytes,
                                                   const source_location& where = source_location::current()) const {
    array_layout result = *this;
    result.element_bytes_ = bytes;
    if (bytes == element_bytes_) return result;
    if constexpr (Rank == 0) {
      detail::throw_reinterpret(axes(), element_bytes_, bytes, where);
    } else {
      const std::size_t last = Rank - 1;
      std::size_t length = 0;
      if (bytes == 0 || __builtin_mul_overflow(shape_[last], element_bytes_, &length) || length % bytes != 0 ||
          (!empty() && shape_[last] > 1 && strides_[last] != static_cast<std::ptrdiff_t>(element_bytes_))) {
        detail::throw_reinterpret(axes(), element_bytes_, bytes, where);
      }
      result.shape_[last] = length / bytes;
      result.strides_[last] = static_cast<std::ptrdiff_t>(bytes);
      return result;
    }
  }

  // The axes, for the functions of <yoke/array/geometry/axes.hpp>.
  [[nodiscard]] constexpr detail::const_axes axes() const noexcept { return {shape_.begin(), strides_.data(), Rank}; }

 private:
  template <std::size_t Other>
  friend class array_layout;

  [[nodiscard]] constexpr detail::mutable_axes own_axes() noexcept {
    return {Rank == 0 ? nullptr : &shape_[0], strides_.data(), Rank};
  }
  /// Returns: a layout with the offset and the element size of this one, and without axes.
  template <class Layout>
  [[nodiscard]] constexpr Layout blank() const noexcept {
    Layout result;
    result.offset_bytes_ = offset_bytes_;
    result.element_bytes_ = element_bytes_;
    return result;
  }
  constexpr void set_shape(const yoke::shape<Rank>& extents, const source_location& where) {
    shape_ = extents;
    detail::set_dense_strides(shape_.begin(), strides_.data(), Rank, element_bytes_, array_order::c, where);
  }
  [[nodiscard]] static constexpr std::size_t axis_number(int axis, const source_location& where) {
    constexpr auto rank = static_cast<int>(Rank);
    if (axis >= rank || axis < -rank) [[unlikely]]
      detail::throw_axis(axis, Rank, where);
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  }
  [[nodiscard]] constexpr array_layout between(std::size_t axis, std::size_t first, std::size_t count) const noexcept {
    array_layout result = *this;
    result.shape_[axis] = count;
    if (count != 0) result.offset_bytes_ += first * static_cast<std::size_t>(strides_[axis]);
    return result;
  }
  template <class Axis>
  [[nodiscard]] static constexpr std::size_t existing(Axis axis, const source_location& where) {
    const auto at = static_cast<std::ptrdiff_t>(axis);
    constexpr auto axes = static_cast<std::ptrdiff_t>(Rank);
    if (!std::in_range<std::ptrdiff_t>(axis) || at < -axes || at >= axes) [[unlikely]]
      detail::throw_axis(at, Rank, where);
    return static_cast<std::size_t>(at < 0 ? at + axes : at);
  }
  constexpr void check_reach(const source_location& where) const {
    std::ptrdiff_t first = 0;
    std::ptrdiff_t last = static_cast<std::ptrdiff_t>(element_bytes_);
    bool fits = std::in_range<std::ptrdiff_t>(offset_bytes_);
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (shape_[axis] == 0) return;
      std::ptrdiff_t reach = 0;
      if (__builtin_mul_overflow(static_cast<std::ptrdiff_t>(shape_[axis] - 1), strides_[axis], &reach)) fits = false;
      std::ptrdiff_t& end = reach < 0 ? first : last;
      if (__builtin_add_overflow(end, reach, &end)) fits = false;
    }
    if (!fits || first < -static_cast<std::ptrdiff_t>(offset_bytes_) ||
        __builtin_add_overflow(last, static_cast<std::ptrdiff_t>(offset_bytes_), &last)) [[unlikely]]
      detail::throw_layout(axes(), offset_bytes_, where);
  }

  yoke::shape<Rank> shape_{};
  strides_type strides_{};
  std::size_t offset_bytes_ = 0;
  std::size_t element_bytes_ = 1;
};

namespace detail {
/// A layout of some rank, for parameters that no braces convert to: `{3, 4}` stays a shape.
template <class Layout, std::size_t Rank>
concept layout_of_rank = std::same_as<Layout, array_layout<Rank>>;
}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
