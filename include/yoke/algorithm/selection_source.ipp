// SPDX-License-Identifier: MIT
// The texts of selecting.
#ifndef YOKE_ALGORITHM_SELECTION_SOURCE_IPP
#define YOKE_ALGORITHM_SELECTION_SOURCE_IPP

#include <yoke/algorithm/selection_source.hpp>

namespace yoke::inline v0_1::detail {

void throw_selection_room(std::size_t room, std::size_t elements, bool all, const source_location& where) {
  throw_error(errc::size_mismatch, where, "the selection has room for ", room, " elements, where ", elements,
              all ? " are parted: both parts need as many" : " may be selected");
}

/// Returns: the statements that put element `i - 1` into `earlier`.
std::string earlier_text(const scan_form& form, const value_type_name& type) {
  std::string out = text("    ", value_name(type), " earlier = (", value_name(type),
                         ")0;\n    if (i > 0) {\n    YOKE_X_INDEX before_i = i - 1;\n");
  std::vector<placed_operand> at;
  if (!form.linear) {
    for (std::size_t k = 0; k < form.values.inputs; ++k) {
      if (form.values.slots[k] != k) continue;
      at.push_back({text("at", k), k});
      out += text("    YOKE_X_PLACE at", k, " = from", k, ";\n");
    }
    places_text(out, form.rank, "before_i", "extents", "strides", at);
  }
  loads_text(out, form.values, form.linear ? "before_i" : nullptr);
  const std::vector<named_value> found = values_text(out, form.values);
  return out + text("    earlier = ", found[0].name, ";\n    }\n");
}

std::string selection_source(const scan_form& form, selection_kind kind, value_type_name to) {
  scan_parts of;
  scan_inputs_text(of, form);
  of.parameters =
      text("YOKE_GLOBAL ", kind_name(to), "* to, YOKE_GLOBAL yoke_int64* total, ", inputs_text(form.values));
  if (kind == selection_kind::changes) of.load = earlier_text(form, form.values.steps.back().type) + of.load;
  const std::vector<named_value> found = values_text(of.load, form.values);
  const named_value& mask = found.back();
  if (kind == selection_kind::changes) {
    of.load += text("    next.f = i == 0 || !(", found[0].name, " == earlier) ? 1 : 0;\n");
  } else {
    of.load += text("    next.f = (", truth_text(mask), " != 0) == ", kind == selection_kind::dropped ? "0" : "1",
                    " ? 1 : 0;\n");
  }
  named_value stored = found[0];
  if (kind == selection_kind::places) stored = {"i", form.values.wide ? value_kind::uint64 : value_kind::uint32};
  of.store = kind == selection_kind::parted
                 ? text("    YOKE_X_INDEX place = (YOKE_X_INDEX)(next.f != 0 ? prior.f : every.f + (i - prior.f));\n",
                        "    {\n", store_text(to, stored, "to", "place"), "    }\n")
                 : text("    if (next.f != 0) {\n    YOKE_X_INDEX place = (YOKE_X_INDEX)prior.f;\n",
                        store_text(to, stored, "to", "place"), "    }\n");
  of.store += "    if ((yoke_int64)i + 1 == steps.count) total[0] = (yoke_int64)item.f;\n";
  std::string out = reduction_steps_text(of.inputs + 1, form.values.wide);
  out += scan_types_text(form.accumulator, form.join, form.neutral, false);
  return out + functions_text(form.values) + scan_kernels_text(of);
}

}  // namespace yoke::inline v0_1::detail

#endif
