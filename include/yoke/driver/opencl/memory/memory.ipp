// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/memory/memory.hpp.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_MEMORY_IPP
#define YOKE_DRIVER_OPENCL_MEMORY_MEMORY_IPP

#include <yoke/driver/opencl/memory/memory.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/core/native.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/copy_event.hpp>
#include <yoke/driver/opencl/event/ended_commands.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/buffer_boxes.hpp>
#include <yoke/driver/opencl/memory/failed_allocation.hpp>
#include <yoke/driver/opencl/memory/map_flags.hpp>

#include <algorithm>
#include <bit>
#include <memory>

namespace yoke::inline v0_1::opencl {

namespace detail {
// NVIDIA's driver fails fills and copies of 2 GiB and more on some versions; pieces of 1 GiB always work.
inline constexpr std::size_t largest_fill_bytes = std::size_t{1} << 30;
}  // namespace detail

abi::memory memory_functions::allocate(abi::context context, std::size_t bytes, const source_location& where) const {
  abi::status status = 0;
  const abi::memory memory = table()->create_buffer(context, abi::mem_read_write, bytes, nullptr, &status);
  if (status != 0 || memory == nullptr) {
    detail::throw_no_memory(table(), {status == 0 ? -4 : status, error_category()}, "clCreateBuffer", context,
                            detail::text("device allocation of ", bytes, " bytes"), bytes, where);
  }
  return memory;
}
release_result memory_functions::release_memory(abi::context, abi::memory memory) const noexcept {
  return detail::release<&abi::functions::release_memory>(table(), memory);
}
release_result memory_functions::release_memory_ordered(abi::context, abi::memory memory, abi::queue,
                                                        std::span<const abi::queue>) const noexcept {
  return detail::release<&abi::functions::release_memory>(table(), memory);
}
abi::memory memory_functions::with_offset(abi::memory memory, std::size_t bytes, bool for_launch,
                                          const source_location& where) const {
  if (bytes == 0) return memory;
  constexpr auto info = &abi::functions::get_memory_info;
  std::size_t alignment = 1;
  for (const abi::device device : port(table()).context_devices(memory_context(memory, where), where)) {
    alignment = std::max(alignment, port(table()).limits(device, where).base_alignment_bytes);
  }
  // A sub-buffer of a sub-buffer is made from the whole buffer.
  const abi::memory whole = detail::query<abi::memory, info>(table(), where, memory, abi::mem_associated);
  const std::size_t begin =
      bytes + (whole == nullptr ? 0 : detail::query<std::size_t, info>(table(), where, memory, abi::mem_offset));
  if (for_launch && begin % alignment == 0) {
    return create_sub_buffer(whole == nullptr ? memory : whole, begin, memory_bytes(memory, where) - bytes, where);
  }
  detail::throw_error(
      errc::misaligned, where, "a span that starts at byte ", bytes, " cannot be an OpenCL kernel argument",
      for_launch ? "" : " of a graph",
      ": pass the whole allocation and the offset, or an opencl::sub_buffer, which must start at a multiple of ",
      alignment, " bytes here");
}
release_result memory_functions::release_offset(abi::memory memory) const noexcept {
  return detail::release<&abi::functions::release_memory>(table(), memory);
}
std::size_t memory_functions::memory_bytes(abi::memory memory, const source_location& where) const {
  if (detail::query<abi::uint, &abi::functions::get_memory_info>(table(), where, memory, abi::mem_type) !=
      abi::mem_object_buffer) {
    detail::throw_error(errc::invalid_argument, "the native memory is an image or a pipe, not a buffer", where);
  }
  return detail::query<std::size_t, &abi::functions::get_memory_info>(table(), where, memory, abi::mem_size);
}
abi::context memory_functions::memory_context(abi::memory memory, const source_location& where) const {
  return detail::query<abi::context, &abi::functions::get_memory_info>(table(), where, memory, abi::mem_context);
}

namespace detail {
/// Returns: a block for a buffer, mapped through its own queue. If this throws, the caller keeps the buffer.
pagelocked_block* map_for_life(const abi::functions* table, abi::queue queue, abi::memory memory, std::size_t bytes,
                               const source_location& where) {
  auto block = std::make_unique<pagelocked_block>(pagelocked_block{memory, queue, nullptr});
  abi::status status = 0;
  block->address = table->enqueue_map_buffer(queue, memory, abi::yes, abi::map_read | abi::map_write, 0, bytes, 0,
                                             nullptr, nullptr, &status);
  if (status != 0 || block->address == nullptr) {
    throw_failure(status == 0 ? -12 : status, "clEnqueueMapBuffer", text("page-locked allocation of ", bytes, " bytes"),
                  where);
  }
  return block.release();
}
}  // namespace detail

pagelocked_block* memory_functions::allocate_pagelocked(abi::context context, abi::device device, std::size_t bytes,
                                                        void** address, const source_location& where) const {
  const abi::queue queue =
      detail::create<&abi::functions::create_queue>(table(), where, context, device, abi::ulong{0});
  abi::memory memory = nullptr;
  try {
    abi::status status = 0;
    memory = table()->create_buffer(context, abi::mem_read_write | abi::mem_alloc_host_ptr, bytes, nullptr, &status);
    if (status != 0 || memory == nullptr) {
      detail::throw_no_memory(table(), {status == 0 ? -6 : status, error_category()}, "clCreateBuffer", context,
                              detail::text("page-locked allocation of ", bytes, " bytes"), bytes, where);
    }
    pagelocked_block* const block = detail::map_for_life(table(), queue, memory, bytes, where);
    *address = block->address;
    return block;
  } catch (...) {
    if (memory != nullptr) detail::report(detail::release<&abi::functions::release_memory>(table(), memory));
    detail::report(detail::release<&abi::functions::release_queue>(table(), queue));
    throw;
  }
}
pagelocked_block* memory_functions::adopt_pagelocked(abi::context context, abi::device device, abi::memory native,
                                                     std::size_t bytes, native_ownership, void** address,
                                                     const source_location& where) const {
  const auto value = yoke::detail::native_value(native);
  const auto of = yoke::detail::ask_native("memory", native, where, [&] { return memory_context(native, where); });
  if (of != context) yoke::detail::throw_foreign_native("memory", value, "context", where);
  const std::size_t has = memory_bytes(native, where);
  if (has < bytes) {
    detail::throw_error(errc::size_mismatch, where, "native memory of ", has, " bytes cannot hold ", bytes, " bytes");
  }
  const auto flags =
      detail::query<abi::ulong, &abi::functions::get_memory_info>(table(), where, native, abi::mem_flags);
  if ((flags & (abi::mem_alloc_host_ptr | abi::mem_use_host_ptr)) == 0) {
    detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("memory", value),
                        " is not page-locked: it was made without CL_MEM_ALLOC_HOST_PTR and CL_MEM_USE_HOST_PTR");
  }
  const abi::queue queue =
      detail::create<&abi::functions::create_queue>(table(), where, context, device, abi::ulong{0});
  try {
    pagelocked_block* const block = detail::map_for_life(table(), queue, native, has, where);
    *address = block->address;
    return block;
  } catch (...) {
    detail::report(detail::release<&abi::functions::release_queue>(table(), queue));
    throw;
  }
}
release_result memory_functions::detach_pagelocked(abi::context, pagelocked_block* block) const noexcept {
  const std::unique_ptr<pagelocked_block> owned{block};
  release_result first = detail::release<&abi::functions::enqueue_unmap_memory>(
      table(), block->queue, block->memory, block->address, abi::uint{0}, static_cast<const abi::event*>(nullptr),
      static_cast<abi::event*>(nullptr));
  for (const release_result& next : {detail::release<&abi::functions::finish>(table(), block->queue),
                                     detail::release<&abi::functions::release_queue>(table(), block->queue)}) {
    detail::add_outcome(first, next);
  }
  return first;
}
release_result memory_functions::release_pagelocked(abi::context context, pagelocked_block* block) const noexcept {
  const abi::memory memory = block->memory;
  release_result first = detach_pagelocked(context, block);
  detail::add_outcome(first, detail::release<&abi::functions::release_memory>(table(), memory));
  return first;
}

