// SPDX-License-Identifier: MIT
// A layout of any rank in bytes, as copies and evaluations take it.
#ifndef YOKE_ARRAY_GEOMETRY_BYTE_LAYOUT_HPP
#define YOKE_ARRAY_GEOMETRY_BYTE_LAYOUT_HPP

#include <yoke/array/geometry/array_layout.hpp>

namespace yoke::inline v0_1::detail {

/// A layout of any rank: one side of a copy, or an operand of an evaluation. Units: bytes.
struct byte_layout {
  const_axes axes{};
  std::size_t offset = 0;
  std::size_t element = 0;
  std::size_t first = 0;  // the first byte that it touches
  std::size_t end = 0;

  byte_layout() noexcept = default;
  /// A layout without gaps that begins at the first byte of memory.
  byte_layout(const const_axes& dense, std::size_t element_bytes) noexcept
      : axes(dense), element(element_bytes), end(volume(dense.extents, dense.rank) * element_bytes) {}
  template <std::size_t Rank>
  byte_layout(const array_layout<Rank>& of) noexcept  // NOLINT: a layout is one
      : axes(of.axes()),
        offset(of.offset_bytes()),
        element(of.element_bytes()),
        first(of.first_byte()),
        end(of.end_byte()) {}
  [[nodiscard]] std::size_t bytes() const noexcept { return volume(axes.extents, axes.rank) * element; }
};

/// Throws: `logic_error` for a layout of elements of another size, for misaligned elements, and for one that leaves
/// memory of `count` elements.
YOKE_API void check_layout(const byte_layout& of, std::size_t count, std::size_t element_bytes, std::size_t alignment,
                           const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/geometry/byte_layout.ipp>
#endif

#endif
