// SPDX-License-Identifier: MIT
// Checks that the OpenCL port meets the port concepts; not in the header, which every user compiles.
#ifndef YOKE_DRIVER_OPENCL_PORT_IPP
#define YOKE_DRIVER_OPENCL_PORT_IPP

#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/operations.hpp>

namespace yoke::inline v0_1::opencl {

static_assert(driver_port<port>);
static_assert(out_of_order_port<port> && user_event_port<port> && partition_port<port>);
static_assert(map_port<port> && svm_port<port>);

}  // namespace yoke::inline v0_1::opencl

#endif
