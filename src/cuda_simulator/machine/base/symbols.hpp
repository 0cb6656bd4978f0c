// SPDX-License-Identifier: MIT
// Names of functions from a file's own symbol table, which the dynamic loader does not read.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_SYMBOLS_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_SYMBOLS_HPP

#include <cstdint>
#include <string>

namespace yoke::simulator {

struct symbol {
  std::string name{};        ///< mangled; empty if the file has none
  std::uintptr_t begin = 0;  ///< the function's first byte, as an address of this process
};

/// Returns: the function around that address, from the file loaded with that `bias`. Stripped and unreadable files give
/// no names. Thread safety: the driver's lock.
symbol find_symbol(const char* file, std::uintptr_t bias, std::uintptr_t address);

}  // namespace yoke::simulator

#endif
