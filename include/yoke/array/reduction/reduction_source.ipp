// SPDX-License-Identifier: MIT
// Bodies of array/reduction/reduction_source.hpp.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_IPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_IPP

#include <yoke/array/reduction/reduction_source.hpp>
#include <yoke/array/storage/device_view.hpp>

namespace yoke::inline v0_1::detail {

void throw_nothing_to_reduce(const char* what, const std::size_t* extents, std::size_t rank,
                             const source_location& where) {
  throw_error(errc::invalid_argument, where, what, " of no elements: the shape is ", shape_text(extents, rank));
}

void split_axes(reduction_axes& axes, const std::size_t* extents, std::size_t rank, std::uint32_t reduced,
                std::span<const array_side> operands, const source_location& where) {
  const auto fill = [&](expression_axes& of, bool chosen) {
    std::int64_t dense = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
      if (((reduced >> axis & 1U) != 0) == chosen) of.count *= static_cast<std::int64_t>(extents[axis]);
    }
    for (std::size_t axis = rank; axis-- > 0;) {
      if (((reduced >> axis & 1U) != 0) != chosen) continue;
      // From the fastest axis on; turned around below.
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
      const array_side& side = operands[k];
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
  if (axes.reduced.count <= 32) return {1, 1, true};
  const expression_axes& of = axes.reduced;
  const bool rows = of.rank > 0 && of.places[1].strides[of.rank - 1] == 1;
  return {32, rows || bytes > 16 ? 32U : 8U, !rows};  // local memory has room for 16 bytes a lane
}

reduction_lanes lanes_for_parts(const reduction_axes& axes, bool whole, std::size_t bytes,
                                std::uint32_t most_threads) noexcept {
  if (!whole || bytes > 16) return lanes_for(axes, whole, bytes);
  // One block reads all parts: the more threads it has, the sooner it is done.
  constexpr std::uint32_t lanes = 1024;
  return {lanes, most_threads < lanes ? static_cast<std::uint32_t>(reduction_block) : lanes};
}

/// Whether the result is an index.
constexpr bool has_index(reduction_kind by) noexcept {
  return by == reduction_kind::first_least || by == reduction_kind::first_most;
}

/// Returns: the type of a field's member in `yoke_x_part`.
[[gnu::cold]] inline const char* part_name(const reduction_field& of) {
  if (!sums_in_double(of)) return value_name(of.accumulator);
  return is_complex(of.accumulator.kind) ? "yoke_x_wide2" : "yoke_x_wide";
}
/// The types of sums that are in `double` where the device has it. OpenCL's division and root of floats may be off in the last bit; by
/// doubles they are rounded once, as elsewhere.
inline constexpr const char* wide_types_text =
    "#if defined(__OPENCL_VERSION__) && !defined(cl_khr_fp64)\ntypedef float yoke_x_wide;\ntypedef float2 "
    "yoke_x_wide2;\n"
    "#else\ntypedef double yoke_x_wide;\ntypedef double2 yoke_x_wide2;\n#endif\n";

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
  std::string step;  // the same of an element behind those that were joined, at a greater index
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const reduction_field& each = fields[k];
    const char* const type = part_name(each);
    members += text("  ", type, " f", k, ";\n");
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
    const char* rule = "a + b";
    const bool real = kind == value_kind::float32 || kind == value_kind::float64;
    switch (each.by) {
      case reduction_kind::product:
        rule = kind == value_kind::complex64    ? "yoke_complex_times_f(a, b)"
               : kind == value_kind::complex128 ? "yoke_complex_times_d(a, b)"
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
      members += text("  yoke_int64 g", k, ";\n");
      begin += text("  x.g", k, " = -1;\n");
      // The first of equal ones; a NaN is before all numbers.
      const std::string n = text(k);
      const std::string better = each.by == reduction_kind::first_least ? " < a.f" + n : " > a.f" + n;
      const std::string nan = real ? " || (b.f" + n + " != b.f" + n + " && a.f" + n + " == a.f" + n + ")" : "";
      const std::string both = real ? " || (b.f" + n + " != b.f" + n + " && a.f" + n + " != a.f" + n + ")" : "";
      join += "  if (b.g" + n + " >= 0 && (a.g" + n + " < 0 || b.f" + n + better + nan + " || ((b.f" + n + " == a.f" +
              n + both + ") && b.g" + n + " < a.g" + n + "))) { a.f" + n + " = b.f" + n + "; a.g" + n + " = b.g" + n +
              "; }\n";
      const char* const no_better = each.by == reduction_kind::first_least ? " >= " : " <= ";
      step += text("  if (!(b.f", n, no_better, "a.f", n, ")", real ? text(" && a.f", n, " == a.f", n) : std::string(),
                   ") { a.f", n, " = b.f", n, "; a.g", n, " = at; }\n");
    } else {
      functions += function_text(each.accumulator, text("yoke_x_join", k), text(type, " a, ", type, " b"), rule);
      const std::string both = text("  a.f", k, " = yoke_x_join", k, "(a.f", k, ", b.f", k, ");\n");
      join += both;
      step += both;
    }
  }
  const bool is_wide = std::any_of(fields.begin(), fields.end(), &sums_in_double);
  return text(is_wide ? wide_types_text : "", "YOKE_STRUCT(yoke_x_part) {\n", members, "};\n", functions,
              "yoke_x_part yoke_x_join(yoke_x_part a, yoke_x_part b) {\n", join,
              "  return a;\n}\nyoke_x_part yoke_x_step(yoke_x_part a, yoke_x_part b, uint at) {\n  (void)at;\n", step,
              "  return a;\n}\nyoke_x_part yoke_x_neutral(void) {\n  yoke_x_part x;\n", begin, "  return x;\n}\n");
}

