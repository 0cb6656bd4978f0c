// SPDX-License-Identifier: MIT
// The environment's settings of the machine to simulate.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_SETTINGS_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_SETTINGS_HPP

#include <chrono>
#include <cstddef>
#include <string>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

enum class leak_policy { report, fail, ignore };

/// The variables YOKE_SIMULATOR_..., as docs/cuda-simulator.md lists them.
struct settings {
  int driver_version = 13000;
  int devices = 1;
  int compute_capability = 90;
  std::size_t memory_bytes = std::size_t{4} << 30;
  unsigned delay_us = 0;
  unsigned long failing_allocation = 0;  ///< the number of the allocation that fails; 0: none
  unsigned long failing_launch = 0;
  abi::status launch_failure = abi::error_launch_failed;
  leak_policy leaks = leak_policy::report;
  std::chrono::milliseconds patience = std::chrono::seconds(20);
};

/// Returns: the settings, read once. A value that cannot be parsed is reported on stderr and left at its default.
const settings& the_settings();

/// Effects: writes one line to stderr with the simulator's name.
void say(const std::string& text) noexcept;

}  // namespace yoke::simulator

#endif
