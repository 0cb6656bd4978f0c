// SPDX-License-Identifier: MIT
// Body of array/reduction/row_source.hpp.
#ifndef YOKE_ARRAY_REDUCTION_ROW_SOURCE_IPP
#define YOKE_ARRAY_REDUCTION_ROW_SOURCE_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/reduction/row_source.hpp>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view text_of_row_begin =
#include <yoke/kernels/reduction/row_begin.ipp>
    ;
inline constexpr std::string_view text_of_row_staged =
#include <yoke/kernels/reduction/row_staged.ipp>
    ;
inline constexpr std::string_view text_of_row_stage =
#include <yoke/kernels/reduction/row_stage.ipp>
    ;
inline constexpr std::string_view text_of_row_end =
#include <yoke/kernels/reduction/row_end.ipp>
    ;
// clang-format on

/// Writes the expressions of a kernel of rows, one after the other.
class row_expressions {
 public:
  row_expressions(const row_task& what, const row_form& form) noexcept : what_(what), form_(form) {}

  /// Effects: writes the statements that calculate the next expression for element `i`, of the steps from `first` to
  /// `end`, and to `fixed` those that are the same for all elements of a row. Returns: its value.
  named_value next_text(std::string& to, std::string& fixed, std::size_t first, std::size_t end) {
    const expression_form part{.steps = what_.steps.subspan(first, end - first),
                               .slots = form_.slots + inputs_,
                               .scalars_before = scalars_,
                               .functions_before = functions_};
    std::vector<placed_operand> at;
    std::string loads;
    std::uint32_t seen = 0;
    for (const expression_step& each : part.steps) {
      if (each.what == expression_step::form::scalar) ++scalars_;
      if (each.what == expression_step::form::operation) ++functions_;
      if (each.what != expression_step::form::input) continue;
      const std::size_t slot = form_.slots[inputs_++];
      if ((seen >> slot & 1U) != 0) continue;
      seen |= 1U << slot;
      loads += text("    ", value_name(each.type), " x", slot, " = ", element(slot, each.type, at), ";\n");
    }
    places_of(to, at);
    to += loads;
    return values_text(to, part, &fixed).back();
  }
  /// Returns: the statements that copy element `i` of a row to local memory.
  [[nodiscard]] std::string copied_text(std::size_t slot, const value_type_name& type) const {
    std::string out = "    {\n";
    places_of(out, std::vector<placed_operand>{{text("at", slot), slot}});
    return out + text("    ", kept_element(slot), " = ", load_text(type, text("p", slot), text("at", slot), true),
                      ";\n    }\n");
  }
  /// Returns: the statements that read a thread's elements of a long row.
  [[nodiscard]] std::string staged_text(std::size_t slot, const value_type_name& type) const {
    std::vector<placed_operand> at;
    const std::string next = text("    next = ", in_memory(slot, type, at, true), ";\n");
    std::string load;
    places_of(load, at);
    load += next;
    return with_macros({{"YOKE_ROW_LANES", row_lanes},
                        {"YOKE_ROW_ITEMS", form_.items},
                        {"YOKE_ROW_FLAT", form_.flat},
                        {"YOKE_ROW_TYPE", value_name(type)},
                        {"YOKE_ROW_LOAD", load},
                        {"YOKE_ROW_STAGE", text("staged", slot)}},
                       text_of_row_staged);
  }
  /// Returns: the place of an element behind the first one of a thread, in flat rows.
  [[nodiscard]] static std::string flat_place() { return text("(item * ", row_lanes, "u)"); }
  /// Effects: writes the statements that calculate the places of operands at element `i`.
  void places_of(std::string& to, const std::vector<placed_operand>& at) const {
    for (const placed_operand& each : at)
      to += text("    YOKE_X_PLACE ", each.variable, " = from", each.operand, ";\n");
    if (!at.empty()) places_text(to, form_.rank, "i", "extents", "strides", at);
  }

