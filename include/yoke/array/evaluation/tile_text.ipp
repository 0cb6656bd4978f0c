// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/expression_kernel.hpp: steps taken several at a time.
#ifndef YOKE_ARRAY_EVALUATION_TILE_TEXT_IPP
#define YOKE_ARRAY_EVALUATION_TILE_TEXT_IPP

#include <yoke/array/evaluation/expression_kernel.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: the beginning of a loop that the compiler unrolls.
std::string unrolled_text(const char* variable, std::size_t times) {
  return text("    YOKE_UNROLL(", times, ")\n    for (uint ", variable, " = 0; ", variable, " < ", times, "u; ++",
              variable, ") {\n");
}

std::string vectors_text(std::string& types, const expression_form& form, const evaluation_texts& of) {
  const std::size_t width = form.tiles.width;
  const std::size_t vectors = form.tiles.vectors;
  std::string aligned;
  const auto add_type = [&](const std::string& name, const value_type_name& type, const std::string& pointer) {
    types += "typedef struct ";
    if (width > 1) types += text("__attribute__((aligned(", width, " * sizeof(", kind_name(type), ")))) ");
    types += text("{ ", kind_name(type), " e[", width, "]; } ", name, ";\n");
    if (width > 1) aligned += text(" && (size_t)", pointer, " % sizeof(", name, ") == 0");
  };
  add_type("yoke_x_to", of.to, "to");
  std::string declared;
  std::string read;
  std::string taken;
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const std::string vector = text("yoke_x_from", k);
    add_type(vector, type, text("p", k));
    declared += text("    ", vector, " r", k, "[", vectors, "];\n");
    read += text("      r", k, "[j] = ((YOKE_GLOBAL const ", vector, "*)(p", k, " + first))[here + j * ",
                 expression_block, "u];\n");
    taken += text("      ", value_name(type), " x", k, " = ", load_text(type, text("r", k, "[j].e"), "k"), ";\n");
  });
  return text("  if (count - first >= ", form.tiles.steps(), "u", aligned, ") {\n", declared,
              unrolled_text("j", vectors), read, "    }\n", unrolled_text("j", vectors), "      yoke_x_to made;\n",
              unrolled_text("k", width), taken, store_text(of.to, {of.value, of.kind}, "made.e", "k"),
              "    }\n      ((YOKE_GLOBAL yoke_x_to*)(to + first))[here + j * ", expression_block,
              "u] = made;\n    }\n    return;\n  }\n");
}

std::string scattered_text(const expression_form& form, const evaluation_texts& of) {
  const std::size_t steps = form.tiles.vectors;
  std::string declared = text("    YOKE_X_PLACE to_at[", steps, "];\n");
  std::string kept = "      to_at[j] = at;\n";
  std::string taken = "      YOKE_X_PLACE at = to_at[j];\n";
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    declared += text("    ", value_name(type), " r", k, "[", steps, "];\n");
    kept += text("      r", k, "[j] = x", k, ";\n");
    taken += text("      ", value_name(type), " x", k, " = r", k, "[j];\n");
  });
  std::string read;
  for (const placed_operand& each : of.variables) read += text("    YOKE_X_PLACE ", each.variable, " = 0;\n");
  places_text(read, form.rank, "i", "extents", "strides", of.variables);
  loads_text(read, form, nullptr);
  return text("  if (count - first >= ", form.tiles.steps(), "u) {\n", declared, unrolled_text("j", steps),
              "    YOKE_X_INDEX i = first + here + j * ", expression_block, "u;\n", read, kept, "    }\n",
              unrolled_text("j", steps), taken, store_text(of.to, {of.value, of.kind}, "to", "at"),
              "    }\n    return;\n  }\n");
}