// A blocking write may return before the device has the data (Intel's CPU runtime: another queue then reads the old
// data), and a blocking command that fails because of an earlier one may report success (PoCL 3.1). So this waits for
// the command's own event and queries it, unless the driver is known to do neither.
void memory_functions::write(abi::queue stream, abi::memory destination, std::size_t offset, const void* source,
                             std::size_t bytes, completion<abi::event> done, const source_location& where) const {
  if (done.blocks() && detail::writes_tell_all(table())) [[likely]] {
    return detail::invoke<&abi::functions::enqueue_write_buffer>(
        table(), where, stream, destination, abi::yes, offset, bytes, source, abi::uint{0},
        static_cast<const abi::event*>(nullptr), static_cast<abi::event*>(nullptr));
  }
  detail::copy_event event(table(), done);
  detail::invoke<&abi::functions::enqueue_write_buffer>(table(), where, stream, destination, event.blocking(), offset,
                                                        bytes, source, abi::uint{0},
                                                        static_cast<const abi::event*>(nullptr), event.slot());
  event.finish(table(), where);
}
void memory_functions::read(abi::queue stream, abi::memory source, std::size_t offset, void* destination,
                            std::size_t bytes, completion<abi::event> done, const source_location& where) const {
  if (done.blocks() && detail::reads_tell_all(table())) [[likely]] {
    return detail::invoke<&abi::functions::enqueue_read_buffer>(
        table(), where, stream, source, abi::yes, offset, bytes, destination, abi::uint{0},
        static_cast<const abi::event*>(nullptr), static_cast<abi::event*>(nullptr));
  }
  detail::copy_event event(table(), done);
  detail::invoke<&abi::functions::enqueue_read_buffer>(table(), where, stream, source, event.blocking(), offset, bytes,
                                                       destination, abi::uint{0},
                                                       static_cast<const abi::event*>(nullptr), event.slot());
  event.finish(table(), where);
}
void memory_functions::copy(abi::queue stream, abi::memory source, std::size_t source_offset, abi::memory destination,
                            std::size_t destination_offset, std::size_t bytes, completion<abi::event> done,
                            const source_location& where) const {
  detail::copy_event event(table(), done);
  detail::invoke<&abi::functions::enqueue_copy_buffer>(table(), where, stream, source, destination, source_offset,
                                                       destination_offset, bytes, abi::uint{0},
                                                       static_cast<const abi::event*>(nullptr), event.slot());
  event.finish(table(), where);
}

