// SPDX-License-Identifier: MIT
// Parts of buffers, waiting for commands on them, and why there is no memory.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_BUFFERS_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_BUFFERS_HPP

#include <yoke/core/native.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/ended_commands.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/buffer.hpp>
#include <yoke/driver/opencl/memory/memory.hpp>
#include <yoke/driver/opencl/port.hpp>

#include <algorithm>

namespace yoke::inline v0_1::opencl::detail {

// NVIDIA's driver fails fills and copies of 2 GiB and more on some versions; pieces of 1 GiB always work.
inline constexpr std::size_t largest_fill_bytes = std::size_t{1} << 30;

inline abi::ulong map_flags(map_mode mode) noexcept {
  switch (mode) {
    case map_mode::read: return abi::map_read;
    case map_mode::write: return abi::map_write_invalidate;
    case map_mode::read_write: break;
  }
  return abi::map_read | abi::map_write;
}

/// Throws: always: why a map of a buffer was refused. Intel's CPU runtime says `CL_INVALID_VALUE` where the buffer's flags keep
/// the host from it, which OpenCL calls `CL_INVALID_OPERATION`.
[[noreturn, gnu::cold]] inline void throw_refused_map(const abi::functions* table, abi::memory memory, map_mode mode,
                                                      abi::status status, const source_location& where) {
  const abi::ulong restricted = abi::mem_host_no_access | (mode != map_mode::write ? abi::mem_host_write_only : 0) |
                                (mode != map_mode::read ? abi::mem_host_read_only : 0);
  abi::ulong flags = 0;
  if (status == abi::invalid_value &&
      table->get_memory_info(memory, abi::mem_flags, sizeof flags, &flags, nullptr) == 0 && (flags & restricted) != 0) {
    status = abi::invalid_operation;
  }
  throw_failure(status == 0 ? abi::map_failure : status, symbol<&abi::functions::enqueue_map_buffer>(), "", where);
}

struct rectangle {
  std::size_t origin[3];
};
/// Returns: a byte offset as an origin for the rectangle calls.
inline rectangle origin_of(const box_side& side, const box_size& box) noexcept {
  if (box.slices == 1) return {{side.offset % side.row_pitch, side.offset / side.row_pitch, 0}};
  const std::size_t in_slice = side.offset % side.slice_pitch;
  return {{in_slice % side.row_pitch, in_slice / side.row_pitch, side.offset / side.slice_pitch}};
}

/// Returns: whether a box leaves the buffer by the gap behind its last row, which NVIDIA's driver refuses. Its last row is then
/// copied by itself.
inline bool ends_in_gap(const abi::functions* table, abi::memory memory, const box_side& side, const box_size& box,
                        const source_location& where) {
  return box.slices == 1 && box.rows > 1 && side.row_pitch != box.row_bytes &&
         (side.offset / side.row_pitch + box.rows) * side.row_pitch >
             query<std::size_t, &abi::functions::get_memory_info>(table, where, memory, abi::mem_size);
}

/// Returns: the distance of slices, which drivers check for one slice, too: they count it into the size of a box, which may have
/// lost its last row.
inline std::size_t slice_pitch_of(const box_side& side, const box_size& box) noexcept {
  return box.slices == 1 ? box.rows * side.row_pitch : side.slice_pitch;
}
/// Returns: where a row begins; they are counted through all slices.
inline std::size_t row_of(const box_side& side, const box_size& box, std::size_t row) noexcept {
  return side.offset + row / box.rows * side.slice_pitch + row % box.rows * side.row_pitch;
}
/// Returns: a box without its last row.
inline box_size without_last_row(box_size box) noexcept {
  --box.rows;
  return box;
}
/// Returns: where the last row begins.
inline std::size_t last_row(const box_side& side, const box_size& box) noexcept {
  return side.offset + (box.rows - 1) * side.row_pitch;
}

/// Returns: the whole buffer of a sub-buffer, and its begin there; another buffer is its own.
inline buffer_part part_of(const abi::functions* table, abi::memory memory, const source_location& where) {
  const auto whole = query<abi::memory, &abi::functions::get_memory_info>(table, where, memory, abi::mem_associated);
  if (whole == nullptr) return {memory, 0};
  return {whole, query<std::size_t, &abi::functions::get_memory_info>(table, where, memory, abi::mem_offset)};
}

/// Effects: waits for a command and releases its event.
inline void wait_and_release(const abi::functions* table, abi::event event, const source_location& where) {
  const event_guard release_it{table, event};
  if (const abi::status code = table->wait_for_events(1, &event); code != 0) [[unlikely]]
    throw_failed_wait(table, event, code, where);
  if (!reads_tell_all(table)) [[unlikely]]
    check_ended_well(table, event, where);
}

/// The event of a copy: handed out, waited for, or not made if neither the caller nor PoCL needs it.
class copy_event {
 public:
  /// `tells_all`: a blocking copy has ended when it returns, and needs no event.
  copy_event(const abi::functions* table, completion<abi::event> done, bool tells_all = false) noexcept
      : kept_(table), done_(done), asked_(done.blocks() && !tells_all) {}
  [[nodiscard]] abi::boolean blocking() const noexcept { return done_.blocks() ? abi::yes : abi::no; }
  [[nodiscard]] abi::event* slot() noexcept { return done_.wanted() || asked_ ? &event_ : kept_.slot(); }
  /// Effects: waits for the enqueued command, or hands its event out.
  void finish(const abi::functions* table, const source_location& where) {
    if (done_.wanted()) return done_.give(event_);
    if (asked_) wait_and_release(table, event_, where);
  }

 private:
  kept_event kept_;
  completion<abi::event> done_;
  bool asked_;
  abi::event event_ = nullptr;
};

/// Returns: the largest allocation that every device of a context takes, in bytes; 0 if the driver does not tell.
inline abi::ulong largest_allocation(const abi::functions* table, abi::context context) noexcept {
  try {
    abi::ulong least = 0;
    for (const abi::device device : port(table).context_devices(context, {})) {
      const auto bytes =
          query<abi::ulong, &abi::functions::get_device_info>(table, {}, device, info::max_mem_alloc_size.code);
      least = least == 0 ? bytes : std::min(least, bytes);
    }
    return least;
  } catch (...) {  // the allocation's own failure is thrown
    return 0;
  }
}

/// Throws: always: the failure of an allocation of `what`; `memory_error` for one beyond the device's limit.
[[noreturn, gnu::cold]] inline void throw_no_memory(const abi::functions* table, std::error_code code, const char* call,
                                                    abi::context context, std::string what, std::size_t bytes,
                                                    const source_location& where) {
  // CL_INVALID_BUFFER_SIZE means that no device takes that much.
  if (code.value() == -61) code = make_error_code(errc::out_of_memory);
  const abi::ulong limit = largest_allocation(table, context);
  if (limit != 0 && bytes > limit) {
    what += text(" exceeds the ", limit, " that the device takes in one allocation");
  } else if (limit != 0 && code == errc::out_of_memory) {
    what += text(": the device takes up to ", limit, " in one allocation, while it has them");
  }
  if (code == errc::out_of_memory) throw memory_error(code, call, what, where);
  throw_failure(code.value(), call, what, where);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
