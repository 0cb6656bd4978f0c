// SPDX-License-Identifier: MIT
// Structs of a kernel's parameters, compared with those that a compilation was given.
#ifndef YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_HPP
#define YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: whether a parameter is an undescribed struct, by value or behind a pointer: only its name and size can be
/// compared.
YOKE_API bool is_untold_struct(const parameter_info& parameter, std::span<const struct_description> told);

/// Returns: the described structs and those in the kernels' parameters, and text for the end of a
/// CUDA C++ source that checks the layouts of the latter. Throws: `logic_error` (`errc::signature_mismatch`)
/// for one that differs from that of its name; `std::bad_alloc`.
struct kernel_structs {
  std::vector<struct_description> types{};
  std::string checks{};
};
YOKE_API kernel_structs structs_of(const std::vector<typed_kernel>& kernels, std::span<const struct_description> told,
                                   const source_location& where);

/// Returns: whether each struct is one that was described in full. Throws: `logic_error` (`errc::signature_mismatch`) for one that
/// differs.
YOKE_API bool compare_structs(const std::string& kernel, const std::vector<parameter_info>& asked, bool cxx,
                              std::span<const struct_description> told, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/kernel/compared_structs.ipp>
#endif

#endif
