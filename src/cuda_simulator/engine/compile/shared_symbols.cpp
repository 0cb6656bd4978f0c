// SPDX-License-Identifier: MIT
// Writes the assembler text.
#include "engine/compile/shared_symbols.hpp"

#include "engine/binary/elf_symbols.hpp"
#include "engine/binary/image.hpp"

namespace yoke::simulator {

namespace {

constexpr const char* end_of_text = "\t.section .note.GNU-stack,\"\",%progbits\n";

}  // namespace

std::string dynamic_shared_text(std::string_view object) {
  std::string labels;
  for (const elf_symbol& each : elf_symbols(object)) {
    if (each.defined || each.kind != symbol_kind::thread_local_object) continue;
    labels += "\t.globl \"" + each.name + "\"\n\t.hidden \"" + each.name + "\"\n\"" + each.name + "\":\n";
  }
  if (labels.empty()) return labels;
  return "\t.section .tbss,\"awT\",%nobits\n\t.balign 256\n\t.globl yoke_simulator_dynamic_shared\n"
         "\t.hidden yoke_simulator_dynamic_shared\nyoke_simulator_dynamic_shared:\n" +
         labels + "\t.zero " + std::to_string(dynamic_shared_limit) + "\n" + end_of_text;
}

// Names, each ended by a zero, lists ended by two.
std::string shared_use_text(std::string_view object) {
  std::string text =
      "\t.section .rodata\n\t.globl yoke_simulator_shared_use\n\t.hidden yoke_simulator_shared_use\n"
      "\t.type yoke_simulator_shared_use,%object\nyoke_simulator_shared_use:\n";
  for (const thread_local_use& each : thread_local_uses(object)) {
    if (each.objects.empty()) continue;
    text += "\t.asciz \"" + each.function + "\"\n";
    for (const std::string& name : each.objects) text += "\t.asciz \"" + name + "\"\n";
    text += "\t.byte 0\n";
  }
  return text + "\t.byte 0\n\t.size yoke_simulator_shared_use, . - yoke_simulator_shared_use\n" + end_of_text;
}

}  // namespace yoke::simulator
