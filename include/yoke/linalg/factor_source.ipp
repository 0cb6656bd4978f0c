// SPDX-License-Identifier: MIT
// Bodies of linalg/factor_source.hpp.
#ifndef YOKE_LINALG_FACTOR_SOURCE_IPP
#define YOKE_LINALG_FACTOR_SOURCE_IPP

#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/linalg/factor_source.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

std::int64_t& wanted_jacobi_columns() noexcept {
  static std::int64_t wanted = 48;
  return wanted;
}

std::int64_t& wanted_factor_width() noexcept {
  static std::int64_t wanted = factor_width;
  return wanted;
}

// clang-format off
inline constexpr std::string_view factor_text =
#include <yoke/kernels/linalg/factor.ipp>
    ;
inline constexpr std::string_view factor_solve_text =
#include <yoke/kernels/linalg/factor_solve.ipp>
    ;
inline constexpr std::string_view factor_qr_text =
#include <yoke/kernels/linalg/factor_qr.ipp>
    ;
inline constexpr std::string_view factor_jacobi_text =
#include <yoke/kernels/linalg/factor_jacobi.ipp>
    ;
// clang-format on

std::string factor_source(const factor_form& form) {
  const bool is_double = form.kind == value_kind::float64 || form.kind == value_kind::complex128;
  const std::string_view kernels = form.family == factor_family::solve ? factor_solve_text
                                   : form.family == factor_family::qr  ? factor_qr_text
                                                                       : factor_jacobi_text;
  return with_macros(
      {{"YOKE_M_NUMBER", value_name(form.kind)},
       {"YOKE_M_REAL", is_double ? "double" : "float"},
       {"YOKE_M_COMPLEX", is_complex(form.kind)},
       {"YOKE_M_MAKE(x, y)", is_double ? "make_double2(x, y)" : "make_float2(x, y)"},
       {"YOKE_M_LANES", form.lanes},
       {"YOKE_M_STRIP", form.lanes == 1 ? factor_strip : 1},
       {"YOKE_M_WIDTH", factor_width},
       {"YOKE_M_LIMIT", is_double ? "8.9e-16" : "4.8e-7f"},
       {"YOKE_M_TINY", is_double ? "1.4582244039112795e-303" : "1.2037062152420224e-35f"},  // 2^-1006 and 2^-116
       {"YOKE_M_SWEEPS", jacobi_sweeps}},
      text(factor_text, kernels));
}

}  // namespace yoke::inline v0_1::detail

#endif
