// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/expression_kernel.hpp.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_IPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_IPP

#include <yoke/array/evaluation/array_programs.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/language/words.hpp>

#include <algorithm>
#include <vector>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view text_of_half_rounding =
#include <yoke/kernels/evaluation/half_rounding.ipp>
    ;
inline constexpr std::string_view text_of_evaluation_steps =
#include <yoke/kernels/evaluation/evaluation_steps.ipp>
    ;
inline constexpr std::string_view text_of_evaluation =
#include <yoke/kernels/evaluation/evaluation.ipp>
    ;
inline constexpr std::string_view text_of_evaluation_square =
#include <yoke/kernels/evaluation/evaluation_square.ipp>
    ;
inline constexpr std::string_view text_of_evaluation_columns =
#include <yoke/kernels/evaluation/evaluation_columns.ipp>
    ;
// clang-format on

const char* kind_name(const value_type_name& type) noexcept {
  constexpr const char* names[] = {"yoke_uint8",   "yoke_int8",   "yoke_uint8",    "yoke_int16",  "yoke_uint16",
                                   "yoke_int32",   "yoke_uint32", "yoke_int64",    "yoke_uint64", "float",
                                   "yoke_float64", "yoke_half",   "yoke_bfloat16", "float2",      "double2"};
  return type.kind == value_kind::structure ? type.struct_name : names[static_cast<std::size_t>(type.kind)];
}
const char* value_name(const value_type_name& type) noexcept {
  switch (type.kind) {
    case value_kind::boolean: return "int";
    case value_kind::half:
    case value_kind::bfloat16: return "float";
    default: return kind_name(type);
  }
}

std::string converted_text(value_kind to, const named_value& value) {
  if (to == value.kind || to == value_kind::structure) {
    // Casts even to the same kind: the variable may have another type in the kernel.
    return is_complex(to) || to == value_kind::structure ? value.name : text("(", value_name(to), ")", value.name);
  }
  if (!is_complex(to)) return text("(", value_name(to), ")", value.name);
  const char* const make = to == value_kind::complex64 ? "make_float2((float)" : "make_double2((double)";
  const char* const part = to == value_kind::complex64 ? "(float)" : "(double)";
  if (!is_complex(value.kind)) return text(make, value.name, ", ", part, "0)");
  return text(make, value.name, ".x, ", part, value.name, ".y)");
}
std::string truth_text(const named_value& value) {
  return is_complex(value.kind) ? text("(", value.name, ".x != 0 || ", value.name, ".y != 0)") : value.name;
}
std::string number_text(value_kind kind, const char* number) {
  if (!is_complex(kind)) return text("(", value_name(kind), ")(", number, ")");
  // `number` is a real literal, or the text of a complex number.
  const bool is_whole = std::string_view(number).find_first_not_of("+-0123456789.") == std::string_view::npos;
  return is_whole ? converted_text(kind, {text("(", number, ")"), value_kind::int32}) : number;
}

std::string counting_text(bool wide) {
  return wide ? "#define YOKE_X_INDEX yoke_uint64\n#define YOKE_X_PLACE yoke_int64\n"
              : "#define YOKE_X_INDEX uint\n#define YOKE_X_PLACE int\n";
}

std::string inputs_text(const expression_form& form) {
  std::string out;
  std::size_t input = 0;
  for (const expression_step& each : form.steps) {
    if (each.what == expression_step::form::input) {
      out += text("YOKE_GLOBAL const ", kind_name(each.type), "* p", input++, ", ");
    }
  }
  std::size_t scalar = 0;
  for (const expression_step& each : form.steps) {
    if (each.what == expression_step::form::scalar) out += text(value_name(each.type), " s", scalar++, ", ");
  }
  return out;
}

