// SPDX-License-Identifier: MIT
// Bodies of linalg/jacobi_run.hpp: instantiates its function for any port, once in the library.
#ifndef YOKE_LINALG_JACOBI_RUN_IPP
#define YOKE_LINALG_JACOBI_RUN_IPP

#include <yoke/linalg/jacobi_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_jacobi(const stream<any_port>&, const jacobi_task<any_port>&, int&, const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
