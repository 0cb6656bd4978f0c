// SPDX-License-Identifier: MIT
// Options of loading and linking; only the logs and times have an effect here.
#ifndef YOKE_SIMULATOR_MACHINE_PROGRAM_JIT_OPTIONS_HPP
#define YOKE_SIMULATOR_MACHINE_PROGRAM_JIT_OPTIONS_HPP

#include <cstddef>
#include <string_view>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

/// The caller's buffers for a linker's messages.
struct jit_logs {
  char* info = nullptr;
  std::size_t info_bytes = 0;
  void** info_written = nullptr;
  char* error = nullptr;
  std::size_t error_bytes = 0;
  void** error_written = nullptr;
  void** wall_time = nullptr;  ///< receives a float: milliseconds

  /// Effects: writes the texts, truncated to their buffers, and their lengths.
  void write(std::string_view info_text, std::string_view error_text) const;
  void write_time(float milliseconds) const;
};

/// Effects: makes the logs empty and their sizes zero, and notes their buffers. Returns: whether all options are known.
bool empty_logs(const abi::jit_option* options, void** values, unsigned count, jit_logs* logs = nullptr);

}  // namespace yoke::simulator

#endif
