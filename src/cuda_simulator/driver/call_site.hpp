// SPDX-License-Identifier: MIT
// Where in the program a call of the driver came from.
#ifndef YOKE_SIMULATOR_DRIVER_CALL_SITE_HPP
#define YOKE_SIMULATOR_DRIVER_CALL_SITE_HPP

#include <array>
#include <string>

namespace yoke::simulator {

class call_site {
 public:
  /// Returns: the callers of this function. Cheap; text() is not.
  static call_site here();
  /// Returns: "program(function+0x12) <- program(main+0x4)", without the simulator's own frames; empty if nothing is known.
  std::string text() const;

 private:
  static constexpr int frames_kept = 16;
  std::array<void*, frames_kept> frames_{};
  int count_ = 0;
};

}  // namespace yoke::simulator

#endif
