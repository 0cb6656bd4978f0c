// SPDX-License-Identifier: MIT
// Bodies of linalg/product_run.hpp: instantiates its functions for any port, once in the library.
#ifndef YOKE_LINALG_PRODUCT_RUN_IPP
#define YOKE_LINALG_PRODUCT_RUN_IPP

#include <yoke/linalg/product_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_product(const stream<any_port>&, const product<any_port>&, const source_location&);
template YOKE_API void run_product_of(const stream<any_port>&, const product_form&, const product_operand<any_port>&,
                                      const product_operand<any_port>&, const product_operand<any_port>&,
                                      const product_terms<any_port>&, const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif
