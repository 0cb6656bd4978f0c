// SPDX-License-Identifier: MIT
// The portable dialect's prelude for OpenCL C, in parts: words that OpenCL C itself does not have.
#ifndef YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::opencl::detail {

// Each file is one literal, so that they become one: joining texts by constant expressions takes a second to compile.
// What a part's first lines mean is said in program/impl/dialect.ipp. Their order matters.
// clang-format off
inline constexpr std::string_view prelude_text =
#include <yoke/driver/opencl/impl/prelude/core.ipp>
#include <yoke/driver/opencl/impl/prelude/vectors.ipp>
#include <yoke/driver/opencl/impl/prelude/mathematics.ipp>
#include <yoke/driver/opencl/impl/prelude/atomics.ipp>
#include <yoke/driver/opencl/impl/prelude/sub_groups.ipp>
#include <yoke/driver/impl/prelude/shifts.ipp>
#include <yoke/driver/impl/prelude/work_groups.ipp>
#include <yoke/driver/opencl/impl/prelude/halves.ipp>
#include <yoke/driver/impl/prelude/bfloat16.ipp>
#include <yoke/driver/impl/prelude/structs.ipp>
#include <yoke/driver/opencl/impl/prelude/diagnostics.ipp>
    ;
// clang-format on

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
