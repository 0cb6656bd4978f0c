// SPDX-License-Identifier: MIT
// Whether a backend can be used, and why not.
#ifndef YOKE_DRIVER_AVAILABILITY_HPP
#define YOKE_DRIVER_AVAILABILITY_HPP

#include <yoke/core/config.hpp>

#include <string>

namespace yoke::inline YOKE_ABI {

/// Whether a backend can be used, and why not.
struct availability {
  bool available = false;
  std::string reason;  ///< what was looked for and what happened; "" when available

  [[nodiscard]] explicit operator bool() const noexcept { return available; }
};

}  // namespace yoke::inline YOKE_ABI

#endif
