// SPDX-License-Identifier: MIT
// The portable dialect's prelude for CUDA C++: OpenCL's words in CUDA's terms, in parts.
#ifndef YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP
#define YOKE_DRIVER_CUDA_IMPL_PRELUDE_IPP

#include <yoke/driver/cuda/impl/prelude/atomics.ipp>
#include <yoke/driver/cuda/impl/prelude/conversions.ipp>
#include <yoke/driver/cuda/impl/prelude/core.ipp>
#include <yoke/driver/cuda/impl/prelude/diagnostics.ipp>
#include <yoke/driver/cuda/impl/prelude/halves.ipp>
#include <yoke/driver/cuda/impl/prelude/mathematics.ipp>
#include <yoke/driver/cuda/impl/prelude/sub_groups.ipp>
#include <yoke/driver/cuda/impl/prelude/vector_conversions.ipp>
#include <yoke/driver/cuda/impl/prelude/vector_mathematics.ipp>
#include <yoke/driver/cuda/impl/prelude/vectors.ipp>
#include <yoke/driver/impl/prelude/bfloat16.ipp>
#include <yoke/driver/impl/prelude/joined.ipp>
#include <yoke/driver/impl/prelude/structs.ipp>
#include <yoke/driver/impl/prelude/work_groups.ipp>

namespace yoke::inline YOKE_ABI::cuda::detail {

inline constexpr std::string_view prelude_text =
    yoke::detail::joined<core_words, vectors_words, mathematics_words, vector_mathematics_words, conversions_words,
                         vector_conversions_words, atomics_words, sub_groups_words, yoke::detail::work_groups_words,
                         halves_words, yoke::detail::bfloat16_words, yoke::detail::structs_words, diagnostics_words>;

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
