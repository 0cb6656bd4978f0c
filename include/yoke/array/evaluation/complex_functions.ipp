// SPDX-License-Identifier: MIT
// The functions of complex numbers of each precision.
#ifndef YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_IPP
#define YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_IPP

#include <yoke/array/evaluation/complex_functions.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/core/text.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view text_of_complex =
#include <yoke/kernels/evaluation/complex.ipp>
    ;
// clang-format on

/// Returns: the text's macros for the functions of a precision that a source names, `yoke_complex_` + name + suffix.
std::string wanted_complex_functions(std::string_view source, std::string_view suffix) {
  constexpr std::string_view prefix = "yoke_complex_";
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string out;
  for (std::size_t at = source.find(prefix); at != std::string_view::npos; at = source.find(prefix, at)) {
    at += prefix.size();
    std::size_t end = at;
    while (end < source.size() && is_letter(source[end])) ++end;
    const std::string_view name = source.substr(at, end - at);
    if (!name.ends_with(suffix)) continue;
    const std::string line = text("#define YOKE_WANTS_", name.substr(0, name.size() - suffix.size()), "\n");
    if (out.find(line) == std::string::npos) out += line;
  }
  return out;
}

std::string complex_functions(std::string_view source) {
  std::string out;
  if (const std::string wanted = wanted_complex_functions(source, "_f"); !wanted.empty()) {
    out += wanted + with_macros({{"YOKE_C", "float2"},
                                 {"YOKE_R", "float"},
                                 {"YOKE_MAKE(x, y)", "make_float2(x, y)"},
                                 {"YOKE_K(x)", "x##f"},
                                 {"YOKE_F(name)", "yoke_complex_##name##_f"},
                                 {"YOKE_GREAT", "8.0e37f"},
                                 {"YOKE_GREAT_ROOT", "1.0e18f"},
                                 {"YOKE_GREAT_EXP", "88.0f"},
                                 {"YOKE_GREAT_TANH", "9.5f"},
                                 {"YOKE_SMALL", "1.0e-30f"},
                                 {"YOKE_SMALL_ROOT", "1.0e-18f"},
                                 {"YOKE_UP", "281474976710656.0f"},
                                 {"YOKE_DOWN", "5.9604644775390625e-08f"}},
                                text_of_complex);
  }
  if (const std::string wanted = wanted_complex_functions(source, "_d"); !wanted.empty()) {
    out += wanted + with_macros({{"YOKE_C", "double2"},
                                 {"YOKE_R", "double"},
                                 {"YOKE_MAKE(x, y)", "make_double2(x, y)"},
                                 {"YOKE_K(x)", "x"},
                                 {"YOKE_F(name)", "yoke_complex_##name##_d"},
                                 {"YOKE_GREAT", "4.0e307"},
                                 {"YOKE_GREAT_ROOT", "1.0e153"},
                                 {"YOKE_GREAT_EXP", "709.0"},
                                 {"YOKE_GREAT_TANH", "19.0"},
                                 {"YOKE_SMALL", "1.0e-290"},
                                 {"YOKE_SMALL_ROOT", "1.0e-153"},
                                 {"YOKE_UP", "324518553658426726783156020576256.0"},
                                 {"YOKE_DOWN", "5.5511151231257827e-17"}},
                                text_of_complex);
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
