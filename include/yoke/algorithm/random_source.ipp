// SPDX-License-Identifier: MIT
// Writes the sources of random numbers.
#ifndef YOKE_ALGORITHM_RANDOM_SOURCE_IPP
#define YOKE_ALGORITHM_RANDOM_SOURCE_IPP

#include <yoke/algorithm/random_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/geometry/shape.hpp>
#include <yoke/core/text.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view philox_text =
#include <yoke/kernels/random/philox.ipp>
    ;
inline constexpr std::string_view random_float_text =
#include <yoke/kernels/random/random_float.ipp>
    ;
inline constexpr std::string_view random_double_text =
#include <yoke/kernels/random/random_double.ipp>
    ;
inline constexpr std::string_view random_drawing_text =
#include <yoke/kernels/random/random_drawing.ipp>
    ;
inline constexpr std::string_view random_drawing_double_text =
#include <yoke/kernels/random/random_drawing_double.ipp>
    ;
inline constexpr std::string_view random_fill_text =
#include <yoke/kernels/random/random_fill.ipp>
    ;
// clang-format on

std::string random_source(random_kind kind, const value_type_name& element, bool is_linear, bool counts,
                          std::int64_t blocks) {
  const std::uint32_t words = random_words(kind, element);
  const std::uint32_t lanes = 4 / words;
  const bool is_real = kind == random_kind::uniform || kind == random_kind::normal;
  const bool is_double = element.kind == value_kind::float64 || element.kind == value_kind::complex128;
  const bool is_pair = is_complex(element.kind);
  const value_kind calculated = is_pair     ? element.kind
                                : !is_real  ? value_kind::uint64
                                : is_double ? value_kind::float64
                                            : value_kind::float32;
  const char* const vector = element.kind == value_kind::float32                ? "float4"
                             : element.kind == value_kind::float64              ? "double2"
                             : element.kind == value_kind::uint32 && lanes == 4 ? "uint4"
                                                                                : nullptr;
  std::string values;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    values += text(lane == 0 ? "(" : ", (", kind_name(element), ")value", lane);
  }
  // NVRTC (13.0) makes several stores of an assignment of a vector here.
  const std::string made = text("make_", vector == nullptr ? "" : vector, "(", values, ")");
  const std::string store = vector == nullptr ? std::string()
                            : blocks > 1      ? text("yoke_store_once(", made, ", 0, (YOKE_GLOBAL ", vector, "*)(to));")
                                              : text("yoke_store_aligned", lanes, "(", made, ", 0, to);");
  return text(!is_real    ? ""
              : is_double ? random_double_text
                          : random_float_text,
              with_macros({{"YOKE_RANDOM_ELEMENT", kind_name(element)},
                           {"YOKE_RANDOM_NUMBER", !is_real    ? "yoke_uint64"
                                                  : is_double ? "double"
                                                              : "float"},
                           {"YOKE_RANDOM_KIND", static_cast<int>(kind)},
                           {"YOKE_RANDOM_WORDS", words},
                           {"YOKE_RANDOM_LANES", lanes},
                           {"YOKE_RANDOM_DOUBLE", is_double},
                           {"YOKE_RANDOM_PAIR", is_pair},
                           {"YOKE_RANDOM_BLOCKS", blocks},
                           {"YOKE_RANDOM_LINEAR", is_linear},
                           {"YOKE_RANDOM_COUNTS", counts},
                           {"YOKE_RANDOM_AXES", max_array_rank},
                           {"YOKE_RANDOM_STORE(value, to, at)", store_text(element, {"value", calculated}, "to", "at")},
                           {"YOKE_RANDOM_IS_VECTOR", vector != nullptr},
                           {"YOKE_RANDOM_VECTOR", vector == nullptr ? "" : vector},
                           {"YOKE_RANDOM_STORE_VECTOR(to)", store}},
                          random_fill_text));
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {

embedded_header random_header() {
  return {"yoke_random.h",
          detail::text("#ifndef YOKE_RANDOM_H\n#define YOKE_RANDOM_H\n", detail::philox_text, detail::random_float_text,
                       detail::random_drawing_text, "#if YOKE_HAS_FP64\n", detail::random_double_text,
                       detail::random_drawing_double_text, "#endif\n#endif\n")};
}

}  // namespace yoke::inline v0_1

#endif
