// SPDX-License-Identifier: MIT
// The texts of lists.
#ifndef YOKE_ALGORITHM_LIST_SOURCE_IPP
#define YOKE_ALGORITHM_LIST_SOURCE_IPP

#include <yoke/algorithm/list_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>

namespace yoke::inline v0_1::detail {

void throw_list_count(std::int64_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "count = ", count, " of lists is not between 0 and 2^62");
}

std::string list_builder_source(std::span<const elementwise_parameter> parameters,
                                std::span<const std::string_view> names, std::span<const list_name> lists,
                                const list_text& of, const source_location& where) {
  const given_parameters given = given_parameters_of("a list builder", parameters, names, where);
  check_text("body", "a list builder", of.body, where);
  std::string out = of.preamble + "\n" + given.types;
  const auto for_each_list = [&](const auto& piece) {
    std::string made;
    for (std::size_t k = 0; k < lists.size(); ++k) made += piece(k);
    return made;
  };
  const auto for_counted = [&](const auto& piece) {
    return for_each_list([&](std::size_t k) { return lists[k].counted_by == k ? piece(k) : std::string(); });
  };
  const auto type = [&](std::size_t k) { return text("yoke_x_type", parameters.size() + k); };
  // The same statements twice, with another meaning of appending.
  out += for_each_list([&](std::size_t k) {
    return text("#define append_", lists[k].name,
                lists[k].counted_by == k ? text("(value) ((void)(value), ++*yoke_l_at", k, ")\n")
                                         : std::string("(value) ((void)(value))\n"));
  });
  out += text("void yoke_l_lists0(", given.declared,
              for_counted([&](std::size_t k) { return text("YOKE_PRIVATE yoke_int64* yoke_l_at", k, ", "); }),
              "yoke_int64 i) {\n#line 1\n", of.body, ";\n}\n");
  out += for_each_list([&](std::size_t k) {
    return text("#undef append_", lists[k].name, "\n#define append_", lists[k].name, "(value) (*yoke_l_at", k,
                " < yoke_l_end", k, " ? (void)(yoke_l_to", k, "[*yoke_l_at", k, "] = (", type(k),
                ")(value)) : (void)0, (void)++*yoke_l_at", k, ")\n");
  });
  out += text("void yoke_l_lists1(", given.declared, for_each_list([&](std::size_t k) {
                return text("YOKE_GLOBAL ", type(k), "* yoke_l_to", k, ", yoke_int64 yoke_l_end", k,
                            ", YOKE_PRIVATE yoke_int64* yoke_l_at", k, ", ");
              }),
              "yoke_int64 i) {\n#line 1\n", of.body, ";\n}\n");
  const char* const loop =
      "yoke_int64 yoke_l_count) {\n"
      "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < yoke_l_count; i += (yoke_int64)get_global_size(0)) {\n";
  out += text(
      "YOKE_KERNEL yoke_l_count(", given.numbered,
      for_counted([&](std::size_t k) { return text("YOKE_GLOBAL yoke_int64* yoke_l_starts", k, ", "); }), loop,
      for_counted([&](std::size_t k) { return text("    yoke_int64 yoke_l_at", k, " = 0;\n"); }), "    yoke_l_lists0(",
      given.passed, for_counted([&](std::size_t k) { return text("&yoke_l_at", k, ", "); }), "i);\n",
      for_counted([&](std::size_t k) { return text("    yoke_l_starts", k, "[i] = yoke_l_at", k, ";\n"); }),
      "  }\n  if (get_global_id(0) == 0) {\n",
      for_counted([&](std::size_t k) { return text("    yoke_l_starts", k, "[yoke_l_count] = 0;\n"); }), "  }\n}\n");
  out += text("YOKE_KERNEL yoke_l_fill(", given.numbered,
              for_counted([&](std::size_t k) { return text("YOKE_GLOBAL const yoke_int64* yoke_l_starts", k, ", "); }),
              for_each_list([&](std::size_t k) { return text("YOKE_GLOBAL ", type(k), "* yoke_l_to", k, ", "); }), loop,
              for_each_list([&](std::size_t k) {
                return text("    yoke_int64 yoke_l_at", k, " = yoke_l_starts", lists[k].counted_by, "[i];\n");
              }),
              "    yoke_l_lists1(", given.passed, for_each_list([&](std::size_t k) {
                return text("yoke_l_to", k, ", yoke_l_starts", lists[k].counted_by, "[i + 1], &yoke_l_at", k, ", ");
              }),
              "i);\n  }\n}\n");
  return out;
}

std::string starts_source(const value_type_name& key) {
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

}  // namespace yoke::inline v0_1::detail

#endif
