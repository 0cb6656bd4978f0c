// SPDX-License-Identifier: MIT
// Refuses shapes as the driver does, without a reason.
#include "machine/launch/launch_shape.hpp"

#include "machine/base/call.hpp"
#include "machine/device/device.hpp"
#include "machine/launch/occupancy.hpp"
#include "machine/program/library.hpp"

namespace yoke::simulator {

namespace {

void read_attribute(const abi::launch_attribute& from, launch_wish& into) {
  switch (from.id) {
    case abi::launch_attribute_id::cooperative: into.cooperative = from.value.cooperative != 0; return;
    case abi::launch_attribute_id::cluster_dimension: into.cluster = from.value.cluster; return;
    case abi::launch_attribute_id::cluster_scheduling_policy_preference:
      require(from.value.cluster_policy <= abi::cluster_scheduling::load_balancing);
      return;
    // Preferences and early starts have no effect: blocks run in any order.
    case abi::launch_attribute_id::ignore:
    case abi::launch_attribute_id::priority:
    case abi::launch_attribute_id::preferred_shared_memory_carveout:
    case abi::launch_attribute_id::programmatic_stream_serialization:
    case abi::launch_attribute_id::preferred_cluster_dimension:
    case abi::launch_attribute_id::access_policy_window:
    case abi::launch_attribute_id::mem_sync_domain:
    case abi::launch_attribute_id::mem_sync_domain_map:
    case abi::launch_attribute_id::nvlink_util_centric_scheduling: return;
    default: refuse(abi::error_not_supported);
  }
}

bool is_within(unsigned value, int most) { return value >= 1 && value <= static_cast<unsigned>(most); }

void check_cluster(kernel_object& what, const device& on, const launch_wish& wish) {
  const abi::launch_extent& cluster = wish.cluster;
  const unsigned long long blocks = volume_of(cluster);
  require(blocks != 0);
  if (blocks == 1) return;
  require(blocks <= static_cast<unsigned>(cluster_limit(what, on)), abi::error_invalid_cluster_size);
  const bool divides = wish.grid.x % cluster.x == 0 && wish.grid.y % cluster.y == 0 && wish.grid.z % cluster.z == 0;
  require(divides);
}

}  // namespace

unsigned long long volume_of(const abi::launch_extent& extent) {
  return static_cast<unsigned long long>(extent.x) * extent.y * extent.z;
}

launch_wish wish_of(const abi::launch_config& config) {
  launch_wish wish;
  wish.grid = {config.grid_x, config.grid_y, config.grid_z};
  wish.block = {config.block_x, config.block_y, config.block_z};
  wish.dynamic_shared = config.shared_bytes;
  require(config.attribute_count == 0 || config.attributes != nullptr);
  for (unsigned each = 0; each < config.attribute_count; ++each) read_attribute(config.attributes[each], wish);
  return wish;
}

int cluster_limit(kernel_object& what, const device& on) {
  const bool opted_in = settings_of(what, on.ordinal).non_portable_cluster != 0;
  const int most = opted_in ? on.limits.cluster_blocks_optin : on.limits.cluster_blocks;
  return most > 0 ? most : 1;
}

void check_launch(kernel_object& what, const device& on, const launch_wish& wish) {
  require(is_within(wish.grid.x, grid_limit_x) && is_within(wish.grid.y, grid_limit_yz) &&
          is_within(wish.grid.z, grid_limit_yz));
  require(is_within(wish.block.x, block_limit_xy) && is_within(wish.block.y, block_limit_xy) &&
          is_within(wish.block.z, block_limit_z));
  const unsigned long long threads = volume_of(wish.block);
  require(threads <= static_cast<unsigned>(on.limits.threads_per_block));
  // __launch_bounds__ are a promise about registers.
  require(threads <= static_cast<unsigned>(thread_limit_of(what, on.ordinal)), abi::error_launch_out_of_resources);
  require(wish.dynamic_shared <= static_cast<std::size_t>(dynamic_shared_limit_of(what, on.ordinal)));
  check_cluster(what, on, wish);
  if (!wish.cooperative) return;
  const int resident = resident_blocks(what, on, static_cast<int>(threads), wish.dynamic_shared);
  const auto most = static_cast<unsigned long long>(resident) * static_cast<unsigned>(on.limits.multiprocessors);
  require(volume_of(wish.grid) <= most, abi::error_cooperative_launch_too_large);
}

}  // namespace yoke::simulator