/// The threads that CUDA runs in step.
inline constexpr std::uint32_t warp_lanes = 32;

/// Returns: the join of part `lane` with those that pairs of lanes `apart` and farther bring to it, as the loop over pairs joins.
[[gnu::cold]] inline std::string joined_text(std::uint32_t first, std::uint32_t apart, std::uint32_t lanes) {
  if (apart == lanes) return text("part[lane + ", first, "u]");
  return text("yoke_x_join(", joined_text(first, 2 * apart, lanes), ", ", joined_text(first + apart, 2 * apart, lanes),
              ")");
}
/// Returns: the join of all lanes' parts into that of lane 0. On CUDA by the first warp, which needs no barriers; `in_pairs`
/// elsewhere. Both join the same parts in the same order.
[[gnu::cold]] inline std::string joined_by_warp_text(std::uint32_t lanes, const std::string& in_pairs) {
  return text("#if defined(__CUDACC_RTC__)\n  if (lane >= ", warp_lanes,
              "u) return;\n  part[lane] = ", joined_text(0, warp_lanes, lanes),
              ";\n  for (uint apart = ", warp_lanes / 2,
              "u; apart > 0; apart /= 2) {\n    __syncwarp();\n    if (lane < apart) part[lane] = "
              "yoke_x_join(part[lane], part[lane + apart]);\n  }\n#else\n",
              in_pairs, "#endif\n");
}

