// SPDX-License-Identifier: MIT
// Bodies of array/reduction/reduction_source.hpp.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_IPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_IPP

#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/array/reduction/reduction_source.hpp>
#include <yoke/array/storage/device_view.hpp>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view text_of_steps =
#include <yoke/kernels/evaluation/steps.ipp>
    ;
inline constexpr std::string_view text_of_wide_sums =
#include <yoke/kernels/reduction/wide_sums.ipp>
    ;
inline constexpr std::string_view text_of_reduction_part =
#include <yoke/kernels/reduction/reduction_part.ipp>
    ;
inline constexpr std::string_view text_of_reduction =
#include <yoke/kernels/reduction/reduction.ipp>
    ;
// clang-format on

void throw_nothing_to_reduce(const char* what, const std::size_t* extents, std::size_t rank,
                             const source_location& where) {
  throw_error(errc::invalid_argument, where, what, " of no elements: the shape is ", shape_text(extents, rank));
}

void split_axes(reduction_axes& axes, const std::size_t* extents, std::size_t rank, std::uint32_t reduced,
                std::span<const byte_layout> operands, const source_location& where) {
  const auto fill = [&](expression_axes& of, bool chosen) {
    std::int64_t dense = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
      if (((reduced >> axis & 1U) != 0) == chosen) of.count *= static_cast<std::int64_t>(extents[axis]);
    }
    for (std::size_t axis = rank; axis-- > 0;) {
      if (((reduced >> axis & 1U) != 0) != chosen) continue;
      // Collects from the fastest axis on; reversed below.
      const std::size_t at = of.rank++;
      of.extents[at] = static_cast<std::int64_t>(extents[axis]);
      of.places[0].strides[at] = dense;
      dense *= of.extents[at];
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const const_axes& own = operands[k].axes;
        const bool is_there = axis + own.rank >= rank && own.extents[axis + own.rank - rank] != 1;
        of.places[k + 1].strides[at] = is_there ? own.strides[axis + own.rank - rank] : 0;
      }
    }
    walked_operand walked[most_inputs + 1];
    for (std::size_t k = 0; k <= operands.size(); ++k) {
      std::int64_t* const strides = of.places[k].strides;
      std::reverse(strides, strides + of.rank);
      walked[k] = {&of.places[k].offset, strides};
      if (k > 0 && !chosen) of.places[k].offset = static_cast<std::int64_t>(operands[k - 1].offset);
    }
    std::reverse(of.extents, of.extents + of.rank);
    of.rank = merge_walk(of.extents, of.rank, std::span(walked, operands.size() + 1));
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const byte_layout& side = operands[k];
      if (!divide_walk(walked[k + 1], of.rank, static_cast<std::int64_t>(side.element)) && of.count != 0) {
        throw_within_element(side.offset, side.element, where);
      }
    }
  };
  fill(axes.results, false);
  fill(axes.reduced, true);
}

bool is_narrow(const reduction_axes& axes, std::size_t operands) noexcept {
  if (!is_narrow(axes.results, operands) || !is_narrow(axes.reduced, operands)) return false;
  if (axes.reduced.count != 0 && axes.results.count >= narrow_limit() / axes.reduced.count) return false;
  for (std::size_t k = 0; k < operands; ++k) {
    std::int64_t reach = 0;
    for (const expression_axes* of : {&axes.results, &axes.reduced}) {
      for (std::size_t axis = 0; axis < of->rank; ++axis) {
        const std::int64_t stride = of->places[k].strides[axis];
        reach += (of->extents[axis] - 1) * (stride < 0 ? -stride : stride);
      }
    }
    if (reach >= narrow_limit()) return false;
  }
  return true;
}

