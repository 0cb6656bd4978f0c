// SPDX-License-Identifier: MIT
// The portable dialect's prelude for CUDA C++, in parts, which defines OpenCL's words by CUDA's.
#ifndef YOKE_LANGUAGE_CUDA_PRELUDE_HPP
#define YOKE_LANGUAGE_CUDA_PRELUDE_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// language/dialect.ipp explains a part's first lines. The order of the parts matters.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/language/prelude/cuda/core.ipp>
#include <yoke/language/prelude/cuda/vectors.ipp>
#include <yoke/language/prelude/cuda/mathematics.ipp>
#include <yoke/language/prelude/cuda/vector_mathematics.ipp>
#include <yoke/language/prelude/cuda/integers.ipp>
#include <yoke/language/prelude/cuda/vector_integers.ipp>
#include <yoke/language/prelude/cuda/conversions.ipp>
#include <yoke/language/prelude/cuda/vector_conversions.ipp>
#include <yoke/language/prelude/cuda/atomics.ipp>
#include <yoke/language/prelude/cuda/waiting.ipp>
#include <yoke/language/prelude/cuda/once.ipp>
#include <yoke/language/prelude/cuda/warps.ipp>
#include <yoke/language/prelude/cuda/sub_groups.ipp>
#include <yoke/language/prelude/both/shifts.ipp>
#include <yoke/language/prelude/both/divisions.ipp>
#include <yoke/language/prelude/both/extremes.ipp>
#include <yoke/language/prelude/both/work_groups.ipp>
#include <yoke/language/prelude/both/odd.ipp>
#include <yoke/language/prelude/cuda/halves.ipp>
#include <yoke/language/prelude/cuda/images.ipp>
#include <yoke/language/prelude/both/bfloat16.ipp>
#include <yoke/language/prelude/both/structs.ipp>
#include <yoke/language/prelude/cuda/diagnostics.ipp>
    ;
// clang-format on

}  // namespace yoke::inline v0_1::cuda::detail

#endif
