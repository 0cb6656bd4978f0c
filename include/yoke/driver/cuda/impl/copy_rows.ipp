// SPDX-License-Identifier: MIT
// Copies of rows and boxes, as the CUDA port enqueues them, and what their failures say.
#ifndef YOKE_DRIVER_CUDA_IMPL_COPY_ROWS_IPP
#define YOKE_DRIVER_CUDA_IMPL_COPY_ROWS_IPP

#include <yoke/driver/cuda/impl/references.ipp>
#include <yoke/driver/cuda/memory.hpp>

#include <algorithm>
#include <span>
#include <string>

namespace yoke::inline YOKE_ABI::cuda::detail {

/// One side of a copy or fill, for messages.
struct copy_side {
  const char* name;
  std::uintptr_t address;
  std::size_t bytes;
  bool on_device;
};
inline copy_side source_at(abi::device_pointer memory, std::size_t bytes) noexcept {
  return {"source", static_cast<std::uintptr_t>(memory), bytes, true};
}
inline copy_side source_at(const void* memory, std::size_t bytes) noexcept {
  return {"source", reinterpret_cast<std::uintptr_t>(memory), bytes, false};
}
inline copy_side destination_at(abi::device_pointer memory, std::size_t bytes) noexcept {
  return {"destination", static_cast<std::uintptr_t>(memory), bytes, true};
}
inline copy_side destination_at(const void* memory, std::size_t bytes) noexcept {
  return {"destination", reinterpret_cast<std::uintptr_t>(memory), bytes, false};
}

/// Returns: the distance from a side's first to its last byte.
inline std::size_t extent_of(const box_side& side, const box_size& box) noexcept {
  return (box.slices - 1) * side.slice_pitch + (box.rows - 1) * side.row_pitch + box.row_bytes;
}

/// Returns: the fault of a side in device memory; empty if none is known.
YOKE_INLINE std::string fault_of(const abi::functions* table, const copy_side& side) {
  using enum abi::pointer_attribute;
  if (!side.on_device) return "";
  abi::device_pointer base = 0;
  std::size_t whole = 0;
  if (table->pointer_get_attribute(&base, range_start_addr, side.address) != abi::success ||
      table->pointer_get_attribute(&whole, range_size, side.address) != abi::success || base == 0) {
    return " is no device memory, or was freed";
  }
  const std::size_t left = whole - static_cast<std::size_t>(side.address - base);
  return side.bytes <= left ? "" : text(" goes beyond its block, which ends after ", left, " bytes");
}
/// Returns: the message for a copy or fill that failed because of its arguments: address, bytes and fault of each side.
/// Empty for other failures.
YOKE_COLD std::string refused_copy(const abi::functions* table, abi::status status, std::span<const copy_side> sides) {
  if (status != abi::error_invalid_value) return "";
  std::string why;
  for (const copy_side& side : sides) {
    why += text(why.empty() ? "" : ", ", side.name, " of ", side.bytes, " bytes at 0x",
                yoke::detail::hex_digits(side.address), fault_of(table, side));
  }
  return text(why, ": ", error_text(status));
}
/// Effects: calls an entry that copies or fills between these sides.
template <auto Member, std::size_t Count, class... Arguments>
void invoke_copy(const abi::functions* table, const source_location& where, const copy_side (&sides)[Count],
                 Arguments... arguments) {
  invoke_explained<Member>(
      table, where, [&](abi::status status) { return refused_copy(table, status, sides); }, arguments...);
}

/// Returns: how many bytes from an address on one copy takes, `left` at most: mapped memory of several pieces is copied piece
/// by piece, because the driver refuses more.
inline std::size_t bytes_of_piece(const abi::functions*, const void*, std::size_t left) noexcept { return left; }
inline std::size_t bytes_of_piece(const abi::functions* table, abi::device_pointer at, std::size_t left) noexcept {
  abi::device_pointer base = 0;
  std::size_t whole = 0;
  if (table->mem_get_address_range(&base, &whole, at) != abi::success || at - base >= whole) return left;
  return (std::min)(left, whole - static_cast<std::size_t>(at - base));
}
inline bool has_pieces(const abi::functions* table, const copy_side& side) noexcept {
  return side.on_device && bytes_of_piece(table, abi::device_pointer{side.address}, side.bytes) < side.bytes;
}

inline abi::device_pointer advanced(abi::device_pointer at, std::size_t bytes) noexcept { return at + bytes; }
inline const void* advanced(const void* at, std::size_t bytes) noexcept {
  return static_cast<const std::byte*>(at) + bytes;
}
inline void* advanced(void* at, std::size_t bytes) noexcept { return static_cast<std::byte*>(at) + bytes; }

/// Effects: enqueues a row that was refused as a whole by its pieces. Returns: `refused` if it has but one.
template <auto Member, class To, class From>
abi::status enqueue_pieces(const abi::functions* table, To to, From from, std::size_t bytes, abi::stream stream,
                           abi::status refused) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t piece =
        bytes_of_piece(table, advanced(to, done), bytes_of_piece(table, advanced(from, done), bytes - done));
    if (piece == bytes) return refused;
    const abi::status status = call<Member>(table, advanced(to, done), advanced(from, done), piece, stream);
    if (status != abi::success) return status;
    done += piece;
  }
  return abi::success;
}

/// Effects: enqueues a copy of one row.
template <auto Member, class To, class From>
void enqueue_row(const abi::functions* table, const source_location& where, To to, From from, std::size_t bytes,
                 abi::stream stream) {
  abi::status status = call<Member>(table, to, from, bytes, stream);
  if (status == abi::success) return;
  if (status == abi::error_invalid_value) {
    status = enqueue_pieces<Member>(table, to, from, bytes, stream, status);
    if (status == abi::success) return;
  }
  const copy_side sides[] = {source_at(from, bytes), destination_at(to, bytes)};
  throw_failure(status, symbol<Member>(), refused_copy(table, status, sides), where);
}

/// Effects: enqueues a box that was refused as a whole, row by row and piece by piece.
YOKE_COLD abi::status enqueue_rows(const abi::functions* table, const abi::copy_3d& box, const box_side& from,
                                   const box_side& to, abi::stream stream) {
  const bool from_device = box.source_type == abi::memory_type::device;
  const bool to_device = box.destination_type == abi::memory_type::device;
  for (std::size_t slice = 0; slice < box.depth; ++slice) {
    for (std::size_t row = 0; row < box.height; ++row) {
      abi::copy_3d one = box;
      one.height = one.depth = 1;
      for (std::size_t done = 0; done < box.width_bytes; done += one.width_bytes) {
        const std::size_t source_at = slice * from.slice_pitch + row * from.row_pitch + done;
        const std::size_t destination_at = slice * to.slice_pitch + row * to.row_pitch + done;
        one.width_bytes = box.width_bytes - done;
        if (from_device) {
          one.source_device = box.source_device + source_at;
          one.width_bytes = bytes_of_piece(table, one.source_device, one.width_bytes);
        } else {
          one.source_host = advanced(box.source_host, source_at);
        }
        if (to_device) {
          one.destination_device = box.destination_device + destination_at;
          one.width_bytes = bytes_of_piece(table, one.destination_device, one.width_bytes);
        } else {
          one.destination_host = advanced(box.destination_host, destination_at);
        }
        const abi::status status = call<&abi::functions::memcpy_3d_async>(table, &one, stream);
        if (status != abi::success) return status;
      }
    }
  }
  return abi::success;
}

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
