// SPDX-License-Identifier: MIT
// Counts by threads, by blocks and by shared memory.
#include "machine/launch/occupancy.hpp"

#include <algorithm>

#include "machine/device/device.hpp"
#include "machine/program/library.hpp"

namespace yoke::simulator {

int resident_blocks(kernel_object& what, const device& on, int block_threads, std::size_t dynamic_shared) {
  const device_limits& limits = on.limits;
  if (block_threads > limits.threads_per_block) return 0;  // ignores __launch_bounds__, as real drivers do
  if (dynamic_shared > static_cast<std::size_t>(dynamic_shared_limit_of(what, on.ordinal))) return 0;
  const int warps = (block_threads + warp_size - 1) / warp_size;
  const int by_threads = limits.threads_per_multiprocessor / (warps * warp_size);
  const std::size_t shared =
      description_of(what).static_shared_bytes + dynamic_shared + static_cast<std::size_t>(limits.shared_reserved);
  const int by_shared = shared == 0
                            ? limits.blocks_per_multiprocessor
                            : static_cast<int>(static_cast<std::size_t>(limits.shared_per_multiprocessor) / shared);
  return std::min({by_threads, by_shared, limits.blocks_per_multiprocessor});
}

}  // namespace yoke::simulator
