// SPDX-License-Identifier: MIT
// Bodies of fft/convolve.hpp.
#ifndef YOKE_FFT_CONVOLVE_IPP
#define YOKE_FFT_CONVOLVE_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/fft/convolve.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view convolve_text =
#include <yoke/kernels/fft/convolve.ipp>
    ;
// clang-format on

std::string convolve_source(bool in_double, bool is_pair, bool back) {
  const char* const pair = in_double ? "double2" : "float2";
  const char* const real = in_double ? "double" : "float";
  const char* const make = in_double ? "make_double2((double)(x), (double)(y))" : "make_float2((float)(x), (float)(y))";
  return fft_steps_source(in_double) + with_macros({{"YOKE_CONVOLVE_VALUE", is_pair ? pair : real},
                                                    {"YOKE_CONVOLVE_PAIR", pair},
                                                    {"YOKE_CONVOLVE_MAKE(x, y)", make},
                                                    {"YOKE_CONVOLVE_IS_PAIR", is_pair},
                                                    {"YOKE_CONVOLVE_BACK", back}},
                                                   convolve_text);
}

void throw_convolve(const char* name, std::size_t left, std::size_t right, const source_location& where) {
  throw_error(errc::invalid_argument, where, name, " of (", left, ") and (", right,
              "): both need at least one element");
}

}  // namespace yoke::inline v0_1::detail

#endif
