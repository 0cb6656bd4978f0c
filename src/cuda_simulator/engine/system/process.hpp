// SPDX-License-Identifier: MIT
// Runs a program and keeps what it says.
#ifndef YOKE_SIMULATOR_ENGINE_SYSTEM_PROCESS_HPP
#define YOKE_SIMULATOR_ENGINE_SYSTEM_PROCESS_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace yoke::simulator {

struct process_result {
  bool started = false;
  int status = -1;  ///< the exit status, or 128 + the signal that ended it; what the system said if it did not start
  std::string messages;

  bool succeeded() const { return started && status == 0; }
  /// Returns: "ended with status 1", or whatever became of it.
  std::string outcome() const;
};

/// Effects: runs `words` (the program is looked up in PATH) in English, with `folder` for its own temporary files, and
/// waits for it. Returns: its status and what it wrote to either output.
process_result run_process(const std::vector<std::string>& words, const std::filesystem::path& folder);

/// Effects: writes what was counted of the lines that ran, in a build that counts them (YOKE_COVERAGE). A process that
/// ends at once would lose it.
void write_coverage() noexcept;

}  // namespace yoke::simulator

#endif
