// SPDX-License-Identifier: MIT
// Writes the texts behind an image's object; the library's binary_kernels.hpp reads them.
#include "engine/binary/image_texts.hpp"

namespace yoke::simulator {

std::string kernel_list_text(const image& of) {
  std::string text = "\n// kernels\n";
  for (const kernel& each : of.kernels()) text += each.name + "\n";
  return text;
}

std::string ptx_text(const image& of) {
  std::string text = "\n// as PTX\n";
  for (const kernel& each : of.kernels()) {
    text += ".visible .entry " + each.name + "(";
    std::size_t end = 0;
    for (std::size_t index = 0; index < each.parameter_count(); ++index) {
      const yoke_simulator::parameter parameter = each.parameter(index);
      const std::string name = each.name + "_param_" + std::to_string(index);
      text += index == 0 ? "\n\t.param ." : ",\n\t.param .";
      if (parameter.number != '\0') {
        text += parameter.number + std::to_string(8 * parameter.size) + " " + name;
      } else {
        std::size_t alignment = 1;  // the least that brings it to its place
        while (alignment < 256 && (end + alignment - 1) / alignment * alignment != parameter.offset) alignment *= 2;
        text += "align " + std::to_string(alignment) + " .b8 " + name + "[" + std::to_string(parameter.size) + "]";
      }
      end = parameter.offset + parameter.size;
    }
    text += "\n)\n";
  }
  return text;
}

}  // namespace yoke::simulator
