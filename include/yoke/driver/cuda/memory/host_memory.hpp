// SPDX-License-Identifier: MIT
// The CUDA port's page-locked memory.
#ifndef YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_HOST_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// Options of new page-locked memory.
struct pagelocked_options {
  bool portable = true;         ///< it is page-locked for every context
  bool mapped = false;          ///< kernels can use it; with unified addressing they always can
  bool write_combined = false;  ///< the device reads it faster, the host slowly
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
  /// Returns: the options of page-locked memory as the driver reports them; it may have added some.
  YOKE_API pagelocked_options pagelocked_options_of(abi::context context, void* block,
                                                    const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/host_memory.ipp>
#endif

#endif
