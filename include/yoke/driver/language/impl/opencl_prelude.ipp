// SPDX-License-Identifier: MIT
// The portable dialect's prelude for OpenCL C, in parts: words that OpenCL C itself does not have.
#ifndef YOKE_DRIVER_LANGUAGE_IMPL_OPENCL_PRELUDE_IPP
#define YOKE_DRIVER_LANGUAGE_IMPL_OPENCL_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::opencl::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// What a part's first lines mean is said in driver/language/impl/dialect.ipp. Their order matters.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/driver/language/impl/prelude/opencl/core.ipp>
#include <yoke/driver/language/impl/prelude/opencl/vectors.ipp>
#include <yoke/driver/language/impl/prelude/opencl/mathematics.ipp>
#include <yoke/driver/language/impl/prelude/opencl/atomics.ipp>
#include <yoke/driver/language/impl/prelude/opencl/sub_groups.ipp>
#include <yoke/driver/language/impl/prelude/both/shifts.ipp>
#include <yoke/driver/language/impl/prelude/both/divisions.ipp>
#include <yoke/driver/language/impl/prelude/both/extremes.ipp>
#include <yoke/driver/language/impl/prelude/both/work_groups.ipp>
#include <yoke/driver/language/impl/prelude/both/odd.ipp>
#include <yoke/driver/language/impl/prelude/opencl/halves.ipp>
#include <yoke/driver/language/impl/prelude/opencl/images.ipp>
#include <yoke/driver/language/impl/prelude/both/bfloat16.ipp>
#include <yoke/driver/language/impl/prelude/both/structs.ipp>
#include <yoke/driver/language/impl/prelude/opencl/diagnostics.ipp>
    ;
// clang-format on

}  // namespace yoke::inline v0_1::opencl::detail

#endif
