// SPDX-License-Identifier: MIT
// Body of array/evaluation/kernel_macros.hpp.
#ifndef YOKE_ARRAY_EVALUATION_KERNEL_MACROS_IPP
#define YOKE_ARRAY_EVALUATION_KERNEL_MACROS_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

std::string with_macros(std::initializer_list<kernel_macro> macros, std::string_view of) {
  std::string out;
  for (const kernel_macro& each : macros) {
    std::string_view lines = each.value;
    lines = lines.substr(0, lines.find_last_not_of(" \n") + 1);
    const bool is_one = lines.find('\n') == std::string_view::npos;
    if (is_one) lines.remove_prefix((std::min)(lines.find_first_not_of(' '), lines.size()));
    out += "#define ";
    out += each.name;
    out += is_one ? " " : " \\\n";
    for (const char letter : lines) letter == '\n' ? out += " \\\n" : out += letter;
    out += '\n';
  }
  out += of;
  for (const kernel_macro& each : macros) {
    out += "#undef ";
    out += each.name.substr(0, each.name.find('('));
    out += '\n';
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
