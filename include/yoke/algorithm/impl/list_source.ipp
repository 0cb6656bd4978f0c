// SPDX-License-Identifier: MIT
// The texts of lists.
#ifndef YOKE_ALGORITHM_IMPL_LIST_SOURCE_IPP
#define YOKE_ALGORITHM_IMPL_LIST_SOURCE_IPP

#include <yoke/algorithm/list_source.hpp>
#include <yoke/array/expression_kernel.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD void throw_list_count(std::int64_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "count = ", count, " of lists is not between 0 and 2^62");
}

YOKE_COLD std::string list_builder_source(std::span<const elementwise_parameter> parameters,
                                          std::span<const std::string_view> names, std::span<const char* const> lists,
                                          const list_text& of, const source_location& where) {
  const given_parameters given = given_parameters_of("a list builder", parameters, names, where);
  check_text("body", "a list builder", of.body, where);
  std::string out = of.preamble + "\n" + given.types;
  const auto for_each_list = [&](const auto& piece) {
    std::string made;
    for (std::size_t k = 0; k < lists.size(); ++k) made += piece(k);
    return made;
  };
  const auto type = [&](std::size_t k) { return text("yoke_x_type", parameters.size() + k); };
  // The same statements twice, with another meaning of appending.
  for (const bool fills : {false, true}) {
    out += for_each_list([&](std::size_t k) {
      return fills ? text("#undef append_", lists[k], "\n#define append_", lists[k], "(value) (*yoke_l_at", k,
                          " < yoke_l_end", k, " ? (void)(yoke_l_to", k, "[*yoke_l_at", k, "] = (", type(k),
                          ")(value)) : (void)0, (void)++*yoke_l_at", k, ")\n")
                   : text("#define append_", lists[k], "(value) ((void)(value), ++*yoke_l_at", k, ")\n");
    });
    out +=
        text("void yoke_l_lists", fills ? 1 : 0, "(", given.declared, for_each_list([&](std::size_t k) {
               return text(fills ? text("YOKE_GLOBAL ", type(k), "* yoke_l_to", k, ", yoke_int64 yoke_l_end", k, ", ")
                                 : std::string(),
                           "YOKE_PRIVATE yoke_int64* yoke_l_at", k, ", ");
             }),
             "yoke_int64 i) {\n#line 1\n", of.body, ";\n}\n");
  }
  for (const bool fills : {false, true}) {
    out += text(
        "YOKE_KERNEL ", fills ? "yoke_l_fill(" : "yoke_l_count(", given.numbered, for_each_list([&](std::size_t k) {
          return text("YOKE_GLOBAL ", fills ? "const " : "", "yoke_int64* yoke_l_starts", k, ", ");
        }),
        fills ? for_each_list([&](std::size_t k) { return text("YOKE_GLOBAL ", type(k), "* yoke_l_to", k, ", "); })
              : std::string(),
        "yoke_int64 yoke_l_count) {\n"
        "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < yoke_l_count; i += (yoke_int64)get_global_size(0)) "
        "{\n",
        for_each_list([&](std::size_t k) {
          return text("    yoke_int64 yoke_l_at", k, " = ", fills ? text("yoke_l_starts", k, "[i]") : std::string("0"),
                      ";\n");
        }),
        "    yoke_l_lists", fills ? 1 : 0, "(", given.passed, for_each_list([&](std::size_t k) {
          return text(fills ? text("yoke_l_to", k, ", yoke_l_starts", k, "[i + 1], ") : std::string(), "&yoke_l_at", k,
                      ", ");
        }),
        "i);\n", fills ? std::string() : for_each_list([&](std::size_t k) {
          return text("    yoke_l_starts", k, "[i] = yoke_l_at", k, ";\n");
        }),
        "  }\n");
    if (!fills) {
      out += text("  if (get_global_id(0) == 0) {\n",
                  for_each_list([&](std::size_t k) { return text("    yoke_l_starts", k, "[yoke_l_count] = 0;\n"); }),
                  "  }\n");
    }
    out += "}\n";
  }
  return out;
}

YOKE_COLD std::string starts_source(const value_type_name& key) {
  // Keys beyond what 64 bits of a sign hold are behind all.
  const bool is_large = key.kind == value_kind::uint64;
  return text(
      "YOKE_KERNEL yoke_l_starts(YOKE_GLOBAL yoke_int64* starts, YOKE_GLOBAL const ", kind_name(key),
      "* keys, yoke_int64 size, yoke_int64 count) {\n"
      "  for (yoke_int64 key = (yoke_int64)get_global_id(0); key <= count; key += (yoke_int64)get_global_size(0)) {\n"
      "    yoke_int64 first = 0, last = size;\n    while (first < last) {\n"
      "      yoke_int64 middle = first + (last - first) / 2;\n      if (",
      is_large ? "keys[middle] < (yoke_uint64)key" : "(yoke_int64)keys[middle] < key",
      ") first = middle + 1; else last = middle;\n    }\n    starts[key] = first;\n  }\n}\n");
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
