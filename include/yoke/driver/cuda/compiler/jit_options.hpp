// SPDX-License-Identifier: MIT
// Options of the driver's own compiler.
#ifndef YOKE_DRIVER_CUDA_COMPILER_JIT_OPTIONS_HPP
#define YOKE_DRIVER_CUDA_COMPILER_JIT_OPTIONS_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <optional>

namespace yoke::inline v0_1::cuda {

/// Where loads of global memory are cached (`CUjit_cacheMode`).
enum class jit_cache : unsigned {
  automatic = 0,  ///< the driver chooses
  global = 1,     ///< in L2 only
  all = 2,        ///< in L1 too
};

/// How the driver compiles PTX that it loads; a cubin for the device is not compiled. The driver chooses unset values.
struct jit_options {
  std::optional<int> max_registers{};       ///< per thread
  std::optional<int> min_block{};           ///< threads of a block to compile for
  std::optional<int> optimization_level{};  ///< 0 to 4
  std::optional<int> target{};              ///< compute capability, 90 for 9.0
  std::optional<bool> prefer_ptx{};         ///< compile the PTX of an image that also has a binary
  std::optional<jit_cache> cache{};
  bool debug_info = false;
  bool line_info = false;
  bool verbose = false;               ///< the log lists registers and memory of each kernel
  std::size_t log_bytes = 16 * 1024;  ///< size of each of the two logs; longer ones are truncated

  friend bool operator==(const jit_options&, const jit_options&) = default;
};

}  // namespace yoke::inline v0_1::cuda

#endif
