// SPDX-License-Identifier: MIT
// Bodies of execution/context.hpp: what makes a context over any port, compiled once.
#ifndef YOKE_EXECUTION_CONTEXT_IPP
#define YOKE_EXECUTION_CONTEXT_IPP

#include <yoke/execution/context.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API shared<context_state<any_port>> new_context_state(const std::span<const device<any_port>>&,
                                                                    const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
