// SPDX-License-Identifier: MIT
// The CUDA driver's facts about a pointer.
#ifndef YOKE_DRIVER_CUDA_MEMORY_POINTER_INFO_HPP
#define YOKE_DRIVER_CUDA_MEMORY_POINTER_INFO_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <optional>

namespace yoke::inline v0_1::cuda {

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
class pointer_info_functions : public facet<pointer_info_functions> {
 public:
  /// Returns: nothing for memory that the driver does not know.
  YOKE_API std::optional<pointer_info> describe_pointer(abi::device_pointer pointer,
                                                        const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/pointer_info.ipp>
#endif

#endif
