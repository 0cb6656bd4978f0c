// SPDX-License-Identifier: MIT
// Body of array/evaluation/kernel_macros.hpp.
#ifndef YOKE_ARRAY_EVALUATION_KERNEL_MACROS_IPP
#define YOKE_ARRAY_EVALUATION_KERNEL_MACROS_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>

namespace yoke::inline v0_1::detail {

std::string with_macros(std::initializer_list<kernel_macro> macros, std::string_view of) {
  std::string out;
  for (const kernel_macro& each : macros) {
    out += "#define ";
    out += each.name;
    std::string_view lines = each.value;
    if (lines.ends_with('\n')) lines.remove_suffix(1);
    out += lines.find('\n') == std::string_view::npos ? " " : " \\\n";
    for (const char letter : lines) letter == '\n' ? out += " \\\n" : out += letter;
    out += '\n';
  }
  out += of;
  for (const kernel_macro& each : macros) {
    out += "#undef ";
    out += each.name;
    out += '\n';
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
