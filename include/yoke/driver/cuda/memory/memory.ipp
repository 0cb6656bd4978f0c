// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/memory.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_MEMORY_IPP

#include <yoke/driver/cuda/memory/memory.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Effects: makes `stream` wait for all work in the other streams. Returns: the first failure.
release_result join_streams(const abi::functions* table, abi::stream stream,
                            std::span<const abi::stream> others) noexcept {
  release_result first{0, "cuStreamWaitEvent"};
  for (const abi::stream other : others) {
    add_outcome(first, outcome_of("cuEventCreate", [&] {
                  abi::context context = nullptr;
                  invoke<&abi::functions::stream_get_context>(table, {}, other, &context);
                  const current_context scope(table, context, {});
                  abi::event event = nullptr;
                  invoke<&abi::functions::event_create>(table, {}, &event, abi::event_disable_timing);
                  release_result joined = release<&abi::functions::event_record>(table, event, other);
                  add_outcome(joined, release<&abi::functions::stream_wait_event>(table, stream, event,
                                                                                  abi::event_wait_default));
                  add_outcome(joined, release<&abi::functions::event_destroy>(table, event));
                  return joined;
                }));
  }
  return first;
}

void check_first_address(const abi::functions* table, abi::device_pointer memory, const source_location& where) {
  abi::device_pointer base = memory;
  invoke<&abi::functions::pointer_get_attribute>(table, where, static_cast<void*>(&base),
                                                 abi::pointer_attribute::range_start_addr, memory);
  if (base == memory) return;
  throw_error(errc::invalid_argument, where, yoke::detail::native_text("memory", memory), " lies ", memory - base,
              " bytes inside a block, which only its first address frees: borrow it");
}

}  // namespace detail