bool returns(std::string_view body) noexcept {
  constexpr std::string_view word = "return";
  const auto is_part_of_word = [&](std::size_t at) {
    return at < body.size() && (is_identifier(body.substr(at, 1)) || (body[at] >= '0' && body[at] <= '9'));
  };
  for (std::size_t at = 0; at < body.size();) {
    const std::string_view rest = body.substr(at);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const std::string_view end = rest[1] == '/' ? "\n" : "*/";
      const std::size_t found = rest.find(end, 2);
      if (found == std::string_view::npos) return false;
      at += found + end.size();
    } else if (rest.starts_with(word) && !is_part_of_word(at + word.size())) {
      return true;
    } else if (is_part_of_word(at)) {
      while (is_part_of_word(at)) ++at;
    } else {
      ++at;
    }
  }
  return false;
}

std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                          const char* body, bool is_given) {
  const std::string file = is_given ? text("#line 1 \"", given_text_prefix, name, "\"\n") : std::string();
  const std::string rest = is_given ? "\n#line 1 \"rest of the kernel\"\n" : "\n";  // a comment may end the body
  return text(value_name(type), " ", name, "(", parameters, ") {", returns(body) ? "\n" : " return\n", file, body, rest,
              ";}\n");
}

std::string functions_text(const expression_form& form) {
  std::string out;
  const bool rounds = std::any_of(form.steps.begin(), form.steps.end(), [](const expression_step& each) {
    return each.what == expression_step::form::operation && each.type.kind == value_kind::half && !each.is_body;
  });
  if (rounds) out += text_of_half_rounding;
  std::vector<value_type_name> stack;
  std::size_t number = form.functions_before;
  for (const expression_step& each : form.steps) {
    const bool is_operation = each.what == expression_step::form::operation;
    const std::size_t base = stack.size() - (is_operation ? each.arity : 0);
    if (each.is_body) {
      std::string parameters;
      for (std::size_t k = 0; k < each.arity; ++k) {
        parameters +=
            text(k == 0 ? "" : ", ", value_name(stack[base + k]), " ", std::string(1, static_cast<char>('a' + k)));
      }
      out += function_text(each.type, text("yoke_x_function", number), parameters, each.text);
    }
    if (is_operation) ++number;
    stack.resize(base);
    stack.push_back(each.type);
  }
  return out;
}

void places_text(std::string& to, std::size_t rank, const char* index, const char* extents, const char* strides,
                 std::span<const placed_operand> variables) {
  if (rank == 0) return;
  to += text("    { YOKE_X_INDEX rest = ", index, "; YOKE_X_PLACE q;\n");
  for (std::size_t axis = rank; axis-- > 0;) {
    to += "      q = (YOKE_X_PLACE)(rest";
    if (axis > 0) to += text(" % (YOKE_X_INDEX)steps.", extents, "[", axis, "]");
    to += ");\n";
    if (axis > 0) to += text("      rest /= (YOKE_X_INDEX)steps.", extents, "[", axis, "];\n");
    for (const placed_operand& each : variables) {
      to += text("      ", each.variable, " += q * (YOKE_X_PLACE)steps.", strides, "[", each.operand * most_axes + axis,
                 "];\n");
    }
  }
  to += "    }\n";
}

std::string load_text(const value_type_name& type, const std::string& from, const std::string& place, bool once) {
  const auto element = [&] {
    return once ? text("yoke_load_once(", place, ", ", from, ")") : text(from, "[", place, "]");
  };
  switch (type.kind) {
    case value_kind::half: return text("yoke_load_half(", place, ", ", from, ")");
    case value_kind::bfloat16: return text("yoke_load_bfloat16(", place, ", ", from, ")");
    case value_kind::boolean: return element() + " != 0";
    case value_kind::structure: return text(from, "[", place, "]");
    default: return element();
  }
}

void loads_text(std::string& to, const expression_form& form, const char* place, bool once) {
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const std::string at = place != nullptr ? std::string(place) : text("at", k);
    to += text("    ", value_name(type), " x", k, " = ", load_text(type, text("p", k), at, once), ";\n");
  });
}

