// SPDX-License-Identifier: MIT
// Trims pools when the program has waited.
#include "machine/memory/pools.hpp"

#include "machine/base/state.hpp"

namespace yoke::simulator {

void release_idle(int device) {
  state<pool_state>().pools.for_each([&](pool_object& each) {
    if (each.device == device && !each.is_imported) each.trim_to(each.release_threshold);
  });
}

}  // namespace yoke::simulator
