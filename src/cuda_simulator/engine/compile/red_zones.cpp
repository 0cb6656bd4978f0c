// SPDX-License-Identifier: MIT
// Adds the gaps where the assembler reserves the variables' memory.
#include "engine/compile/red_zones.hpp"

#include <algorithm>

namespace yoke::simulator {

std::string with_red_zones(std::string_view assembler) {
  std::string result;
  bool thread_local_section = false;
  while (!assembler.empty()) {
    const std::size_t length = std::min(assembler.find('\n'), assembler.size());
    const std::string_view line = assembler.substr(0, length);
    assembler.remove_prefix(std::min(assembler.size(), length + 1));
    const std::string_view word = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const auto is = [&](std::string_view directive) { return word.substr(0, directive.size()) == directive; };
    if (is(".section") || is(".text") || is(".data") || is(".bss")) {
      thread_local_section = line.find(".tbss") != std::string_view::npos;
    }
    result += line;
    result += '\n';
    if (thread_local_section && is(".zero")) result += "\t.balign 32\n\t.zero 32\n";
  }
  return result;
}

}  // namespace yoke::simulator
