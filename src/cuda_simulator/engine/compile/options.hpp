// SPDX-License-Identifier: MIT
// NVRTC's options, turned into those of the host compiler.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_OPTIONS_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_OPTIONS_HPP

#include <string>
#include <vector>

#include "engine/binary/architectures.hpp"

namespace yoke::simulator {

struct parsed_options {
  std::vector<std::string> preprocessor;  ///< where headers are, and macros of our own
  std::string directives;                 ///< the text for -D, -U and -include, in the order given
  std::vector<std::string> compiler;      ///< options that change the code or its messages
  architecture target{};                  ///< its number is 0 where none is given
  bool relocatable = false;               ///< to be linked with other sources
  bool link_time = false;                 ///< by a linker that optimizes
  std::string error;                      ///< not empty: the options are refused, for this reason
};

/// Returns: the translated options. Options that matter only for a GPU's code are accepted without effect; options that
/// the NVRTC of that CUDA version does not know are an error in its words.
parsed_options parse_options(const std::vector<std::string>& options, int cuda_version);

}  // namespace yoke::simulator

#endif
