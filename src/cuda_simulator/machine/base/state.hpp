// SPDX-License-Identifier: MIT
// Keeps one state object per noun, which is never destroyed.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_STATE_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_STATE_HPP

namespace yoke::simulator {

/// Returns: the only object of that type in the process, which the first call makes. It is never destroyed, because
/// calls come until the process has ended. A noun's state is declared beside the noun, so that files see only the
/// states that they include. Thread safety: the call is safe; the driver's lock guards the object, unless its type says
/// otherwise.
template <class Part>
Part& state() noexcept {
  static Part& only = *new Part;  // NOLINT: running out of memory here means no driver
  return only;
}

}  // namespace yoke::simulator

#endif
