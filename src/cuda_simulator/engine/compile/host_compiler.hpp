// SPDX-License-Identifier: MIT
// The compiler that kernels are compiled with, and the options it needs.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_HOST_COMPILER_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_HOST_COMPILER_HPP

#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

/// Whether that is what $YOKE_SIMULATOR_OPTIMISE may say: a digit from 0 to 3.
inline bool is_optimisation_level(std::string_view text) noexcept {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '3';
}

struct host_compiler {
  std::string path;  ///< empty: there is none, for this reason
  std::string reason;
  std::string plain_messages;  ///< the option for messages without the source's lines, which no file holds
  std::string optimisation;    ///< -O and $YOKE_SIMULATOR_OPTIMISE, or -O1
  std::vector<std::string> code_flags;
  std::vector<std::string> link_flags;

  /// Returns: $YOKE_SIMULATOR_COMPILER, else the compiler that built the engine, else c++ in PATH.
  static host_compiler find();
};

}  // namespace yoke::simulator

#endif
