// SPDX-License-Identifier: MIT
// Bodies of algorithm/sort_run.hpp: instantiates its functions for any port, once in the library.
#ifndef YOKE_ALGORITHM_SORT_RUN_IPP
#define YOKE_ALGORITHM_SORT_RUN_IPP

#include <yoke/algorithm/sort_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_sort(const stream<any_port>&, const sort_request<any_port>&, const source_location&);
template YOKE_API void run_gather(const stream<any_port>&, const sort_memory<any_port>&, const sort_memory<any_port>&,
                                  std::size_t, const sort_memory<any_port>&, std::size_t, std::int64_t, std::int64_t,
                                  const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
