// SPDX-License-Identifier: MIT
// Bodies of array/reduction/scan_source.hpp.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_SOURCE_IPP
#define YOKE_ARRAY_REDUCTION_SCAN_SOURCE_IPP

#include <yoke/array/reduction/scan_source.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: whether loops may be unrolled. NVIDIA's compiler would lose a minus of the greatest of negated integers, as it does
/// in reductions; and compilers for CPUs gain nothing.
bool may_unroll(value_type_name accumulator, std::string_view join, bool look_back) {
  const bool may_lose = accumulator.kind <= value_kind::uint32 || accumulator.kind == value_kind::structure;
  return look_back && !(may_lose && join.find('-') != std::string_view::npos);
}

inline bool may_look_back = true;
bool& look_back_allowed() noexcept { return may_look_back; }

bool needs_last_item(const scan_text& of) noexcept {
  return (of.output + of.preamble).find("last_item") != std::string::npos;
}

/// Whether the threads of a warp exchange parts without local memory.
constexpr bool scans_by_warps(std::size_t part) noexcept { return part <= 16; }

std::string waiting_text() {
  // A thread that waits makes way in the simulator if it asks an atomic; on a GPU a plain load of what others write is enough.
  return "#if defined(__YOKE_SIMULATOR__)\n#define YOKE_X_LOOK(T, p) yoke_atomic_load(p)\n"
         "#define YOKE_X_PUT(T, p, x) yoke_atomic_store(p, x)\n#else\n"
         "#define YOKE_X_LOOK(T, p) (*(YOKE_GLOBAL const volatile T*)(p))\n"
         "#define YOKE_X_PUT(T, p, x) (*(YOKE_GLOBAL volatile T*)(p) = (x))\n#endif\n"
         // Who waits leaves the memory to the others.
         "#if defined(__CUDACC_RTC__)\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700\n#define YOKE_X_WAIT(ns) "
         "((void)0)\n#else\n"
         "#define YOKE_X_WAIT(ns) __nanosleep(ns)\n#endif\n#define YOKE_X_WARP() __syncwarp()\n"
         "#define YOKE_X_UP(x, by) __shfl_up_sync(0xffffffffu, x, by)\n"
         "#define YOKE_X_BLOCKS(threads, blocks) __launch_bounds__(threads, blocks)\n#endif\n";
}

