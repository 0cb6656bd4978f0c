// SPDX-License-Identifier: MIT
// Merges the shared structs of programs that are linked into one.
#ifndef YOKE_PROGRAM_STRUCTS_LINKED_STRUCTS_HPP
#define YOKE_PROGRAM_STRUCTS_LINKED_STRUCTS_HPP

#include <yoke/program/structs/device_struct.hpp>

#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the structs of linked programs, without names that they use for different structs.
/// Throws: `std::bad_alloc`.
YOKE_API std::vector<struct_description> linked_types(std::span<const std::vector<struct_description>> parts);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/structs/linked_structs.ipp>
#endif

#endif
