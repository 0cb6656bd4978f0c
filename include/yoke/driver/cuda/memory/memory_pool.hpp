// SPDX-License-Identifier: MIT
// The CUDA port's pools of stream-ordered memory.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MEMORY_POOL_HPP
#define YOKE_DRIVER_CUDA_MEMORY_MEMORY_POOL_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`. All calls except those for attributes are made in the context.
class memory_pool_functions : public facet<memory_pool_functions> {
 public:
  /// `max_bytes` 0: the whole device memory.
  /// Throws: `unsupported_error` when the device has no pools, or cannot share one that is to be shared, and for a
  /// limit with drivers before CUDA 12.2; `error`.
  YOKE_API abi::memory_pool create_pool(abi::context context, device_id device, std::size_t max_bytes, bool shareable,
                                        const source_location& where) const;
  /// Memory in use stays valid, and the pool's memory stays allocated until it is freed.
  YOKE_API release_result destroy_pool(abi::memory_pool pool) const noexcept;
  YOKE_API abi::memory_pool default_pool(device_id device, const source_location& where) const;
  /// The pool for stream-ordered allocations that name none.
  YOKE_API abi::memory_pool current_pool(device_id device, const source_location& where) const;
  YOKE_API void set_current_pool(device_id device, abi::memory_pool pool, const source_location& where) const;

  YOKE_API std::uint64_t pool_attribute(abi::memory_pool pool, abi::pool_attribute which,
                                        const source_location& where) const;
  YOKE_API void set_pool_attribute(abi::memory_pool pool, abi::pool_attribute which, std::uint64_t value,
                                   const source_location& where) const;
  YOKE_API void trim_pool(abi::memory_pool pool, std::size_t bytes_to_keep, const source_location& where) const;
  YOKE_API void set_pool_access(abi::memory_pool pool, device_id device, abi::access_flags access,
                                const source_location& where) const;
  YOKE_API abi::access_flags pool_access(abi::memory_pool pool, device_id device, const source_location& where) const;

  /// Freed in a stream's order, like all stream-ordered memory. Throws: `memory_error` with the pool's figures and its
  /// limit, 0 for none.
  YOKE_API abi::device_pointer allocate_from_pool(abi::context context, abi::memory_pool pool, abi::stream stream,
                                                  std::size_t bytes, std::size_t limit_bytes,
                                                  const source_location& where) const;

  /// Returns: a new file descriptor, which the caller closes. It is closed by `exec`.
  YOKE_API int export_pool(abi::memory_pool pool, const source_location& where) const;
  /// Throws: `logic_error` for a number that is not an open descriptor; `error` for a descriptor that no driver made.
  YOKE_API abi::memory_pool import_pool(abi::context context, int descriptor, const source_location& where) const;
  YOKE_API abi::pool_export_data export_from_pool(abi::device_pointer memory, const source_location& where) const;
  YOKE_API abi::device_pointer import_from_pool(abi::context context, abi::memory_pool pool,
                                                const abi::pool_export_data& data, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/memory_pool.ipp>
#endif

#endif
