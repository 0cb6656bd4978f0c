// SPDX-License-Identifier: MIT
// Bodies of algorithm/index_source.hpp.
#ifndef YOKE_ALGORITHM_INDEX_SOURCE_IPP
#define YOKE_ALGORITHM_INDEX_SOURCE_IPP

#include <yoke/algorithm/index_source.hpp>
#include <yoke/algorithm/sort_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/geometry/geometry_error.hpp>

#include <cmath>
#include <cstdio>
#include <limits>

namespace yoke::inline v0_1::detail {

void throw_nothing_to_take(std::int64_t count, const source_location& where) {
  throw_error(errc::out_of_range, where, "there are ", count, " indices, and no element to take");
}
void throw_put_shapes(const const_axes& values, const const_axes& places, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the values have shape ", shape_text(values.extents, values.rank),
              ", the places they go to ", shape_text(places.extents, places.rank));
}
void throw_index(const std::string& index, std::int64_t extent, const source_location& where) {
  throw_error(errc::out_of_range, where, "index ", index, " is not in [", -extent, ", ", extent, ")");
}
void throw_index_extent(std::int64_t extent, const source_location& where) {
  throw_error(errc::out_of_range, where, "extent = ", extent, " is below 0");
}
std::int64_t checked_bins(std::int64_t bins, std::int64_t least, const source_location& where) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  if (bins < least || bins > most) {
    throw_error(errc::out_of_range, where, "bins = ", bins, " is not in [", least, ", ", most, "]");
  }
  return bins;
}
std::int64_t checked_edges(std::int64_t edges, const source_location& where) {
  if (edges < 2) throw_error(errc::invalid_argument, where, "a histogram has at least 2 edges: these are ", edges);
  return checked_bins(edges - 1, 1, where);
}
void throw_edges(std::int64_t first, const source_location& where) {
  throw_error(errc::invalid_argument, where, "the edges of a histogram ascend: edge ", first + 1, " is below edge ",
              first, ", or one of them is NaN");
}
void check_histogram_range(double low, double high, bool in_float, const source_location& where) {
  constexpr double most = (std::numeric_limits<float>::max)();
  if (!in_float) {
    if (std::isfinite(low) && std::isfinite(high) && low < high && std::isfinite(high - low)) return;
  } else if (std::abs(low) <= most && std::abs(high) <= most) {
    const auto from = static_cast<float>(low);
    const auto to = static_cast<float>(high);
    if (from < to && std::isfinite(to - from)) return;
  }
  char range[64];
  const int size = std::snprintf(range, sizeof range, "%.9g to %.9g", low, high);
  throw_error(errc::invalid_argument, where, "a histogram from ",
              std::string_view(range, static_cast<std::size_t>(size)),
              " has no bins: both and their distance have to be finite, the first below the second, in ",
              in_float ? "float" : "double");
}

std::string take_source(const take_form& form) {
  const char* const word = word_of_bytes(form.word);
  const bool is_large = form.index.kind == value_kind::uint64;
  std::string out =
      text("YOKE_KERNEL yoke_i_take(YOKE_GLOBAL ", word, "* to, YOKE_GLOBAL const ", word, "* from, YOKE_GLOBAL const ",
           kind_name(form.index),
           "* index, yoke_int64 to_first, yoke_int64 from_first, yoke_int64 index_first, yoke_int64 extent, yoke_int64 "
           "count, yoke_int64 words, yoke_int64 total) {\n"
           "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {\n"
           "    yoke_int64 element = ",
           form.one_word ? "i" : "i / words", ";\n    yoke_int64 own = ", form.one_row ? "element" : "element % count",
           ";\n    ", is_large ? "yoke_uint64" : "yoke_int64", " given = (", is_large ? "yoke_uint64" : "yoke_int64",
           ")index[index_first + own];\n");
  out += is_large ? "    yoke_int64 at = given > (yoke_uint64)extent ? extent : (yoke_int64)given;\n"
                  : "    yoke_int64 at = given < 0 ? given + extent : given;\n";
  out += form.puts ? "    if (at < 0 || at >= extent) continue;\n"
                   : "    at = at < 0 ? 0 : at >= extent ? extent - 1 : at;\n";
  const std::string place =
      text(form.one_row ? "at" : "(element / count * extent + at)", form.one_word ? "" : " * words + i % words");
  return out +
         (form.puts ? text("    to[to_first + ", place, "] = from[from_first + i];\n")
                    : text("    to[to_first + i] = from[from_first + ", place, "];\n")) +
         "  }\n}\n";
}

