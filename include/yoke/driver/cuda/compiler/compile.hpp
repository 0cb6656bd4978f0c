// SPDX-License-Identifier: MIT
// The CUDA port's programs from sources, by NVRTC.
#ifndef YOKE_DRIVER_CUDA_COMPILER_COMPILE_HPP
#define YOKE_DRIVER_CUDA_COMPILER_COMPILE_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class compile_functions : public facet<compile_functions> {
 public:
  /// Returns: the facts besides its text that a program for the device depends on.
  YOKE_API build_target target_of(std::span<const device_id> devices, const source_location& where) const;
  /// Returns: NVRTC's name. With `open`, opens it; "" means that none was found. Without, reads the name from the file
  /// that would be opened; "" means that it is unknown.
  YOKE_API std::string compiler_of(std::span<const device_id> devices, bool open, const source_location& where) const;

  /// Compiles with NVRTC for the device; to PTX if NVRTC does not know the device.
  YOKE_API abi::library compile(abi::context context, std::span<const device_id> devices,
                                const compile_request& request, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/compile.ipp>
#endif

#endif
