// SPDX-License-Identifier: MIT
// The errors that layouts and shapes throw, and the texts of shapes in their messages.
#ifndef YOKE_ARRAY_GEOMETRY_GEOMETRY_ERROR_HPP
#define YOKE_ARRAY_GEOMETRY_GEOMETRY_ERROR_HPP

#include <yoke/core/error.hpp>

#include <cstddef>
#include <string>

namespace yoke::inline v0_1 {

/// The order of elements in memory: in `c` the last axis is fastest, in `f` the first.
enum class array_order : unsigned char { c, f };

namespace detail {

/// The axes of a layout. Units: extents in elements, strides in bytes.
struct const_axes {
  const std::size_t* extents;
  const std::ptrdiff_t* strides;
  std::size_t rank;
};

/// Returns: "(3, 4)", "(3,)" or "()"; extents below 0 are written as such. Throws: `std::bad_alloc`.
[[gnu::cold]] YOKE_API std::string shape_text(const std::size_t* extents, std::size_t rank);
/// Returns: the strides in the same form. Throws: `std::bad_alloc`.
[[gnu::cold]] YOKE_API std::string strides_text(const std::ptrdiff_t* strides, std::size_t rank);

// Each function throws a `logic_error` that names shapes, axes, values and limits.
[[noreturn, gnu::cold]] YOKE_API void throw_broadcast(const std::size_t* left, std::size_t left_rank, const char* word,
                                                      const std::size_t* right, std::size_t right_rank,
                                                      std::size_t axis, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_extent(const std::size_t* extents, std::size_t rank, std::size_t axis,
                                                   const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_too_large(const std::size_t* extents, std::size_t rank,
                                                      std::size_t element_bytes, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_index(const std::size_t* extents, std::size_t rank, std::size_t axis,
                                                  std::ptrdiff_t index, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_step(std::size_t axis, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_reshape(const const_axes& from, const std::size_t* to, std::size_t rank,
                                                    const char* why, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_no_view(const const_axes& from, const std::size_t* to, std::size_t rank,
                                                    array_order order, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_layout(const const_axes& of, std::size_t offset_bytes,
                                                   const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_axis(std::ptrdiff_t axis, std::size_t rank, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_axis_twice(std::size_t axis, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_squeeze(const std::size_t* extents, std::size_t rank, std::size_t axis,
                                                    const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_pieces(const char* what, std::ptrdiff_t value,
                                                   const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_piece(std::size_t piece, std::size_t count, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_member(std::size_t offset, std::size_t bytes, std::size_t element_bytes,
                                                   const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_reinterpret(const const_axes& of, std::size_t element_bytes,
                                                        std::size_t new_bytes, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_within_element(std::size_t offset, std::size_t element_bytes,
                                                           const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_range_size(std::size_t size, const const_axes& shape,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_not_contiguous(const const_axes& of, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_no_mdspan(const const_axes& of, std::size_t element_bytes,
                                                      const source_location& where);
/// Throws: `logic_error` unless every element is aligned.
YOKE_API void check_alignment(const const_axes& of, std::size_t offset, std::size_t alignment,
                              const source_location& where);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/geometry/geometry_error.ipp>
#endif

#endif
