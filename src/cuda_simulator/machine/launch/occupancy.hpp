// SPDX-License-Identifier: MIT
// Counts the blocks of a kernel that fit on a simulated multiprocessor.
#ifndef YOKE_SIMULATOR_MACHINE_LAUNCH_OCCUPANCY_HPP
#define YOKE_SIMULATOR_MACHINE_LAUNCH_OCCUPANCY_HPP

#include <cstddef>

namespace yoke::simulator {

struct device;
struct kernel_object;

/// Returns: the blocks of that size that are resident at once on one multiprocessor; 0 if none fits.
int resident_blocks(kernel_object& what, const device& on, int block_threads, std::size_t dynamic_shared);

}  // namespace yoke::simulator

#endif