std::string reduction_body_text(const reduction_form& form, const std::string& places, const std::string& values) {
  const reduction_lanes& by = form.lanes;
  const std::size_t results = by.block() / by.threads;  // of a block
  // NVIDIA's compiler (13.0) makes one instruction of two steps of an unrolled loop: `max(max(a, -b), -c)` loses a minus.
  const bool may_negate =
      !form.from_parts && (form.values.steps.empty() ||
                           std::any_of(form.values.steps.begin(), form.values.steps.end(),
                                       [](const auto& each) { return each.what != expression_step::form::input; }));
  const bool loses_negation = std::any_of(form.fields.begin(), form.fields.end(), [&](const reduction_field& each) {
    const bool is_extreme = each.by == reduction_kind::least || each.by == reduction_kind::most || has_index(each.by);
    const bool may_be_extreme =
        (is_extreme && may_negate) || (each.by == reduction_kind::given &&
                                       (may_negate || std::string_view(each.join).find('-') != std::string_view::npos));
    const value_kind kind = each.accumulator.kind;
    return may_be_extreme && (kind <= value_kind::uint32 || kind == value_kind::structure);
  });
  const std::size_t tile = form.from_parts ? later_tile : reduction_tile;
  std::string out = text(by.serial ? "  yoke_x_part part[" : "  YOKE_LOCAL yoke_x_part part[", by.lanes * results,
                         "];\n  uint here = (uint)get_local_id(0);\n"
                         "  YOKE_X_INDEX group = (YOKE_X_INDEX)get_group_id(0);\n");
  if (by.threads >= reduction_block) {  // of all elements: there is one result
    out += "  uint lane = here, column = 0;\n  yoke_int64 tile = (yoke_int64)group, to = 0;\n";
  } else {
    out += by.columns ? text("  uint lane = here / ", results, "u, column = here % ", results, "u;\n")
                      : text("  uint lane = here % ", by.threads, "u, column = here / ", by.threads, "u;\n");
    out += text(
        "  yoke_int64 tile = (yoke_int64)(group % (YOKE_X_INDEX)steps.tiles);\n"
        "  yoke_int64 to = (yoke_int64)(group / (YOKE_X_INDEX)steps.tiles) * ",
        results, " + column;\n");
  }
  // The first element of a lane is its place until a better one comes, because none is worse than the neutral one.
  std::string first_place;
  std::string whole_place;
  const bool ahead = form.batch > 1 && !loses_negation && !by.serial;
  const bool in_steps = ahead && !form.from_parts;  // compilers for CPUs make better code of the general join
  for (std::size_t k = 0; in_steps && k < form.fields.size(); ++k) {
    if (!has_index(form.fields[k].by)) continue;
    first_place += text("  if (own < count) joined.g", k, " = own;\n");
    whole_place += text("  if (own < count) joined.g", k, " += first;\n");
  }
  const std::string add = in_steps ? "joined = yoke_x_step(joined, " : "joined = yoke_x_join(joined, ";
  const char* const at = in_steps ? ", taken);\n" : ");\n";
  std::string loop;
  if (!ahead) {
    loop =
        text(loses_negation ? "#pragma unroll 1\n" : "", "  for (uint taken = own; taken < count; taken += ", by.lanes,
             "u) {\n    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);\n    yoke_x_part next;\n", values, "    ", add,
             "next", at, "  }\n");
  } else {
    const std::string each = text("    YOKE_UNROLL(", form.batch, ")\n    for (uint j = 0; j < ", form.batch,
                                  "u; ++j) {\n    uint taken = begin + j * ", by.lanes, "u;\n");
    loop = text("  for (uint begin = own; begin < count; begin += ", form.batch * by.lanes,
                "u) {\n    yoke_x_part read[", form.batch, "];\n", each,
                "    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + (taken < count ? taken : own));\n    yoke_x_part next;\n",
                values, "    read[j] = next;\n    }\n", each, "    if (taken < count) ", add, "read[j]", at,
                "    }\n  }\n");
  }
  out += text(
      "  YOKE_X_INDEX result = to < steps.results ? (YOKE_X_INDEX)to : 0;\n  (void)result;\n"
      "  yoke_int64 first = tile * ",
      tile, ";\n  uint count = steps.count - first < ", tile, " ? (uint)(steps.count - first) : ", tile, "u;\n",
      places);
  if (by.serial) {
    // Lanes side by side are what compilers for processors make vectors of.
    out += text("  for (uint own = 0; own < ", by.lanes, "u; ++own) part[own] = yoke_x_neutral();\n",
                "  for (uint begin = 0; begin < count; begin += ", by.lanes, "u) {\n    uint end = count - begin < ",
                by.lanes, "u ? count - begin : ", by.lanes,
                "u;\n    for (uint own = 0; own < end; ++own) {\n    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + begin + "
                "own);\n    yoke_x_part next;\n",
                values, "    part[own] = yoke_x_join(part[own], next);\n    }\n  }\n  for (uint apart = ", by.lanes / 2,
                "u; apart > 0; apart /= 2) {\n    for (uint own = 0; own < apart; ++own) part[own] = "
                "yoke_x_join(part[own], part[own + apart]);\n  }\n");
  } else {
    out += text("  for (uint own = lane; own < ", by.lanes, "u; own += ", by.threads,
                "u) {\n  yoke_x_part joined = yoke_x_neutral();\n", first_place, loop, whole_place, "  part[own * ",
                results, "u + column] = joined;\n  }\n  YOKE_BARRIER_LOCAL();\n");
    if (by.lanes > 1) {
      const std::string in_pairs =
          text("  for (uint apart = ", by.lanes / 2,
               "u; apart > 0; apart /= 2) {\n    for (uint own = lane; own < apart; own += ", by.threads,
               "u) {\n      part[own * ", results, "u + column] = yoke_x_join(part[own * ", results,
               "u + column], part[(own + apart) * ", results, "u + column]);\n    }\n    YOKE_BARRIER_LOCAL();\n  }\n");
      out += results == 1 && by.lanes > warp_lanes ? joined_by_warp_text(by.lanes, in_pairs) : in_pairs;
    }
  }
  out += "  if (lane != 0 || to >= steps.results) return;\n  yoke_x_part total = part[column];\n";
  if (form.to_parts) {
    return out + "  ((YOKE_GLOBAL yoke_x_part*)parts)[tile * steps.results + to] = total;\n}\n";
  }
  for (std::size_t k = 0; k < form.fields.size(); ++k) {
    const reduction_field& each = form.fields[k];
    const value_kind kind = each.accumulator.kind;
    const char* const divisor = kind == value_kind::complex128 ? "double" : value_name(each.accumulator);
    const auto quotient = [k](const char* part) {
      return text("(float)(total.f", k, part, " / (yoke_x_wide)steps.elements)");
    };
    named_value value{text("total.f", k), kind};
    switch (each.by) {
      case reduction_kind::mean:
      case reduction_kind::mean_square:
        if (kind == value_kind::float32) {
          value.name = quotient("");
        } else if (kind == value_kind::complex64) {
          value.name = text("mean", k);
          out += text("  float2 mean", k, ";\n  mean", k, ".x = ", quotient(".x"), ";\n  mean", k,
                      ".y = ", quotient(".y"), ";\n");
        } else {
          value.name = text("(total.f", k, " / (", divisor, ")steps.elements)");
        }
        break;
      case reduction_kind::norm:
        value.name = kind == value_kind::float32 ? text("(float)sqrt(total.f", k, ")") : text("sqrt(total.f", k, ")");
        break;
      case reduction_kind::first_least:
      case reduction_kind::first_most: value = {text("total.g", k), value_kind::int64}; break;
      default: break;
    }
    out += store_text(each.to, value, text("to", k), "to");
  }
  return out + "}\n";
}

