// SPDX-License-Identifier: MIT
// Symbols in the words of a source, for messages.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_READABLE_NAMES_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_READABLE_NAMES_HPP

#include <string>

namespace yoke::simulator {

/// Returns: a symbol as a source writes it.
std::string readable_name(const std::string& symbol);
/// Returns: a function's symbol as a source writes its name: "scale<float, 2>", without a result and parameters.
std::string readable_function_name(const std::string& symbol);

}  // namespace yoke::simulator

#endif
