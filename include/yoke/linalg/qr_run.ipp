// SPDX-License-Identifier: MIT
// Bodies of linalg/qr_run.hpp: instantiates its function for any port, once in the library.
#ifndef YOKE_LINALG_QR_RUN_IPP
#define YOKE_LINALG_QR_RUN_IPP

#include <yoke/linalg/qr_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_qr(const stream<any_port>&, const factor_matrix<any_port>&, const factor_matrix<any_port>&,
                              const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
