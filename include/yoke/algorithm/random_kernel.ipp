// SPDX-License-Identifier: MIT
// Bodies of algorithm/random_kernel.hpp: instantiates its functions for any port, once in the library.
#ifndef YOKE_ALGORITHM_RANDOM_KERNEL_IPP
#define YOKE_ALGORITHM_RANDOM_KERNEL_IPP

#include <yoke/algorithm/random_kernel.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void fill_random(const stream<any_port>&, const random_numbers&, const array_memory<any_port>&,
                                   const byte_layout&, std::span<const kernel_argument, 3>, const kernel_argument*,
                                   const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
