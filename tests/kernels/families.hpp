// SPDX-License-Identifier: MIT
// The table's families: each is one file of families/ and gives some programs.
#ifndef YOKE_TESTS_KERNELS_FAMILIES_HPP
#define YOKE_TESTS_KERNELS_FAMILIES_HPP

#include <kernels/table.hpp>

namespace yoke_test {

using kernel_family = std::vector<kernel_program>();

kernel_family arithmetic_kernels, atomic_kernels, conversion_kernels, dialect_kernels, group_kernels, half_kernels,
    bfloat16_kernels, integer_kernels, language_kernels, mathematics_kernels, memory_kernels, simd_kernels,
    texel_kernels, thread_kernels, vector_kernels, warp_kernels;

constexpr kernel_family* kernel_families[] = {
    arithmetic_kernels, atomic_kernels,  conversion_kernels, dialect_kernels,     group_kernels,  half_kernels,
    bfloat16_kernels,   integer_kernels, language_kernels,   mathematics_kernels, memory_kernels, simd_kernels,
    texel_kernels,      thread_kernels,  vector_kernels,     warp_kernels,
};

}  // namespace yoke_test

#endif
