// SPDX-License-Identifier: MIT
// Assembler text for an object of kernels: its block of dynamic shared memory, and who uses which variable.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_SHARED_SYMBOLS_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_SHARED_SYMBOLS_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// Returns: assembler text that defines every `extern __shared__` variable of the object file, all at one address;
/// empty if it has none.
std::string dynamic_shared_text(std::string_view object);

/// Returns: assembler text with a list of the functions of the object file and the shared variables that each uses.
std::string shared_use_text(std::string_view object);

}  // namespace yoke::simulator

#endif
