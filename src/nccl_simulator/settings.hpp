// SPDX-License-Identifier: MIT
// The environment's settings of the simulated NCCL, and its lines on stderr.
#ifndef YOKE_NCCL_SIMULATOR_SETTINGS_HPP
#define YOKE_NCCL_SIMULATOR_SETTINGS_HPP

#include <chrono>
#include <string>

namespace yoke::nccl_simulator {

/// The variables YOKE_NCCL_SIMULATOR_..., as docs/nccl.md lists them.
struct settings {
  int version = 22809;
  bool shuffled = false;  ///< reductions add the ranks in another order than 0, 1, 2
  std::chrono::milliseconds delay{0};
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  int failing_rank = -1;  ///< of the call that fails; -1: any rank
  std::string failing_call{};
  int failure = 0;
  int lost_rank = -1;  ///< the rank that stops at its operation `lost_at`, counted from 1
  unsigned long lost_at = 0;
};

/// Returns: the settings, read once. A value that cannot be parsed is reported on stderr and left at its default.
const settings& the_settings();
/// Effects: writes one line to stderr with the simulator's name.
void say(const std::string& text) noexcept;

}  // namespace yoke::nccl_simulator

#endif
