// SPDX-License-Identifier: MIT
// The portable dialect's prelude for OpenCL C: words that OpenCL C does not have itself, in parts.
#ifndef YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_OPENCL_IMPL_PRELUDE_IPP

#include <yoke/driver/impl/prelude/bfloat16.ipp>
#include <yoke/driver/impl/prelude/joined.ipp>
#include <yoke/driver/impl/prelude/structs.ipp>
#include <yoke/driver/impl/prelude/work_groups.ipp>
#include <yoke/driver/opencl/impl/prelude/atomics.ipp>
#include <yoke/driver/opencl/impl/prelude/core.ipp>
#include <yoke/driver/opencl/impl/prelude/diagnostics.ipp>
#include <yoke/driver/opencl/impl/prelude/halves.ipp>
#include <yoke/driver/opencl/impl/prelude/mathematics.ipp>
#include <yoke/driver/opencl/impl/prelude/sub_groups.ipp>
#include <yoke/driver/opencl/impl/prelude/vectors.ipp>

namespace yoke::inline YOKE_ABI::opencl::detail {

inline constexpr std::string_view prelude_text =
    yoke::detail::joined<core_words, vectors_words, mathematics_words, atomics_words, sub_groups_words,
                         yoke::detail::work_groups_words, halves_words, yoke::detail::bfloat16_words,
                         yoke::detail::structs_words, diagnostics_words>;

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