reduction_lanes lanes_for(const reduction_axes& axes, bool whole, std::size_t bytes) noexcept {
  if (whole) return {};
  constexpr auto block = static_cast<std::uint32_t>(reduction_block);
  if (axes.reduced.count <= 32) return {.lanes = 1, .threads = 1, .results = block, .columns = true};
  const expression_axes& of = axes.reduced;
  const bool rows = of.rank > 0 && of.places[1].strides[of.rank - 1] == 1;
  reduction_lanes made{.lanes = 32, .threads = 32, .columns = !rows};
  // No more results than there are; 16 bytes for each lane fit into local memory. Threads of short rows have several
  // lanes each, because they would otherwise only meet.
  const bool long_rows = rows && axes.reduced.count >= 256;
  const std::uint32_t most = long_rows || bytes > 16 ? block / 32 : block / 8;
  while (made.results < most && made.results < axes.results.count) made.results *= 2;
  if (made.threads * made.results > block) made.threads = block / made.results;
  return made;
}

reduction_lanes lanes_for_parts(const reduction_axes& axes, bool whole, std::size_t bytes,
                                std::uint32_t most_threads) noexcept {
  if (!whole || bytes > 16) return lanes_for(axes, whole, bytes);
  // One block reads all parts, and is faster with more threads.
  constexpr std::uint32_t lanes = 1024;
  return {.lanes = lanes, .threads = most_threads < lanes ? static_cast<std::uint32_t>(reduction_block) : lanes};
}

const char* part_name(const reduction_field& of) {
  if (!sums_in_double(of)) return value_name(of.accumulator);
  return is_complex(of.accumulator.kind) ? "yoke_x_wide2" : "yoke_x_wide";
}
std::string neutral_text(value_type_name type, const std::string& name, const char* neutral) {
  const bool is_body = type.kind == value_kind::structure || returns(neutral);
  return function_text(type, name, "void", is_body ? neutral : number_text(type.kind, neutral).c_str());
}

std::string reduction_parts_text(std::span<const reduction_field> fields) {
  const auto neutral = [](const reduction_field& of) -> const char* {
    switch (of.by) {
      case reduction_kind::product:
      case reduction_kind::all: return "1";
      case reduction_kind::least:
      case reduction_kind::first_least: return extreme_neutral(of.accumulator.kind, true);
      case reduction_kind::most:
      case reduction_kind::first_most: return extreme_neutral(of.accumulator.kind, false);
      default: return "0";
    }
  };
  std::string members;
  std::string begin;
  std::string join;
  std::string functions;
  std::string step;  // joins an element whose index is greater than all before
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const reduction_field& each = fields[k];
    const char* const type = part_name(each);
    if (each.by == reduction_kind::variance) {
      members += "yoke_x_wide f, mean, count; ";
      begin += "  x.f = 0;\n  x.mean = 0;\n  x.count = 0;\n";
      join += "  YOKE_REDUCE_VARIANCES\n";
      continue;
    }
    members += text(type, " f", k, "; ");
    const value_kind kind = each.accumulator.kind;
    if (sums_in_double(each)) {
      const bool pair = is_complex(kind);
      begin += pair ? text("  x.f", k, ".x = 0;\n  x.f", k, ".y = 0;\n") : text("  x.f", k, " = 0;\n");
      functions += text(type, " yoke_x_join", k, "(", type, " a, ", type, " b) {\n",
                        pair ? "  a.x += b.x;\n  a.y += b.y;\n" : "  a += b;\n", "  return a;\n}\n");
      const std::string both = text("  a.f", k, " = yoke_x_join", k, "(a.f", k, ", b.f", k, ");\n");
      join += both;
      step += both;
      continue;
    }
    if (each.by == reduction_kind::given) {
      functions += neutral_text(each.accumulator, text("yoke_x_begin", k), each.neutral);
      begin += text("  x.f", k, " = yoke_x_begin", k, "();\n");
    } else {
      begin += text("  x.f", k, " = ", number_text(kind, neutral(each)), ";\n");
    }
    const bool wraps = kind == value_kind::int64;
    const char* rule = wraps ? "(yoke_int64)((yoke_uint64)a + (yoke_uint64)b)" : "a + b";
    const bool real = kind == value_kind::float32 || kind == value_kind::float64;
    switch (each.by) {
      case reduction_kind::product:
        rule = kind == value_kind::complex64    ? "yoke_complex_times_f(a, b)"
               : kind == value_kind::complex128 ? "yoke_complex_times_d(a, b)"
               : wraps                          ? "(yoke_int64)((yoke_uint64)a * (yoke_uint64)b)"
                                                : "a * b";
        break;
      case reduction_kind::least: rule = extreme_join(kind, true); break;
      case reduction_kind::most: rule = extreme_join(kind, false); break;
      case reduction_kind::any: rule = "a | b"; break;
      case reduction_kind::all: rule = "a & b"; break;
      case reduction_kind::given: rule = each.join; break;
      default: break;
    }
    if (has_index(each.by)) {
      const bool least = each.by == reduction_kind::first_least;
      const char* const suffix = real ? "_REAL(f" : "(f";
      members += text("yoke_int64 g", k, "; ");
      begin += text("  x.g", k, " = -1;\n");
      join += text("  YOKE_REDUCE_FIRST", suffix, k, ", g", k, least ? ", <)\n" : ", >)\n");
      step += text("  YOKE_REDUCE_NEXT", suffix, k, ", g", k, least ? ", >=)\n" : ", <=)\n");
    } else {
      functions += function_text(each.accumulator, text("yoke_x_join", k), text(type, " a, ", type, " b"), rule);
      const std::string both = text("  a.f", k, " = yoke_x_join", k, "(a.f", k, ", b.f", k, ");\n");
      join += both;
      step += both;
    }
  }
  const bool is_wide = std::any_of(fields.begin(), fields.end(), &sums_in_double);
  return text(is_wide ? text_of_wide_sums : "", functions,
              with_macros({{"YOKE_REDUCE_MEMBERS", members},
                           {"YOKE_REDUCE_BEGIN", begin},
                           {"YOKE_REDUCE_JOIN", join},
                           {"YOKE_REDUCE_STEP", step}},
                          text_of_reduction_part));
}