 private:
  [[nodiscard]] std::string kept_element(std::size_t slot) const {
    if (form_.way == row_way::together) return text("staged", slot, "[item]");
    return text("staged", slot, "[column * ", form_.row, " + (uint)i]");
  }
  [[nodiscard]] std::string element(std::size_t slot, const value_type_name& type,
                                    std::vector<placed_operand>& at) const {
    return (form_.staged >> slot & 1U) != 0 ? kept_element(slot) : in_memory(slot, type, at, false);
  }
  [[nodiscard]] std::string in_memory(std::size_t slot, const value_type_name& type, std::vector<placed_operand>& at,
                                      bool once) const {
    if (form_.flat) return load_text(type, text("q", slot), flat_place(), once);
    at.push_back({text("at", slot), slot});
    return load_text(type, text("p", slot), text("at", slot), once);
  }

  const row_task& what_;
  const row_form& form_;
  std::size_t inputs_ = 0;
  std::size_t scalars_ = 0;
  std::size_t functions_ = 0;
};

std::string row_source(const row_task& what, const row_form& form) {
  std::vector<reduction_field> fields;
  for (const row_stage& each : what.stages) fields.push_back(each.field);
  const expression_form all{.steps = what.steps, .slots = form.slots, .inputs = form.inputs};
  std::string out =
      reduction_steps_text(form.inputs + 1, form.wide) + reduction_parts_text(fields) + functions_text(all);

  row_expressions expressions(what, form);
  const bool alone = form.way != row_way::together;
  const bool shared = form.way == row_way::shared;
  const std::uint32_t lanes = form.count == 0 ? row_lanes : 1;
  const auto chain = (std::min)(form.warps, static_cast<std::uint32_t>(reduction_tile / row_lanes / reduction_piece));
  const std::string count = form.count == 0 ? "steps.count" : std::to_string(form.count);
  std::string locals;
  std::string offsets;
  std::string places;
  std::string copied;
  const auto place = [&](std::size_t operand, const std::string& pointer, const std::string& type) {
    offsets += text("  ", pointer, " += steps.offsets[", operand, "];\n");
    places += text("    YOKE_X_PLACE from", operand, " = 0;\n    (void)from", operand, ";\n");
    places_text(places, form.result_rank, "result", "result_extents", "result_strides",
                std::vector<placed_operand>{{text("from", operand), operand}});
    if (!form.flat) return;
    places += text("    ", type, "* q", operand, " = ", pointer, " + (from", operand,
                   " + (YOKE_X_PLACE)begin);\n    (void)q", operand, ";\n");
  };
  for_each_input(all, [&](std::size_t k, const value_type_name& type) {
    place(k, text("p", k), text("YOKE_GLOBAL const ", kind_name(type)));
    if ((form.staged >> k & 1U) == 0) return;
    if (shared) locals += text("  YOKE_LOCAL ", value_name(type), " staged", k, "[", form.rows * form.row, "];\n");
    copied += shared ? expressions.copied_text(k, type) : expressions.staged_text(k, type);
  });
  place(form.inputs, "to", text("YOKE_GLOBAL ", kind_name(what.to)));
  std::string stages;
  std::string keep;
  std::string take;
  for (std::size_t k = 0; k < what.stages.size(); ++k) {
    const row_stage& each = what.stages[k];
    std::string load;
    std::string fixed;
    next_text(load, each.field, k, expressions.next_text(load, fixed, each.first, each.end));
    const std::string type = value_name(each.field.to);
    if (form.same[k] != k) {
      const std::string again = text("  ", type, " r", k, " = r", form.same[k], ";\n  (void)r", k, ";\n");
      stages += again;
      take += again;
      continue;
    }
    if (!alone) {
      const std::size_t parts = std::size_t{form.rows} * form.warps * (row_lanes + 1);
      locals += text("  YOKE_LOCAL ", part_name(each.field), " parts", k, "[", parts, "];\n");
    }
    if (shared && !form.one) {
      locals += text("  YOKE_LOCAL ", type, " kept", k, "[", form.rows, "];\n");
      keep += text("    kept", k, "[column] = r", k, ";\n");
      take += text("    ", type, " r", k, " = kept", k, "[column];\n");
    }
    std::string make;
    const bool is_square = each.field.by == reduction_kind::mean_square;
    const named_value made = result_text(make, each.field, k, is_square ? "steps.elements" : "steps.count");
    const bool is_truth = each.field.to.kind == value_kind::boolean;
    make += text("    r", k, " = ", is_truth ? truth_text(made) + " != 0" : converted_text(each.field.to.kind, made),
                 ";\n");
    stages += with_macros({{"YOKE_ROW_ALONE", alone},
                           {"YOKE_ROW_TILE", reduction_tile},
                           {"YOKE_ROW_LANES", lanes},
                           {"YOKE_ROW_COUNT", count},
                           {"YOKE_ROW_WARPS", form.warps},
                           {"YOKE_ROW_ITEMS", form.items},
                           {"YOKE_ROW_CHAIN", chain},
                           {"YOKE_ROW_PIECE", reduction_piece},
                           {"YOKE_ROW_TYPE", part_name(each.field)},
                           {"YOKE_ROW_JOIN", text("yoke_x_join", k)},
                           {"YOKE_ROW_FIELD", text("f", k)},
                           {"YOKE_ROW_PARTS", text("parts", k)},
                           {"YOKE_ROW_FLAT", form.flat},
                           {"YOKE_ROW_FIXED", fixed},
                           {"YOKE_ROW_LOAD", load},
                           {"YOKE_ROW_RESULT", text(type, " r", k, ";")},
                           {"YOKE_ROW_MAKE", make}},
                          text_of_row_stage);
  }
  std::string store;
  std::string fixed;
  const std::size_t last = what.stages.empty() ? 0 : what.stages.back().end;
  const named_value value = expressions.next_text(store, fixed, last, what.steps.size());
  if (form.flat && !form.one) {
    store += store_text(what.to, value, text("q", form.inputs), row_expressions::flat_place());
  } else {
    expressions.places_of(store, std::vector<placed_operand>{{text("at", form.inputs), form.inputs}});
    store += store_text(what.to, value, "to", text("at", form.inputs));
  }
  out += with_macros({{"YOKE_ROW_PARAMETERS", text("YOKE_GLOBAL ", kind_name(what.to), "* to, ", inputs_text(all))},
                      {"YOKE_ROW_ALONE", alone},
                      {"YOKE_ROW_SHARED", shared},
                      {"YOKE_ROW_LANES", lanes},
                      {"YOKE_ROW_WARPS", form.warps},
                      {"YOKE_ROW_ITEMS", form.items},
                      {"YOKE_ROW_FLAT", form.flat},
                      {"YOKE_ROW_RESULTS", form.rows},
                      {"YOKE_ROW_BLOCK", form.block()},
                      {"YOKE_ROW_COUNT", count},
                      {"YOKE_ROW_LOCALS", locals},
                      {"YOKE_ROW_OFFSETS", offsets},
                      {"YOKE_ROW_PLACES", places},
                      {"YOKE_ROW_COPY", shared ? copied : std::string()}},
                     text_of_row_begin);
  if (!shared) out += copied;
  out += stages;
  out += with_macros({{"YOKE_ROW_ALONE", alone},
                      {"YOKE_ROW_SHARED", shared},
                      {"YOKE_ROW_LANES", lanes},
                      {"YOKE_ROW_ITEMS", form.items},
                      {"YOKE_ROW_BLOCK", form.block()},
                      {"YOKE_ROW_COUNT", count},
                      {"YOKE_ROW_PLACES", places},
                      {"YOKE_ROW_ONE", form.one},
                      {"YOKE_ROW_FLAT", form.flat},
                      {"YOKE_ROW_FIXED", fixed},
                      {"YOKE_ROW_KEEP", keep},
                      {"YOKE_ROW_TAKE", take},
                      {"YOKE_ROW_STORE", store}},
                     text_of_row_end);
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