/// Returns: `yoke_x_put`, which leaves a part for other blocks, and `yoke_x_take`, which waits for one.
std::string look_back_text(std::size_t part) {
  std::string out = waiting_text();
  const std::size_t words = (part + 3) / 4;
  out += text("union yoke_x_words {\n  yoke_x_part part;\n  uint word[", words, "];\n};\n");
  if (scans_by_warps(part)) {
    out += text("yoke_x_part yoke_x_up(yoke_x_part x, uint by) {\n  union yoke_x_words as;\n  as.word[", words - 1,
                "] = 0;\n  as.part = x;\n  for (int k = 0; k < ", words,
                "; ++k) as.word[k] = YOKE_X_UP(as.word[k], by);\n  return as.part;\n}\n");
  }
  if (words == 1) {
    // Value and mark are one word, which is there or not.
    return out +
           "void yoke_x_put(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at, yoke_x_part part) {\n"
           "  YOKE_GLOBAL yoke_uint64* to = (YOKE_GLOBAL yoke_uint64*)(left + 8) + at;\n  (void)slots;\n"
           "  union yoke_x_words as;\n  as.word[0] = 0;\n  as.part = part;\n"
           "  YOKE_X_PUT(yoke_uint64, to, (yoke_uint64)as.word[0] | (yoke_uint64)1 << 32);\n}\n"
           "yoke_x_part yoke_x_take(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at) {\n"
           "  YOKE_GLOBAL yoke_uint64* from = (YOKE_GLOBAL yoke_uint64*)(left + 8) + at;\n  (void)slots;\n"
           "  yoke_uint64 found;\n  while ((found = YOKE_X_LOOK(yoke_uint64, from)) >> 32 == 0) YOKE_X_WAIT(100);\n"
           "  union yoke_x_words as;\n  as.word[0] = (uint)found;\n  return as.part;\n}\n";
  }
  // The value is seen before its mark: a fence stands between them on both sides.
  return out +
         text(
             "void yoke_x_put(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at, yoke_x_part part) {\n"
             "  YOKE_GLOBAL uint* mark = (YOKE_GLOBAL uint*)(left + 8) + at;\n"
             "  YOKE_GLOBAL uint* to = (YOKE_GLOBAL uint*)(left + 8) + slots + at * ",
             // Others read padding, too.
             words, ";\n  union yoke_x_words as;\n  for (int k = 0; k < ", words,
             "; ++k) as.word[k] = 0;\n  as.part = part;\n  for (int k = 0; k < ", words,
             "; ++k) YOKE_X_PUT(uint, to + k, as.word[k]);\n  YOKE_FENCE_GLOBAL();\n"
             "  YOKE_X_PUT(uint, mark, 1u);\n}\n"
             "yoke_x_part yoke_x_take(YOKE_GLOBAL yoke_uint8* left, yoke_int64 slots, yoke_int64 at) {\n"
             "  YOKE_GLOBAL uint* mark = (YOKE_GLOBAL uint*)(left + 8) + at;\n"
             "  YOKE_GLOBAL uint* from = (YOKE_GLOBAL uint*)(left + 8) + slots + at * ",
             words,
             ";\n  while (YOKE_X_LOOK(uint, mark) == 0) YOKE_X_WAIT(100);\n  YOKE_FENCE_GLOBAL();\n"
             "  union yoke_x_words as;\n  for (int k = 0; k < ",
             words, "; ++k) as.word[k] = YOKE_X_LOOK(uint, from + k);\n  return as.part;\n}\n");
}

std::string scan_types_text(value_type_name accumulator, const char* join, const char* neutral, bool segments) {
  // Segments of a tile are told apart by 4 bytes: an accumulator of 1 or 2 is as wide as they are.
  const char* const type = value_name(accumulator);
  return text("YOKE_STRUCT(yoke_x_part) {\n  ", type, " f;\n", segments ? "  int s;\n" : "", "};\n",
              function_text(accumulator, "yoke_x_combine", text(type, " a, ", type, " b"), join),
              neutral_text(accumulator, "yoke_x_begin", neutral),
              "yoke_x_part yoke_x_join(yoke_x_part a, yoke_x_part b) {\n",
              segments ? "  if (b.s != 0) return b;\n  a.f = yoke_x_combine(a.f, b.f);\n  return a;\n}\n"
                       : "  a.f = yoke_x_combine(a.f, b.f);\n  return a;\n}\n",
              "yoke_x_part yoke_x_neutral(void) {\n  yoke_x_part x;\n  x.f = yoke_x_begin();\n",
              segments ? "  x.s = 0;\n" : "", "  return x;\n}\n");
}

/// Returns: the statements that scan what the threads of a block have in `joined`: `before` is what those before a thread have,
/// `every` what all have. Threads are joined in warps of 32, and warps in their order, whether a device has warps or not.
std::string block_scan_text(std::size_t block, bool by_warps) {
  std::string out;
  if (by_warps) {
    out =
        "  for (uint apart = 1; apart < 32u; apart *= 2) {\n    yoke_x_part other = yoke_x_up(joined, apart);\n"
        "    if (here % 32u >= apart) joined = yoke_x_join(other, joined);\n  }\n"
        "  if (here % 32u == 31u) part[here / 32u] = joined;\n  joined = yoke_x_up(joined, 1u);\n"
        "  YOKE_BARRIER_LOCAL();\n";
  } else {
    out = text(
        "  part[here] = joined;\n  YOKE_BARRIER_LOCAL();\n  from = 0;\n"
        "  for (uint apart = 1; apart < 32u; apart *= 2) {\n    part[",
        block,
        "u - from + here] = here % 32u >= apart ? yoke_x_join(part[from + here - apart], part[from + here]) : "
        "part[from + here];\n    from = ",
        block, "u - from;\n    YOKE_BARRIER_LOCAL();\n  }\n  if (here != 0) joined = part[from + here - 1u];\n");
  }
  const char* const last = by_warps ? "part[warp / 32u]" : "part[from + warp + 31u]";
  return out +
         text("  before = yoke_x_neutral();\n  every = yoke_x_neutral();\n  for (uint warp = 0; warp < ", block,
              "u; warp += 32u) {\n    if (warp == here / 32u * 32u) before = every;\n    every = yoke_x_join(every, ",
              last, ");\n  }\n  if (here % 32u != 0) before = yoke_x_join(before, joined);\n  YOKE_BARRIER_LOCAL();\n");
}