named_value result_text(std::string& to, const reduction_field& of, std::size_t k, const std::string& divisor) {
  const value_kind kind = of.accumulator.kind;
  const char* const type = kind == value_kind::complex128 ? "double" : value_name(of.accumulator);
  const auto quotient = [&](const char* part) {
    return text("(float)(total.f", k, part, " / (yoke_x_wide)", divisor, ")");
  };
  switch (of.by) {
    case reduction_kind::variance: return {text("(float)(total.f / (yoke_x_wide)", divisor, ")"), kind};
    case reduction_kind::mean:
    case reduction_kind::mean_square:
      if (kind == value_kind::float32) return {quotient(""), kind};
      if (kind != value_kind::complex64) return {text("(total.f", k, " / (", type, ")", divisor, ")"), kind};
      to += text("  float2 mean", k, ";\n  mean", k, ".x = ", quotient(".x"), ";\n  mean", k, ".y = ", quotient(".y"),
                 ";\n");
      return {text("mean", k), kind};
    case reduction_kind::norm:
      return {kind == value_kind::float32 ? text("(float)sqrt(total.f", k, ")") : text("sqrt(total.f", k, ")"), kind};
    case reduction_kind::first_least:
    case reduction_kind::first_most: return {text("total.g", k), value_kind::int64};
    default: return {text("total.f", k), kind};
  }
}
/// Returns: the statements that store the part `total`.
[[gnu::cold]] inline std::string total_text(const reduction_form& form) {
  if (form.to_parts) {
    return text("  ((YOKE_GLOBAL yoke_x_part*)parts)[", form.lanes.is_whole() ? "tile" : "tile * steps.results + to",
                "] = total;\n");
  }
  std::string out;
  for (std::size_t k = 0; k < form.fields.size(); ++k) {
    const named_value value = result_text(out, form.fields[k], k, "steps.elements");
    out += store_text(form.fields[k].to, value, text("to", k), "to");
  }
  return out;
}

