// SPDX-License-Identifier: MIT
// Boxes of a buffer in the form that the rectangle calls take.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_BUFFER_BOXES_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_BUFFER_BOXES_HPP

#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/buffer.hpp>
#include <yoke/driver/types.hpp>

#include <cstddef>

namespace yoke::inline v0_1::opencl::detail {

struct rectangle {
  std::size_t origin[3];
};
/// Returns: a byte offset as an origin for the rectangle calls.
inline rectangle origin_of(const box_side& side, const box_size& box) noexcept {
  if (box.slices == 1) return {{side.offset % side.row_pitch, side.offset / side.row_pitch, 0}};
  const std::size_t in_slice = side.offset % side.slice_pitch;
  return {{in_slice % side.row_pitch, in_slice / side.row_pitch, side.offset / side.slice_pitch}};
}

/// Returns: whether a box exceeds the buffer only by the gap after its last row, which NVIDIA's driver refuses. The
/// caller then copies the last row separately.
inline bool ends_in_gap(const abi::functions* table, abi::memory memory, const box_side& side, const box_size& box,
                        const source_location& where) {
  return box.slices == 1 && box.rows > 1 && side.row_pitch != box.row_bytes &&
         (side.offset / side.row_pitch + box.rows) * side.row_pitch >
             query<std::size_t, &abi::functions::get_memory_info>(table, where, memory, abi::mem_size);
}

/// Returns: the slice pitch. Drivers check it for one slice, too, because it counts into the size of a box; the box may
/// lack its last row.
inline std::size_t slice_pitch_of(const box_side& side, const box_size& box) noexcept {
  return box.slices == 1 ? box.rows * side.row_pitch : side.slice_pitch;
}
/// Returns: the offset of a row. Rows are numbered through all slices.
inline std::size_t row_of(const box_side& side, const box_size& box, std::size_t row) noexcept {
  return side.offset + row / box.rows * side.slice_pitch + row % box.rows * side.row_pitch;
}
/// Returns: a box without its last row.
inline box_size without_last_row(box_size box) noexcept {
  --box.rows;
  return box;
}
/// Returns: the offset of the last row.
inline std::size_t last_row(const box_side& side, const box_size& box) noexcept {
  return side.offset + (box.rows - 1) * side.row_pitch;
}

/// Returns: the whole buffer of a sub-buffer, and its offset there; for other buffers the buffer itself, and 0.
inline buffer_part part_of(const abi::functions* table, abi::memory memory, const source_location& where) {
  const auto whole = query<abi::memory, &abi::functions::get_memory_info>(table, where, memory, abi::mem_associated);
  if (whole == nullptr) return {memory, 0};
  return {whole, query<std::size_t, &abi::functions::get_memory_info>(table, where, memory, abi::mem_offset)};
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
