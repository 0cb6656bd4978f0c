// SPDX-License-Identifier: MIT
// Chooses the parts of the prelude that a source needs; compiling all takes twice as long.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_PRELUDE_CHOICE_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_PRELUDE_CHOICE_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// Effects: adds to `text` the served headers that it names, and recursively those that they name.
void append_named_headers(std::string& text);

/// Returns: whether a name that the part of the prelude defines begins anywhere in `text`: in a source with its
/// headers, or in what the compiler says of one.
bool needs_prelude_part(std::string_view part, std::string_view text);

}  // namespace yoke::simulator

#endif