std::string square_text(const expression_form& form, const evaluation_texts& of) {
  const std::size_t other = form.tiles.across - 1;
  const std::size_t last = form.rank - 1;
  const std::size_t rows = expression_block / expression_square;  // of a square that a block reads at once
  const std::size_t times = expression_square / rows;
  const auto is_across = [&](std::size_t input) { return (form.tiles.inputs >> input & 1U) != 0; };
  std::string out =
      text("  YOKE_X_INDEX wide = (YOKE_X_INDEX)steps.extents[", last, "], high = (YOKE_X_INDEX)steps.extents[", other,
           "];\n  YOKE_X_INDEX rest = (YOKE_X_INDEX)get_group_id(0), q = (wide + ", expression_square - 1, "u) / ",
           expression_square, "u;\n  YOKE_X_INDEX x = rest % q * ", expression_square,
           "u;\n  rest /= q;\n  q = (high + ", expression_square - 1, "u) / ", expression_square,
           "u;\n  YOKE_X_INDEX y = rest % q * ", expression_square, "u;\n  rest /= q;\n");
  for (const placed_operand& each : of.variables) out += text("  YOKE_X_PLACE base_", each.variable, " = 0;\n");
  for (std::size_t axis = last; axis-- > 0;) {
    if (axis == other) continue;
    out += text("  q = rest % (YOKE_X_INDEX)steps.extents[", axis, "];\n  rest /= (YOKE_X_INDEX)steps.extents[", axis,
                "];\n");
    for (const placed_operand& each : of.variables) {
      out += text("  base_", each.variable, " += (YOKE_X_PLACE)q * (YOKE_X_PLACE)steps.strides[",
                  each.operand * most_axes + axis, "];\n");
    }
  }
  // Returns: the statements that set the place of an operand from `row` and `column`.
  const auto place = [&](const placed_operand& each) {
    return text("    YOKE_X_PLACE ", each.variable, " = base_", each.variable,
                " + (YOKE_X_PLACE)row * (YOKE_X_PLACE)steps.strides[", each.operand * most_axes + other,
                "] + (YOKE_X_PLACE)column * (YOKE_X_PLACE)steps.strides[", each.operand * most_axes + last, "];\n");
  };
  out += text("  uint along = here % ", expression_square, "u, down = here / ", expression_square, "u;\n");
  std::string locals;
  std::string declared;
  std::string read;
  std::string put;
  std::string loads;
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const placed_operand at{text("at", k), k + 1};
    const std::string load = load_text(type, text("p", k), at.variable);
    if (!is_across(k)) {
      loads += place(at) + text("    ", value_name(type), " x", k, " = ", load, ";\n");
      return;
    }
    // A column more than it needs keeps the elements of a column in different banks.
    locals +=
        text("  YOKE_LOCAL ", value_name(type), " square", k, "[", expression_square * (expression_square + 1), "];\n");
    declared += text("  ", value_name(type), " r", k, "[", times, "];\n");
    read += place(at) + text("    r", k, "[j] = ", load, ";\n");
    put += text("    square", k, "[(down + j * ", rows, "u) * ", expression_square + 1, "u + along] = r", k, "[j];\n");
    loads += text("    ", value_name(type), " x", k, " = square", k, "[along * ", expression_square + 1,
                  "u + down + j * ", rows, "u];\n");
  });
  const std::string in_read = text("    YOKE_X_INDEX row = y + along, column = x + down + j * ", rows,
                                   "u;\n    if (row < high && column < wide) {\n");
  const std::string in_write = text("    YOKE_X_INDEX row = y + down + j * ", rows,
                                    "u, column = x + along;\n    if (row < high && column < wide) {\n");
  return locals + out + declared + unrolled_text("j", times) + in_read + read + "    }\n    }\n" +
         unrolled_text("j", times) + put + "    }\n  YOKE_BARRIER_LOCAL();\n" + unrolled_text("j", times) + in_write +
         place(of.variables.front()) + loads + store_text(of.to, {of.value, of.kind}, "to", "at") + "    }\n    }\n}\n";
}

}  // namespace yoke::inline v0_1::detail

#endif
