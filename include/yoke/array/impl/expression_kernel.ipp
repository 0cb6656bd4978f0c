// SPDX-License-Identifier: MIT
// Bodies of array/expression_kernel.hpp.
#ifndef YOKE_ARRAY_IMPL_EXPRESSION_KERNEL_IPP
#define YOKE_ARRAY_IMPL_EXPRESSION_KERNEL_IPP

#include <yoke/array/device_view.hpp>
#include <yoke/array/expression_kernel.hpp>

#include <vector>

namespace yoke::inline YOKE_ABI::detail {

YOKE_INLINE void merge_axes(expression_axes& axes, const std::size_t* extents, std::size_t rank,
                            std::span<const expression_operand> operands, const source_location& where) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    axes.extents[axis] = static_cast<std::int64_t>(extents[axis]);
    axes.count *= axes.extents[axis];
  }
  walked_operand walked[most_inputs + 1];
  for (std::size_t k = 0; k < operands.size(); ++k) {
    operand_place& place = axes.places[k];
    place.offset = static_cast<std::int64_t>(operands[k].side.offset);
    const const_axes& of = operands[k].side.axes;
    for (std::size_t own = 0; own < of.rank; ++own) {  // a broadcast axis does not move
      if (of.extents[own] != 1) place.strides[own + rank - of.rank] = of.strides[own];
    }
    walked[k] = {&place.offset, place.strides};
  }
  axes.rank = merge_walk(axes.extents, rank, std::span(walked, operands.size()));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const array_side& side = operands[k].side;
    if (!divide_walk(walked[k], axes.rank, static_cast<std::int64_t>(side.element)) && axes.count != 0) {
      throw_within_element(side.offset, side.element, where);
    }
  }
}

YOKE_INLINE bool is_linear(const expression_axes& axes, std::size_t operands) noexcept {
  if (axes.rank > 1) return false;
  for (std::size_t k = 0; axes.rank != 0 && k < operands; ++k) {
    if (axes.places[k].strides[0] != 1) return false;
  }
  return true;
}

inline std::int64_t narrow_steps = std::int64_t{1} << 31;
YOKE_INLINE std::int64_t& narrow_limit() noexcept { return narrow_steps; }

YOKE_INLINE bool is_narrow(const expression_axes& axes, std::size_t operands) noexcept {
  const std::int64_t limit = narrow_limit();
  // A thread that takes several steps counts beyond the last one by as many as there are threads.
  if (axes.count >= limit) return false;
  for (std::size_t k = 0; k < operands; ++k) {
    std::int64_t reach = 0;
    for (std::size_t axis = 0; axis < axes.rank; ++axis) {
      const std::int64_t stride = axes.places[k].strides[axis];
      reach += (axes.extents[axis] - 1) * (stride < 0 ? -stride : stride);
    }
    if (reach >= limit) return false;
  }
  return true;
}

YOKE_INLINE void check_broadcast(const std::size_t* from, std::size_t from_rank, const std::size_t* to,
                                 std::size_t to_rank, const source_location& where) {
  for (std::size_t axis = 0; axis < from_rank; ++axis) {
    const std::size_t at = axis + to_rank - from_rank;
    if (from[axis] != 1 && from[axis] != to[at]) [[unlikely]]
      throw_broadcast(from, from_rank, "to", to, to_rank, at, where);
  }
}

YOKE_COLD const char* kind_name(const value_type_name& type) noexcept {
  constexpr const char* names[] = {"yoke_uint8",   "yoke_int8",   "yoke_uint8",    "yoke_int16",  "yoke_uint16",
                                   "yoke_int32",   "yoke_uint32", "yoke_int64",    "yoke_uint64", "float",
                                   "yoke_float64", "yoke_half",   "yoke_bfloat16", "float2",      "double2"};
  return type.kind == value_kind::structure ? type.struct_name : names[static_cast<std::size_t>(type.kind)];
}
YOKE_COLD const char* value_name(const value_type_name& type) noexcept {
  switch (type.kind) {
    case value_kind::boolean: return "int";
    case value_kind::half:
    case value_kind::bfloat16: return "float";
    default: return kind_name(type);
  }
}

