// SPDX-License-Identifier: MIT
// Room between shared variables, which AddressSanitizer gives to every variable but thread-local ones.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_RED_ZONES_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_RED_ZONES_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// Returns: the assembler text with unused bytes after every zero-initialised thread-local variable.
std::string with_red_zones(std::string_view assembler);

}  // namespace yoke::simulator

#endif
