// SPDX-License-Identifier: MIT
// Body of program/cache/program_builder.hpp: the way into a cache, which a program without one has, too.
#ifndef YOKE_PROGRAM_IMPL_BUILD_THROUGH_IPP
#define YOKE_PROGRAM_IMPL_BUILD_THROUGH_IPP

#include <yoke/program/cache/program_builder.hpp>
#include <yoke/program/cache/program_cache.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD void build_through(const program_cache& cache, const cached_program& program, program_builder& builder) {
  cache.for_compile()(cache, program, builder);
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