void memory_functions::refused(direct_command command, std::int32_t code, const direct_sides&,
                               const source_location& where) const {
  using entries = abi::functions;
  const char* call = detail::symbol<&entries::enqueue_copy_buffer>();
  switch (command) {
    case direct_command::wait: call = detail::symbol<&entries::enqueue_barrier>(); break;
    case direct_command::write: call = detail::symbol<&entries::enqueue_write_buffer>(); break;
    case direct_command::read: call = detail::symbol<&entries::enqueue_read_buffer>(); break;
    case direct_command::copy: break;
  }
  detail::throw_failure(code, call, "", where);
}

void memory_functions::write_box(abi::queue stream, abi::memory destination, const box_side& to, const void* source,
                                 const box_side& from, const box_size& box, completion<abi::event> done,
                                 const source_location& where) const {
  const auto host = detail::origin_of(from, box);
  const auto device = detail::origin_of(to, box);
  const std::size_t region[3] = {box.row_bytes, box.rows, box.slices};
  detail::copy_event event(table(), done, detail::writes_tell_all(table()));
  const auto in_gap = [&] { return detail::ends_in_gap(table(), destination, to, box, where); };
  if (detail::is_taken<&abi::functions::enqueue_write_buffer_rect>(
          table(), where, in_gap, stream, destination, event.blocking(), &device.origin[0], &host.origin[0], &region[0],
          to.row_pitch, detail::slice_pitch_of(to, box), from.row_pitch, detail::slice_pitch_of(from, box), source,
          abi::uint{0}, static_cast<const abi::event*>(nullptr), event.slot())) {
    return event.finish(table(), where);
  }
  write_box(stream, destination, to, source, from, detail::without_last_row(box), completion<abi::event>::unwatched(),
            where);
  write(stream, destination, detail::last_row(to, box),
        static_cast<const std::byte*>(source) + detail::last_row(from, box), box.row_bytes, done, where);
}
void memory_functions::read_box(abi::queue stream, abi::memory source, const box_side& from, void* destination,
                                const box_side& to, const box_size& box, completion<abi::event> done,
                                const source_location& where) const {
  const auto host = detail::origin_of(to, box);
  const auto device = detail::origin_of(from, box);
  const std::size_t region[3] = {box.row_bytes, box.rows, box.slices};
  detail::copy_event event(table(), done, detail::reads_tell_all(table()));
  const auto in_gap = [&] { return detail::ends_in_gap(table(), source, from, box, where); };
  if (detail::is_taken<&abi::functions::enqueue_read_buffer_rect>(
          table(), where, in_gap, stream, source, event.blocking(), &device.origin[0], &host.origin[0], &region[0],
          from.row_pitch, detail::slice_pitch_of(from, box), to.row_pitch, detail::slice_pitch_of(to, box), destination,
          abi::uint{0}, static_cast<const abi::event*>(nullptr), event.slot())) {
    return event.finish(table(), where);
  }
  read_box(stream, source, from, destination, to, detail::without_last_row(box), completion<abi::event>::unwatched(),
           where);
  read(stream, source, detail::last_row(from, box), static_cast<std::byte*>(destination) + detail::last_row(to, box),
       box.row_bytes, done, where);
}
void memory_functions::copy_box(abi::queue stream, abi::memory source, const box_side& from, abi::memory destination,
                                const box_side& to, const box_size& box, completion<abi::event> done,
                                const source_location& where) const {
  // PoCL 3.1 crashes on device copies of boxes of sub-buffers: copies boxes of the whole buffer instead.
  const detail::buffer_part read = detail::part_of(table(), source, where);
  const detail::buffer_part written = detail::part_of(table(), destination, where);
  const box_side of_read{from.offset + read.offset, from.row_pitch, from.slice_pitch};
  const box_side of_written{to.offset + written.offset, to.row_pitch, to.slice_pitch};
  // OpenCL cannot copy boxes with different pitches within one buffer: copies row by row.
  if (read.buffer == written.buffer && yoke::detail::have_other_pitches(from, to, box.slices)) {
    for (std::size_t row = 0; row < box.rows * box.slices; ++row) {
      const bool last = row + 1 == box.rows * box.slices;
      copy(stream, source, detail::row_of(from, box, row), destination, detail::row_of(to, box, row), box.row_bytes,
           last ? done : completion<abi::event>::unwatched(), where);
    }
    return;
  }
  const auto first = detail::origin_of(of_read, box);
  const auto second = detail::origin_of(of_written, box);
  const std::size_t region[3] = {box.row_bytes, box.rows, box.slices};
  detail::copy_event event(table(), done);
  const auto in_gap = [&] {
    return detail::ends_in_gap(table(), read.buffer, of_read, box, where) ||
           detail::ends_in_gap(table(), written.buffer, of_written, box, where);
  };
  if (detail::is_taken<&abi::functions::enqueue_copy_buffer_rect>(
          table(), where, in_gap, stream, read.buffer, written.buffer, &first.origin[0], &second.origin[0], &region[0],
          from.row_pitch, detail::slice_pitch_of(from, box), to.row_pitch, detail::slice_pitch_of(to, box),
          abi::uint{0}, static_cast<const abi::event*>(nullptr), event.slot())) {
    return event.finish(table(), where);
  }
  copy_box(stream, source, from, destination, to, detail::without_last_row(box), completion<abi::event>::unwatched(),
           where);
  copy(stream, source, detail::last_row(from, box), destination, detail::last_row(to, box), box.row_bytes, done, where);
}

