// SPDX-License-Identifier: MIT
// A simulated device: its limits, and the objects that belong to it rather than to a context.
#ifndef YOKE_SIMULATOR_MACHINE_DEVICE_DEVICE_HPP
#define YOKE_SIMULATOR_MACHINE_DEVICE_DEVICE_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

struct context;
struct pool_object;

/// The limits that launches are checked against; the attributes report the same.
struct device_limits {
  int threads_per_block = 1024;
  int threads_per_multiprocessor = 2048;
  int blocks_per_multiprocessor = 32;
  int registers_per_multiprocessor = 65536;
  int multiprocessors = 8;
  int shared_per_block = 48 * 1024;
  int shared_per_block_optin = 0;
  int shared_per_multiprocessor = 0;
  int shared_reserved = 0;
  int cluster_blocks = 0;  ///< the limit of every device with this capability; 0: no clusters
  int cluster_blocks_optin = 0;
};
/// Returns: the limits of that compute capability, 90 for 9.0.
device_limits limits_of(int compute_capability);

constexpr int grid_limit_x = 2147483647;
constexpr int grid_limit_yz = 65535;
constexpr int block_limit_xy = 1024;
constexpr int block_limit_z = 64;
constexpr int warp_size = 32;
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

/// Thread safety: the driver's lock.
struct device {
  explicit device(int number);

  int ordinal;
  device_limits limits;
  std::size_t total_bytes;
  std::size_t used_bytes = 0;
  context* primary = nullptr;
  int primary_retains = 0;
  unsigned primary_flags = 0;
  std::shared_ptr<pool_object> default_pool{};
  std::shared_ptr<pool_object> pool{};  ///< the pool of cuMemAllocAsync

  /// Returns: the attribute's value; nothing if the simulated driver does not know it.
  std::optional<int> attribute(int code) const;
};

/// Thread safety: the driver's lock.
struct device_state {
  std::vector<device> devices{};
};

/// Returns: the device. Throws: refusal with the code `otherwise`.
device& device_of(abi::device ordinal, abi::status otherwise = abi::error_invalid_device);

}  // namespace yoke::simulator

#endif
