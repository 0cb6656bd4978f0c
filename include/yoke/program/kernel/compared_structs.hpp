// SPDX-License-Identifier: MIT
// Compares the structs of kernel parameters with the structs that the module was compiled with.
#ifndef YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_HPP
#define YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: whether a parameter is a struct, by value or behind a pointer, whose members are unknown, so that only its
/// name and size can be compared.
YOKE_API bool is_undescribed_struct(const parameter_info& parameter, std::span<const struct_description> described);

/// The result of `structs_of`.
struct kernel_structs {
  std::vector<struct_description> types{};
  std::string checks{};
};
/// Returns: the described structs and the structs of the kernels' parameters, and text for the end of a CUDA C++ source
/// that checks the layouts of the latter.
/// Throws: `logic_error` (`errc::signature_mismatch`) for two different structs of one name; `std::bad_alloc`.
YOKE_API kernel_structs structs_of(const std::vector<typed_kernel>& kernels,
                                   std::span<const struct_description> described, const source_location& where);

/// Returns: whether the members of every struct could be compared.
/// Throws: `logic_error` (`errc::signature_mismatch`) for a struct that differs.
YOKE_API bool compare_structs(const std::string& kernel, const std::vector<parameter_info>& asked, bool cxx,
                              std::span<const struct_description> described, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/kernel/compared_structs.ipp>
#endif

#endif