std::string scan_kernels_text(const scan_parts& of) {
  const std::size_t block = scan_block(of.part);
  const std::size_t tile = block * of.items;
  const bool by_warps = of.look_back && scans_by_warps(of.part);
  const std::string begin = text(
      "  uint here = (uint)get_local_id(0);\n",
      of.one_row ? "  yoke_int64 tile = group, row = 0;\n"
                 : "  yoke_int64 tile = group % steps.tiles, row = group / steps.tiles;\n",
      "  YOKE_X_INDEX result = (YOKE_X_INDEX)row;\n  (void)result;\n  yoke_int64 first = tile * ", tile,
      ";\n  uint count = steps.count - first < ", tile, " ? (uint)(steps.count - first) : ", tile, "u;\n", of.places);
  const std::string own_group = "  yoke_int64 group = (yoke_int64)get_group_id(0);\n";
  const std::string together = of.look_back ? "  YOKE_X_WARP();\n" : "  YOKE_BARRIER_LOCAL();\n";
  // Neighbours read neighbours of a block's elements, or, looking back, of a warp's; then each thread joins its own, which the
  // padding keeps in other banks.
  const std::string start = text("here / 32u * ", 32 * of.items, "u + here % 32u");  // looking back
  const std::string padded = text("staged[taken + taken / ", of.items, "u]");
  const std::string unrolled = text(of.padded ? text("  YOKE_UNROLL(", of.items, ")\n") : std::string(),
                                    "  for (uint k = 0; k < ", of.items, "u");
  const std::string each_taken =
      of.look_back ? text("  for (uint k = 0; k < ", of.items, "u; ++k) {\n    uint taken = ", start, " + k * 32u;\n")
                   : text("  for (uint taken = here; taken < count; taken += ", block, "u) {\n");
  const std::string put = text("    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);\n    yoke_x_part next;\n", of.load,
                               "    ", padded, " = next;\n");
  std::string load = text(
      of.padded ? "#pragma unroll 1\n" : "", each_taken,
      !of.look_back ? std::string()
      : of.padded ? text("    if (taken >= count) {\n      ", padded, " = yoke_x_neutral();\n      continue;\n    }\n")
                  : std::string("    if (taken >= count) break;\n"),
      put, "  }\n");
  if (of.look_back) {
    // All reads of a full tile are under way before the first is used.
    load = text("  if (count == ", tile, "u) {\n  yoke_x_part read[", of.items, "];\n  YOKE_UNROLL(", of.items,
                ")\n  for (uint k = 0; k < ", of.items, "u; ++k) {\n    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + ",
                start, " + k * 32u);\n    yoke_x_part next;\n", of.load, "    read[k] = next;\n  }\n  YOKE_UNROLL(",
                of.items, ")\n  for (uint k = 0; k < ", of.items, "u; ++k) {\n    uint taken = ", start,
                " + k * 32u;\n    ", padded, " = read[k];\n  }\n  } else {\n", load, "  }\n");
  }
  // Element `k` of a thread.
  const std::string own = text("staged[here * ", of.items + 1, "u + k]");
  const std::string each_own =
      text(unrolled, of.padded ? std::string() : text(" && here * ", of.items, "u + k < count"), "; ++k) ");
  load += text(together, "  yoke_x_part joined = yoke_x_neutral();\n", each_own, "joined = yoke_x_join(joined, ", own,
               ");\n");
  const std::string local =
      text("  YOKE_LOCAL yoke_x_part staged[", tile + block, "];\n  YOKE_LOCAL yoke_x_part part[",
           by_warps ? block / 32 : 2 * block, "];\n  yoke_x_part before, every;\n", by_warps ? "" : "  uint from;\n");
  const std::string scan = block_scan_text(block, by_warps);
  // What is kept of each element takes its place; or what is before it, to which the element is joined once more.
  const std::string finish =
      text(each_own, "{\n    yoke_x_part next = ", own,
           ";\n    yoke_x_part prior = before;\n    before = yoke_x_join(before, next);\n",
           of.kept.empty() ? std::string("    yoke_x_part kept = prior;\n")
                           : "    yoke_x_part item = before;\n    (void)item;\n" + of.kept,
           "    ", own, " = kept;\n  }\n", together, of.padded ? "  YOKE_UNROLL(4)\n" : "", each_taken,
           of.look_back ? "    if (taken >= count) break;\n" : "",
           "    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);\n    yoke_x_part kept = ", padded, ";\n",
           of.kept.empty() ? text("    yoke_x_part prior = kept;\n    yoke_x_part next;\n", of.load,
                                  "    yoke_x_part item = yoke_x_join(prior, next);\n    (void)item;\n",
                                  of.segments ? "    if (next.s != 0) prior = yoke_x_neutral();\n" : "")
                           : std::string(),
           of.store, "  }\n}\n");
  const std::string kernel = text("YOKE_KERNEL YOKE_WORK_GROUP_SIZE(", block, ", 1, 1) ");
  if (of.look_back) {
    // Blocks take tiles in the order in which they begin, so that those before have begun. A block leaves what its tile makes,
    // and scans those of its batch as `yoke_x_scan_tiles` does; the last of a batch leaves what is before the next one. Few
    // registers keep enough reads under way: only simple scans do with so few.
    const bool is_simple = of.part <= 4 && of.inputs == 1 && of.padded;
    return look_back_text(of.part) + (is_simple ? text("YOKE_KERNEL YOKE_X_BLOCKS(", block, ", 8) ") : kernel) +
           text("yoke_x_scan(", of.parameters, "YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {\n", local,
                "  YOKE_LOCAL yoke_x_part carry[2];\n  YOKE_LOCAL uint ticket[1];\n", own_group,
                "  if (steps.tiles > 1) {\n    if (get_local_id(0) == 0) ticket[0] = yoke_atomic_add((YOKE_GLOBAL "
                "uint*)left, 1u);\n    YOKE_BARRIER_LOCAL();\n    group = (yoke_int64)ticket[0];\n  }\n",
                begin, load, scan, "  if (steps.tiles > 1) {\n    yoke_int64 batches = (steps.tiles + ", block - 1,
                ") / ", block, ", batch = tile / ", block,
                ", slots = steps.results * (steps.tiles + batches);\n"
                "    yoke_int64 batch_at = row * steps.tiles + batch * ",
                block,
                ", carry_at = steps.results * steps.tiles + row * batches + batch;\n    uint own = (uint)(tile % ",
                block,
                ");\n    if (here == 0) yoke_x_put(left, slots, row * steps.tiles + tile, every);\n"
                "    yoke_x_part before_here = before;\n    joined = yoke_x_neutral();\n    if (here == own) joined = "
                "every;\n"
                "    if (steps.tiles > 256) YOKE_X_WAIT(800);\n"  // until most are there
                "    if (here < own) joined = yoke_x_take(left, slots, batch_at + here);\n",
                scan,
                "    if (here == own) carry[1] = before;\n"
                "    if (here == 0) {\n      yoke_x_part carried = batch == 0 ? yoke_x_neutral() : yoke_x_take(left, "
                "slots, carry_at);\n      if (own == ",
                block - 1,
                "u && tile + 1 < steps.tiles) yoke_x_put(left, slots, carry_at + 1, yoke_x_join(carried, every));\n"
                "      carry[0] = carried;\n    }\n    YOKE_BARRIER_LOCAL();\n"
                "    before = yoke_x_join(own == 0 ? carry[0] : yoke_x_join(carry[0], carry[1]), before_here);\n  }\n",
                finish);
  }
  std::string out;
  out += text(kernel, "yoke_x_scan_parts(", of.parameters, "YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {\n",
              local, own_group, begin, load, scan,
              "  if (here == 0) ((YOKE_GLOBAL yoke_x_part*)left)[row * (steps.tiles + 1) + tile] = every;\n}\n");
  // One block for each row goes through its tiles.
  out += text(
      kernel, "yoke_x_scan_tiles(YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {\n  YOKE_LOCAL yoke_x_part part[",
      2 * block,
      "];\n  yoke_x_part before, every;\n  uint from, here = (uint)get_local_id(0);\n"
      "  YOKE_GLOBAL yoke_x_part* own = (YOKE_GLOBAL yoke_x_part*)left"
      " + (yoke_int64)get_group_id(0) * (steps.tiles + 1);\n  yoke_x_part carried = yoke_x_neutral();\n"
      "  for (yoke_int64 first = 0; first < steps.tiles; first += ",
      block, ") {\n  yoke_x_part joined = first + here < steps.tiles ? own[first + here] : yoke_x_neutral();\n", scan,
      "  if (first + here < steps.tiles) own[first + here] = here == 0 ? carried : yoke_x_join(carried, before);\n"
      "  carried = yoke_x_join(carried, every);\n  }\n  if (here == 0) own[steps.tiles] = carried;\n}\n");
  out += text(kernel, "yoke_x_scan(", of.parameters, "YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {\n", local,
              own_group, begin, load, scan,
              "  if (steps.tiles > 1) {\n    YOKE_GLOBAL const yoke_x_part* own = (YOKE_GLOBAL const yoke_x_part*)left"
              " + row * (steps.tiles + 1);\n    before = yoke_x_join(own[tile], before);\n    every = "
              "own[steps.tiles];\n  }\n  "
              "(void)every;\n",
              finish);
  return out;
}

