// SPDX-License-Identifier: MIT
// The parts of the prelude for sources that were translated from OpenCL C.
#ifndef YOKE_LANGUAGE_OPENCL_C_PRELUDE_HPP
#define YOKE_LANGUAGE_OPENCL_C_PRELUDE_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

// clang-format off
inline constexpr std::string_view opencl_c_prelude_text =
#include <yoke/language/prelude/cuda/opencl_c.ipp>
#include <yoke/language/prelude/cuda/opencl_c_vectors.ipp>
#include <yoke/language/prelude/cuda/opencl_c_functions.ipp>
#include <yoke/language/prelude/cuda/opencl_c_images.ipp>
    ;
// clang-format on

}  // namespace yoke::inline v0_1::cuda::detail

#endif
