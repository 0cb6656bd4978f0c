// SPDX-License-Identifier: MIT
// What CUDA's compilers get besides a source: kernels to check, name expressions.
#ifndef YOKE_DRIVER_CUDA_COMPILER_BUILD_REQUEST_HPP
#define YOKE_DRIVER_CUDA_COMPILER_BUILD_REQUEST_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>

#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {
/// A name expression, and the compiler's answer to it.
struct known_name {
  std::string name;                        ///< as the user wrote it
  std::string type;                        ///< "void(*)(float*, int)" if the compiler has compared it, else ""
  std::vector<parameter_info> parameters;  ///< those of that type
  std::string lowered;                     ///< the name in the image
};
}  // namespace detail

/// A `yoke::compile_request` with CUDA's own options.
struct build_request : compile_request {
  std::vector<typed_kernel> kernels{};
  std::string checks{};  ///< text to append to `text`: compares the structs of `kernels`
  std::vector<std::string> name_expressions{};
  std::string architecture{};  ///< "sm_90" or "compute_90"; "": the device's
  jit_options jit{};
};

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