void memory_functions::fill(abi::queue stream, abi::memory destination, std::size_t offset, const void* pattern,
                            std::size_t pattern_bytes, std::size_t count, const source_location& where) const {
  if (count == 0) return;
  std::size_t remaining = pattern_bytes * count;
  if (std::has_single_bit(pattern_bytes) && pattern_bytes <= 128 && offset % pattern_bytes == 0) {
    while (remaining > 0) {
      const std::size_t piece = std::min(remaining, detail::largest_fill_bytes);
      detail::kept_event kept(table());
      detail::invoke<&abi::functions::enqueue_fill_buffer>(table(), where, stream, destination, pattern, pattern_bytes,
                                                           offset, piece, abi::uint{0},
                                                           static_cast<const abi::event*>(nullptr), kept.slot());
      offset += piece;
      remaining -= piece;
    }
    return;
  }
  // Other element sizes: writes the first element from the host, then doubles the filled part.
  {
    detail::kept_event kept(table());
    detail::invoke<&abi::functions::enqueue_write_buffer>(table(), where, stream, destination, abi::yes, offset,
                                                          pattern_bytes, pattern, abi::uint{0},
                                                          static_cast<const abi::event*>(nullptr), kept.slot());
  }
  std::size_t filled = pattern_bytes;
  while (filled < pattern_bytes * count) {
    const std::size_t piece = std::min({filled, pattern_bytes * count - filled, detail::largest_fill_bytes});
    detail::kept_event kept(table());
    detail::invoke<&abi::functions::enqueue_copy_buffer>(table(), where, stream, destination, destination, offset,
                                                         offset + filled, piece, abi::uint{0},
                                                         static_cast<const abi::event*>(nullptr), kept.slot());
    filled += piece;
  }
}

