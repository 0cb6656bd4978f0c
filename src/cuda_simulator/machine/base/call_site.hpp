// SPDX-License-Identifier: MIT
// The place in the program that called the driver.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_CALL_SITE_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_CALL_SITE_HPP

#include <array>
#include <string>

namespace yoke::simulator {

class call_site {
 public:
  /// Returns: the callers of this function. Cheap, unlike text().
  static call_site here();
  /// Returns: "program(function+0x12) <- program(main+0x4)", from the first caller outside the simulator and the
  /// library; empty if nothing is known. Thread safety: the driver's lock.
  std::string text() const;

 private:
  static constexpr int frames_kept = 32;
  std::array<void*, frames_kept> frames_{};
  int count_ = 0;
};

}  // namespace yoke::simulator

#endif
