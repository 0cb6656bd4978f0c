// SPDX-License-Identifier: MIT
// The message for a launch's shape that breaks a limit of the device.
#ifndef YOKE_DRIVER_SHAPE_LIMITS_HPP
#define YOKE_DRIVER_SHAPE_LIMITS_HPP

#include <yoke/core/text.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: "block 2048 exceeds this device's 1024"; "" when the block is within the device's limits.
inline std::string broken_shape_limit(const launch_shape& shape, const device_limits& limits) {
  const std::size_t threads = shape.block.x * shape.block.y * shape.block.z;
  if (threads > limits.max_block) return text("block ", threads, " exceeds this device's ", limits.max_block);
  const std::size_t sides[3] = {shape.block.x, shape.block.y, shape.block.z};
  constexpr const char* axes[3] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (limits.max_block_extent[i] != 0 && sides[i] > limits.max_block_extent[i]) {
      return text("block ", sides[i], " exceeds this device's ", limits.max_block_extent[i], " in ", axes[i]);
    }
  }
  return "";
}

}  // namespace yoke::inline v0_1::detail

#endif
