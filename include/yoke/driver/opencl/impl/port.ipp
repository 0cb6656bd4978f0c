// SPDX-License-Identifier: MIT
// Holds the OpenCL port against the port concepts; here and not in the header, which every user pays for.
#ifndef YOKE_DRIVER_OPENCL_IMPL_PORT_IPP
#define YOKE_DRIVER_OPENCL_IMPL_PORT_IPP

#include <yoke/driver/opencl/port.hpp>

namespace yoke::inline YOKE_ABI::opencl {

static_assert(driver_port<port>);
static_assert(out_of_order_port<port> && user_event_port<port> && partition_port<port>);
static_assert(map_port<port> && svm_port<port> && describing_port<port>);

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