void scan_inputs_text(scan_parts& of, const scan_form& form) {
  of.inputs = form.values.inputs;
  of.segments = form.segments;
  of.look_back = form.look_back;
  of.one_row = form.result_rank == 0;
  of.padded = may_unroll(form.accumulator, form.join, form.look_back);
  of.part = scan_part_bytes(form.accumulator.bytes, form.segments);
  of.items = scan_items(of.part);
  of.places = "  YOKE_X_PLACE from_to = 0;\n  (void)from_to;\n";
  std::vector<placed_operand> from{{"from_to", of.inputs}};
  std::vector<placed_operand> at;
  for (std::size_t k = 0; k < of.inputs; ++k) {
    if (form.values.slots[k] != k) continue;
    of.places += text("  p", k, " += steps.offsets[", k, "];\n");
    if (form.linear) continue;
    from.push_back({text("from", k), k});
    at.push_back({text("at", k), k});
    of.places += text("  YOKE_X_PLACE from", k, " = 0;\n");
    of.load += text("    YOKE_X_PLACE at", k, " = from", k, ";\n");
  }
  if (!form.linear) {
    places_text(of.places, form.result_rank, "result", "result_extents", "result_strides", from);
    places_text(of.load, form.rank, "i", "extents", "strides", at);
  }
  loads_text(of.load, form.values, form.linear ? "i" : nullptr, form.linear);
}

