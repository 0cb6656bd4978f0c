// SPDX-License-Identifier: MIT
// What the driver's own compiler can be told.
#ifndef YOKE_DRIVER_CUDA_JIT_OPTIONS_HPP
#define YOKE_DRIVER_CUDA_JIT_OPTIONS_HPP

#include <yoke/core/setting.hpp>

#include <cstddef>

namespace yoke::inline YOKE_ABI::cuda {

/// Where loads of global memory are cached (`CUjit_cacheMode`).
enum class jit_cache : unsigned {
  automatic = 0,  ///< as the driver likes
  global = 1,     ///< in L2 only
  all = 2,        ///< in L1 too
};

/// How the driver compiles PTX when it loads it; a cubin for the device needs none of it. What is not set is the driver's
/// own choice.
struct jit_options {
  setting<int> max_registers{};       ///< of a thread
  setting<int> min_block{};           ///< threads of a block to compile for
  setting<int> optimization_level{};  ///< 0 to 4
  setting<int> target{};              ///< compute capability, 90 for 9.0
  setting<bool> prefer_ptx{};         ///< of an image with both: compile the PTX rather than take the binary
  setting<jit_cache> cache{};
  bool debug_info = false;
  bool line_info = false;
  bool verbose = false;               ///< the log tells registers and memory of each kernel
  std::size_t log_bytes = 16 * 1024;  ///< room for each of the two logs; what is longer is cut

  friend bool operator==(const jit_options&, const jit_options&) = default;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
