// SPDX-License-Identifier: MIT
// Instantiates selections for any port, once in the library.
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
