// SPDX-License-Identifier: MIT
// The CUDA port's page-locking of the program's own memory.
#ifndef YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_REGISTERED_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// Options for page-locking a range of the program's own memory.
struct registration_options {
  bool portable = true;    ///< it is page-locked for every context
  bool mapped = false;     ///< kernels can use it; with unified addressing they always can
  bool read_only = false;  ///< the device only reads it; required for memory that the program cannot write
};

/// A part of `port`.
class registered_memory_functions : public facet<registered_memory_functions> {
 public:
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
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/registered_memory.ipp>
#endif

#endif