/// Returns: the type of the steps of a kernel with `inputs` inputs, and the integer types of its counters.
[[gnu::cold]] inline std::string steps_text(const char* name, std::size_t inputs, bool wide) {
  return with_macros({{"YOKE_STEPS", name}, {"YOKE_STEPS_OPERANDS", inputs}, {"YOKE_STEPS_AXES", most_axes}},
                     text_of_steps) +
         counting_text(wide);
}
std::string reduction_steps_text(std::size_t inputs, bool wide) {
  // Each kernel uses only some of the declarations.
  return "YOKE_ALLOW_UNUSED\n" + steps_text("yoke_x_steps", inputs, wide);
}

bool loses_negation(const reduction_form& form) noexcept {
  const bool may_negate =
      !form.from_parts && (form.values.steps.empty() ||
                           std::any_of(form.values.steps.begin(), form.values.steps.end(),
                                       [](const auto& each) { return each.what != expression_step::form::input; }));
  return std::any_of(form.fields.begin(), form.fields.end(), [&](const reduction_field& each) {
    const bool is_extreme = each.by == reduction_kind::least || each.by == reduction_kind::most || has_index(each.by);
    const bool may_be_extreme =
        (is_extreme && may_negate) || (each.by == reduction_kind::given &&
                                       (may_negate || std::string_view(each.join).find('-') != std::string_view::npos));
    const value_kind kind = each.accumulator.kind;
    return may_be_extreme && (kind <= value_kind::uint32 || kind == value_kind::structure);
  });
}

std::string reduction_kernel_text(const reduction_form& form, const reduction_texts& of) {
  const reduction_lanes& by = form.lanes;
  const bool is_rolled = loses_negation(form);
  const bool ahead = form.batch > 1 && !is_rolled && !by.serial;
  const bool twice = !form.from_parts && form.fields.front().by == reduction_kind::variance;
  const bool in_steps = ahead && !form.from_parts && !twice;  // general joins give better code on CPUs
  // The index of a lane is that of its first element until a better one comes, because every element is as good as the
  // neutral one.
  std::string placed;
  std::string placed_in;
  for (std::size_t k = 0; in_steps && k < form.fields.size(); ++k) {
    if (!has_index(form.fields[k].by)) continue;
    placed += text("    if (at < count) joined.g", k, " = at;\n");
    placed_in += text("    if (at < count) joined.g", k, " += first;\n");
  }
  return with_macros({{"YOKE_REDUCE_NAME", of.name},
                      {"YOKE_REDUCE_STEPS", of.steps},
                      {"YOKE_REDUCE_PARAMETERS", of.parameters},
                      {"YOKE_REDUCE_BLOCK", by.block()},
                      {"YOKE_REDUCE_LANES", by.lanes},
                      {"YOKE_REDUCE_THREADS", by.threads},
                      {"YOKE_REDUCE_TILE", form.from_parts ? later_tile : reduction_tile},
                      {"YOKE_REDUCE_PIECE", form.from_parts || by.lanes != 32 ? 0 : reduction_piece},
                      {"YOKE_REDUCE_BATCH", ahead ? form.batch : 1},
                      {"YOKE_REDUCE_WHOLE", by.is_whole()},
                      {"YOKE_REDUCE_COLUMNS", by.columns},
                      {"YOKE_REDUCE_SERIAL", by.serial},
                      {"YOKE_REDUCE_ROLLED", is_rolled},
                      {"YOKE_REDUCE_STEPPED", in_steps},
                      {"YOKE_REDUCE_TWICE", twice},
                      {"YOKE_REDUCE_PLACES", of.places},
                      {"YOKE_REDUCE_LOAD", of.load},
                      {"YOKE_REDUCE_PLACED", placed},
                      {"YOKE_REDUCE_PLACED_IN", placed_in},
                      {"YOKE_REDUCE_STORE", total_text(form)}},
                     text_of_reduction);
}

/// Returns: the parameters for the kernel's output.
[[gnu::cold]] inline std::string results_text(const reduction_form& form) {
  if (form.to_parts) return "YOKE_GLOBAL yoke_uint8* parts, ";
  std::string out;
  for (std::size_t k = 0; k < form.fields.size(); ++k) {
    out += text("YOKE_GLOBAL ", kind_name(form.fields[k].to), "* to", k, ", ");
  }
  return out;
}
/// Returns: a kernel that reads parts.
[[gnu::cold]] inline std::string reduction_of_parts_text(const reduction_form& form, const std::string& name,
                                                         const char* steps) {
  return reduction_kernel_text(form, {.name = name,
                                      .steps = steps,
                                      .parameters = results_text(form) + parts_parameter,
                                      .load = part_load_text(form.lanes)});
}

