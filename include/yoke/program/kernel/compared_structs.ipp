// SPDX-License-Identifier: MIT
// Bodies of program/kernel/compared_structs.hpp.
#ifndef YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_IPP
#define YOKE_PROGRAM_KERNEL_COMPARED_STRUCTS_IPP

#include <yoke/program/kernel/compared_structs.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/kernel/type_names.hpp>
#include <yoke/program/structs/device_struct.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: how a parameter's struct differs from the described struct of its name; "" when it does not.
std::string difference_to_described(const parameter_info& want, const struct_description& described,
                                    std::string_view described_in) {
  if (want.describe != nullptr) return struct_difference(described, want.describe(), described_in, "the signature");
  struct_description nameless{described};  // the host type has a name in kernels but no described members
  nameless.host.clear();
  nameless.bytes = want.element_bytes == 0 ? described.bytes : want.element_bytes;
  nameless.alignment = want.element_alignment == 0 ? described.alignment : want.element_alignment;
  return struct_difference(described, nameless, described_in, "the signature");
}

bool is_undescribed_struct(const parameter_info& parameter, std::span<const struct_description> described) {
  const std::string name = struct_name(parameter);
  if (name.empty()) return false;
  const struct_description* const found = find_struct(described, name);
  return found == nullptr || found->members.empty() || parameter.describe == nullptr;
}

bool compare_structs(const std::string& kernel, const std::vector<parameter_info>& asked, bool cxx,
                     std::span<const struct_description> described, const source_location& where) {
  bool all_described = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (is_undescribed_struct(asked[i], described)) all_described = false;
    const std::string name = struct_name(asked[i]);
    const struct_description* const found = name.empty() ? nullptr : find_struct(described, name);
    const std::string why = found == nullptr ? "" : difference_to_described(asked[i], *found, "this module");
    if (why.empty()) continue;
    throw_error(errc::signature_mismatch, where, kernel.empty() ? "this kernel" : "kernel " + kernel, ", asked for as ",
                signature_text(asked, cxx), ": parameter ", i + 1, ": ", why);
  }
  return all_described;
}

kernel_structs structs_of(const std::vector<typed_kernel>& kernels, std::span<const struct_description> described,
                          const source_location& where) {
  std::vector<struct_description> found;
  std::string checks;
  std::vector<struct_description> sized;  // structs with a name in kernels but no described members
  for (const typed_kernel& kernel : kernels) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const parameter_info& each = kernel.parameters[i];
      const std::string name = each.spelling.empty() ? "" : struct_name(each);
      if (name.empty()) continue;
      const std::string position = text("parameter ", i + 1, " of kernel ", kernel.name);
      const auto compare = [&](const struct_description* with, const char* in) {
        const std::string why = with == nullptr ? "" : difference_to_described(each, *with, in);
        if (!why.empty()) throw_error(errc::signature_mismatch, where, position, ": ", why);
        return with != nullptr;
      };
      const bool in_source = compare(find_struct(described, name), ".types");
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
  found.insert(found.begin(), described.begin(), described.end());
  return {std::move(found), std::move(checks)};
}

}  // namespace yoke::inline v0_1::detail

#endif
