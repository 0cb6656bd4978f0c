// SPDX-License-Identifier: MIT
// The options that loading and linking take: there is nothing to compile, so the logs come back empty.
#ifndef YOKE_SIMULATOR_DRIVER_JIT_OPTIONS_HPP
#define YOKE_SIMULATOR_DRIVER_JIT_OPTIONS_HPP

#include "abi.hpp"

namespace yoke::simulator {

/// Effects: makes the logs empty texts and their sizes zero. Returns: whether these are options.
bool empty_logs(const abi::jit_option* options, void** values, unsigned count);

}  // namespace yoke::simulator

#endif
