// SPDX-License-Identifier: MIT
// The shape and the attributes that a launch asks for, checked against the device.
#ifndef YOKE_SIMULATOR_MACHINE_LAUNCH_LAUNCH_SHAPE_HPP
#define YOKE_SIMULATOR_MACHINE_LAUNCH_LAUNCH_SHAPE_HPP

#include <cstddef>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

struct device;
struct kernel_object;

struct launch_wish {
  abi::launch_extent grid{};
  abi::launch_extent block{};
  abi::launch_extent cluster{1, 1, 1};
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
};

/// Returns: the product, which may need more than 32 bits.
unsigned long long volume_of(const abi::launch_extent& extent);

/// Returns: the shape and the attributes. Throws: refusal over an attribute or a value that does not exist.
launch_wish wish_of(const abi::launch_config& config);

/// Throws: refusal with the driver's code if that kernel cannot be launched so on that device.
void check_launch(kernel_object& what, const device& on, const launch_wish& wish);

/// Returns: the most blocks of a cluster; 1 without clusters.
int cluster_limit(kernel_object& what, const device& on);

}  // namespace yoke::simulator

#endif
