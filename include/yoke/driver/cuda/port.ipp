// SPDX-License-Identifier: MIT
// Checks that the CUDA port meets the port concepts.
#ifndef YOKE_DRIVER_CUDA_PORT_IPP
#define YOKE_DRIVER_CUDA_PORT_IPP

#include <yoke/driver/cuda/port.hpp>

#include <yoke/driver/operations.hpp>

namespace yoke::inline v0_1::cuda {
static_assert(driver_port<port> && !profiling_port<port> && !out_of_order_port<port> && !map_port<port>);
static_assert(current_context_port<port> && stream_query_port<port> && host_function_port<port>);
static_assert(pagelocked_options_port<port>);
}  // namespace yoke::inline v0_1::cuda

#endif
