// SPDX-License-Identifier: MIT
// How many blocks of a kernel a simulated multiprocessor holds.
#ifndef YOKE_SIMULATOR_DRIVER_OCCUPANCY_HPP
#define YOKE_SIMULATOR_DRIVER_OCCUPANCY_HPP

#include <cstddef>

namespace yoke::simulator {

struct device;
struct kernel_object;

/// Returns: the blocks of that size that are resident at once on one multiprocessor; 0 if not one fits.
int resident_blocks(kernel_object& what, const device& on, int block_threads, std::size_t dynamic_shared);

}  // namespace yoke::simulator

#endif
