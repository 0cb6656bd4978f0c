// SPDX-License-Identifier: MIT
// Runs a program and captures its output.
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
  /// Returns: "ended with status 1", or another description of the end.
  std::string outcome() const;
};

/// Effects: runs `words` (the program is looked up in PATH) in English, with `folder` for its own temporary files, and
/// waits for it. Returns: its status and what it wrote to either output.
process_result run_process(const std::vector<std::string>& words, const std::filesystem::path& folder);

/// Effects: writes the line counters in a build with coverage (YOKE_COVERAGE). A process that ends at once would lose
/// them.
void write_coverage() noexcept;

}  // namespace yoke::simulator

#endif
