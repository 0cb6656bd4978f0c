// SPDX-License-Identifier: MIT
// What selecting is over any port, compiled once.
#ifndef YOKE_ALGORITHM_SELECT_IPP
#define YOKE_ALGORITHM_SELECT_IPP

#include <yoke/algorithm/select.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_selection(const stream<any_port>&, const selection_task&, const walked_shape&,
                                     std::span<evaluation_operand<any_port>>, std::span<kernel_argument>,
                                     const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
