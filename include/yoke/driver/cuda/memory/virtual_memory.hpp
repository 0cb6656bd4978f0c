// SPDX-License-Identifier: MIT
// The CUDA port's virtual memory: reserved addresses, physical memory, mappings between the two, and access to them.
#ifndef YOKE_DRIVER_CUDA_MEMORY_VIRTUAL_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_VIRTUAL_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`. Sizes and addresses are multiples of the granularity. All calls are made in the context.
class virtual_memory_functions : public facet<virtual_memory_functions> {
 public:
  /// Returns: the granularity of sizes and addresses of the device's mappings, in bytes.
  /// Throws: `unsupported_error` when the device has no virtual memory; `error`.
  YOKE_API std::size_t memory_granularity(abi::context context, device_id device, abi::granularity_kind kind,
                                          const source_location& where) const;
  /// `alignment` 0: the granularity. `wanted` 0: anywhere; for other values the driver may choose a different address.
  YOKE_API abi::device_pointer reserve_addresses(abi::context context, std::size_t bytes, std::size_t alignment,
                                                 abi::device_pointer wanted, const source_location& where) const;
  YOKE_API release_result free_addresses(abi::device_pointer range, std::size_t bytes) const noexcept;
  /// Throws: `memory_error` with the device's memory; `unsupported_error` when it is to be shared and the device
  /// cannot.
  YOKE_API abi::physical_memory create_physical(abi::context context, device_id device, std::size_t bytes,
                                                bool shareable, const source_location& where) const;
  YOKE_API release_result release_physical(abi::physical_memory memory) const noexcept;
  YOKE_API abi::allocation_properties physical_properties(abi::physical_memory memory,
                                                          const source_location& where) const;
  /// Returns: one more reference to the memory behind a mapped address.
  YOKE_API abi::physical_memory retain_physical(abi::device_pointer mapped, const source_location& where) const;
  /// Maps all of the memory, without access rights.
  YOKE_API void map_physical(abi::context context, abi::device_pointer at, std::size_t bytes,
                             abi::physical_memory memory, const source_location& where) const;
  /// Ends mappings after the context's enqueued work. Requires: the context lives, unless it is null.
  YOKE_API release_result unmap_physical(abi::context context, abi::device_pointer at,
                                         std::size_t bytes) const noexcept;
  YOKE_API void set_access(abi::context context, abi::device_pointer at, std::size_t bytes,
                           std::span<const abi::access_descriptor> access, const source_location& where) const;
  YOKE_API abi::access_flags access_of(abi::device_pointer at, device_id device, const source_location& where) const;
  /// Returns: a new file descriptor, which the caller closes. It is closed by `exec`.
  YOKE_API int export_physical(abi::physical_memory memory, const source_location& where) const;
  /// Throws: `logic_error` for a number that is not an open descriptor; `error` for a descriptor that no driver made.
  YOKE_API abi::physical_memory import_physical(abi::context context, int descriptor,
                                                const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/virtual_memory.ipp>
#endif

#endif