std::string scan_source(const scan_form& form) {
  scan_parts of;
  scan_inputs_text(of, form);
  of.parameters = text("YOKE_GLOBAL ", kind_name(form.accumulator), "* to, ", inputs_text(form.values));
  const std::vector<named_value> found = values_text(of.load, form.values);
  of.load += text("    next.f = ", converted_text(form.accumulator.kind, found[0]), ";\n");
  if (form.segments) of.load += text("    next.s = ", truth_text(found[1]), " != 0;\n");
  if (!form.linear) {
    of.store = "    YOKE_X_PLACE at_to = from_to;\n";
    const placed_operand to{"at_to", of.inputs};
    places_text(of.store, form.rank, "i", "extents", "strides", std::span(&to, 1));
  }
  of.kept = text(form.segments && !form.inclusive ? "    if (next.s != 0) prior = yoke_x_neutral();\n" : "",
                 "    yoke_x_part kept = ", form.inclusive ? "item" : "prior", ";\n");
  const named_value kept{"kept.f", form.accumulator.kind};
  of.store += store_text(form.accumulator, kept, "to", form.linear ? "i" : "at_to", form.linear);
  std::string out = reduction_steps_text(of.inputs + 1, form.values.wide);
  out += scan_types_text(form.accumulator, form.join, form.neutral, form.segments);
  out += functions_text(form.values) + scan_kernels_text(of);
  if (of.one_row) return out;
  out += text(
      "YOKE_KERNEL yoke_x_scan_rows(", of.parameters,
      "yoke_x_steps steps) {\n  yoke_int64 row = (yoke_int64)get_global_id(0);\n  if (row >= steps.results) return;\n"
      "  YOKE_X_INDEX result = (YOKE_X_INDEX)row;\n",
      of.places, "  yoke_x_part prior = yoke_x_neutral();\n",
      // As in reductions: an unrolled loop of the greatest of negated integers would lose a minus.
      form.accumulator.kind <= value_kind::uint32 || form.accumulator.kind == value_kind::structure
          ? "#pragma unroll 1\n"
          : "",
      "  for (YOKE_X_INDEX i = 0; i < "
      "(YOKE_X_INDEX)steps.count; ++i) {\n    yoke_x_part next;\n",
      of.load, "    yoke_x_part item = yoke_x_join(prior, next);\n", of.kept, of.store, "    prior = item;\n  }\n}\n");
  return out;
}

