// SPDX-License-Identifier: MIT
// The OpenCL port's buffers with flags: made, described, migrated, mapped and unmapped behind events.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_BUFFER_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_BUFFER_HPP

#include <yoke/driver/opencl/facet.hpp>

#include <span>
#include <vector>

namespace yoke::inline v0_1::opencl {

using yoke::kernel_access;
/// The access that the host has to a buffer, by copies and maps. The driver refuses any other.
enum class host_access : std::uint8_t { read_write, read_only, write_only, none };

/// The options of a buffer.
struct buffer_options {
  kernel_access kernels = kernel_access::read_write;
  host_access host = host_access::read_write;
  bool in_host_memory = false;  ///< in memory that the host accesses fast (`CL_MEM_ALLOC_HOST_PTR`)

  [[nodiscard]] friend bool operator==(const buffer_options&, const buffer_options&) noexcept = default;
};

/// A driver's facts about a buffer, by key. A value.
struct buffer_description {
  abi::uint type = 0;                    ///< `CL_MEM_TYPE`
  abi::ulong flags = 0;                  ///< `CL_MEM_FLAGS`; none reads back as read and write
  std::size_t size_bytes = 0;            ///< `CL_MEM_SIZE`
  void* host_pointer = nullptr;          ///< `CL_MEM_HOST_PTR`; null unless it is over host memory
  abi::uint map_count = 0;               ///< `CL_MEM_MAP_COUNT`
  abi::uint reference_count = 0;         ///< `CL_MEM_REFERENCE_COUNT`
  abi::context context = nullptr;        ///< `CL_MEM_CONTEXT`
  abi::memory whole = nullptr;           ///< `CL_MEM_ASSOCIATED_MEMOBJECT`: the buffer that contains a sub-buffer
  std::size_t offset_bytes = 0;          ///< `CL_MEM_OFFSET`: the start of a sub-buffer
  bool uses_svm = false;                 ///< `CL_MEM_USES_SVM_POINTER`; false before OpenCL 2.0
  std::vector<abi::ulong> properties{};  ///< `CL_MEM_PROPERTIES`; none before OpenCL 3.0
};

namespace detail {
/// A buffer, and the offset of a part of it.
struct buffer_part {
  abi::memory buffer = nullptr;
  std::size_t offset = 0;  ///< bytes
};

/// Returns: the `CL_MEM_...` flags of options.
[[nodiscard]] YOKE_API abi::ulong flags_of(const buffer_options& of) noexcept;
}  // namespace detail

/// A driver's facts about a pipe. A value.
struct pipe_description {
  std::size_t packet_bytes = 0;
  std::size_t packets = 0;  ///< capacity in packets
  abi::context context = nullptr;
};

/// A part of `port`.
class buffer_functions : public facet<buffer_functions> {
 public:
  using buffer_options = opencl::buffer_options;

  /// Throws: `memory_error`; `error`.
  YOKE_API abi::memory allocate_with(abi::context context, std::size_t bytes, const buffer_options& options,
                                     const source_location& where) const;
  /// `flags` are `CL_MEM_...`. Throws: `memory_error`; `error`.
  YOKE_API abi::memory create_buffer(abi::context context, abi::ulong flags, std::size_t bytes, void* host,
                                     const source_location& where) const;
  /// A part of a buffer with the access that `options` narrow; read and write stands for that of the whole.
  /// Throws: `logic_error` for an access that the whole buffer lacks; `error`.
  YOKE_API abi::memory create_part(abi::memory whole, std::size_t offset, std::size_t bytes,
                                   const buffer_options& options, const source_location& where) const;
  YOKE_API buffer_description describe_buffer(abi::memory memory, const source_location& where) const;
  /// Effects: the driver calls `callback(memory, with)` once nothing uses the memory any more.
  YOKE_API void at_memory_end(abi::memory memory, abi::memory_callback callback, void* with,
                              const source_location& where) const;
  /// `flags` are `CL_MIGRATE_MEM_OBJECT_...`. Returns: the command's event.
  YOKE_API abi::event migrate(abi::queue stream, std::span<const abi::memory> memory, abi::ulong flags,
                              std::span<const abi::event> after, const source_location& where) const;
  /// Effects: enqueues a map after events, and does not wait. Returns: the address, which is valid once `done` is
  /// complete.
  YOKE_API void* map_later(abi::queue stream, abi::memory memory, std::size_t offset, std::size_t bytes, map_mode mode,
                           std::span<const abi::event> after, abi::event& done, const source_location& where) const;
  /// Effects: enqueues an unmap after events. Returns: the command's event.
  YOKE_API abi::event unmap_later(abi::queue stream, abi::memory memory, void* address,
                                  std::span<const abi::event> after, const source_location& where) const;
  /// Effects: enqueues a copy to memory of another context. Returns: the command's event.
  /// Throws: `unsupported_error` where the stream's device has no `cl_amd_copy_buffer_p2p`; `error`.
  YOKE_API abi::event copy_to_peer(abi::queue stream, const detail::buffer_part& source,
                                   const detail::buffer_part& destination, std::size_t bytes,
                                   std::span<const abi::event> after, const source_location& where) const;
  /// Throws: `unsupported_error` where a device has no pipes; `error`.
  YOKE_API abi::memory create_pipe(abi::context context, std::size_t packet_bytes, std::size_t packets,
                                   const source_location& where) const;
  /// Throws: `logic_error` for memory that is not a pipe; `error`.
  YOKE_API pipe_description describe_pipe(abi::memory pipe, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/memory/buffer.ipp>
#endif

#endif
