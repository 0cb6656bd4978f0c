// SPDX-License-Identifier: MIT
// The CUDA port's memory: plain and stream-ordered allocations, page-locked memory, copies and fills.
#ifndef YOKE_DRIVER_CUDA_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_HPP

#include <yoke/driver/cuda/host_memory.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// A part of `port`.
class memory_functions : public host_memory_functions {
 public:
  using memory_handle = abi::device_pointer;
  using pagelocked_handle = void*;
  using native_pagelocked = void*;
  using streams_view = std::span<const stream_handle>;

  YOKE_API memory_handle allocate(context_handle context, std::size_t bytes, const source_location& where) const;
  YOKE_API memory_handle allocate_ordered(context_handle context, stream_handle stream, std::size_t bytes,
                                          const source_location& where) const;
  /// Allocates `rows` rows of `row_bytes`; the driver chooses `pitch_bytes`, from one row to the next. Released as plain
  /// memory.
  YOKE_API memory_handle allocate_pitched(context_handle context, std::size_t row_bytes, std::size_t rows,
                                          unsigned element_bytes, std::size_t& pitch_bytes,
                                          const source_location& where) const;
  YOKE_API release_result release_memory(context_handle context, memory_handle memory) const noexcept;
  /// Frees the memory behind the work of all these streams.
  YOKE_API release_result release_memory_ordered(context_handle context, memory_handle memory, stream_handle stream,
                                                 streams_view others) const noexcept;
  memory_handle with_offset(memory_handle memory, std::size_t bytes, const source_location&) const noexcept {
    return memory + bytes;
  }
  YOKE_API std::size_t memory_bytes(memory_handle memory, const source_location& where) const;
  YOKE_API context_handle memory_context(memory_handle memory, const source_location& where) const;
  /// Throws: `logic_error` for an address that is not aligned so. For memory that the handle will release also for an
  /// address inside a block, and for a block of the other kind.
  YOKE_API void check_native_memory(memory_handle memory, std::size_t alignment, native_ownership ownership,
                                    const source_location& where) const;

  YOKE_API pagelocked_handle allocate_pagelocked(context_handle context, device_handle device, std::size_t bytes,
                                                 void** address, const source_location& where) const;
  YOKE_API release_result release_pagelocked(context_handle context, pagelocked_handle block) const noexcept;
  /// Effects: checks the address of page-locked memory. Returns: the address, which is the handle.
  YOKE_API pagelocked_handle adopt_pagelocked(context_handle context, device_handle device, native_pagelocked native,
                                              std::size_t bytes, native_ownership ownership, void** address,
                                              const source_location& where) const;
  [[nodiscard]] native_pagelocked native_of_pagelocked(pagelocked_handle block) const noexcept { return block; }
  /// Throws: `logic_error` unless the driver has page-locked `bytes` bytes from this address.
  YOKE_API void check_pagelocked(const void* address, std::size_t bytes, const source_location& where) const;

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

  [[nodiscard, gnu::always_inline]] std::int32_t write_directly(stream_handle stream, memory_handle destination,
                                                                std::size_t offset, const void* source,
                                                                std::size_t bytes) const noexcept {
    return is_forked() ? direct_unusual : table_->memcpy_htod_async(destination + offset, source, bytes, stream);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t read_directly(stream_handle stream, memory_handle source,
                                                               std::size_t offset, void* destination,
                                                               std::size_t bytes) const noexcept {
    return is_forked() ? direct_unusual : table_->memcpy_dtoh_async(destination, source + offset, bytes, stream);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t copy_directly(stream_handle stream, memory_handle source,
                                                               std::size_t source_offset, memory_handle destination,
                                                               std::size_t destination_offset,
                                                               std::size_t bytes) const noexcept {
    return is_forked()
               ? direct_unusual
               : table_->memcpy_dtod_async(destination + destination_offset, source + source_offset, bytes, stream);
  }
  /// Throws: `error`, always, for a code that a direct function has returned.
  [[noreturn, gnu::cold]] YOKE_API void refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                                const source_location& where) const;

 private:
  void enqueue_box(stream_handle stream, abi::copy_3d& request, const box_side& from, const box_side& to,
                   const box_size& box, completion<event_handle> done, const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/memory.ipp>
#endif

#endif