std::vector<named_value> values_text(std::string& to, const expression_form& form, std::string* fixed) {
  std::vector<named_value> stack;
  std::vector<bool> is_fixed;  // of each value on the stack
  std::size_t input = 0;
  std::size_t scalar = form.scalars_before;
  std::size_t variable = form.functions_before;
  for (const expression_step& each : form.steps) {
    const value_kind kind = each.type.kind;
    if (each.what == expression_step::form::reduced) {
      stack.push_back({text("r", each.arity), kind});
      is_fixed.push_back(true);
      continue;
    }
    if (each.what == expression_step::form::scalar) {
      stack.push_back({text("s", scalar++), kind});
      is_fixed.push_back(true);
      continue;
    }
    if (each.what == expression_step::form::input) {
      stack.push_back({text("x", form.slots[input++]), kind});
      is_fixed.push_back(false);
      continue;
    }
    const std::size_t base = stack.size() - each.arity;
    std::string value;
    if (each.is_body) {
      value = text("yoke_x_function", variable, "(");
      for (std::size_t k = 0; k < each.arity; ++k) value += (k == 0 ? "" : ", ") + stack[base + k].name;
      value += ")";
    }
    const auto operand = [&](const char* number) -> const named_value& {
      return stack[base + static_cast<std::size_t>(*number - '0')];
    };
    for (const char* at = each.is_body ? "" : each.text; *at != '\0'; ++at) {
      switch (*at) {
        case '$': value += operand(++at).name; break;
        case '@': value += converted_text(each.argument.kind, operand(++at)); break;
        case '`': value += truth_text(operand(++at)); break;
        case '#': value += each.argument.kind == value_kind::complex64 ? 'f' : 'd'; break;
        default: value += *at;
      }
    }
    std::string name = text("v", variable++);
    const bool stays = std::all_of(is_fixed.begin() + static_cast<std::ptrdiff_t>(base), is_fixed.end(),
                                   [](bool of_operand) { return of_operand; });
    (fixed != nullptr && stays ? *fixed : to) += text("    ", value_name(each.type), " ", name, " = ", value, ";\n");
    stack.resize(base);
    stack.push_back({std::move(name), kind});
    is_fixed.resize(base);
    is_fixed.push_back(stays);
  }
  return stack;
}

std::string store_text(value_type_name type, const named_value& value, const std::string& to, const std::string& place,
                       bool once) {
  const std::string& name = value.name;
  const auto store = [&](const std::string& stored) {
    return once && type.kind != value_kind::structure
               ? text("    yoke_store_once(", stored, ", ", place, ", ", to, ");\n")
               : text("    ", to, "[", place, "] = ", stored, ";\n");
  };
  switch (type.kind) {
    // Rounds once, whatever the type of the number.
    case value_kind::half:
      return text("    yoke_store_half((", value_name(value.kind), ")", name, ", ", place, ", ", to, ");\n");
    case value_kind::bfloat16:
      return text("    yoke_store_bfloat16((", value_name(value.kind), ")", name, ", ", place, ", ", to, ");\n");
    case value_kind::boolean: return store(text("(yoke_uint8)(", truth_text(value), " != 0)"));
    default: {
      const bool is_plain = is_complex(type.kind) || type.kind == value_kind::structure;
      return store(is_plain ? converted_text(type.kind, value) : text("(", kind_name(type), ")", name));
    }
  }
}

/// The texts that all forms of an evaluation share.
struct evaluation_texts {
  value_type_name to;
  std::vector<placed_operand> variables;  ///< the offsets of the destination and of each distinct input
  std::string value;                      ///< calls the function that makes an element of `x0`, `x1`, ...
  value_kind kind{};                      ///< kind of the value
  std::string parameters;
  std::string begin;  ///< statements that advance each operand to its first element

  /// Returns: the statement that stores the value calculated from `x0`, `x1`, ... at a place in an array.
  [[nodiscard]] std::string stored(const char* array, const char* place) const {
    return store_text(to, {value, kind}, array, place);
  }
};

