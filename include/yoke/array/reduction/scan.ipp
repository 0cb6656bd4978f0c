// SPDX-License-Identifier: MIT
// Instantiates scans of arrays for any port, once in the library.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_IPP
#define YOKE_ARRAY_REDUCTION_SCAN_IPP

#include <yoke/array/reduction/scan.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_scan(const stream<any_port>&, const scan_task&, const walked_shape&,
                                std::span<evaluation_operand<any_port>>, std::span<kernel_argument>,
                                const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
