// SPDX-License-Identifier: MIT
// Writes the sources of the kernels that select elements.
#ifndef YOKE_ALGORITHM_SELECTION_SOURCE_IPP
#define YOKE_ALGORITHM_SELECTION_SOURCE_IPP

#include <yoke/algorithm/selection_source.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

void throw_selection_room(std::size_t room, std::size_t elements, bool all, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the selection has room for ", room, " elements, where ", elements,
              all ? " are parted: both parts need as many" : " may be selected");
}

// clang-format off
inline constexpr std::string_view selection_text =
#include <yoke/kernels/index/selection.ipp>
    ;
// clang-format on

/// Returns: the statements that load element `before_i` into `earlier`.
std::string earlier_text(const scan_form& form) {
  std::string out;
  std::vector<placed_operand> at;
  for (std::size_t k = 0; !form.linear && k < form.values.inputs; ++k) {
    if (form.values.slots[k] != k) continue;
    at.push_back({text("at", k), k});
    out += text("    YOKE_X_PLACE at", k, " = from", k, ";\n");
  }
  if (!form.linear) places_text(out, form.rank, "before_i", "extents", "strides", at);
  loads_text(out, form.values, form.linear ? "before_i" : nullptr);
  const std::vector<named_value> found = values_text(out, form.values);
  return out + text("    earlier = ", found[0].name, ";\n");
}

std::string selection_source(const scan_form& form, selection_kind kind, value_type_name to) {
  const bool changes = kind == selection_kind::changes;
  scan_parts of;
  scan_inputs_text(of, form);
  of.parameters =
      text("YOKE_GLOBAL ", kind_name(to), "* to, YOKE_GLOBAL yoke_int64* total, ", inputs_text(form.values));
  of.load = "    YOKE_SELECT_BEGIN\n" + of.load;
  const std::vector<named_value> found = values_text(of.load, form.values);
  of.load += "    YOKE_SELECT_COUNT\n";
  of.store = "    YOKE_SELECT_WRITE\n";
  named_value stored = found[0];
  if (kind == selection_kind::places) stored = {"i", form.values.wide ? value_kind::uint64 : value_kind::uint32};
  return text(reduction_steps_text(of.inputs + 1, form.values.wide),
              scan_types_text(form.accumulator, form.join, form.neutral, false), functions_text(form.values),
              with_macros({{"YOKE_SELECT_CHANGES", changes},
                           {"YOKE_SELECT_TYPE", value_name(form.values.steps.back().type)},
                           {"YOKE_SELECT_EARLIER", changes ? earlier_text(form) : std::string()},
                           {"YOKE_SELECT_VALUE", found[0].name},
                           {"YOKE_SELECT_MASK", truth_text(found.back())},
                           {"YOKE_SELECT_WHERE", kind != selection_kind::dropped},
                           {"YOKE_SELECT_PARTS", kind == selection_kind::parted},
                           {"YOKE_SELECT_PUT", store_text(to, stored, "to", "place")}},
                          text(selection_text, scan_kernels_text(of))));
}

}  // namespace yoke::inline v0_1::detail

#endif
