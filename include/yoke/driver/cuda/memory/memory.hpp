// SPDX-License-Identifier: MIT
// The CUDA port's device memory: plain and stream-ordered allocations, copies and fills.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Throws: `logic_error` for an address inside a block: only the block's first address can free it.
void check_first_address(const abi::functions* table, abi::device_pointer memory, const source_location& where);
}  // namespace detail

/// A part of `port`.
class memory_functions : public facet<memory_functions> {
 public:
  YOKE_API abi::device_pointer allocate(abi::context context, std::size_t bytes, const source_location& where) const;
  YOKE_API abi::device_pointer allocate_ordered(abi::context context, abi::stream stream, std::size_t bytes,
                                                const source_location& where) const;
  /// Allocates `rows` rows of `row_bytes`; the driver chooses `pitch_bytes`, the distance of rows. Released as plain
  /// memory.
  YOKE_API abi::device_pointer allocate_pitched(abi::context context, std::size_t row_bytes, std::size_t rows,
                                                unsigned element_bytes, std::size_t& pitch_bytes,
                                                const source_location& where) const;
  YOKE_API release_result release_memory(abi::context context, abi::device_pointer memory) const noexcept;
  /// Frees the memory after the work of all these streams.
  YOKE_API release_result release_memory_ordered(abi::context context, abi::device_pointer memory, abi::stream stream,
                                                 std::span<const abi::stream> others) const noexcept;
  abi::device_pointer with_offset(abi::device_pointer memory, std::size_t bytes, bool,
                                  const source_location&) const noexcept {
    return memory + bytes;
  }
  release_result release_offset(abi::device_pointer) const noexcept { return {}; }
  /// Whether the driver detects accesses beyond a block, and to a freed block.
  [[nodiscard]] bool guards_memory() const noexcept {
    return table()->notes->guards_memory.load(yoke::detail::order::relaxed);
  }
  YOKE_API std::size_t memory_bytes(abi::device_pointer memory, const source_location& where) const;
  YOKE_API abi::context memory_context(abi::device_pointer memory, const source_location& where) const;
  /// Returns: the pool that stream-ordered memory comes from; null for other memory.
  YOKE_API abi::memory_pool pool_of(abi::device_pointer memory, const source_location& where) const;
  /// Throws: `logic_error` for a misaligned address; if the handle will release the memory, also for an address inside
  /// a block, and for a block of the other kind.
  YOKE_API void check_native_memory(abi::device_pointer memory, std::size_t alignment, native_ownership ownership,
                                    const source_location& where) const;

  /// Whether the driver copies host memory more slowly than the device could. False for page-locked and managed memory,
  /// and for devices that read the host's pages themselves.
  YOKE_API bool stages_pageable(abi::context context, const void* host, const source_location& where) const;
  YOKE_API void write(abi::stream stream, abi::device_pointer destination, std::size_t offset, const void* source,
                      std::size_t bytes, completion<abi::event> done, const source_location& where) const;
  YOKE_API void read(abi::stream stream, abi::device_pointer source, std::size_t offset, void* destination,
                     std::size_t bytes, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy(abi::stream stream, abi::device_pointer source, std::size_t source_offset,
                     abi::device_pointer destination, std::size_t destination_offset, std::size_t bytes,
                     completion<abi::event> done, const source_location& where) const;
  YOKE_API void write_box(abi::stream stream, abi::device_pointer destination, const box_side& to, const void* source,
                          const box_side& from, const box_size& box, completion<abi::event> done,
                          const source_location& where) const;
  YOKE_API void read_box(abi::stream stream, abi::device_pointer source, const box_side& from, void* destination,
                         const box_side& to, const box_size& box, completion<abi::event> done,
                         const source_location& where) const;
  YOKE_API void copy_box(abi::stream stream, abi::device_pointer source, const box_side& from,
                         abi::device_pointer destination, const box_side& to, const box_size& box,
                         completion<abi::event> done, const source_location& where) const;
  YOKE_API void fill(abi::stream stream, abi::device_pointer destination, std::size_t offset, const void* pattern,
                     std::size_t pattern_bytes, std::size_t count, const source_location& where) const;

  [[nodiscard, gnu::always_inline]] std::int32_t write_directly(abi::stream stream, abi::device_pointer destination,
                                                                std::size_t offset, const void* source,
                                                                std::size_t bytes) const noexcept {
    return detail::in_forked_process() ? direct_unusual
                                       : table()->memcpy_htod_async(destination + offset, source, bytes, stream);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t read_directly(abi::stream stream, abi::device_pointer source,
                                                               std::size_t offset, void* destination,
                                                               std::size_t bytes) const noexcept {
    return detail::in_forked_process() ? direct_unusual
                                       : table()->memcpy_dtoh_async(destination, source + offset, bytes, stream);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t copy_directly(abi::stream stream, abi::device_pointer source,
                                                               std::size_t source_offset,
                                                               abi::device_pointer destination,
                                                               std::size_t destination_offset,
                                                               std::size_t bytes) const noexcept {
    return detail::in_forked_process()
               ? direct_unusual
               : table()->memcpy_dtod_async(destination + destination_offset, source + source_offset, bytes, stream);
  }
  [[gnu::cold]] YOKE_API bool wants_context(abi::stream stream, direct_command command, std::int32_t code,
                                            const direct_sides& sides) const noexcept;
  /// Throws: `error`, always, for a code that a direct function returned.
  [[noreturn, gnu::cold]] YOKE_API void refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                                const source_location& where) const;

 private:
  void enqueue_box(abi::stream stream, abi::copy_3d& request, const box_side& from, const box_side& to,
                   const box_size& box, completion<abi::event> done, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/memory.ipp>
#endif

#endif