/// Returns: the statements that calculate the offsets at step `i`, unless they equal `i`, and read the inputs.
std::string step_text(const expression_form& form, const evaluation_texts& of) {
  std::string out;
  if (form.rank != 0) {
    for (const placed_operand& each : of.variables) out += text("    YOKE_X_PLACE ", each.variable, " = 0;\n");
    places_text(out, form.rank, "i", "extents", "strides", of.variables);
  }
  loads_text(out, form, form.rank == 0 ? "i" : nullptr);
  return out;
}

/// The texts with which a thread evaluates several steps.
struct tile_texts {
  std::string types{};  ///< vector types
  std::string aligned = "1";
  std::string declare{};
  std::string read{};
  std::string write{};
};
/// Returns: the texts for vectors, for operands without gaps.
tile_texts vector_texts(const expression_form& form, const evaluation_texts& of) {
  const std::size_t width = form.tiles.width;
  tile_texts made;
  const auto add_type = [&](const std::string& name, const value_type_name& type, const std::string& pointer) {
    made.types += "typedef struct ";
    if (width > 1) made.types += text("__attribute__((aligned(", width, " * sizeof(", kind_name(type), ")))) ");
    made.types += text("{ ", kind_name(type), " e[", width, "]; } ", name, ";\n");
    if (width > 1) made.aligned += text(" && (size_t)", pointer, " % sizeof(", name, ") == 0");
  };
  add_type("yoke_x_to", of.to, "to");
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const std::string vector = text("yoke_x_from", k);
    add_type(vector, type, text("p", k));
    made.declare += text("    ", vector, " r", k, "[", form.tiles.vectors, "];\n");
    made.read += text("      r", k, "[j] = ((YOKE_GLOBAL const ", vector, "*)(p", k, " + first))[here + j * ",
                      expression_block, "];\n");
    made.write += text("      ", value_name(type), " x", k, " = ", load_text(type, text("r", k, "[j].e"), "k"), ";\n");
  });
  made.write += of.stored("made.e", "k");
  return made;
}
/// Returns: the texts for single elements at any offsets.
tile_texts scattered_texts(const expression_form& form, const evaluation_texts& of) {
  tile_texts made;
  made.declare = text("    YOKE_X_PLACE to_at[", form.tiles.vectors, "];\n");
  made.read = step_text(form, of) + "      to_at[j] = at;\n";
  made.write = "      YOKE_X_PLACE at = to_at[j];\n";
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    made.declare += text("    ", value_name(type), " r", k, "[", form.tiles.vectors, "];\n");
    made.read += text("      r", k, "[j] = x", k, ";\n");
    made.write += text("      ", value_name(type), " x", k, " = r", k, "[j];\n");
  });
  made.write += of.stored("to", "at");
  return made;
}

/// Returns: the kernel whose threads evaluate one or more steps.
std::string evaluation_kernel_text(const expression_form& form, const evaluation_texts& of) {
  tile_texts tile;
  if (form.tiles.steps() != expression_block) {
    tile = form.rank == 0 ? vector_texts(form, of) : scattered_texts(form, of);
  }
  return tile.types +
         with_macros({{"YOKE_EVALUATE_RANK", form.rank},
                      {"YOKE_EVALUATE_BLOCK", expression_block},
                      {"YOKE_EVALUATE_WIDTH", form.tiles.width},
                      {"YOKE_EVALUATE_VECTORS", form.tiles.vectors},
                      {"YOKE_EVALUATE_PARAMETERS", of.parameters},
                      {"YOKE_EVALUATE_BEGIN", of.begin},
                      {"YOKE_EVALUATE_ONE", step_text(form, of) + of.stored("to", form.rank == 0 ? "i" : "at")},
                      {"YOKE_EVALUATE_ALIGNED", tile.aligned},
                      {"YOKE_EVALUATE_DECLARE", tile.declare},
                      {"YOKE_EVALUATE_READ", tile.read},
                      {"YOKE_EVALUATE_WRITE", tile.write}},
                     text_of_evaluation);
}