void next_text(std::string& to, const reduction_field& of, std::size_t k, const named_value& value) {
  const char* const type = part_name(of);
  const std::string& name = value.name;
  switch (of.by) {
    case reduction_kind::any:
    case reduction_kind::all:
    case reduction_kind::count: to += text("    next.f", k, " = ", truth_text(value), " != 0;\n"); return;
    case reduction_kind::variance:
      to += text("    next.f = 0;\n    next.mean = ", name, ";\n    next.count = 1;\n");
      return;
    case reduction_kind::mean_square:
    case reduction_kind::norm:
      if (is_complex(value.kind)) {
        to += text("    next.f", k, " = (", type, ")", name, ".x * (", type, ")", name, ".x + (", type, ")", name,
                   ".y * (", type, ")", name, ".y;\n");
      } else {
        to += text("    next.f", k, " = (", type, ")", name, " * (", type, ")", name, ";\n");
      }
      return;
    case reduction_kind::first_least:
    case reduction_kind::first_most: to += text("    next.g", k, " = (yoke_int64)i;\n"); [[fallthrough]];
    default: break;
  }
  const std::string converted = converted_text(of.accumulator.kind, value);
  if (sums_in_double(of) && is_complex(of.accumulator.kind)) {
    to += text("    { float2 whole = ", converted, "; next.f", k, ".x = whole.x; next.f", k, ".y = whole.y; }\n");
  } else {
    to += text("    next.f", k, " = ", converted, ";\n");
  }
}

/// Returns: a kernel that reads elements.
[[gnu::cold]] inline std::string reduction_of_values_text(const reduction_form& form) {
  std::vector<placed_operand> from;
  std::vector<placed_operand> at;
  std::string places;
  std::string values;
  for (std::size_t k = 0; k < form.values.inputs; ++k) {
    if (form.values.slots[k] != k) continue;
    places += text("  p", k, " += steps.offsets[", k, "];\n");
    if (form.linear) continue;
    from.push_back({text("from", k), k});
    at.push_back({text("at", k), k});
    places += text("  YOKE_X_PLACE from", k, " = 0;\n");
    values += text("    YOKE_X_PLACE at", k, " = from", k, ";\n");
  }
  if (!form.linear) {
    places_text(places, form.result_rank, "result", "result_extents", "result_strides", from);
    places_text(values, form.rank, "i", "extents", "strides", at);
  }
  loads_text(values, form.values, form.linear ? "i" : nullptr, form.linear);
  const std::vector<named_value> found = values_text(values, form.values);
  for (std::size_t k = 0; k < form.fields.size(); ++k) next_text(values, form.fields[k], k, found[k]);
  return reduction_kernel_text(form, {.name = "yoke_x_reduce",
                                      .parameters = results_text(form) + inputs_text(form.values),
                                      .places = places,
                                      .load = values});
}

std::string reduction_source(const reduction_form& form, std::span<const reduction_form> later) {
  std::string out = reduction_steps_text(form.from_parts ? 1 : form.values.inputs, form.values.wide);
  out += reduction_parts_text(form.fields);
  out += form.from_parts ? reduction_of_parts_text(form, "yoke_x_reduce", "yoke_x_steps")
                         : functions_text(form.values) + reduction_of_values_text(form);
  for (std::size_t k = 0; k < later.size(); ++k) {
    const std::string steps = text("yoke_x_steps", k + 1);
    out += "#undef YOKE_X_INDEX\n#undef YOKE_X_PLACE\n" + steps_text(steps.c_str(), 1, later[k].values.wide) +
           reduction_of_parts_text(later[k], text("yoke_x_reduce", k + 1), steps.c_str());
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
