// SPDX-License-Identifier: MIT
// Writes the sources of the kernels that make lists.
#ifndef YOKE_ALGORITHM_LIST_SOURCE_IPP
#define YOKE_ALGORITHM_LIST_SOURCE_IPP

#include <yoke/algorithm/list_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view list_appends_text =
#include <yoke/kernels/list/list_appends.ipp>
    ;
inline constexpr std::string_view list_builder_text =
#include <yoke/kernels/list/list_builder.ipp>
    ;
inline constexpr std::string_view list_starts_text =
#include <yoke/kernels/list/list_starts.ipp>
    ;
// clang-format on

void throw_list_count(std::int64_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "count = ", count, " of lists is not between 0 and 2^62");
}

std::string list_builder_source(std::span<const elementwise_parameter> parameters,
                                std::span<const std::string_view> names, std::span<const list_name> lists,
                                const list_text& of, const source_location& where) {
  const named_parameters given = named_parameters_of("a list builder", parameters, names, where);
  check_text("body", "a list builder", of.body, where);
  std::string each;
  std::string counted;
  std::string counts;
  std::string writes;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const std::size_t by = lists[k].counted_by;
    const std::string list = text("(yoke_x_type", parameters.size() + k, ", yoke_l_starts", by, ", yoke_l_to", k,
                                  ", yoke_l_end", k, ", yoke_l_at", k);
    each += text(" f", list, ")");
    if (by == k) counted += text(" f", list, ")");
    const char* const name = lists[k].name;
    counts += text("#define append_", name, "(value) YOKE_LISTS_", by == k ? "COUNT" : "SKIP", list, ", value)\n");
    writes += text("#undef append_", name, "\n#define append_", name, "(value) YOKE_LISTS_WRITE", list, ", value)\n");
  }
  // Writes the same statements twice; the macros for appending differ.
  std::string functions = text(list_appends_text, counts, "void yoke_l_lists0(", given.declared,
                               "YOKE_LISTS_COUNTED(YOKE_LISTS_COUNTER) yoke_int64 i) {\n#line 1\n", of.body, ";\n}\n",
                               writes, "void yoke_l_lists1(", given.declared,
                               "YOKE_LISTS_EACH(YOKE_LISTS_WRITER) yoke_int64 i) {\n#line 1\n", of.body, ";\n}\n");
  return text(of.preamble, "\n", given.types,
              with_macros({{"YOKE_LISTS_PARAMETERS", given.numbered},
                           {"YOKE_LISTS_PASSED", given.passed},
                           {"YOKE_LISTS_EACH(f)", each},
                           {"YOKE_LISTS_COUNTED(f)", counted}},
                          functions.append(list_builder_text)));
}

std::string starts_source(const value_type_name& key) {
  return with_macros({{"YOKE_STARTS_KEY", kind_name(key)},
                      {"YOKE_STARTS_WORD", key.kind == value_kind::uint64 ? "yoke_uint64" : "yoke_int64"}},
                     list_starts_text);
}

}  // namespace yoke::inline v0_1::detail

#endif