std::string bound_source(const value_type_name& type, bool behind) {
  // What is no number is behind all numbers.
  const bool has_nan = type.kind >= value_kind::float32 && type.kind <= value_kind::bfloat16;
  const char* const name = value_name(type);
  return text(
      "int yoke_i_less(", name, " a, ", name, " b) {\n  return a < b", has_nan ? " || (a == a && b != b)" : "",
      ";\n}\nYOKE_KERNEL yoke_i_bound(YOKE_GLOBAL yoke_int64* to, YOKE_GLOBAL const ", kind_name(type),
      "* from, YOKE_GLOBAL const ", kind_name(type),
      "* value, yoke_int64 from_first, yoke_int64 value_first, yoke_int64 size, yoke_int64 total) {\n"
      "  from += from_first;\n  value += value_first;\n"
      "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {\n    ",
      name, " wanted = ", load_text(type, "value", "i"),
      ";\n    yoke_int64 first = 0, last = size;\n    while (first < last) {\n"
      "      yoke_int64 middle = first + (last - first) / 2;\n      ",
      name, " there = ", load_text(type, "from", "middle"), ";\n      if (",
      behind ? "!yoke_i_less(wanted, there)" : "yoke_i_less(there, wanted)",
      ") first = middle + 1; else last = middle;\n    }\n    to[i] = first;\n  }\n}\n");
}

std::string count_source(const value_type_name& type, bool local) {
  const char* const wide = type.kind == value_kind::uint64 ? "yoke_uint64" : "yoke_int64";
  const std::string own = local ? text("  YOKE_LOCAL uint mine[", most_local_bins,
                                       "];\n  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += "
                                       "(uint)get_local_size(0)) mine[k] = 0;\n  YOKE_BARRIER_LOCAL();\n")
                                : std::string();
  return text(
      "YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_i_count(YOKE_GLOBAL uint* counts, YOKE_GLOBAL const ",
      kind_name(type), "* value, yoke_int64 value_first, yoke_int64 total, yoke_int64 bins) {\n", own,
      "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {\n    ",
      wide, " at = (", wide, ")value[value_first + i];\n    if (", type.kind == value_kind::uint64 ? "" : "at >= 0 && ",
      "at < (", wide, ")bins) yoke_atomic_add(", local ? "mine" : "counts", " + at, 1u);\n  }\n",
      local ? "  YOKE_BARRIER_LOCAL();\n  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += "
              "(uint)get_local_size(0)) {\n    if (mine[k] != 0) yoke_atomic_add(counts + k, mine[k]);\n  }\n"
            : "",
      "}\n");
}

std::string reduce_lists_source(const value_type_name& from, const value_type_name& accumulator, const char* join,
                                const char* neutral) {
  const named_value value{"value", from.kind};
  const named_value joined{"part[here].f", accumulator.kind};
  return scan_types_text(accumulator, join, neutral, false) +
         text("YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_i_reduce(YOKE_GLOBAL ", kind_name(accumulator),
              "* to, YOKE_GLOBAL const ", kind_name(from),
              "* from, YOKE_GLOBAL const yoke_int64* starts, yoke_int64 count, yoke_int64 lanes, yoke_int64 size) {\n"
              "  YOKE_LOCAL yoke_x_part part[256];\n"
              "  uint here = (uint)get_local_id(0), lane = here % (uint)lanes;\n  yoke_int64 own = 256 / lanes;\n"
              "  for (yoke_int64 first = (yoke_int64)get_group_id(0) * own; first < count; first += "
              "(yoke_int64)get_num_groups(0) * own) {\n"
              "    yoke_int64 list = first + here / (uint)lanes;\n    yoke_x_part joined = yoke_x_neutral();\n"
              "    if (list < count) {\n      yoke_int64 begin = starts[list], end = starts[list + 1];\n"
              "      if (begin < 0) begin = 0;\n      if (end > size) end = size;\n"
              // As in reductions: an unrolled loop of the greatest of negated integers would lose a minus.
              "#pragma unroll 1\n"
              "      for (yoke_int64 i = begin + lane; i < end; i += lanes) {\n        ",
              value_name(from), " value = ", load_text(from, "from", "i"),
              ";\n        yoke_x_part next;\n"
              "        next.f = ",
              converted_text(accumulator.kind, value),
              ";\n        joined = yoke_x_join(joined, next);\n      }\n    }\n    part[here] = joined;\n"
              "#pragma unroll 1\n"
              "    for (uint apart = (uint)lanes / 2; apart > 0; apart /= 2) {\n      YOKE_BARRIER_LOCAL();\n"
              "      if (lane < apart) part[here] = yoke_x_join(part[here], part[here + apart]);\n    }\n"
              "    if (lane == 0 && list < count) {\n",
              store_text(accumulator, joined, "to", "list"), "    }\n    YOKE_BARRIER_LOCAL();\n  }\n}\n");
}

}  // namespace yoke::inline v0_1::detail

#endif