/// Returns: the statements that find the start of a block along all axes but two.
std::string other_axes_text(const evaluation_texts& of, std::size_t rows, std::size_t columns) {
  std::string others;
  for (const placed_operand& each : of.variables) others += text("  YOKE_X_PLACE base_", each.variable, " = 0;\n");
  for (std::size_t axis = columns; axis-- > 0;) {
    if (axis == rows) continue;
    others += text("  q = rest % (YOKE_X_INDEX)steps.extents[", axis, "];\n  rest /= (YOKE_X_INDEX)steps.extents[",
                   axis, "];\n");
    for (const placed_operand& each : of.variables) {
      others += text("  base_", each.variable, " += (YOKE_X_PLACE)q * (YOKE_X_PLACE)steps.strides[",
                     each.operand * most_axes + axis, "];\n");
    }
  }
  return others;
}
/// Returns: the statements that set the offset of an operand from `row` and `column`.
std::string place_in_plane(const placed_operand& each, std::size_t rows, std::size_t columns) {
  return text("    YOKE_X_PLACE ", each.variable, " = base_", each.variable,
              " + (YOKE_X_PLACE)row * (YOKE_X_PLACE)steps.strides[", each.operand * most_axes + rows,
              "] + (YOKE_X_PLACE)column * (YOKE_X_PLACE)steps.strides[", each.operand * most_axes + columns, "];\n");
}

/// Returns: the kernel whose threads go down columns.
std::string column_kernel_text(const expression_form& form, const evaluation_texts& of) {
  const std::size_t columns = form.rank - 1;
  const std::size_t rows = form.rank - 2;
  std::string declare;
  std::string read;
  std::string write = place_in_plane(of.variables.front(), rows, columns);
  std::string one = write;
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const placed_operand at{text("at", k), k + 1};
    const std::string load = load_text(type, text("p", k), at.variable);
    const char* const name = value_name(type);
    declare += text("    ", name, " r", k, "[YOKE_EVALUATE_TALL];\n");
    read += place_in_plane(at, rows, columns) + text("    r", k, "[j] = ", load, ";\n");
    write += text("    ", name, " x", k, " = r", k, "[j];\n");
    one += place_in_plane(at, rows, columns) + text("    ", name, " x", k, " = ", load, ";\n");
  });
  return with_macros({{"YOKE_EVALUATE_BLOCK", expression_block},
                      {"YOKE_EVALUATE_WIDE", form.tiles.width},
                      {"YOKE_EVALUATE_TALL", form.tiles.tall},
                      {"YOKE_EVALUATE_COLUMNS", columns},
                      {"YOKE_EVALUATE_ROWS", rows},
                      {"YOKE_EVALUATE_PARAMETERS", of.parameters},
                      {"YOKE_EVALUATE_BEGIN", of.begin},
                      {"YOKE_EVALUATE_OTHERS", other_axes_text(of, rows, columns)},
                      {"YOKE_EVALUATE_AHEAD", form.tiles.ahead},
                      {"YOKE_EVALUATE_DECLARE", declare},
                      {"YOKE_EVALUATE_READ", read},
                      {"YOKE_EVALUATE_WRITE", write + of.stored("to", "at")},
                      {"YOKE_EVALUATE_ONE", one + of.stored("to", "at")}},
                     text_of_evaluation_columns);
}

