// SPDX-License-Identifier: MIT
// The CUDA port's managed memory, which the host and every device use at one address.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MANAGED_MEMORY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_MANAGED_MEMORY_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <vector>

namespace yoke::inline v0_1::cuda {

/// Who may use managed memory while the host does. It matters on devices without concurrent managed access.
enum class attachment : unsigned {
  global = abi::attach_global,  ///< every stream of every device; the host while none of them works
  host = abi::attach_host,      ///< only the host
  single = abi::attach_single,  ///< one stream; the host while that stream is idle
};

/// A part of `port`. Ranges are rounded outwards to pages; none may be empty.
class managed_memory_functions : public facet<managed_memory_functions> {
 public:
  /// Released as plain memory. Throws: `unsupported_error` when the device has no managed memory; `memory_error`.
  YOKE_API abi::device_pointer allocate_managed(abi::context context, std::size_t bytes, attachment attached,
                                                const source_location& where) const;
  /// Whether an address belongs to managed memory.
  YOKE_API bool is_managed(abi::device_pointer memory, const source_location& where) const;
  /// Enqueues the change of a whole allocation's attachment; `single` attaches it to this stream.
  YOKE_API void attach_managed(abi::stream stream, abi::device_pointer memory, attachment to,
                               const source_location& where) const;
  /// Wraps either form of `cuMemPrefetchAsync`, and `advise_managed` of `cuMemAdvise`: the newer if the driver has it.
  YOKE_API void prefetch_managed(abi::stream stream, abi::device_pointer memory, std::size_t bytes,
                                 abi::memory_location to, const source_location& where) const;
  YOKE_API void advise_managed(abi::context context, abi::device_pointer memory, std::size_t bytes,
                               abi::memory_advice advice, abi::memory_location place,
                               const source_location& where) const;
  YOKE_API bool managed_is_read_mostly(abi::context context, abi::device_pointer memory, std::size_t bytes,
                                       const source_location& where) const;
  /// Returns: the location that all pages share; its type is `invalid` for none.
  YOKE_API abi::memory_location managed_preferred_location(abi::context context, abi::device_pointer memory,
                                                           std::size_t bytes, const source_location& where) const;
  YOKE_API abi::memory_location managed_last_prefetch(abi::context context, abi::device_pointer memory,
                                                      std::size_t bytes, const source_location& where) const;
  /// Returns: the devices with the advice that they access the range, and `abi::device_cpu` for the host.
  YOKE_API std::vector<abi::device> managed_accessors(abi::context context, abi::device_pointer memory,
                                                      std::size_t bytes, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/managed_memory.ipp>
#endif

#endif
