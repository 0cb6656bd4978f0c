// SPDX-License-Identifier: MIT
// The text that is appended to a source, by which the compiler describes the kernels in it.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_REGISTRATION_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_REGISTRATION_HPP

#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

struct registration {
  std::string text;    ///< the declarations that end the source, with the image's record
  std::string errors;  ///< of declarations that are refused: lines as "file:12: error: text"
};

/// Returns: how the kernels of a preprocessed source are registered.
registration register_kernels(std::string_view preprocessed, const std::vector<std::string>& name_expressions);

/// Returns: `text` as a string literal.
std::string string_literal(std::string_view text);

}  // namespace yoke::simulator

#endif