/// Returns: the kernel whose blocks evaluate squares of steps along two axes.
std::string square_kernel_text(const expression_form& form, const evaluation_texts& of) {
  const std::size_t rows = form.tiles.across - 1;
  const std::size_t columns = form.rank - 1;
  const std::string others = other_axes_text(of, rows, columns);
  const auto place = [&](const placed_operand& each) { return place_in_plane(each, rows, columns); };
  std::string local;
  std::string declare;
  std::string read;
  std::string put;
  std::string write = place(of.variables.front());
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const placed_operand at{text("at", k), k + 1};
    const std::string load = load_text(type, text("p", k), at.variable);
    if ((form.tiles.inputs >> k & 1U) == 0) {
      write += place(at) + text("    ", value_name(type), " x", k, " = ", load, ";\n");
      return;
    }
    const char* const name = value_name(type);
    local += text("  YOKE_LOCAL ", name, " square", k, "[YOKE_EVALUATE_PLACE(YOKE_EVALUATE_SQUARE, 0)];\n");
    declare += text("  ", name, " r", k, "[YOKE_EVALUATE_TIMES];\n");
    read += place(at) + text("    r", k, "[j] = ", load, ";\n");
    put += text("    square", k, "[YOKE_EVALUATE_PLACE(down + j * YOKE_EVALUATE_DEEP, along)] = r", k, "[j];\n");
    write +=
        text("    ", name, " x", k, " = square", k, "[YOKE_EVALUATE_PLACE(along, down + j * YOKE_EVALUATE_DEEP)];\n");
  });
  return with_macros({{"YOKE_EVALUATE_BLOCK", expression_block},
                      {"YOKE_EVALUATE_SQUARE", expression_square},
                      {"YOKE_EVALUATE_COLUMNS", columns},
                      {"YOKE_EVALUATE_ROWS", rows},
                      {"YOKE_EVALUATE_PARAMETERS", of.parameters},
                      {"YOKE_EVALUATE_BEGIN", of.begin},
                      {"YOKE_EVALUATE_LOCAL", local},
                      {"YOKE_EVALUATE_OTHERS", others},
                      {"YOKE_EVALUATE_DECLARE", declare},
                      {"YOKE_EVALUATE_READ", read},
                      {"YOKE_EVALUATE_PUT", put},
                      {"YOKE_EVALUATE_WRITE", write + of.stored("to", "at")}},
                     text_of_evaluation_square);
}

std::string evaluation_source(const expression_form& form, value_type_name to) {
  evaluation_texts of;
  of.to = to;
  of.variables.push_back({"at", 0});
  // The calculation of one element is a function, because the kernel calls it in several places.
  std::string statements;
  const named_value result = values_text(statements, form).back();
  std::string parameters;
  std::string passed;
  const auto pass = [&](const value_type_name& type, const std::string& name) {
    parameters += text(parameters.empty() ? "" : ", ", value_name(type), " ", name);
    passed += (passed.empty() ? "" : ", ") + name;
  };
  of.begin = "  to += steps.offsets[0];\n";
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    pass(type, text("x", k));
    of.variables.push_back({text("at", k), k + 1});
    of.begin += text("  p", k, " += steps.offsets[", k + 1, "];\n");
  });
  std::size_t scalar = 0;
  for (const expression_step& each : form.steps) {
    if (each.what == expression_step::form::scalar) pass(each.type, text("s", scalar++));
  }
  of.value = text("yoke_x_value(", passed, ")");
  of.kind = result.kind;
  of.parameters = text("YOKE_GLOBAL ", kind_name(to), "* to, ", inputs_text(form));
  const value_type_name& type = form.steps.back().type;
  return with_macros({{"YOKE_EVALUATE_OPERANDS", form.inputs + 1},
                      {"YOKE_EVALUATE_RANK", form.rank},
                      {"YOKE_EVALUATE_AXES", most_axes}},
                     text_of_evaluation_steps) +
         counting_text(form.wide) + functions_text(form) +
         function_text(type, "yoke_x_value", parameters, text(statements, "  return ", result.name).c_str(), false) +
         (form.tiles.tall != 0     ? column_kernel_text(form, of)
          : form.tiles.across != 0 ? square_kernel_text(form, of)
                                   : evaluation_kernel_text(form, of));
}

}  // namespace yoke::inline v0_1::detail

#endif