YOKE_COLD std::string converted_text(value_kind to, const named_value& value) {
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
YOKE_COLD std::string truth_text(const named_value& value) {
  return is_complex(value.kind) ? text("(", value.name, ".x != 0 || ", value.name, ".y != 0)") : value.name;
}
YOKE_COLD std::string number_text(value_kind kind, const char* number) {
  if (!is_complex(kind)) return text("(", value_name(kind), ")(", number, ")");
  // A number, or the text of a complex one.
  const bool is_whole = std::string_view(number).find_first_not_of("+-0123456789.") == std::string_view::npos;
  return is_whole ? converted_text(kind, {text("(", number, ")"), value_kind::int32}) : number;
}

YOKE_COLD std::string steps_text(const expression_form& form, std::size_t operands) {
  std::string out = text("YOKE_STRUCT(yoke_x_steps) {\n  yoke_int64 count, offsets[", operands, "];\n");
  if (form.rank != 0) {
    out += text("  yoke_int64 extents[", max_array_rank, "], strides[", operands * max_array_rank, "];\n");
  }
  out += "};\n";
  out += form.wide ? "#define YOKE_X_INDEX yoke_uint64\n#define YOKE_X_PLACE yoke_int64\n"
                   : "#define YOKE_X_INDEX uint\n#define YOKE_X_PLACE int\n";
  return out;
}

YOKE_COLD std::string inputs_text(const expression_form& form) {
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

YOKE_COLD std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                                    const char* body) {
  const bool returns = std::string_view(body).find("return") != std::string_view::npos;
  const std::string head = text(value_name(type), " ", name, "(", parameters);
  return returns ? text(head, ") {\n", body, "\n;}\n") : text(head, ") { return ", body, "; }\n");
}

YOKE_COLD std::string functions_text(const expression_form& form) {
  std::string out;
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

YOKE_COLD void places_text(std::string& to, std::size_t rank, const char* index, const char* extents,
                           const char* strides, std::span<const placed_operand> variables) {
  if (rank == 0) return;
  to += text("    { YOKE_X_INDEX rest = ", index, "; YOKE_X_PLACE q;\n");
  for (std::size_t axis = rank; axis-- > 0;) {
    to += "      q = (YOKE_X_PLACE)(rest";
    if (axis > 0) to += text(" % (YOKE_X_INDEX)steps.", extents, "[", axis, "]");
    to += ");\n";
    if (axis > 0) to += text("      rest /= (YOKE_X_INDEX)steps.", extents, "[", axis, "];\n");
    for (const placed_operand& each : variables) {
      to += text("      ", each.variable, " += q * (YOKE_X_PLACE)steps.", strides, "[",
                 each.operand * max_array_rank + axis, "];\n");
    }
  }
  to += "    }\n";
}

YOKE_COLD std::vector<named_value> values_text(std::string& to, const expression_form& form, const char* place) {
  const auto is_first = [&](std::size_t input) { return form.slots[input] == input; };
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
      const std::size_t k = input++;
      std::string name = text("x", form.slots[k]);
      if (is_first(k)) {
        const std::string at = place != nullptr ? std::string(place) : text("at", k);
        std::string read = text("p", k, "[", at, "]");
        if (kind == value_kind::half) read = text("yoke_load_half(", at, ", p", k, ")");
        if (kind == value_kind::bfloat16) read = text("yoke_load_bfloat16(", at, ", p", k, ")");
        if (kind == value_kind::boolean) read += " != 0";
        to += text("    ", value_name(each.type), " ", name, " = ", read, ";\n");
      }
      stack.push_back({std::move(name), kind});
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

YOKE_COLD std::string store_text(value_type_name type, const named_value& value, const std::string& to,
                                 const std::string& place) {
  const std::string& name = value.name;
  switch (type.kind) {
    case value_kind::half: return text("    yoke_store_half((float)", name, ", ", place, ", ", to, ");\n");
    case value_kind::bfloat16: return text("    yoke_store_bfloat16((float)", name, ", ", place, ", ", to, ");\n");
    case value_kind::boolean: return text("    ", to, "[", place, "] = (yoke_uint8)(", truth_text(value), " != 0);\n");
    default: {
      const bool is_plain = is_complex(type.kind) || type.kind == value_kind::structure;
      const std::string stored = is_plain ? converted_text(type.kind, value) : text("(", kind_name(type), ")", name);
      return text("    ", to, "[", place, "] = ", stored, ";\n");
    }
  }
}

YOKE_COLD std::string evaluation_source(const expression_form& form, value_type_name to) {
  std::string out = steps_text(form, form.inputs + 1) + functions_text(form);
  out += text("YOKE_KERNEL yoke_x_evaluate(YOKE_GLOBAL ", kind_name(to), "* to, ", inputs_text(form),
              "yoke_x_steps steps) {\n  to += steps.offsets[0];\n");
  for (std::size_t k = 0; k < form.inputs; ++k) {
    if (form.slots[k] == k) out += text("  p", k, " += steps.offsets[", k + 1, "];\n");
  }
  out += "  YOKE_X_INDEX count = (YOKE_X_INDEX)steps.count;\n";
  // Compilers for CPUs make vectors of threads that have no loop.
  out += form.once ? "  YOKE_X_INDEX i = (YOKE_X_INDEX)get_global_id(0);\n  if (i < count) {\n"
                   : "  YOKE_X_INDEX step = (YOKE_X_INDEX)get_global_size(0);\n"
                     "  for (YOKE_X_INDEX i = (YOKE_X_INDEX)get_global_id(0); i < count; i += step) {\n";
  if (form.rank != 0) {
    std::vector<placed_operand> variables{{"at", 0}};
    for (std::size_t k = 0; k < form.inputs; ++k) {
      if (form.slots[k] == k) variables.push_back({text("at", k), k + 1});
    }
    for (const placed_operand& each : variables) out += text("    YOKE_X_PLACE ", each.variable, " = 0;\n");
    places_text(out, form.rank, "i", "extents", "strides", variables);
  }
  const named_value value = values_text(out, form, form.rank == 0 ? "i" : nullptr).back();
  out += store_text(to, value, "to", form.rank == 0 ? "i" : "at");
  return out + "  }\n}\n";
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
