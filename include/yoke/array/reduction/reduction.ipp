// SPDX-License-Identifier: MIT
// Instantiates reductions of arrays for any port, once in the library.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_IPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_IPP

#include <yoke/array/reduction/reduction.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_reductions(const stream<any_port>&, const reduction_task&, const walked_shape&, std::int64_t,
                                      std::span<const evaluation_operand<any_port>>, std::span<kernel_argument>,
                                      const source_location&);
template YOKE_API bool run_rows(const stream<any_port>&, const row_task&, const row_request&,
                                std::span<const evaluation_operand<any_port>>, std::span<kernel_argument>,
                                const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
