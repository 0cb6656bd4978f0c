// SPDX-License-Identifier: MIT
// The CUDA port's page-locked memory with options, ranges of the program's own page-locked, and what pointers point to.
#ifndef YOKE_DRIVER_CUDA_HOST_MEMORY_HPP
#define YOKE_DRIVER_CUDA_HOST_MEMORY_HPP

#include <yoke/driver/cuda/stream.hpp>

#include <optional>

namespace yoke::inline YOKE_ABI::cuda {

/// What page-locked memory is made for.
struct pagelocked_options {
  bool portable = true;         ///< every context takes it for page-locked
  bool mapped = false;          ///< kernels reach it: with unified addressing they always do
  bool write_combined = false;  ///< faster for the device to read, slow for the host to read
};

/// How a range of the program's own memory is page-locked.
struct registration_options {
  bool portable = true;    ///< every context takes it for page-locked
  bool mapped = false;     ///< kernels reach it: with unified addressing they always do
  bool read_only = false;  ///< the device only reads it; memory that the program cannot write needs this
};

/// Where the memory behind a pointer is.
enum class memory_kind : unsigned char { device, host, managed };

/// What the driver knows of a pointer.
struct pointer_info {
  memory_kind kind = memory_kind::host;
  abi::context context = nullptr;          ///< whose; none for stream-ordered memory, which belongs to a device
  int device = 0;                          ///< the ordinal
  abi::device_pointer device_address = 0;  ///< how kernels reach it; 0 when they do not
  void* host_address = nullptr;            ///< how the program reaches it; null when it does not
  abi::device_pointer base = 0;            ///< where its allocation begins
  std::size_t bytes = 0;                   ///< of the whole allocation
  std::uint64_t buffer_id = 0;             ///< of the allocation, never given twice in the process
};

/// Part of `port`; use that.
class host_memory_functions : public stream_functions {
 public:
  using pagelocked_options = cuda::pagelocked_options;

  YOKE_API void* allocate_pagelocked_with(context_handle context, std::size_t bytes, const pagelocked_options& options,
                                          const source_location& where) const;
  YOKE_API void register_host(context_handle context, void* address, std::size_t bytes,
                              const registration_options& options, const source_location& where) const;
  YOKE_API release_result unregister_host(context_handle context, void* address) const noexcept;
  YOKE_API abi::device_pointer mapped_address(context_handle context, void* address,
                                              const source_location& where) const;
  /// Nothing for memory that the driver does not know.
  YOKE_API std::optional<pointer_info> describe_pointer(abi::device_pointer pointer,
                                                        const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/host_memory.ipp>
#endif

#endif
