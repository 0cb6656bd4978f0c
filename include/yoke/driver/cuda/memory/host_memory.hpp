// SPDX-License-Identifier: MIT
// The CUDA port's page-locked memory, page-locking of the program's own ranges, and facts about pointers.
#ifndef YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <optional>

namespace yoke::inline v0_1::cuda {

/// Options of new page-locked memory.
struct pagelocked_options {
  bool portable = true;         ///< it is page-locked for every context
  bool mapped = false;          ///< kernels can use it; with unified addressing they always can
  bool write_combined = false;  ///< the device reads it faster, the host slowly
};

/// Options for page-locking a range of the program's own memory.
struct registration_options {
  bool portable = true;    ///< it is page-locked for every context
  bool mapped = false;     ///< kernels can use it; with unified addressing they always can
  bool read_only = false;  ///< the device only reads it; required for memory that the program cannot write
};

/// The kind of memory behind a pointer.
enum class memory_kind : unsigned char { device, host, managed };

/// The driver's facts about a pointer.
struct pointer_info {
  memory_kind kind = memory_kind::host;
  abi::context context = nullptr;          ///< its context; none for stream-ordered memory, which belongs to a device
  int device = 0;                          ///< the device's ordinal
  abi::device_pointer device_address = 0;  ///< its address in kernels; 0 if they cannot use it
  void* host_address = nullptr;            ///< its address in the program; null if the program cannot use it
  abi::device_pointer base = 0;            ///< the start of its allocation
  std::size_t bytes = 0;                   ///< size of the whole allocation
  std::uint64_t buffer_id = 0;             ///< number of the allocation, unique in the process
};

/// A part of `port`.
class host_memory_functions : public facet<host_memory_functions> {
 public:
  using pagelocked_options = cuda::pagelocked_options;

  YOKE_API void* allocate_pagelocked(abi::context context, device_id device, std::size_t bytes, void** address,
                                     const source_location& where) const;
  YOKE_API release_result release_pagelocked(abi::context context, void* block) const noexcept;
  /// Effects: checks the address of page-locked memory. Returns: the address, which is the handle.
  YOKE_API void* adopt_pagelocked(abi::context context, device_id device, void* native, std::size_t bytes,
                                  native_ownership ownership, void** address, const source_location& where) const;
  [[nodiscard]] void* native_of_pagelocked(void* block) const noexcept { return block; }
  /// Throws: `logic_error` unless the driver has page-locked `bytes` bytes from this address.
  YOKE_API void check_pagelocked(const void* address, std::size_t bytes, const source_location& where) const;
  YOKE_API void* allocate_pagelocked_with(abi::context context, std::size_t bytes, const pagelocked_options& options,
                                          const source_location& where) const;
  /// Returns: the options of page-locked memory as the driver has them, which may have added some.
  YOKE_API pagelocked_options pagelocked_options_of(abi::context context, void* block,
                                                    const source_location& where) const;
  YOKE_API void register_host(abi::context context, void* address, std::size_t bytes,
                              const registration_options& options, const source_location& where) const;
  YOKE_API release_result unregister_host(abi::context context, void* address) const noexcept;
  void lock_pages(abi::context context, void* address, std::size_t bytes, const source_location& where) const {
    register_host(context, address, bytes, {}, where);
  }
  release_result unlock_pages(abi::context context, void* address) const noexcept {
    return unregister_host(context, address);
  }
  YOKE_API abi::device_pointer mapped_address(abi::context context, void* address, const source_location& where) const;
  /// Returns: nothing for memory that the driver does not know.
  YOKE_API std::optional<pointer_info> describe_pointer(abi::device_pointer pointer,
                                                        const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#endif
