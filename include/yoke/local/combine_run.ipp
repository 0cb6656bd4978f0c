// SPDX-License-Identifier: MIT
// Bodies of local/combine_run.hpp: the kernel's text, and its launch for any port.
#ifndef YOKE_LOCAL_COMBINE_RUN_IPP
#define YOKE_LOCAL_COMBINE_RUN_IPP

#include <yoke/local/combine_run.hpp>

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/reduction/reduction_source.hpp>
#include <yoke/driver/any/port.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view combine_text =
#include <yoke/kernels/local/combine.ipp>
    ;
// clang-format on

std::string combine_source(value_kind kind, rank_operator by) {
  // Half precision is reduced in float, and rounded once.
  const bool is_half = kind == value_kind::half || kind == value_kind::bfloat16;
  // Integers are averaged in 64 bits: their own type may hold neither their sum nor the number of ranks.
  const bool is_integer = kind >= value_kind::int8 && kind <= value_kind::uint64;
  const bool is_signed = static_cast<int>(kind) % 2 == static_cast<int>(value_kind::int8) % 2;
  const bool is_wide = is_integer && by == rank_operator::averaged;
  const value_kind number = is_half                ? value_kind::float32
                            : is_wide && is_signed ? value_kind::int64
                            : is_wide              ? value_kind::uint64
                                                   : kind;
  const char* const type = value_name(number);
  std::string join = "a + b";
  std::string end = "a";
  switch (by) {
    case rank_operator::summed: break;
    case rank_operator::multiplied:
      join = kind == value_kind::complex64    ? "yoke_complex_times_f(a, b)"
             : kind == value_kind::complex128 ? "yoke_complex_times_d(a, b)"
                                              : "a * b";
      break;
    case rank_operator::smallest: join = extreme_join(number, true); break;
    case rank_operator::largest: join = extreme_join(number, false); break;
    case rank_operator::averaged:
      end = number == value_kind::complex64    ? "make_float2(a.x / (float)rows, a.y / (float)rows)"
            : number == value_kind::complex128 ? "make_double2(a.x / (double)rows, a.y / (double)rows)"
            : number == value_kind::float32    ? "a / (float)rows"
            : number == value_kind::float64    ? "a / (double)rows"
            : number == value_kind::uint64     ? "a / (yoke_uint64)rows"
                                               : "a / rows";
      break;
  }
  if (is_integer && end == "a") join = text("(", type, ")(", join, ")");
  return with_macros({{"YOKE_B_ELEMENT", kind_name(kind)},
                      {"YOKE_B_NUMBER", type},
                      {"YOKE_B_LOAD(from, at)", load_text(kind, "from", "at")},
                      {"YOKE_B_JOIN", join},
                      {"YOKE_B_END", end},
                      {"YOKE_B_STORE(value, to, at)", store_text(kind, {"value", number}, "to", "at")}},
                     combine_text);
}

template YOKE_API void run_combine(const stream<any_port>&, value_kind, rank_operator, const sort_memory<any_port>&,
                                   const sort_memory<any_port>&, std::int64_t, std::int64_t, const source_location&);

}  // namespace yoke::inline v0_1::detail

#endif
