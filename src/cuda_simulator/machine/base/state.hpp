// SPDX-License-Identifier: MIT
// Gives each noun the one place where it keeps what it knows, which is never destroyed.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_STATE_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_STATE_HPP

namespace yoke::simulator {

/// Returns: the only object of that type in the process, which the first call makes. It is never destroyed, because
/// calls come until the process has ended. A noun's state is declared beside the noun, so that nobody sees more than he
/// includes. Thread safety: the call is safe; the driver's lock guards what it returns, but where its type says
/// something else.
template <class Part>
Part& state() noexcept {
  static Part& only = *new Part;  // NOLINT: without memory for it there is no driver
  return only;
}

}  // namespace yoke::simulator

#endif
