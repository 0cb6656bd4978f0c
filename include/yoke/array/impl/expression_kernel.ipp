// SPDX-License-Identifier: MIT
// Bodies of array/expression_kernel.hpp.
#ifndef YOKE_ARRAY_IMPL_EXPRESSION_KERNEL_IPP
#define YOKE_ARRAY_IMPL_EXPRESSION_KERNEL_IPP

#include <yoke/array/device_view.hpp>
#include <yoke/array/expression_kernel.hpp>
#include <yoke/driver/language/words.hpp>

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

YOKE_COLD bool returns(std::string_view body) noexcept {
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

YOKE_COLD std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                                    const char* body) {
  const std::string head = text(value_name(type), " ", name, "(", parameters);
  // A comment may end the body.
  return returns(body) ? text(head, ") {\n", body, "\n;}\n") : text(head, ") { return ", body, "\n; }\n");
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

/// Returns: the expression that reads an element of memory.
YOKE_COLD std::string load_text(const value_type_name& type, const std::string& from, const std::string& place) {
  switch (type.kind) {
    case value_kind::half: return text("yoke_load_half(", place, ", ", from, ")");
    case value_kind::bfloat16: return text("yoke_load_bfloat16(", place, ", ", from, ")");
    case value_kind::boolean: return text(from, "[", place, "] != 0");
    default: return text(from, "[", place, "]");
  }
}

/// Effects: calls `each(input, type)` for each distinct input.
template <class Each>
void for_each_input(const expression_form& form, Each&& each) {
  std::size_t input = 0;
  for (const expression_step& step : form.steps) {
    if (step.what != expression_step::form::input) continue;
    if (form.slots[input] == input) each(input, step.type);
    ++input;
  }
}

YOKE_COLD void loads_text(std::string& to, const expression_form& form, const char* place) {
  for_each_input(form, [&](std::size_t k, const value_type_name& type) {
    const std::string at = place != nullptr ? std::string(place) : text("at", k);
    to += text("    ", value_name(type), " x", k, " = ", load_text(type, text("p", k), at), ";\n");
  });
}

YOKE_COLD std::vector<named_value> values_text(std::string& to, const expression_form& form) {
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

/// Returns: the number of blocks of a size that cover a number of steps.
constexpr std::int64_t covering(std::int64_t steps, std::int64_t size) noexcept { return (steps + size - 1) / size; }

inline tiling_rule tiles_taken{};
YOKE_INLINE tiling_rule& tiling() noexcept { return tiles_taken; }
YOKE_INLINE bool takes_several(std::int64_t steps, bool coalesces) noexcept {
  return (coalesces || tiles_taken.everywhere) && steps >= tiles_taken.from;
}

YOKE_INLINE expression_tiles tiles_for(const expression_axes& axes, bool linear, std::span<const std::size_t> bytes,
                                       const std::uint8_t* slots, std::span<const expression_step> steps) noexcept {
  expression_tiles tiles;
  // Compilers put functions into a kernel once for each element of a thread, which takes them long.
  const bool costly = std::any_of(steps.begin(), steps.end(), [](const expression_step& each) {
    return each.is_body || std::string_view(each.text).find('(') != std::string_view::npos;
  });
  std::size_t read = 0;
  std::size_t widest = bytes[0];
  bool powers = true;
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    powers = powers && (bytes[k] & (bytes[k] - 1)) == 0;
    if (k == 0 || slots[k - 1] != k - 1) continue;
    read += bytes[k];
    widest = std::max(widest, bytes[k]);
  }
  // 32 to 64 KiB that are under way on each multiprocessor keep the memory of an H100 busy.
  constexpr std::size_t wanted = 32;
  if (linear) {
    if (powers && widest < 16) tiles.width = static_cast<std::uint32_t>(16 / widest);
    const std::size_t each = read * tiles.width;
    tiles.vectors = costly || each >= wanted ? 1 : each * 2 >= wanted ? 2 : 4;
    return tiles;
  }
  const std::size_t last = axes.rank - 1;
  const std::size_t square = expression_square;
  for (std::size_t axis = 0; axis < last && bytes.size() <= 9; ++axis) {
    if (axes.extents[axis] < 16 || axes.extents[last] < 16) continue;
    std::size_t room = 32 * square * (square + 1);  // of local memory
    std::uint32_t found = 0;
    for (std::size_t k = 1; k < bytes.size(); ++k) {
      const operand_place& place = axes.places[k];
      const bool is_across = place.strides[axis] == 1 && place.strides[last] != 1 && place.strides[last] != 0;
      const std::size_t needs = bytes[k] * square * (square + 1);
      if (!is_across || slots[k - 1] != k - 1 || needs > room) continue;
      room -= needs;
      found |= 1U << (k - 1);
    }
    if (found == 0) continue;
    tiles.across = static_cast<std::uint32_t>(axis + 1);
    tiles.inputs = found;
    return tiles;
  }
  tiles.vectors = costly || read >= wanted / 2 ? 1 : read * 2 >= wanted / 2 ? 2 : 4;
  return tiles;
}

YOKE_INLINE std::int64_t blocks_for(const expression_axes& axes, const expression_tiles& tiles) noexcept {
  if (tiles.across == 0) return covering(axes.count, tiles.steps());
  const std::int64_t one = axes.extents[tiles.across - 1];
  const std::int64_t other = axes.extents[axes.rank - 1];
  return axes.count / one / other * covering(one, expression_square) * covering(other, expression_square);
}

/// The texts that the forms of an evaluation share.
struct evaluation_texts {
  value_type_name to;
  std::vector<placed_operand> variables;  ///< the places of the destination and of each distinct input
  std::string value;                      ///< a call that makes an element of `x0`, `x1`, ...
  value_kind kind{};                      ///< of it
};

/// Returns: the statements by which a thread evaluates step `i`.
YOKE_COLD std::string single_step_text(const expression_form& form, const evaluation_texts& of) {
  std::string out;
  if (form.rank != 0) {
    for (const placed_operand& each : of.variables) out += text("    YOKE_X_PLACE ", each.variable, " = 0;\n");
    places_text(out, form.rank, "i", "extents", "strides", of.variables);
  }
  loads_text(out, form, form.rank == 0 ? "i" : nullptr);
  return out + store_text(of.to, {of.value, of.kind}, "to", form.rank == 0 ? "i" : "at");
}

/// Returns: the beginning of a loop that the compiler unrolls.
YOKE_COLD std::string unrolled_text(const char* variable, std::size_t times) {
  return text("    YOKE_UNROLL(", times, ")\n    for (uint ", variable, " = 0; ", variable, " < ", times, "u; ++",
              variable, ") {\n");
}

/// Returns: the statements by which a thread evaluates its vectors of a full tile, if they are aligned.
/// Effects: adds the types of vectors.
YOKE_COLD std::string vectors_text(std::string& types, const expression_form& form, const evaluation_texts& of) {
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

/// Returns: the statements by which a thread evaluates its steps of a full tile: all are read before the first is written.
YOKE_COLD std::string scattered_text(const expression_form& form, const evaluation_texts& of) {
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

/// Returns: the statements by which a block evaluates a square of steps along two axes. Its inputs that are fastest along the
/// other axis are read along that, into local memory.
YOKE_COLD std::string square_text(const expression_form& form, const evaluation_texts& of) {
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
                  each.operand * max_array_rank + axis, "];\n");
    }
  }
  // Returns: the statements that set the place of an operand from `row` and `column`.
  const auto place = [&](const placed_operand& each) {
    return text("    YOKE_X_PLACE ", each.variable, " = base_", each.variable,
                " + (YOKE_X_PLACE)row * (YOKE_X_PLACE)steps.strides[", each.operand * max_array_rank + other,
                "] + (YOKE_X_PLACE)column * (YOKE_X_PLACE)steps.strides[", each.operand * max_array_rank + last,
                "];\n");
  };
  out += text("  uint along = here % ", expression_square, "u, step = here / ", expression_square, "u;\n");
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
    put += text("    square", k, "[(step + j * ", rows, "u) * ", expression_square + 1, "u + along] = r", k, "[j];\n");
    loads += text("    ", value_name(type), " x", k, " = square", k, "[along * ", expression_square + 1,
                  "u + step + j * ", rows, "u];\n");
  });
  const std::string in_read = text("    YOKE_X_INDEX row = y + along, column = x + step + j * ", rows,
                                   "u;\n    if (row < high && column < wide) {\n");
  const std::string in_write = text("    YOKE_X_INDEX row = y + step + j * ", rows,
                                    "u, column = x + along;\n    if (row < high && column < wide) {\n");
  return locals + out + declared + unrolled_text("j", times) + in_read + read + "    }\n    }\n" +
         unrolled_text("j", times) + put + "    }\n  YOKE_BARRIER_LOCAL();\n" + unrolled_text("j", times) + in_write +
         place(of.variables.front()) + loads + store_text(of.to, {of.value, of.kind}, "to", "at") + "    }\n    }\n}\n";
}

YOKE_COLD std::string evaluation_source(const expression_form& form, value_type_name to) {
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
  types += function_text(type, "yoke_x_value", parameters, text(statements, "  return ", result.name).c_str());
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

}  // namespace yoke::inline YOKE_ABI::detail

#endif
