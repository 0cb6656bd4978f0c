// SPDX-License-Identifier: MIT
// Copies of rows and boxes for the CUDA port, and the messages for their failures.
#ifndef YOKE_DRIVER_CUDA_MEMORY_COPY_ROWS_HPP
#define YOKE_DRIVER_CUDA_MEMORY_COPY_ROWS_HPP

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>

#include <optional>
#include <span>
#include <string>

namespace yoke::inline v0_1::cuda::detail {

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
inline std::string fault_of(const abi::functions* table, const copy_side& side) {
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
[[gnu::cold]] inline std::string refused_copy(const abi::functions* table, abi::status status,
                                              std::span<const copy_side> sides) {
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

/// Whether a side consists of several mapped pieces. Requires: a context is current.
[[gnu::cold]] inline bool has_pieces(const abi::functions* table, const copy_side& side) noexcept {
  abi::device_pointer base = 0;
  std::size_t whole = 0;
  const abi::device_pointer at = side.address;
  return side.on_device && table->mem_get_address_range(&base, &whole, at) == abi::success && at - base < whole &&
         side.bytes > whole - static_cast<std::size_t>(at - base);
}
/// Effects: after a refused copy, makes the stream's context current. Returns: whether to try again: drivers then
/// accept a copy over several pieces of mapped memory. Other copies need no current context, and making one current
/// costs more than they do.
[[gnu::cold]] inline bool enter_context(std::optional<current_context>& scope, const abi::functions* table,
                                        abi::stream stream, abi::status status,
                                        std::span<const copy_side> sides) noexcept {
  if (status != abi::error_invalid_value) return false;
  try {
    scope.emplace(table, context_of(table, stream, {}), source_location{});
    for (const copy_side& each : sides) {
      if (has_pieces(table, each)) return true;
    }
  } catch (...) {  // the copy's own failure is reported
  }
  return false;
}
[[gnu::cold]] inline bool wants_context(const abi::functions* table, abi::stream stream, abi::status status,
                                        std::span<const copy_side> sides) noexcept {
  std::optional<current_context> scope;
  return enter_context(scope, table, stream, status, sides);
}
[[noreturn, gnu::cold]] inline void throw_refused(const abi::functions* table, abi::status status, const char* call,
                                                  std::span<const copy_side> sides, const source_location& where) {
  throw_failure(status, call, refused_copy(table, status, sides), where);
}

/// Effects: enqueues a copy.
template <auto Member, class... Arguments>
void enqueue_copy(const abi::functions* table, abi::stream stream, std::span<const copy_side> sides,
                  const source_location& where, Arguments... arguments) {
  abi::status status = call<Member>(table, arguments..., stream);
  if (status == abi::success) [[likely]]
    return;
  std::optional<current_context> scope;
  if (enter_context(scope, table, stream, status, sides)) status = call<Member>(table, arguments..., stream);
  if (status != abi::success) throw_refused(table, status, symbol<Member>(), sides, where);
}

/// As above, for one row.
template <auto Member, class To, class From>
void enqueue_row(const abi::functions* table, const source_location& where, To to, From from, std::size_t bytes,
                 abi::stream stream) {
  const copy_side sides[] = {source_at(from, bytes), destination_at(to, bytes)};
  enqueue_copy<Member>(table, stream, sides, where, to, from, bytes);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
