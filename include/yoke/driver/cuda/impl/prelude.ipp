// SPDX-License-Identifier: MIT
// The portable dialect's prelude for CUDA C++, in parts: OpenCL's words, defined by CUDA's.
#ifndef YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::cuda::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// What a part's first lines mean is said in program/impl/dialect.ipp. Their order matters. The last part is empty: its text
// is in prelude_opencl_c.ipp, so that only a program which asks for OpenCL C has it.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/driver/cuda/impl/prelude/core.ipp>
#include <yoke/driver/cuda/impl/prelude/vectors.ipp>
#include <yoke/driver/cuda/impl/prelude/mathematics.ipp>
#include <yoke/driver/cuda/impl/prelude/vector_mathematics.ipp>
#include <yoke/driver/cuda/impl/prelude/integers.ipp>
#include <yoke/driver/cuda/impl/prelude/vector_integers.ipp>
#include <yoke/driver/cuda/impl/prelude/conversions.ipp>
#include <yoke/driver/cuda/impl/prelude/vector_conversions.ipp>
#include <yoke/driver/cuda/impl/prelude/atomics.ipp>
#include <yoke/driver/cuda/impl/prelude/sub_groups.ipp>
#include <yoke/driver/impl/prelude/shifts.ipp>
#include <yoke/driver/impl/prelude/work_groups.ipp>
#include <yoke/driver/cuda/impl/prelude/halves.ipp>
#include <yoke/driver/impl/prelude/bfloat16.ipp>
#include <yoke/driver/impl/prelude/structs.ipp>
#include <yoke/driver/cuda/impl/prelude/diagnostics.ipp>
    "//part opencl_c\n";
// clang-format on

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
