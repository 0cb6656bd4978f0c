// SPDX-License-Identifier: MIT
// Bodies of array/reduction/scan_source.hpp.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_SOURCE_IPP
#define YOKE_ARRAY_REDUCTION_SCAN_SOURCE_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/reduction/scan_source.hpp>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view text_of_scan_part =
#include <yoke/kernels/reduction/scan_part.ipp>
    ;
inline constexpr std::string_view text_of_look_back =
#include <yoke/kernels/reduction/look_back.ipp>
    ;
inline constexpr std::string_view text_of_scan_block =
#include <yoke/kernels/reduction/scan_block.ipp>
    ;
inline constexpr std::string_view text_of_scan_tiles =
#include <yoke/kernels/reduction/scan_tiles.ipp>
    ;
inline constexpr std::string_view text_of_scan =
#include <yoke/kernels/reduction/scan.ipp>
    ;
inline constexpr std::string_view text_of_scan_columns =
#include <yoke/kernels/reduction/scan_columns.ipp>
    ;
inline constexpr std::string_view text_of_scan_rows =
#include <yoke/kernels/reduction/scan_rows.ipp>
    ;
// clang-format on

bool may_unroll(value_type_name accumulator, std::string_view join, bool look_back) {
  const bool may_lose = accumulator.kind <= value_kind::uint32 || accumulator.kind == value_kind::structure;
  return look_back && !(may_lose && join.find('-') != std::string_view::npos);
}

inline bool may_look_back = true;
bool& look_back_allowed() noexcept { return may_look_back; }

std::string scan_types_text(value_type_name accumulator, const char* join, const char* neutral, bool segments) {
  const char* const type = value_name(accumulator);
  // The segment flag of a tile has 4 bytes; accumulators of 1 or 2 bytes are padded to the same size.
  return function_text(accumulator, "yoke_x_combine", text(type, " a, ", type, " b"), join) +
         neutral_text(accumulator, "yoke_x_begin", neutral) +
         with_macros({{"YOKE_SCAN_VALUE", type}, {"YOKE_SCAN_SEGMENTS", segments}}, text_of_scan_part);
}

std::string scan_kernels_text(const scan_parts& of) {
  const auto scan = [&](const char* name, bool to_parts) {
    return with_macros({{"YOKE_SCAN_NAME", name}, {"YOKE_SCAN_TO_PARTS", to_parts}}, text_of_scan);
  };
  const bool look_back = of.way == scan_way::look_back;
  std::string kernels;
  if (of.way == scan_way::columns) {
    kernels += text_of_scan_columns;
  } else {
    if (look_back) kernels += text_of_look_back;
    kernels += text_of_scan_block;
    if (!look_back) {
      kernels += scan("yoke_x_scan_parts", true);
      kernels += text_of_scan_tiles;
    }
    kernels += scan("yoke_x_scan", false);
    if (of.short_rows) kernels += text_of_scan_rows;
  }
  return with_macros({{"YOKE_SCAN_PART", of.part},
                      {"YOKE_SCAN_BLOCK", scan_block(of.part)},
                      {"YOKE_SCAN_ITEMS", of.items},
                      {"YOKE_SCAN_LOOK_BACK", look_back},
                      {"YOKE_SCAN_ONE_ROW", of.one_row},
                      {"YOKE_SCAN_PADDED", of.padded},
                      {"YOKE_SCAN_RESIDENT", look_back && of.part <= 4 && of.inputs == 1 && of.padded},
                      {"YOKE_SCAN_SEGMENTS", of.segments},
                      {"YOKE_SCAN_AGAIN", of.keeps == scan_keeps::nothing},
                      {"YOKE_SCAN_INCLUSIVE", of.keeps == scan_keeps::item},
                      {"YOKE_SCAN_ROLLED", of.rolled},
                      {"YOKE_SCAN_PARAMETERS", of.parameters},
                      {"YOKE_SCAN_PLACES", of.places},
                      {"YOKE_SCAN_LOAD", of.load},
                      {"YOKE_SCAN_STORE", of.store}},
                     kernels);
}

void scan_inputs_text(scan_parts& of, const scan_form& form) {
  of.inputs = form.values.inputs;
  of.segments = form.segments;
  of.way = form.way;
  of.one_row = form.result_rank == 0;
  of.padded = may_unroll(form.accumulator, form.join, form.way == scan_way::look_back);
  of.part = scan_part_bytes(form.accumulator.bytes, form.segments);
  of.items = scan_items(of.part);
  of.places = "  YOKE_X_PLACE from_to = 0;\n  (void)from_to;\n";
  std::vector<placed_operand> from{{"from_to", of.inputs}};
  std::vector<placed_operand> at;
  for (std::size_t k = 0; k < of.inputs; ++k) {
    if (form.values.slots[k] != k) continue;
    of.places += text("  p", k, " += steps.offsets[", k, "];\n");
    if (form.linear) continue;
    from.push_back({text("from", k), k});
    at.push_back({text("at", k), k});
    of.places += text("  YOKE_X_PLACE from", k, " = 0;\n");
    of.load += text("    YOKE_X_PLACE at", k, " = from", k, ";\n");
  }
  if (!form.linear) {
    places_text(of.places, form.result_rank, "result", "result_extents", "result_strides", from);
    places_text(of.load, form.rank, "i", "extents", "strides", at);
  }
  loads_text(of.load, form.values, form.linear ? "i" : nullptr, form.linear);
}

std::string scan_source(const scan_form& form) {
  scan_parts of;
  scan_inputs_text(of, form);
  of.parameters = text("YOKE_GLOBAL ", kind_name(form.accumulator), "* to, ", inputs_text(form.values));
  const std::vector<named_value> found = values_text(of.load, form.values);
  of.load += text("    next.f = ", converted_text(form.accumulator.kind, found[0]), ";\n");
  if (form.segments) of.load += text("    next.s = ", truth_text(found[1]), " != 0;\n");
  if (!form.linear) {
    of.store = "    YOKE_X_PLACE at_to = from_to;\n";
    const placed_operand to{"at_to", of.inputs};
    places_text(of.store, form.rank, "i", "extents", "strides", std::span(&to, 1));
  }
  of.keeps = form.inclusive ? scan_keeps::item : scan_keeps::prior;
  of.short_rows = form.result_rank != 0;
  // Unrolled, the greatest of negated integers would lose a minus sign, as in reductions.
  of.rolled = form.accumulator.kind <= value_kind::uint32 || form.accumulator.kind == value_kind::structure;
  const named_value kept{"kept.f", form.accumulator.kind};
  of.store += store_text(form.accumulator, kept, "to", form.linear ? "i" : "at_to", form.linear);
  std::string out = reduction_steps_text(of.inputs + 1, form.values.wide);
  out += scan_types_text(form.accumulator, form.join, form.neutral, form.segments);
  return out + functions_text(form.values) + scan_kernels_text(of);
}

}  // namespace yoke::inline v0_1::detail

#endif
