// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: graphs.
#ifndef YOKE_DRIVER_ANY_GRAPHS_IPP
#define YOKE_DRIVER_ANY_GRAPHS_IPP

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1 {

static_assert(graph_port<any_port> && graph_port<cuda::port> && graph_port<opencl::port>);
YOKE_GRAPH_OPERATIONS(YOKE_DEFINE_BEHIND, YOKE_DEFINE_DEFAULTED)

}  // namespace yoke::inline v0_1

#endif
