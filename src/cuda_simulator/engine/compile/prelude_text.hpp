// SPDX-License-Identifier: MIT
// The prelude, which precedes every source, and the headers that are served to it; CMake writes the definitions.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_PRELUDE_TEXT_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_PRELUDE_TEXT_HPP

#include <cstddef>
#include <string_view>

namespace yoke::simulator {

struct prelude_file {
  std::string_view name;
  std::string_view text;
};

extern const prelude_file prelude_parts[];
extern const std::size_t prelude_part_count;
extern const prelude_file served_headers[];
extern const std::size_t served_header_count;
/// The compiler that the engine was built with.
extern const std::string_view configured_compiler;

}  // namespace yoke::simulator

#endif
