// SPDX-License-Identifier: MIT
// The CUDA port's programs by NVRTC with all of CUDA's options, and with names and signatures to check.
#ifndef YOKE_DRIVER_CUDA_COMPILER_COMPILE_WITH_HPP
#define YOKE_DRIVER_CUDA_COMPILER_COMPILE_WITH_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

struct build_request;

/// A part of `port`.
class compile_with_functions : public facet<compile_with_functions> {
 public:
  /// Compiles with NVRTC for the device, or for the request's architecture.
  /// Throws: `logic_error` for a kernel with another signature.
  YOKE_API abi::library compile_with(abi::context context, std::span<const device_id> devices,
                                     const build_request& request, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/compile_with.ipp>
#endif

#endif
