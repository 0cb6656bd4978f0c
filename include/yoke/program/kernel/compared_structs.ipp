// SPDX-License-Identifier: MIT
// Bodies of program/kernel/compared_structs.hpp.
#ifndef YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_IPP
#define YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_IPP

#include <yoke/program/kernel/compared_structs.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/kernel/type_names.hpp>
#include <yoke/program/structs/device_struct.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: what tells a parameter's struct from the one told under its name; "" when nothing does.
std::string told_difference(const parameter_info& want, const struct_description& told, std::string_view in_told) {
  if (want.describe != nullptr) return struct_difference(told, want.describe(), in_told, "the signature");
  struct_description nameless{told};  // of a host's type that only says what kernels call it
  nameless.host.clear();
  nameless.bytes = want.element_bytes == 0 ? told.bytes : want.element_bytes;
  nameless.alignment = want.element_alignment == 0 ? told.alignment : want.element_alignment;
  return struct_difference(told, nameless, in_told, "the signature");
}

bool is_untold_struct(const parameter_info& parameter, std::span<const struct_description> told) {
  const std::string name = struct_name(parameter);
  if (name.empty()) return false;
  const struct_description* const found = find_struct(told, name);
  return found == nullptr || found->members.empty() || parameter.describe == nullptr;
}

bool compare_structs(const std::string& kernel, const std::vector<parameter_info>& asked, bool cxx,
                     std::span<const struct_description> told, const source_location& where) {
  bool all_told = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (is_untold_struct(asked[i], told)) all_told = false;
    const std::string name = struct_name(asked[i]);
    const struct_description* const found = name.empty() ? nullptr : find_struct(told, name);
    const std::string why = found == nullptr ? "" : told_difference(asked[i], *found, "this module");
    if (why.empty()) continue;
    throw_error(errc::signature_mismatch, where, kernel.empty() ? "this kernel" : "kernel " + kernel, ", asked for as ",
                signature_text(asked, cxx), ": parameter ", i + 1, ": ", why);
  }
  return all_told;
}

kernel_structs structs_of(const std::vector<typed_kernel>& kernels, std::span<const struct_description> told,
                          const source_location& where) {
  std::vector<struct_description> found;
  std::string checks;
  std::vector<struct_description> sized;  // of types that only say what kernels call them
  for (const typed_kernel& kernel : kernels) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const parameter_info& each = kernel.parameters[i];
      const std::string name = each.spelling.empty() ? "" : struct_name(each);
      if (name.empty()) continue;
      const std::string position = text("parameter ", i + 1, " of kernel ", kernel.name);
      const auto compare = [&](const struct_description* with, const char* in) {
        const std::string why = with == nullptr ? "" : told_difference(each, *with, in);
        if (!why.empty()) throw_error(errc::signature_mismatch, where, position, ": ", why);
        return with != nullptr;
      };
      const bool in_source = compare(find_struct(told, name), ".types");
      if (compare(find_struct(found, name), "another of .kernels") || in_source) continue;
      if (each.describe != nullptr) {
        found.push_back(each.describe());
        checks += struct_checks(found.back(), position);
      } else if (each.element_bytes != 0 && find_struct(sized, name) == nullptr) {
        sized.push_back({name, each.element_bytes, each.element_alignment});
        checks += struct_checks(sized.back(), position);
      }
    }
  }
  found.insert(found.begin(), told.begin(), told.end());
  return {std::move(found), std::move(checks)};
}

}  // namespace yoke::inline v0_1::detail

#endif