void memory_functions::retain_memory(abi::memory memory, const source_location& where) const {
  detail::invoke<&abi::functions::retain_memory>(table(), where, memory);
}
void* memory_functions::map(abi::queue stream, abi::memory memory, std::size_t offset, std::size_t bytes, map_mode mode,
                            const source_location& where) const {
  abi::status status = 0;
  abi::event event = nullptr;
  abi::event* const slot = detail::reads_tell_all(table()) ? nullptr : &event;
  void* address = table()->enqueue_map_buffer(stream, memory, abi::yes, detail::map_flags(mode), offset, bytes, 0,
                                              nullptr, slot, &status);
  if (status != 0 || address == nullptr) detail::throw_refused_map(table(), memory, mode, status, where);
  if (slot == nullptr) [[likely]]
    return address;
  try {
    detail::wait_and_release(table(), event, where);
  } catch (...) {  // the driver still counts it as mapped
    detail::report(unmap(stream, memory, address));
    throw;
  }
  return address;
}
release_result memory_functions::unmap(abi::queue stream, abi::memory memory, void* address) const noexcept {
  detail::kept_event kept(table());
  return detail::release<&abi::functions::enqueue_unmap_memory>(table(), stream, memory, address, abi::uint{0},
                                                                static_cast<const abi::event*>(nullptr), kept.slot());
}
abi::memory memory_functions::create_sub_buffer(abi::memory parent, std::size_t offset, std::size_t bytes,
                                                const source_location& where) const {
  return create_sub_buffer_with(parent, 0, offset, bytes, where);
}
abi::memory memory_functions::create_sub_buffer_with(abi::memory parent, abi::ulong flags, std::size_t offset,
                                                     std::size_t bytes, const source_location& where) const {
  const abi::buffer_region region{offset, bytes};
  abi::status status = 0;
  const abi::memory part = table()->create_sub_buffer(parent, flags, abi::buffer_create_region, &region, &status);
  if (status != 0 || part == nullptr) [[unlikely]] {
    abi::memory whole = nullptr;
    const bool is_part =
        table()->get_memory_info(parent, abi::mem_associated, sizeof whole, &whole, nullptr) == 0 && whole != nullptr;
    detail::throw_failure(
        status == 0 ? -6 : status, "clCreateSubBuffer",
        is_part ? "the allocation is itself a part of a buffer: make the part from the whole one" : "", where);
  }
  return part;
}

}  // namespace yoke::inline v0_1::opencl

#endif