std::string scan_kernel_source(const given_parameters& parameters, value_type_name accumulator, const scan_text& of,
                               bool look_back, const source_location& where) {
  check_text("input", "a scan kernel", of.input, where);
  check_text("join", "a scan kernel", of.join, where);
  check_text("neutral element", "a scan kernel", of.neutral, where);
  check_text("output", "a scan kernel", of.output, where);
  const bool segments = !of.segment_start.empty();
  const char* const type = value_name(accumulator);
  scan_parts parts;
  parts.parameters = parameters.numbered;
  parts.segments = segments;
  parts.look_back = look_back;
  parts.one_row = true;
  parts.padded = may_unroll(accumulator, of.join, look_back);
  parts.part = scan_part_bytes(accumulator.bytes, segments);
  parts.items = scan_items(parts.part);
  parts.load = text("    next.f = yoke_x_value(", parameters.passed, "(yoke_int64)i);\n");
  if (segments) parts.load += text("    next.s = yoke_x_starts(", parameters.passed, "(yoke_int64)i);\n");
  parts.store =
      text("    yoke_x_output(", parameters.passed, "(yoke_int64)i, steps.count, item.f, prior.f, every.f);\n");
  std::string out = of.preamble;
  out += "\n" + parameters.types + reduction_steps_text(1, true) +
         scan_types_text(accumulator, of.join.c_str(), of.neutral.c_str(), segments);
  out += function_text(accumulator, "yoke_x_value", parameters.declared + "yoke_int64 i", of.input.c_str());
  if (segments) {
    out += text("int yoke_x_starts(", parameters.declared, "yoke_int64 i) {\n  return (", of.segment_start,
                ") != 0;\n}\n");
  }
  out += text("void yoke_x_output(", parameters.declared, "yoke_int64 i, yoke_int64 N, ", type, " item, ", type,
              " prev_item, ", type, " last_item) {\n  ", of.output, ";\n}\n");
  return out + scan_kernels_text(parts);
}

}  // namespace yoke::inline v0_1::detail

#endif