abi::device_pointer memory_functions::allocate(abi::context context, std::size_t bytes,
                                               const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer memory = 0;
  const abi::status status = detail::call<&abi::functions::mem_alloc>(table(), &memory, bytes);
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuMemAlloc", detail::device_allocation_of(bytes), where);
  }
  return memory;
}
abi::device_pointer memory_functions::allocate_ordered(abi::context context, abi::stream stream, std::size_t bytes,
                                                       const source_location& where) const {
  const detail::default_stream_context scope(table(), context, stream, where);
  abi::device_pointer memory = 0;
  const abi::status status = detail::call<&abi::functions::mem_alloc_async>(table(), &memory, bytes, stream);
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuMemAllocAsync", detail::device_allocation_of(bytes), where);
  }
  return memory;
}
abi::device_pointer memory_functions::allocate_pitched(abi::context context, std::size_t row_bytes, std::size_t rows,
                                                       unsigned element_bytes, std::size_t& pitch_bytes,
                                                       const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer memory = 0;
  const abi::status status =
      detail::call<&abi::functions::mem_alloc_pitch>(table(), &memory, &pitch_bytes, row_bytes, rows, element_bytes);
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuMemAllocPitch",
                            detail::text("device allocation of ", rows, " rows of ", row_bytes, " bytes"), where);
  }
  return memory;
}
release_result memory_functions::release_memory(abi::context, abi::device_pointer memory) const noexcept {
  return detail::release<&abi::functions::mem_free>(table(), memory);
}
release_result memory_functions::release_memory_ordered(abi::context context, abi::device_pointer memory,
                                                        abi::stream stream,
                                                        std::span<const abi::stream> others) const noexcept {
  const auto free_behind = [&]() noexcept {
    release_result first = detail::join_streams(table(), stream, others);
    // A late free is better than an early one: if the stream cannot wait, this thread does.
    if (first.code != 0) {
      for (const abi::stream other : others) {
        detail::add_outcome(first, detail::release<&abi::functions::stream_synchronize>(table(), other));
      }
    }
    detail::add_outcome(first, detail::release<&abi::functions::mem_free_async>(table(), memory, stream));
    return first;
  };
  const bool needs_context =
      detail::is_default_stream(stream) || std::any_of(others.begin(), others.end(), &detail::is_default_stream);
  if (!needs_context) return free_behind();
  return detail::outcome_of("cuMemFreeAsync", [&] {
    const detail::current_context scope(table(), context, {});
    const auto is_per_thread = [](abi::stream each) {
      return reinterpret_cast<std::uintptr_t>(each) == abi::per_thread_stream;
    };
    // The per-thread stream's thread is unknown: waits for the whole context.
    release_result waited{};
    if (is_per_thread(stream) || std::any_of(others.begin(), others.end(), is_per_thread)) {
      waited = detail::release<&abi::functions::context_synchronize>(table());
    }
    detail::add_outcome(waited, free_behind());
    return waited;
  });
}
std::size_t memory_functions::memory_bytes(abi::device_pointer memory, const source_location& where) const {
  // Attributes need no context, and memory of a pool has none.
  abi::device_pointer base = 0;
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::pointer_get_attribute>(table(), where, static_cast<void*>(&base),
                                                         abi::pointer_attribute::range_start_addr, memory);
  detail::invoke<&abi::functions::pointer_get_attribute>(table(), where, static_cast<void*>(&bytes),
                                                         abi::pointer_attribute::range_size, memory);
  return bytes - static_cast<std::size_t>(memory - base);
}
abi::context memory_functions::memory_context(abi::device_pointer memory, const source_location& where) const {
  abi::context context = nullptr;
  detail::invoke<&abi::functions::pointer_get_attribute>(table(), where, static_cast<void*>(&context),
                                                         abi::pointer_attribute::context, memory);
  return context;
}
abi::memory_pool memory_functions::pool_of(abi::device_pointer memory, const source_location& where) const {
  abi::memory_pool pool = nullptr;
  const abi::status told = detail::call<&abi::functions::pointer_get_attribute>(
      table(), static_cast<void*>(&pool), abi::pointer_attribute::mempool_handle, memory);
  // Drivers have two ways to report that a block belongs to no pool.
  if (told == abi::error_invalid_value) return nullptr;
  if (told != abi::success) detail::throw_failure(told, "cuPointerGetAttribute", "", where);
  return pool;
}
void memory_functions::check_native_memory(abi::device_pointer memory, std::size_t alignment,
                                           native_ownership ownership, const source_location& where) const {
  const auto refuse = [&](errc condition, const std::string& why) {
    detail::throw_error(condition, where, yoke::detail::native_text("memory", memory), " ", why);
  };
  if (memory % alignment != 0) {
    refuse(errc::misaligned, detail::text("is no multiple of ", alignment, " bytes, as elements of this type need"));
  }
  if (ownership == native_ownership::borrowed) return;
  detail::check_first_address(table(), memory, where);
  const bool ordered = pool_of(memory, where) != nullptr;
  if (ordered && ownership == native_ownership::plain) {
    refuse(errc::invalid_argument,
           "is stream-ordered memory, which is freed in a stream's order: adopt it with a stream");
  }
  if (!ordered && ownership == native_ownership::ordered) {
    refuse(errc::invalid_argument, "is no stream-ordered memory: adopt it without a stream");
  }
}
bool memory_functions::stages_pageable(abi::context context, const void* host, const source_location& where) const {
  unsigned type = 0;
  const abi::status told = detail::call<&abi::functions::pointer_get_attribute>(
      table(), static_cast<void*>(&type), abi::pointer_attribute::memory_type,
      static_cast<abi::device_pointer>(reinterpret_cast<std::uintptr_t>(host)));
  if (told == abi::success && type != 0) return false;  // the driver knows the memory
  if (told != abi::success && told != abi::error_invalid_value) {
    detail::throw_failure(told, "cuPointerGetAttribute", "", where);
  }
  const abi::device device = detail::device_of(table(), context, where);
  const auto is = [&](const device_attribute<bool>& attribute) {
    return try_get(*table(), device, attribute, where).value_or(false);
  };
  return !is(info::integrated) && !is(info::pageable_memory_access_uses_host_page_tables);
}
void memory_functions::write(abi::stream stream, abi::device_pointer destination, std::size_t offset,
                             const void* source, std::size_t bytes, completion<abi::event> done,
                             const source_location& where) const {
  detail::enqueue_row<&abi::functions::memcpy_htod_async>(table(), where, destination + offset, source, bytes, stream);
  if (done.blocks() || done.wanted()) detail::finish_or_record(table(), stream, done, where);
}
void memory_functions::read(abi::stream stream, abi::device_pointer source, std::size_t offset, void* destination,
                            std::size_t bytes, completion<abi::event> done, const source_location& where) const {
  detail::enqueue_row<&abi::functions::memcpy_dtoh_async>(table(), where, destination, source + offset, bytes, stream);
  if (done.blocks() || done.wanted()) detail::finish_or_record(table(), stream, done, where);
}
void memory_functions::copy(abi::stream stream, abi::device_pointer source, std::size_t source_offset,
                            abi::device_pointer destination, std::size_t destination_offset, std::size_t bytes,
                            completion<abi::event> done, const source_location& where) const {
  detail::enqueue_row<&abi::functions::memcpy_dtod_async>(table(), where, destination + destination_offset,
                                                          source + source_offset, bytes, stream);
  if (done.blocks() || done.wanted()) detail::finish_or_record(table(), stream, done, where);
}
bool memory_functions::wants_context(abi::stream stream, direct_command command, std::int32_t code,
                                     const direct_sides& of) const noexcept {
  const detail::copy_side sides[] = {{"", of.source, of.bytes, command != direct_command::write},
                                     {"", of.destination, of.bytes, command != direct_command::read}};
  return detail::wants_context(table(), stream, code, sides);
}
void memory_functions::refused(direct_command command, std::int32_t code, const direct_sides& of,
                               const source_location& where) const {
  using entries = abi::functions;
  const detail::copy_side sides[] = {{"source", of.source, of.bytes, command != direct_command::write},
                                     {"destination", of.destination, of.bytes, command != direct_command::read}};
  const auto fail = [&](const char* call) {
    detail::throw_failure(code, call, detail::refused_copy(table(), code, sides), where);
  };
  switch (command) {
    case direct_command::wait: detail::throw_failure(code, detail::symbol<&entries::stream_wait_event>(), "", where);
    case direct_command::write: fail(detail::symbol<&entries::memcpy_htod_async>()); break;
    case direct_command::read: fail(detail::symbol<&entries::memcpy_dtoh_async>()); break;
    case direct_command::copy: fail(detail::symbol<&entries::memcpy_dtod_async>()); break;
  }
  __builtin_unreachable();
}
void memory_functions::enqueue_box(abi::stream stream, abi::copy_3d& request, const box_side& from, const box_side& to,
                                   const box_size& box, completion<abi::event> done,
                                   const source_location& where) const {
  request.source_pitch = from.row_pitch;
  request.source_height = from.slice_pitch / from.row_pitch;
  request.destination_pitch = to.row_pitch;
  request.destination_height = to.slice_pitch / to.row_pitch;
  request.width_bytes = box.row_bytes;
  request.height = box.rows;
  request.depth = box.slices;
  const auto extent = [&](const box_side& side) { return detail::extent_of(side, box); };
  const auto is_device = [](abi::memory_type type) { return type == abi::memory_type::device; };
  const detail::copy_side sides[] = {
      is_device(request.source_type) ? detail::source_at(request.source_device, extent(from))
                                     : detail::source_at(request.source_host, extent(from)),
      is_device(request.destination_type) ? detail::destination_at(request.destination_device, extent(to))
                                          : detail::destination_at(request.destination_host, extent(to))};
  detail::enqueue_copy<&abi::functions::memcpy_3d_async>(table(), stream, sides, where,
                                                         static_cast<const abi::copy_3d*>(&request));
  detail::finish_or_record(table(), stream, done, where);
}
void memory_functions::write_box(abi::stream stream, abi::device_pointer destination, const box_side& to,
                                 const void* source, const box_side& from, const box_size& box,
                                 completion<abi::event> done, const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::host;
  request.source_host = static_cast<const std::byte*>(source) + from.offset;
  request.destination_type = abi::memory_type::device;
  request.destination_device = destination + to.offset;
  enqueue_box(stream, request, from, to, box, done, where);
}
void memory_functions::read_box(abi::stream stream, abi::device_pointer source, const box_side& from, void* destination,
                                const box_side& to, const box_size& box, completion<abi::event> done,
                                const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::device;
  request.source_device = source + from.offset;
  request.destination_type = abi::memory_type::host;
  request.destination_host = static_cast<std::byte*>(destination) + to.offset;
  enqueue_box(stream, request, from, to, box, done, where);
}
void memory_functions::copy_box(abi::stream stream, abi::device_pointer source, const box_side& from,
                                abi::device_pointer destination, const box_side& to, const box_size& box,
                                completion<abi::event> done, const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::device;
  request.source_device = source + from.offset;
  request.destination_type = abi::memory_type::device;
  request.destination_device = destination + to.offset;
  enqueue_box(stream, request, from, to, box, done, where);
}
void memory_functions::fill(abi::stream stream, abi::device_pointer destination, std::size_t offset,
                            const void* pattern, std::size_t pattern_bytes, std::size_t count,
                            const source_location& where) const {
  const abi::device_pointer first = destination + offset;
  const std::size_t total = pattern_bytes * count;
  const detail::copy_side sides[] = {detail::destination_at(first, total)};
  const auto* bytes = static_cast<const unsigned char*>(pattern);
  const bool uniform = std::all_of(bytes, bytes + pattern_bytes, [&](unsigned char each) { return each == bytes[0]; });
  if (uniform) {
    return detail::invoke_copy<&abi::functions::memset_d8_async>(table(), where, sides, first, bytes[0], total, stream);
  }
  if (pattern_bytes == 2 && first % 2 == 0) {
    unsigned short value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return detail::invoke_copy<&abi::functions::memset_d16_async>(table(), where, sides, first, value, count, stream);
  }
  if (pattern_bytes == 4 && first % 4 == 0) {
    unsigned value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return detail::invoke_copy<&abi::functions::memset_d32_async>(table(), where, sides, first, value, count, stream);
  }
  // For a pattern too wide for memset: copies one element to the device, and doubles it there until all is filled. The
  // driver may read page-locked memory after the call has returned, so the caller's value is copied to the stack first.
  std::array<unsigned char, 1024> staged;
  for (std::size_t at = 0; at < pattern_bytes; at += staged.size()) {
    const std::size_t piece = (std::min)(staged.size(), pattern_bytes - at);
    std::memcpy(staged.data(), bytes + at, piece);
    detail::enqueue_row<&abi::functions::memcpy_htod_async>(table(), where, first + at,
                                                            static_cast<const void*>(staged.data()), piece, stream);
  }
  for (std::size_t done = pattern_bytes; done < total;) {
    const std::size_t next = (std::min)(done, total - done);
    detail::enqueue_row<&abi::functions::memcpy_dtod_async>(table(), where, first + done, first, next, stream);
    done += next;
  }
}

}  // namespace yoke::inline v0_1::cuda

#endif
