// SPDX-License-Identifier: MIT
// The portable dialect's prelude for CUDA C++, in parts: OpenCL's words, defined by CUDA's.
#ifndef YOKE_DRIVER_LANGUAGE_IMPL_CUDA_PRELUDE_IPP
#define YOKE_DRIVER_LANGUAGE_IMPL_CUDA_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// What a part's first lines mean is said in driver/language/impl/dialect.ipp. Their order matters.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/driver/language/impl/prelude/cuda/core.ipp>
#include <yoke/driver/language/impl/prelude/cuda/vectors.ipp>
#include <yoke/driver/language/impl/prelude/cuda/mathematics.ipp>
#include <yoke/driver/language/impl/prelude/cuda/vector_mathematics.ipp>
#include <yoke/driver/language/impl/prelude/cuda/integers.ipp>
#include <yoke/driver/language/impl/prelude/cuda/vector_integers.ipp>
#include <yoke/driver/language/impl/prelude/cuda/conversions.ipp>
#include <yoke/driver/language/impl/prelude/cuda/vector_conversions.ipp>
#include <yoke/driver/language/impl/prelude/cuda/atomics.ipp>
#include <yoke/driver/language/impl/prelude/cuda/sub_groups.ipp>
#include <yoke/driver/language/impl/prelude/both/shifts.ipp>
#include <yoke/driver/language/impl/prelude/both/divisions.ipp>
#include <yoke/driver/language/impl/prelude/both/extremes.ipp>
#include <yoke/driver/language/impl/prelude/both/work_groups.ipp>
#include <yoke/driver/language/impl/prelude/both/odd.ipp>
#include <yoke/driver/language/impl/prelude/cuda/halves.ipp>
#include <yoke/driver/language/impl/prelude/cuda/images.ipp>
#include <yoke/driver/language/impl/prelude/both/bfloat16.ipp>
#include <yoke/driver/language/impl/prelude/both/structs.ipp>
#include <yoke/driver/language/impl/prelude/cuda/diagnostics.ipp>
    ;
// clang-format on

}  // namespace yoke::inline v0_1::cuda::detail

#endif
