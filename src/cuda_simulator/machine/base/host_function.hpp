// SPDX-License-Identifier: MIT
// Host functions, which streams and graphs call and which must not call the driver.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_HOST_FUNCTION_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_HOST_FUNCTION_HPP

#include "machine/base/abi.hpp"

namespace yoke::simulator {

/// Effects: calls the function; during the call the thread must not call the driver.
void run_host_function(abi::host_function function, void* data);
/// Whether this thread runs a host function now, and so must not call the driver.
bool runs_host_function() noexcept;

}  // namespace yoke::simulator

#endif
