// SPDX-License-Identifier: MIT
// Entries about occupancy, computed from the limits that launches are checked against.
#include <algorithm>
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/device/device.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/launch/occupancy.hpp"
#include "machine/program/library.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator::entries {

namespace {

/// The kernel and the device of a query.
struct question {
  std::shared_ptr<kernel_object> what;
  const device* on;
};
question question_about(abi::function handle) {
  kernel_choice found = kernel_of(handle);
  context& in = found.in != nullptr ? *found.in : current_context();
  check_context(in);
  return {std::move(found.what), &device_of(in.device)};
}

int max_active_blocks(abi::function handle, int block_threads, std::size_t dynamic_shared) {
  const question asked = question_about(handle);
  require(block_threads > 0);
  return resident_blocks(*asked.what, *asked.on, block_threads, dynamic_shared);
}

bool are_occupancy_flags(unsigned flags) { return (flags & ~abi::occupancy_disable_caching_override) == 0; }

/// The block size with the most resident threads; among equals the largest.
struct best_size {
  int grid = 0;
  int block = 0;
};
best_size best_block(const question& asked, abi::block_to_shared shared_of, std::size_t shared, int limit) {
  const int most = thread_limit_of(*asked.what, asked.on->ordinal);
  const int first = limit > 0 ? std::min(limit, most) : most;
  best_size best;
  int best_threads = 0;
  for (int block = first; block > 0; block -= block % warp_size == 0 ? warp_size : block % warp_size) {
    const std::size_t dynamic = shared_of != nullptr ? shared_of(block) : shared;
    const int blocks = resident_blocks(*asked.what, *asked.on, block, dynamic);
    if (blocks * block <= best_threads) continue;
    best_threads = blocks * block;
    best = {blocks * asked.on->limits.multiprocessors, block};
  }
  return best;
}

}  // namespace

abi::status occupancy_max_active_blocks_with_flags(int* result, abi::function handle, int block_threads,
                                                   std::size_t dynamic_shared, unsigned flags) {
  return entry([&] {
    const int blocks = max_active_blocks(handle, block_threads, dynamic_shared);
    require(result != nullptr && are_occupancy_flags(flags));
    *result = blocks;
  });
}

abi::status occupancy_max_active_blocks(int* result, abi::function handle, int block_threads,
                                        std::size_t dynamic_shared) {
  return occupancy_max_active_blocks_with_flags(result, handle, block_threads, dynamic_shared, abi::occupancy_default);
}

abi::status occupancy_max_potential_block_size_with_flags(int* grid, int* block, abi::function handle,
                                                          abi::block_to_shared shared_of, std::size_t shared, int limit,
                                                          unsigned flags) {
  return entry([&] {
    const question asked = question_about(handle);
    require(grid != nullptr && block != nullptr && limit >= 0 && are_occupancy_flags(flags));
    const best_size best = best_block(asked, shared_of, shared, limit);
    *grid = best.grid;
    *block = best.block;
  });
}

abi::status occupancy_max_potential_block_size(int* grid, int* block, abi::function handle,
                                               abi::block_to_shared shared_of, std::size_t shared, int limit) {
  return occupancy_max_potential_block_size_with_flags(grid, block, handle, shared_of, shared, limit, 0);
}

abi::status occupancy_available_dynamic_shared(std::size_t* result, abi::function handle, int blocks,
                                               int block_threads) {
  return entry([&] {
    const question asked = question_about(handle);
    require(result != nullptr && blocks > 0 && block_threads > 0);
    require(resident_blocks(*asked.what, *asked.on, block_threads, 0) >= blocks);
    const device_limits& limits = asked.on->limits;
    const int each = limits.shared_per_multiprocessor / blocks - limits.shared_reserved;
    const int dynamic = each - static_cast<int>(description_of(*asked.what).static_shared_bytes);
    *result = static_cast<std::size_t>(std::clamp(dynamic, 0, dynamic_shared_limit_of(*asked.what, asked.on->ordinal)));
  });
}

abi::status occupancy_max_potential_cluster_size(int* result, abi::function handle, const abi::launch_config* config) {
  return entry([&] {
    const question asked = question_about(handle);
    require(result != nullptr && config != nullptr);
    *result = cluster_limit(*asked.what, *asked.on);
  });
}

abi::status occupancy_max_active_clusters(int* result, abi::function handle, const abi::launch_config* config) {
  return entry([&] {
    const question asked = question_about(handle);
    require(result != nullptr && config != nullptr);
    const launch_wish wish = wish_of(*config);
    const unsigned long long block = volume_of(wish.block);
    const unsigned long long cluster = volume_of(wish.cluster);
    require(block > 0 && block <= block_limit_xy);
    require(cluster > 0 && cluster <= static_cast<unsigned>(cluster_limit(*asked.what, *asked.on)),
            abi::error_invalid_cluster_size);
    const int blocks = resident_blocks(*asked.what, *asked.on, static_cast<int>(block), wish.dynamic_shared);
    *result = blocks * asked.on->limits.multiprocessors / static_cast<int>(cluster);
  });
}

}  // namespace yoke::simulator::entries
