// SPDX-License-Identifier: MIT
// Bodies of linalg/factor_run.hpp: instantiates its functions for any port, once in the library.
#ifndef YOKE_LINALG_FACTOR_RUN_IPP
#define YOKE_LINALG_FACTOR_RUN_IPP

#include <yoke/linalg/factor_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_triangular(const stream<any_port>&, const factor_matrix<any_port>&, bool,
                                      const factor_matrix<any_port>&, const source_location&);
template YOKE_API void run_cholesky(const stream<any_port>&, const factor_matrix<any_port>&,
                                    const factor_words<any_port>&, std::int64_t, const source_location&);
template YOKE_API void run_lu(const stream<any_port>&, const factor_matrix<any_port>&, const factor_words<any_port>&,
                              const factor_words<any_port>&, const source_location&);
template YOKE_API void run_lu_solve(const stream<any_port>&, const factor_matrix<any_port>&,
                                    const factor_words<any_port>&, const factor_matrix<any_port>&,
                                    const source_location&);
template YOKE_API void run_part(const stream<any_port>&, const factor_matrix<any_port>&, const factor_matrix<any_port>&,
                                std::int64_t, const source_location&);
template YOKE_API void run_diagonal(const stream<any_port>&, const factor_matrix<any_port>&,
                                    const factor_words<any_port>&, const source_location&);
template YOKE_API void run_determinant(const stream<any_port>&, const factor_words<any_port>&,
                                       const factor_words<any_port>*, const factor_matrix<any_port>&,
                                       const factor_words<any_port>&, const source_location&);
template YOKE_API void run_report(const stream<any_port>&, value_kind, const factor_words<any_port>&,
                                  const factor_words<any_port>&, std::int64_t, std::int64_t, const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
