// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/expression_kernel.hpp.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_IPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_IPP

#include <yoke/array/evaluation/array_programs.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/tile_text.ipp>
#include <yoke/language/words.hpp>

#include <vector>

namespace yoke::inline v0_1::detail {

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
    // A cast, as the types of variables may be those of another kind in the kernel.
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
  // A number, or the text of a complex one.
  const bool is_whole = std::string_view(number).find_first_not_of("+-0123456789.") == std::string_view::npos;
  return is_whole ? converted_text(kind, {text("(", number, ")"), value_kind::int32}) : number;
}

std::string steps_text(const expression_form& form, std::size_t operands) {
  std::string out = text("YOKE_STRUCT(yoke_x_steps) {\n  yoke_int64 count, offsets[", operands, "];\n");
  if (form.rank != 0) {
    out += text("  yoke_int64 extents[", most_axes, "], strides[", operands * most_axes, "];\n");
  }
  out += "};\n";
  out += form.wide ? "#define YOKE_X_INDEX yoke_uint64\n#define YOKE_X_PLACE yoke_int64\n"
                   : "#define YOKE_X_INDEX uint\n#define YOKE_X_PLACE int\n";
  return out;
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

/// Rounds a float to a half, to the nearest, ties to even, without memory.
inline constexpr const char* half_text = R"(float yoke_x_half(float x) {
  uint bits = as_uint(x), size = bits & 0x7fffffffu, sign = bits & 0x80000000u;
  if (size > 0x7f800000u) return x;
  if (size >= 0x477ff000u) return as_float(sign | 0x7f800000u);
  if (size < 0x38800000u) return rint(x * 16777216.0f) * 5.9604644775390625e-8f;
  return as_float(sign | ((size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u));
}
)";
std::string functions_text(const expression_form& form) {
  std::string out;
  const bool rounds = std::any_of(form.steps.begin(), form.steps.end(), [](const expression_step& each) {
    return each.what == expression_step::form::operation && each.type.kind == value_kind::half && !each.is_body;
  });
  if (rounds) out += half_text;
  std::vector<value_type_name> stack;
  std::size_t number = 0;
  for (const expression_step& each : form.steps) {
    const std::size_t base = stack.size() - each.arity;
    if (each.is_body) {
      std::string parameters;
      for (std::size_t k = 0; k < each.arity; ++k) {
        parameters +=
            text(k == 0 ? "" : ", ", value_name(stack[base + k]), " ", std::string(1, static_cast<char>('a' + k)));
      }
      out += function_text(each.type, text("yoke_x_function", number), parameters, each.text);
    }
    if (each.what == expression_step::form::operation) ++number;
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
    return once ? text("YOKE_X_READ(", from, ", ", place, ")") : text(from, "[", place, "]");
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

std::vector<named_value> values_text(std::string& to, const expression_form& form) {
  std::vector<named_value> stack;
  std::size_t input = 0;
  std::size_t scalar = 0;
  std::size_t variable = 0;
  for (const expression_step& each : form.steps) {
    const value_kind kind = each.type.kind;
    if (each.what == expression_step::form::scalar) {
      stack.push_back({text("s", scalar++), kind});
      continue;
    }
    if (each.what == expression_step::form::input) {
      stack.push_back({text("x", form.slots[input++]), kind});
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
    to += text("    ", value_name(each.type), " ", name, " = ", value, ";\n");
    stack.resize(base);
    stack.push_back({std::move(name), kind});
  }
  return stack;
}

std::string store_text(value_type_name type, const named_value& value, const std::string& to, const std::string& place,
                       bool once) {
  const std::string& name = value.name;
  const auto store = [&](const std::string& stored) {
    return once && type.kind != value_kind::structure ? text("    YOKE_X_WRITE(", to, ", ", place, ", ", stored, ");\n")
                                                      : text("    ", to, "[", place, "] = ", stored, ";\n");
  };
  switch (type.kind) {
    // A number of any type is rounded once.
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

/// Returns: the statements by which a thread evaluates step `i`.
std::string single_step_text(const expression_form& form, const evaluation_texts& of) {
  std::string out;
  if (form.rank != 0) {
    for (const placed_operand& each : of.variables) out += text("    YOKE_X_PLACE ", each.variable, " = 0;\n");
    places_text(out, form.rank, "i", "extents", "strides", of.variables);
  }
  loads_text(out, form, form.rank == 0 ? "i" : nullptr);
  return out + store_text(of.to, {of.value, of.kind}, "to", form.rank == 0 ? "i" : "at");
}

std::string evaluation_source(const expression_form& form, value_type_name to) {
  evaluation_texts of;
  of.to = to;
  of.variables.push_back({"at", 0});
  // One element is a function, because a kernel calculates it in several places.
  std::string statements;
  const named_value result = values_text(statements, form).back();
  std::string parameters;
  std::string passed;
  const auto pass = [&](const value_type_name& type, const std::string& name) {
    parameters += text(parameters.empty() ? "" : ", ", value_name(type), " ", name);
    passed += (passed.empty() ? "" : ", ") + name;
  };
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    pass(type, text("x", k));
    of.variables.push_back({text("at", k), k + 1});
  });
  std::size_t scalar = 0;
  for (const expression_step& each : form.steps) {
    if (each.what == expression_step::form::scalar) pass(each.type, text("s", scalar++));
  }
  of.value = text("yoke_x_value(", passed, ")");
  of.kind = result.kind;
  const value_type_name& type = form.steps.back().type;
  std::string types = steps_text(form, form.inputs + 1) + functions_text(form);
  types += function_text(type, "yoke_x_value", parameters, text(statements, "  return ", result.name).c_str(), false);
  std::string out = text("YOKE_KERNEL YOKE_WORK_GROUP_SIZE(", expression_block, ", 1, 1) yoke_x_evaluate(YOKE_GLOBAL ",
                         kind_name(to), "* to, ", inputs_text(form), "yoke_x_steps steps) {\n");
  std::string begin = "  to += steps.offsets[0];\n";
  for_each_input(form, [&](std::size_t k, const value_type_name&) {
    begin += text("  p", k, " += steps.offsets[", k + 1, "];\n");
  });
  if (form.tiles.across != 0) {
    return types + out + begin + "  uint here = (uint)get_local_id(0);\n" + square_text(form, of);
  }
  begin += "  YOKE_X_INDEX count = (YOKE_X_INDEX)steps.count;\n";
  if (form.tiles.steps() == expression_block) {
    // Compilers for CPUs make vectors of threads that have no loop.
    return types + out + begin + "  YOKE_X_INDEX i = (YOKE_X_INDEX)get_global_id(0);\n  if (i < count) {\n" +
           single_step_text(form, of) + "  }\n}\n";
  }
  begin += "  uint here = (uint)get_local_id(0);\n";
  begin += text("  YOKE_X_INDEX first = (YOKE_X_INDEX)get_group_id(0) * ", form.tiles.steps(), "u;\n");
  const std::string full = form.rank == 0 ? vectors_text(types, form, of) : scattered_text(form, of);
  return types + out + begin + full +
         text("  for (uint taken = here; taken < ", form.tiles.steps(),
              "u && taken < count - first; taken += ", expression_block, "u) {\n    YOKE_X_INDEX i = first + taken;\n",
              single_step_text(form, of), "  }\n}\n");
}

}  // namespace yoke::inline v0_1::detail

#endif
