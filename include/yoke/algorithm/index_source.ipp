// SPDX-License-Identifier: MIT
// Bodies of algorithm/index_source.hpp.
#ifndef YOKE_ALGORITHM_INDEX_SOURCE_IPP
#define YOKE_ALGORITHM_INDEX_SOURCE_IPP

#include <yoke/algorithm/index_source.hpp>
#include <yoke/algorithm/sort_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/geometry/geometry_error.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view take_text =
#include <yoke/kernels/index/take.ipp>
    ;
inline constexpr std::string_view multi_take_text =
#include <yoke/kernels/index/multi_take.ipp>
    ;
inline constexpr std::string_view concatenate_text =
#include <yoke/kernels/index/concatenate.ipp>
    ;
inline constexpr std::string_view bound_text =
#include <yoke/kernels/index/bound.ipp>
    ;
inline constexpr std::string_view count_text =
#include <yoke/kernels/index/count.ipp>
    ;
inline constexpr std::string_view reduce_lists_text =
#include <yoke/kernels/list/reduce_lists.ipp>
    ;
// clang-format on

void check_joined(const std::size_t* first, const std::size_t* next, std::size_t rank, std::size_t along,
                  const source_location& where) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (axis == along || first[axis] == next[axis]) continue;
    const std::string shapes = text("cannot join ", shape_text(first, rank), " with ", shape_text(next, rank));
    if (along == rank) throw_error(errc::size_mismatch, text(shapes, " along a new axis: axis ", axis), where);
    throw_error(errc::size_mismatch, text(shapes, " along axis ", along, ": axis ", axis), where);
  }
}
void throw_nothing_to_join(const source_location& where) {
  throw_error(errc::invalid_argument, "the range has no arrays to join", where);
}
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

/// Whether numbers have 64 bits and no sign.
constexpr bool is_large(const value_type_name& type) noexcept { return type.kind == value_kind::uint64; }

std::string take_source(const take_form& form) {
  return with_macros({{"YOKE_TAKE_WORD", word_of_bytes(form.word)},
                      {"YOKE_TAKE_INDEX", kind_name(form.index)},
                      {"YOKE_TAKE_LARGE", is_large(form.index)},
                      {"YOKE_TAKE_PUTS", form.puts},
                      {"YOKE_TAKE_ONE_ROW", form.one_row},
                      {"YOKE_TAKE_ONE_WORD", form.one_word}},
                     take_text);
}

std::string multi_take_source(const multi_take_form& form) {
  std::string arrays;
  std::string moves;
  for (std::size_t k = 0; k < form.arrays; ++k) {
    const std::string_view word = word_of_bytes(form.words[k]);
    arrays += text(k == 0 ? "" : ", ", "YOKE_GLOBAL ", word, "* to", k, ", YOKE_GLOBAL const ", word, "* from", k,
                   ", yoke_int64 to_first", k, ", yoke_int64 from_first", k, ", yoke_int64 extent", k,
                   ", yoke_int64 words", k);
    moves += text(form.puts ? "YOKE_MULTI_PUT" : "YOKE_MULTI_TAKE", "(to", k, ", from", k, ", to_first", k,
                  ", from_first", k, ", extent", k, ", words", k, ")\n");
  }
  return with_macros({{"YOKE_MULTI_INDEX", kind_name(form.index)},
                      {"YOKE_MULTI_LARGE", is_large(form.index)},
                      {"YOKE_MULTI_ARRAYS", arrays},
                      {"YOKE_MULTI_MOVES", moves}},
                     multi_take_text);
}

std::string concatenate_source(const concatenate_form& form) {
  const std::string_view word = word_of_bytes(form.word);
  std::string sources;
  std::string load = "(";
  std::string begin = "0";
  for (std::size_t k = 0; k < form.sources; ++k) {
    const std::string end = text("end", k);
    sources += text(k == 0 ? "" : ", ", "YOKE_GLOBAL const ", word, "* from", k, ", yoke_int64 first", k,
                    ", yoke_int64 ", end);
    if (k + 1 < form.sources) load += text("place < ", end, " ? ");
    load += text("from", k, "[first", k, " + line * (", end, " - ", begin, ") + place - ", begin, "]");
    load += k + 1 < form.sources ? " : " : ")";
    begin = end;
  }
  return with_macros({{"YOKE_PARTS_WORD", word},
                      {"YOKE_PARTS_SOURCES", sources},
                      {"YOKE_PARTS_LOAD", load},
                      {"YOKE_PARTS_ONE_ROW", form.one_row},
                      {"YOKE_PARTS_INDEX", form.wide ? "yoke_int64" : "uint"}},
                     concatenate_text);
}

std::string bound_source(const value_type_name& type, bool behind) {
  return with_macros({{"YOKE_BOUND_ELEMENT", kind_name(type)},
                      {"YOKE_BOUND_NUMBER", value_name(type)},
                      {"YOKE_BOUND_LOAD(from, at)", text("(", load_text(type, "from", "at"), ")")},
                      {"YOKE_BOUND_REAL", type.kind >= value_kind::float32 && type.kind <= value_kind::bfloat16},
                      {"YOKE_BOUND_BEHIND", behind}},
                     bound_text);
}

std::string count_source(const count_form& form) {
  const expression_form& values = form.values;
  std::vector<placed_operand> at;
  std::string offsets;
  std::string load;
  for (std::size_t k = 0; k < values.inputs; ++k) {
    if (values.slots[k] != k) continue;
    offsets += text("  p", k, " += steps.offsets[", k, "];\n");
    if (form.linear) continue;
    at.push_back({text("at", k), k});
    load += text("    YOKE_X_PLACE at", k, " = 0;\n");
  }
  if (!form.linear) places_text(load, form.rank, "i", "extents", "strides", at);
  loads_text(load, values, form.linear ? "i" : nullptr, form.linear);
  const named_value number = values_text(load, values).back();
  const bool large = number.kind == value_kind::uint64;
  load += text(large ? "    yoke_uint64" : "    yoke_int64",
               " number = ", converted_text(large ? value_kind::uint64 : value_kind::int64, number), ";\n");
  return reduction_steps_text(values.inputs, values.wide) + functions_text(values) +
         with_macros({{"YOKE_COUNT_PARAMETERS", inputs_text(values)},
                      {"YOKE_COUNT_OFFSETS", offsets},
                      {"YOKE_COUNT_LOAD", load},
                      {"YOKE_COUNT_LARGE", large},
                      {"YOKE_COUNT_BATCH", form.batch},
                      {"YOKE_COUNT_LOCAL_BINS", form.local ? most_local_bins : 0}},
                     count_text);
}

std::string reduce_lists_source(const value_type_name& from, const value_type_name& accumulator, const char* join,
                                const char* neutral) {
  return scan_types_text(accumulator, join, neutral, false) +
         with_macros(
             {{"YOKE_JOIN_FROM", kind_name(from)},
              {"YOKE_JOIN_NUMBER", value_name(from)},
              {"YOKE_JOIN_TO", kind_name(accumulator)},
              {"YOKE_JOIN_LOAD(from, at)", text("(", load_text(from, "from", "at"), ")")},
              {"YOKE_JOIN_CONVERT(value)", converted_text(accumulator.kind, {"value", from.kind})},
              {"YOKE_JOIN_STORE(value, to, at)", store_text(accumulator, {"value", accumulator.kind}, "to", "at")}},
             reduce_lists_text);
}

}  // namespace yoke::inline v0_1::detail

#endif
