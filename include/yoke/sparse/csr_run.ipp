// SPDX-License-Identifier: MIT
// Bodies of sparse/csr_run.hpp: instantiates its functions for any port, once in the library.
#ifndef YOKE_SPARSE_CSR_RUN_IPP
#define YOKE_SPARSE_CSR_RUN_IPP

#include <yoke/sparse/csr_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_csr_product(const stream<any_port>&, const csr_product<any_port>&, const source_location&);
template YOKE_API void run_csr_product_of(const stream<any_port>&, csr_side, const product_operand<any_port>&,
                                          const csr_operand<any_port>&, const product_operand<any_port>&,
                                          const product_terms<any_port>&, const source_location&);
template YOKE_API void run_csr_check(const stream<any_port>&, const csr_array<any_port>&, const csr_operand<any_port>&,
                                     const source_location&);
template YOKE_API void run_csr_elements(const stream<any_port>&, const csr_array<any_port>&, std::int64_t, std::int64_t,
                                        bool, const csr_operand<any_port>&, const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
