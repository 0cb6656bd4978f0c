// SPDX-License-Identifier: MIT
// The portable dialect's prelude for OpenCL C, in parts, which defines the words that OpenCL C lacks.
#ifndef YOKE_LANGUAGE_OPENCL_PRELUDE_HPP
#define YOKE_LANGUAGE_OPENCL_PRELUDE_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::opencl::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// language/dialect.ipp explains a part's first lines. The order of the parts matters.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/language/prelude/opencl/core.ipp>
#include <yoke/language/prelude/opencl/vectors.ipp>
#include <yoke/language/prelude/opencl/mathematics.ipp>
#include <yoke/language/prelude/opencl/atomics.ipp>
#include <yoke/language/prelude/opencl/waiting.ipp>
#include <yoke/language/prelude/opencl/once.ipp>
#include <yoke/language/prelude/opencl/warps.ipp>
#include <yoke/language/prelude/opencl/sub_groups.ipp>
#include <yoke/language/prelude/both/shifts.ipp>
#include <yoke/language/prelude/both/divisions.ipp>
#include <yoke/language/prelude/both/extremes.ipp>
#include <yoke/language/prelude/both/work_groups.ipp>
#include <yoke/language/prelude/both/odd.ipp>
#include <yoke/language/prelude/opencl/halves.ipp>
#include <yoke/language/prelude/opencl/images.ipp>
#include <yoke/language/prelude/both/bfloat16.ipp>
#include <yoke/language/prelude/both/structs.ipp>
#include <yoke/language/prelude/opencl/diagnostics.ipp>
    ;
// clang-format on

}  // namespace yoke::inline v0_1::opencl::detail

#endif