/// Returns: the steps of a kernel of so many inputs, and the types in which it counts.
[[gnu::cold]] inline std::string steps_text(const char* name, std::size_t inputs, bool wide) {
  return text("YOKE_STRUCT(", name, ") {\n  yoke_int64 results, count, tiles, elements, offsets[", inputs,
              "], result_extents[", most_axes, "], result_strides[", inputs * most_axes, "], extents[", most_axes,
              "], strides[", inputs * most_axes, "];\n};\n",
              wide ? "#define YOKE_X_INDEX yoke_uint64\n#define YOKE_X_PLACE yoke_int64\n"
                   : "#define YOKE_X_INDEX uint\n#define YOKE_X_PLACE int\n");
}
std::string reduction_steps_text(std::size_t inputs, bool wide) {
  // Not every kernel uses all that one text declares.
  return text(
      "#if defined(__CUDACC_RTC__)\n#pragma nv_diag_suppress 177, 550\n#endif\n",
      steps_text("yoke_x_steps", inputs, wide),
      // What is read or written once leaves the caches to the rest, which brings 1 to 4 % of the memory's speed.
      "#if defined(__CUDACC_RTC__)\n#define YOKE_X_READ(p, i) __ldcs((p) + (i))\n"
      "#define YOKE_X_WRITE(p, i, x) __stcs((p) + (i), x)\n"
      "#else\n#define YOKE_X_READ(p, i) (p)[i]\n#define YOKE_X_WRITE(p, i, x) (p)[i] = (x)\n#endif\n");
}

