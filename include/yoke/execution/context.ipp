// SPDX-License-Identifier: MIT
// Instantiates the functions of execution/context.hpp that make a context of any backend.
#ifndef YOKE_EXECUTION_CONTEXT_IPP
#define YOKE_EXECUTION_CONTEXT_IPP

#include <yoke/execution/context.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API shared<context_state<any_port>> new_context_state(const std::span<const device<any_port>>&,
                                                                    const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
