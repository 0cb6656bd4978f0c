// SPDX-License-Identifier: MIT
// The OpenCL port's buffers, copies, fills and maps.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_HPP

#include <yoke/driver/opencl/execution.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// Page-locked host memory: a host-allocated buffer, mapped for its whole life through a queue of its own.
struct pagelocked_block {
  abi::memory memory;
  abi::queue queue;
  void* address;
};

/// A part of `port`.
class memory_functions : public execution_functions {
 public:
  using memory_handle = abi::memory;
  using pagelocked_handle = pagelocked_block*;
  using native_pagelocked = abi::memory;
  using streams_view = std::span<const stream_handle>;

  YOKE_API memory_handle allocate(context_handle context, std::size_t bytes, const source_location& where) const;
  YOKE_API release_result release_memory(context_handle context, memory_handle memory) const noexcept;
  YOKE_API release_result release_memory_ordered(context_handle context, memory_handle memory, stream_handle stream,
                                                 streams_view others) const noexcept;
  YOKE_API void retain_memory(memory_handle memory, const source_location& where) const;
  /// Returns: the kernel argument for memory that starts `bytes` behind a handle. Throws: `logic_error` unless `bytes` is 0:
  /// a `cl_mem` argument has no offset.
  YOKE_API memory_handle with_offset(memory_handle memory, std::size_t bytes, const source_location& where) const;
  YOKE_API std::size_t memory_bytes(memory_handle memory, const source_location& where) const;
  YOKE_API context_handle memory_context(memory_handle memory, const source_location& where) const;

  YOKE_API pagelocked_handle allocate_pagelocked(context_handle context, device_handle device, std::size_t bytes,
                                                 void** address, const source_location& where) const;
  YOKE_API release_result release_pagelocked(context_handle context, pagelocked_handle block) const noexcept;
  /// Effects: maps a host-allocated buffer for the block's whole life.
  YOKE_API pagelocked_handle adopt_pagelocked(context_handle context, device_handle device, native_pagelocked native,
                                              std::size_t bytes, native_ownership ownership, void** address,
                                              const source_location& where) const;
  [[nodiscard]] native_pagelocked native_of_pagelocked(pagelocked_handle block) const noexcept { return block->memory; }
  YOKE_API release_result detach_pagelocked(context_handle context, pagelocked_handle block) const noexcept;

  YOKE_API void write(stream_handle stream, memory_handle destination, std::size_t offset, const void* source,
                      std::size_t bytes, completion<event_handle> done, const source_location& where) const;
  YOKE_API void read(stream_handle stream, memory_handle source, std::size_t offset, void* destination,
                     std::size_t bytes, completion<event_handle> done, const source_location& where) const;
  YOKE_API void copy(stream_handle stream, memory_handle source, std::size_t source_offset, memory_handle destination,
                     std::size_t destination_offset, std::size_t bytes, completion<event_handle> done,
                     const source_location& where) const;
  YOKE_API void write_box(stream_handle stream, memory_handle destination, const box_side& to, const void* source,
                          const box_side& from, const box_size& box, completion<event_handle> done,
                          const source_location& where) const;
  YOKE_API void read_box(stream_handle stream, memory_handle source, const box_side& from, void* destination,
                         const box_side& to, const box_size& box, completion<event_handle> done,
                         const source_location& where) const;
  YOKE_API void copy_box(stream_handle stream, memory_handle source, const box_side& from, memory_handle destination,
                         const box_side& to, const box_size& box, completion<event_handle> done,
                         const source_location& where) const;
  YOKE_API void fill(stream_handle stream, memory_handle destination, std::size_t offset, const void* pattern,
                     std::size_t pattern_bytes, std::size_t count, const source_location& where) const;

  /// Whether direct copies return an event: one driver call does both.
  static constexpr bool copies_give_events() noexcept { return true; }
  [[nodiscard, gnu::always_inline]] std::int32_t write_directly(stream_handle stream, memory_handle destination,
                                                                std::size_t offset, const void* source,
                                                                std::size_t bytes,
                                                                event_handle* done = nullptr) const noexcept {
    if (notes_->events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table_->enqueue_write_buffer(stream, destination, 0, offset, bytes, source, 0, nullptr, done);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t read_directly(stream_handle stream, memory_handle source,
                                                               std::size_t offset, void* destination, std::size_t bytes,
                                                               event_handle* done = nullptr) const noexcept {
    if (notes_->events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table_->enqueue_read_buffer(stream, source, 0, offset, bytes, destination, 0, nullptr, done);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t copy_directly(stream_handle stream, memory_handle source,
                                                               std::size_t source_offset, memory_handle destination,
                                                               std::size_t destination_offset, std::size_t bytes,
                                                               event_handle* done = nullptr) const noexcept {
    if (notes_->events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table_->enqueue_copy_buffer(stream, source, destination, source_offset, destination_offset, bytes, 0,
                                       nullptr, done);
  }
  /// Throws: `error`, always, for a code that a direct function has returned.
  [[noreturn, gnu::cold]] YOKE_API void refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                                const source_location& where) const;

  /// The number of views that map memory for the host.
  [[nodiscard]] yoke::detail::atomic<int>& mapped_views() const noexcept { return notes_->views; }
  YOKE_API void* map(stream_handle stream, memory_handle memory, std::size_t offset, std::size_t bytes, map_mode mode,
                     const source_location& where) const;
  YOKE_API release_result unmap(stream_handle stream, memory_handle memory, void* address) const noexcept;
  YOKE_API memory_handle create_sub_buffer(memory_handle parent, std::size_t offset, std::size_t bytes,
                                           const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/memory.ipp>
#endif

#endif
