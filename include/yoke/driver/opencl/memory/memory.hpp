// SPDX-License-Identifier: MIT
// The OpenCL port's buffers, copies, fills and maps.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_MEMORY_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_MEMORY_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// Page-locked host memory: a host-allocated buffer, mapped for its whole life through its own queue.
struct pagelocked_block {
  abi::memory memory;
  abi::queue queue;
  void* address;
};

/// A part of `port`.
class memory_functions : public facet<memory_functions> {
 public:
  YOKE_API abi::memory allocate(abi::context context, std::size_t bytes, const source_location& where) const;
  YOKE_API release_result release_memory(abi::context context, abi::memory memory) const noexcept;
  YOKE_API release_result release_memory_ordered(abi::context context, abi::memory memory, abi::queue stream,
                                                 std::span<const abi::queue> others) const noexcept;
  YOKE_API void retain_memory(abi::memory memory, const source_location& where) const;
  /// Returns: the kernel argument for memory that starts `bytes` after a handle: a sub-buffer, because a `cl_mem`
  /// argument has no offset. `release_offset` releases it. Throws: `logic_error` if the offset is not aligned or this
  /// is not for a launch; `error`.
  YOKE_API abi::memory with_offset(abi::memory memory, std::size_t bytes, bool for_launch,
                                   const source_location& where) const;
  YOKE_API release_result release_offset(abi::memory memory) const noexcept;
  YOKE_API std::size_t memory_bytes(abi::memory memory, const source_location& where) const;
  YOKE_API abi::context memory_context(abi::memory memory, const source_location& where) const;

  YOKE_API pagelocked_block* allocate_pagelocked(abi::context context, abi::device device, std::size_t bytes,
                                                 void** address, const source_location& where) const;
  YOKE_API release_result release_pagelocked(abi::context context, pagelocked_block* block) const noexcept;
  /// Effects: maps a host-allocated buffer for the block's whole life.
  YOKE_API pagelocked_block* adopt_pagelocked(abi::context context, abi::device device, abi::memory native,
                                              std::size_t bytes, native_ownership ownership, void** address,
                                              const source_location& where) const;
  [[nodiscard]] abi::memory native_of_pagelocked(pagelocked_block* block) const noexcept { return block->memory; }
  YOKE_API release_result detach_pagelocked(abi::context context, pagelocked_block* block) const noexcept;

  YOKE_API void write(abi::queue stream, abi::memory destination, std::size_t offset, const void* source,
                      std::size_t bytes, completion<abi::event> done, const source_location& where) const;
  YOKE_API void read(abi::queue stream, abi::memory source, std::size_t offset, void* destination, std::size_t bytes,
                     completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy(abi::queue stream, abi::memory source, std::size_t source_offset, abi::memory destination,
                     std::size_t destination_offset, std::size_t bytes, completion<abi::event> done,
                     const source_location& where) const;
  YOKE_API void write_box(abi::queue stream, abi::memory destination, const box_side& to, const void* source,
                          const box_side& from, const box_size& box, completion<abi::event> done,
                          const source_location& where) const;
  YOKE_API void read_box(abi::queue stream, abi::memory source, const box_side& from, void* destination,
                         const box_side& to, const box_size& box, completion<abi::event> done,
                         const source_location& where) const;
  YOKE_API void copy_box(abi::queue stream, abi::memory source, const box_side& from, abi::memory destination,
                         const box_side& to, const box_size& box, completion<abi::event> done,
                         const source_location& where) const;
  YOKE_API void fill(abi::queue stream, abi::memory destination, std::size_t offset, const void* pattern,
                     std::size_t pattern_bytes, std::size_t count, const source_location& where) const;

  /// Whether direct copies return an event: one driver call does both.
  static constexpr bool copies_give_events() noexcept { return true; }
  [[nodiscard, gnu::always_inline]] std::int32_t write_directly(abi::queue stream, abi::memory destination,
                                                                std::size_t offset, const void* source,
                                                                std::size_t bytes,
                                                                abi::event* done = nullptr) const noexcept {
    if (notes().events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table()->enqueue_write_buffer(stream, destination, 0, offset, bytes, source, 0, nullptr, done);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t read_directly(abi::queue stream, abi::memory source,
                                                               std::size_t offset, void* destination, std::size_t bytes,
                                                               abi::event* done = nullptr) const noexcept {
    if (notes().events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table()->enqueue_read_buffer(stream, source, 0, offset, bytes, destination, 0, nullptr, done);
  }
  [[nodiscard, gnu::always_inline]] std::int32_t copy_directly(abi::queue stream, abi::memory source,
                                                               std::size_t source_offset, abi::memory destination,
                                                               std::size_t destination_offset, std::size_t bytes,
                                                               abi::event* done = nullptr) const noexcept {
    if (notes().events_are_held.load(yoke::detail::order::acquire)) [[unlikely]]
      return direct_unusual;
    return table()->enqueue_copy_buffer(stream, source, destination, source_offset, destination_offset, bytes, 0,
                                        nullptr, done);
  }
  /// Throws: `error`, always, for a code that a direct function returned.
  [[noreturn, gnu::cold]] YOKE_API void refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                                const source_location& where) const;

  /// The number of views that map memory for the host.
  [[nodiscard]] yoke::detail::atomic<int>& mapped_views() const noexcept { return notes().views; }
  YOKE_API void* map(abi::queue stream, abi::memory memory, std::size_t offset, std::size_t bytes, map_mode mode,
                     const source_location& where) const;
  YOKE_API release_result unmap(abi::queue stream, abi::memory memory, void* address) const noexcept;
  YOKE_API abi::memory create_sub_buffer(abi::memory parent, std::size_t offset, std::size_t bytes,
                                         const source_location& where) const;
  /// As `create_sub_buffer`, with the `CL_MEM_...` flags that the driver takes for a part.
  YOKE_API abi::memory create_sub_buffer_with(abi::memory parent, abi::ulong flags, std::size_t offset,
                                              std::size_t bytes, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/memory/memory.ipp>
#endif

#endif
