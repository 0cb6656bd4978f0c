// SPDX-License-Identifier: MIT
// Marks the thread while it runs a host function.
#include "machine/base/host_function.hpp"

namespace yoke::simulator {

namespace {
thread_local bool in_host_function = false;
}

bool runs_host_function() noexcept { return in_host_function; }
void run_host_function(abi::host_function function, void* data) {
  in_host_function = true;
  function(data);
  in_host_function = false;
}

}  // namespace yoke::simulator