/// Returns: a kernel up to the parameters of where it writes.
[[gnu::cold]] inline std::string reduction_head_text(const reduction_form& form, const std::string& name) {
  std::string out = text("YOKE_KERNEL YOKE_WORK_GROUP_SIZE(", form.lanes.block(), ", 1, 1) ", name, "(");
  if (form.to_parts) return out + "YOKE_GLOBAL yoke_uint8* parts, ";
  for (std::size_t k = 0; k < form.fields.size(); ++k) {
    out += text("YOKE_GLOBAL ", kind_name(form.fields[k].to), "* to", k, ", ");
  }
  return out;
}
/// Returns: a kernel that reads parts.
[[gnu::cold]] inline std::string reduction_of_parts_text(const reduction_form& form, const std::string& name,
                                                         const char* steps) {
  return reduction_head_text(form, name) + text("YOKE_GLOBAL const yoke_uint8* p0, ", steps, " steps) {\n") +
         reduction_body_text(form, "",
                             "    next = ((YOKE_GLOBAL const yoke_x_part*)p0)[(yoke_int64)i * steps.results + "
                             "(yoke_int64)result];\n");
}

/// Returns: a kernel that reads elements.
[[gnu::cold]] inline std::string reduction_of_values_text(const reduction_form& form) {
  std::string out = reduction_head_text(form, "yoke_x_reduce") + inputs_text(form.values) + "yoke_x_steps steps) {\n";
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
  for (std::size_t k = 0; k < form.fields.size(); ++k) {
    const reduction_field& each = form.fields[k];
    const char* const type = part_name(each);
    const std::string& name = found[k].name;
    switch (each.by) {
      case reduction_kind::any:
      case reduction_kind::all:
      case reduction_kind::count: values += text("    next.f", k, " = ", truth_text(found[k]), " != 0;\n"); break;
      case reduction_kind::mean_square:
      case reduction_kind::norm:
        if (is_complex(found[k].kind)) {
          values += text("    next.f", k, " = (", type, ")", name, ".x * (", type, ")", name, ".x + (", type, ")", name,
                         ".y * (", type, ")", name, ".y;\n");
        } else {
          values += text("    next.f", k, " = (", type, ")", name, " * (", type, ")", name, ";\n");
        }
        break;
      case reduction_kind::first_least:
      case reduction_kind::first_most: values += text("    next.g", k, " = (yoke_int64)i;\n"); [[fallthrough]];
      default: {
        const std::string value = converted_text(each.accumulator.kind, found[k]);
        if (sums_in_double(each) && is_complex(each.accumulator.kind)) {
          values += text("    { float2 whole = ", value, "; next.f", k, ".x = whole.x; next.f", k, ".y = whole.y; }\n");
        } else {
          values += text("    next.f", k, " = ", value, ";\n");
        }
      }
    }
  }
  return out + reduction_body_text(form, places, values);
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
