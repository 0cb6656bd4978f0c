// SPDX-License-Identifier: MIT
// The texts of sorting.
#ifndef YOKE_ALGORITHM_SORT_SOURCE_IPP
#define YOKE_ALGORITHM_SORT_SOURCE_IPP

#include <yoke/algorithm/sort_source.hpp>
#include <yoke/array/reduction/scan_source.hpp>
#include <yoke/core/text.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: the types, what the kernels are told, and the digit of a key.
std::string sort_types_text(const sort_form& form) {
  const char* const wide = form.key == 8 ? "yoke_uint64" : "uint";
  std::string out = text("#define YOKE_S_KEY ", word_of_bytes(form.key), "\n#define YOKE_S_VALUE ",
                         word_of_bytes(form.value == 0 ? 1 : form.value), "\n#define YOKE_S_ORDER ", wide,
                         "\n#define YOKE_S_PLACE ", form.wide ? "yoke_uint64" : "uint", "\n");
  out +=
      "YOKE_STRUCT(yoke_s_steps) {\n  yoke_int64 rows, count, tiles, tile, from, to, values_from, values_to;\n"
      "  yoke_uint64 flip, infinity, first, last, numbers, in_place, pass, passes;\n};\n";
  // The digits of real numbers are those of integers in the same order: 0 and -0 are equal, and what is no number is last.
  out += "uint yoke_s_digit(YOKE_S_KEY key, YOKE_S_ORDER flip, YOKE_S_ORDER infinity, uint shift, uint mask) {\n";
  if (form.real) {
    const std::string all = form.key == 2 ? "0xffffu" : form.key == 4 ? "0xffffffffu" : "0xfffffffffffffffful";
    const std::string top = form.key == 2 ? "0x8000u" : form.key == 4 ? "0x80000000u" : "0x8000000000000000ul";
    out += text("  YOKE_S_ORDER x = key, size = x & (", all, " ^ ", top,
                ");\n  if (size == 0) x = 0;\n  x = size > infinity ? (YOKE_S_ORDER)", all, " : x ^ ((x & ", top,
                ") != 0 ? (YOKE_S_ORDER)", all, " : (YOKE_S_ORDER)", top, ") ^ flip;\n");
  } else {
    // A bool is true by any byte but 0.
    out +=
        text("  YOKE_S_ORDER x = (YOKE_S_ORDER)", form.truth ? "(key != 0)" : "key", " ^ flip;\n  (void)infinity;\n");
  }
  return out +
         "  return (uint)(x >> shift) & mask;\n}\n#define YOKE_S_DIGIT(key) yoke_s_digit(key, flip, infinity, shift, "
         "mask)\n";
}

/// Returns: the beginning of a kernel up to the body. `resident`: the blocks for which a processor of a GPU has registers.
std::string sort_kernel_text(const char* name, std::size_t block, std::size_t resident = 0, bool takes_keys = true) {
  return text(
      "YOKE_KERNEL ",
      resident == 0 ? text("YOKE_WORK_GROUP_SIZE(", block, ", 1, 1) ")
                    : text("YOKE_X_BLOCKS(", block, ", ", resident, ") "),
      name,
      "(YOKE_GLOBAL YOKE_S_KEY* from, YOKE_GLOBAL YOKE_S_KEY* to, YOKE_GLOBAL YOKE_S_VALUE* values_from, "
      "YOKE_GLOBAL YOKE_S_VALUE* values_to, YOKE_GLOBAL YOKE_S_PLACE* table, yoke_s_steps steps) {\n",
      takes_keys ? "  YOKE_S_ORDER flip = (YOKE_S_ORDER)steps.flip, infinity = (YOKE_S_ORDER)steps.infinity;\n" : "",
      "  (void)table;\n  (void)values_from;\n  (void)values_to;\n  (void)from;\n"
      "  (void)to;\n");
}
/// The digit of a pass.
inline constexpr const char* pass_text =
    "  uint shift = (uint)steps.first;\n"
    "  uint mask = steps.last - steps.first >= 8 ? 255u : (1u << (uint)(steps.last - steps.first)) - 1u;\n";
/// The tile of a block, and the elements in it.
inline constexpr const char* tile_text =
    "  yoke_int64 tile = (yoke_int64)get_group_id(0) % steps.tiles, row = (yoke_int64)get_group_id(0) / steps.tiles;\n";
inline constexpr const char* place_in_tile_text =
    "  YOKE_S_PLACE first = (YOKE_S_PLACE)(row * steps.count + tile * steps.tile);\n"
    "  uint count = (uint)(steps.count - tile * steps.tile < steps.tile ? steps.count - tile * steps.tile : "
    "steps.tile);\n";

/// Returns: `yoke_s_rows`: one thread inserts the elements of a row one by one.
std::string sort_rows_text(const sort_form& form) {
  const bool pairs = form.value != 0;
  return text(sort_kernel_text("yoke_s_rows", row_block),
              "  yoke_int64 row = (yoke_int64)get_global_id(0);\n  if (row >= steps.rows) return;\n"
              "  from += steps.from + row * steps.count;\n  to += steps.to + row * steps.count;\n",
              pairs ? "  values_from += steps.values_from + (steps.numbers != 0 ? 0 : row * steps.count);\n"
                      "  values_to += steps.values_to + row * steps.count;\n"
                    : "",
              "  uint bits = (uint)(steps.last - steps.first), shift = (uint)steps.first;\n"
              "  for (yoke_int64 i = 0; i < steps.count; ++i) {\n    YOKE_S_KEY key = from[i];\n",
              pairs ? "    YOKE_S_VALUE value = steps.numbers != 0 ? (YOKE_S_VALUE)i : values_from[i];\n" : "",
              "    YOKE_S_ORDER order = yoke_s_order(key, flip, infinity, shift, bits);\n    yoke_int64 at = i;\n"
              "    for (; at > 0 && yoke_s_order(to[at - 1], flip, infinity, shift, bits) > order; --at) {\n"
              "      to[at] = to[at - 1];\n",
              pairs ? "      values_to[at] = values_to[at - 1];\n" : "", "    }\n    to[at] = key;\n",
              pairs ? "    values_to[at] = value;\n" : "", "  }\n}\n");
}

inline constexpr const char* serial_offsets_text =
    "  from += steps.from;\n  to += steps.to;\n  values_from += steps.values_from;\n  values_to += "
    "steps.values_to;\n";
std::string serial_move_text(const char* source, const char* target, const char* value) {
  return text("    YOKE_S_KEY key = ", source, ";\n    YOKE_S_PLACE at = place[YOKE_S_DIGIT(key)]++;\n    ", target,
              "[at] = key;\n", value);
}

/// Returns: the kernels of which one thread is a block.
std::string serial_sort_text(const sort_form& form) {
  const bool pairs = form.value != 0;
  std::string out =
      sort_kernel_text("yoke_s_count", 1) + pass_text + tile_text + place_in_tile_text +
      "  uint found[256];\n  from += steps.from;\n  for (uint digit = 0; digit < 256; ++digit) found[digit] = 0;\n"
      "  for (uint i = 0; i < count; ++i) ++found[YOKE_S_DIGIT(from[first + i])];\n"
      "  for (uint digit = 0; digit < 256; ++digit) table[(row * 256 + digit) * steps.tiles + tile] = "
      "found[digit];\n}\n";
  out += sort_kernel_text("yoke_s_offsets", 1, 0, false) +
         "  table += (yoke_int64)get_group_id(0) * 256 * steps.tiles;\n  YOKE_S_PLACE before = 0;\n"
         "  for (yoke_int64 i = 0; i < 256 * steps.tiles; ++i) {\n    YOKE_S_PLACE found = table[i];\n    table[i] = "
         "before;\n"
         "    before += found;\n  }\n}\n";
  out += sort_kernel_text("yoke_s_scatter", 1) + pass_text + tile_text + place_in_tile_text + serial_offsets_text +
         "  YOKE_S_PLACE place[256];\n  for (uint digit = 0; digit < 256; ++digit) place[digit] = (YOKE_S_PLACE)(row * "
         "steps.count) "
         "+ table[(row * 256 + digit) * steps.tiles + tile];\n  for (uint i = 0; i < count; ++i) {\n" +
         serial_move_text("from[first + i]", "to",
                          pairs ? "    values_to[at] = steps.numbers != 0 ? (YOKE_S_VALUE)(tile * steps.tile + i) : "
                                  "values_from[first + i];\n"
                                : "") +
         "  }\n}\n";
  return out;
}

/// Returns: `yoke_s_small` for one thread a block. The spare memory behind the table: keys, then values.
std::string serial_tile_text(const sort_form& form) {
  const bool pairs = form.value != 0;
  return sort_kernel_text("yoke_s_small", 1) + serial_offsets_text +
         "  yoke_int64 row = (yoke_int64)get_group_id(0), begin = row * steps.count;\n"
         "  YOKE_GLOBAL YOKE_S_VALUE* spare_values = (YOKE_GLOBAL YOKE_S_VALUE*)table;\n"
         "  YOKE_GLOBAL YOKE_S_KEY* spare = (YOKE_GLOBAL YOKE_S_KEY*)table;\n" +
         (pairs ? (form.value < form.key
                       ? "  spare_values = (YOKE_GLOBAL YOKE_S_VALUE*)(spare + steps.rows * steps.count);\n"
                       : "  spare = (YOKE_GLOBAL YOKE_S_KEY*)(spare_values + steps.rows * steps.count);\n")
                : "") +
         "  YOKE_GLOBAL YOKE_S_KEY* source = from + begin;\n  YOKE_GLOBAL YOKE_S_VALUE* source_values = values_from + "
         "(steps.numbers != 0 ? 0 : begin);\n  (void)source_values;\n  (void)spare_values;\n  to += begin;\n  "
         "values_to "
         "+= begin;\n"
         "  spare += begin;\n  spare_values += begin;\n  uint count = (uint)steps.count;\n"
         "  uint passes = (uint)((steps.last - steps.first + 7) / 8);\n"
         "  bool into_spare = steps.in_place != 0 || passes % 2 == 0;\n  bool numbers = steps.numbers != 0;\n"
         "  for (uint pass = 0; pass < passes; ++pass) {\n    uint shift = (uint)steps.first + 8 * pass;\n"
         "    uint mask = (uint)steps.last - shift >= 8 ? 255u : (1u << ((uint)steps.last - shift)) - 1u;\n    uint "
         "place[256];\n"
         "    for (uint digit = 0; digit < 256; ++digit) place[digit] = 0;\n"
         "    for (uint i = 0; i < count; ++i) ++place[YOKE_S_DIGIT(source[i])];\n    uint before = 0;\n"
         "    for (uint digit = 0; digit < 256; ++digit) {\n      uint found = place[digit];\n      place[digit] = "
         "before;\n"
         "      before += found;\n    }\n    YOKE_GLOBAL YOKE_S_KEY* target = into_spare ? spare : to;\n"
         "    YOKE_GLOBAL YOKE_S_VALUE* target_values = into_spare ? spare_values : values_to;\n    "
         "(void)target_values;\n"
         "    for (uint i = 0; i < count; ++i) {\n" +
         serial_move_text("source[i]", "target",
                          pairs ? "    target_values[at] = numbers ? (YOKE_S_VALUE)i : source_values[i];\n" : "") +
         "    }\n    source = target;\n    source_values = target_values;\n    numbers = false;\n    into_spare = "
         "!into_spare;\n  }\n"
         "  if (source != to) for (uint i = 0; i < count; ++i) {\n    to[i] = source[i];\n" +
         (pairs ? "    values_to[i] = source_values[i];\n" : "") + "  }\n}\n";
}

/// Returns: the statements by which a block ranks the elements of its threads by a digit. Element `k` of a thread has place
/// `mine + 32 * k`, so that each 32 threads have neighbours in order. `packed[k]` becomes the rank, and the digit above it;
/// `start` where digit `here` begins. What is missing from the tile has the last digit, and is behind all. `counted` are
/// statements that use `sum`, the number of elements with digit `here`; null: neither they nor `start` are needed.
std::string rank_text(std::size_t items, const char* used, const char* counted = nullptr) {
  const std::string each = text("  YOKE_S_UNROLL(", items, ")\n  for (uint k = 0; k < ", items, "u; ++k) {\n",
                                used == nullptr ? std::string() : text("    if (k < ", used, ") {\n"));
  const char* const end = used == nullptr ? "  }\n" : "    }\n  }\n";
  return text(
      "  for (uint k = here; k < 4096u; k += 256u) marks[k] = 0;\n  YOKE_BARRIER_LOCAL();\n", each,
      "    uint digit = mine + 32u * k < count ? YOKE_S_DIGIT(key[k]) : mask;\n    uint own = here / 32u * 256u + "
      "digit;\n"
      // Those of 32 threads with one digit find each other.
      "    yoke_atomic_or(marks + own, lane_bit);\n    YOKE_S_TOGETHER();\n    uint peers = marks[own], before = "
      "found[own];\n"
      "    YOKE_S_TOGETHER();\n    uint lower = popcount(peers & (lane_bit - 1u));\n"
      "    if (peers < lane_bit << 1 || lane_bit == 0x80000000u) {\n      found[own] = before + lower + 1u;\n      "
      "marks[own] = "
      "0;\n    }\n    YOKE_S_TOGETHER();\n    packed[k] = before + lower | digit << 16;\n",
      end,
      "  YOKE_BARRIER_LOCAL();\n"
      "  {\n    uint sum = 0;\n    YOKE_UNROLL(8)\n    for (uint warp = 0; warp < 8u; ++warp) {\n      uint of_warp = "
      "found[warp * 256u + here];\n      found[warp * 256u + here] = sum;\n      sum += of_warp;\n    }\n",
      counted == nullptr ? "" : counted, "    uint before = yoke_s_before(scratch, sum);\n",
      counted == nullptr ? "" : "    start = before;\n",
      "    YOKE_UNROLL(8)\n"
      "    for (uint warp = 0; warp < 8u; ++warp) found[warp * 256u + here] += before;\n  }\n  YOKE_BARRIER_LOCAL();\n",
      each, "    packed[k] += found[here / 32u * 256u + (packed[k] >> 16)];\n", end, "  YOKE_BARRIER_LOCAL();\n");
}

/// Returns: the kernels of which 256 threads are a block.
std::string block_sort_text(const sort_form& form) {
  const bool pairs = form.value != 0;
  const std::size_t items = sort_items(form.key, form.value);
  const std::size_t tile = sort_tile(form.key, form.value);
  const std::size_t most = form.key < form.value ? form.value : form.key;
  const std::size_t room = tile * most < 16384 ? 16384 : tile * most;
  std::string out =
      "#if YOKE_BACKEND_CUDA\n#define YOKE_S_TOGETHER() __syncwarp()\n#else\n#define YOKE_S_TOGETHER() "
      "YOKE_BARRIER_LOCAL()\n#endif\n"
      // PoCL's compiler needs minutes for loops with barriers that are unrolled.
      "#if YOKE_SUB_GROUP_SIZE == 32\n#define YOKE_S_UNROLL(count) YOKE_UNROLL(count)\n#else\n#define "
      "YOKE_S_UNROLL(count)\n#endif\n"
      // The sum of those before a thread in its block.
      "#if YOKE_SUB_GROUP_SIZE == 32\nuint yoke_s_before(YOKE_LOCAL_POINTER uint* scratch, uint x) {\n"
      "  uint up = yoke_sub_group_scan_inclusive_add(x), here = (uint)get_local_id(0), sum = 0;\n"
      "  if (here % 32u == 31u) scratch[here / 32u] = up;\n  YOKE_BARRIER_LOCAL();\n"
      "  for (uint warp = 0; warp < here / 32u; ++warp) sum += scratch[warp];\n  YOKE_BARRIER_LOCAL();\n"
      "  return sum + up - x;\n}\n#else\n#define yoke_s_before(scratch, x) yoke_work_group_scan_exclusive_add(scratch, "
      "x)\n#endif\n";
  const std::string each = text("  YOKE_S_UNROLL(", items, ")\n  for (uint k = 0; k < ", items, "u; ++k) {\n");
  const std::string here = "  uint here = (uint)get_local_id(0);\n";
  const std::string local = text("  YOKE_LOCAL yoke_uint64 room[", room / 8,
                                 "];\n  YOKE_LOCAL uint scratch[256];\n"
                                 "  YOKE_LOCAL_POINTER uint* marks = (YOKE_LOCAL_POINTER uint*)room;\n"
                                 "  YOKE_LOCAL_POINTER uint* found = marks + 2048;\n"
                                 "  YOKE_LOCAL_POINTER YOKE_S_KEY* staged = (YOKE_LOCAL_POINTER YOKE_S_KEY*)room;\n",
                                 pairs ? "  YOKE_LOCAL_POINTER YOKE_S_VALUE* staged_values = (YOKE_LOCAL_POINTER "
                                         "YOKE_S_VALUE*)room;\n"
                                       : "");
  const std::string offsets =
      text("  from += steps.from;\n  to += steps.to;\n",
           pairs ? "  values_from += steps.values_from;\n  values_to += steps.values_to;\n" : "");
  const std::string threads =
      text("  uint lane_bit = 1u << here % 32u;\n  YOKE_S_KEY key[", items, "];\n  uint packed[", items, "];\n");

  if (form.use == sort_use::one_tile) {
    // A row of one tile goes through all digits in registers and local memory.
    out += sort_kernel_text("yoke_s_small", sort_block) + local +
           text(
               "  yoke_int64 row = (yoke_int64)get_group_id(0);\n  YOKE_S_PLACE first = (YOKE_S_PLACE)(row * "
               "steps.count);\n"
               "  uint count = (uint)steps.count;\n",
               here, offsets, threads, pairs ? text("  YOKE_S_VALUE value[", items, "];\n") : std::string(),
               "  uint used = (count + 255u) / 256u;\n  uint mine = here / 32u * 32u * used + here % 32u;\n", each,
               "    key[k] = 0;\n", pairs ? "    value[k] = 0;\n" : "",
               "    uint at = mine + 32u * k;\n    if (k < used && at < count) {\n      key[k] = from[first + at];\n",
               pairs ? "      value[k] = steps.numbers != 0 ? (YOKE_S_VALUE)at : values_from[first + at];\n" : "",
               "    }\n  }\n  for (uint shift = (uint)steps.first; shift < (uint)steps.last; shift += 8u) {\n"
               "  uint mask = (uint)steps.last - shift >= 8u ? 255u : (1u << ((uint)steps.last - shift)) - 1u;\n",
               rank_text(items, "used"));
    const auto exchange = [&](const char* array, const char* of) {
      return text(each, "    if (k < used) ", array, "[packed[k] & 0xffffu] = ", of,
                  "[k];\n  }\n  YOKE_BARRIER_LOCAL();\n", each, "    if (k < used) ", of, "[k] = ", array,
                  "[mine + 32u * k];\n  }\n  YOKE_BARRIER_LOCAL();\n");
    };
    out += exchange("staged", "key") + (pairs ? exchange("staged_values", "value") : std::string()) + "  }\n" + each +
           "    uint at = mine + 32u * k;\n    if (k < used && at < count) {\n      to[first + at] = key[k];\n" +
           (pairs ? "      values_to[first + at] = value[k];\n" : "") + "    }\n  }\n}\n";
    return out;
  }
  const std::string load =
      text("  uint mine = here / 32u * ", 32 * items, "u + here % 32u;\n") + each +
      "    key[k] = 0;\n    if (mine + 32u * k < count) key[k] = from[first + mine + 32u * k];\n  }\n";
  const std::string stage = each + "    staged[packed[k] & 0xffffu] = key[k];\n  }\n";
  std::string write = "  YOKE_BARRIER_LOCAL();\n";
  if (pairs) write += text("  uint digits[", items, "];\n");
  write += each +
           "    uint i = here + 256u * k;\n    if (i < count) {\n      YOKE_S_KEY x = staged[i];\n      uint digit = "
           "YOKE_S_DIGIT(x);\n      to[bases[digit] + i] = x;\n" +
           (pairs ? "      digits[k] = digit;\n" : "") + "    }\n  }\n";
  if (pairs) {
    write +=
        "  YOKE_BARRIER_LOCAL();\n" + each +
        "    uint at = mine + 32u * k;\n    if (at < count) staged_values[packed[k] & 0xffffu] = steps.numbers != 0 ? "
        "(YOKE_S_VALUE)(tile * steps.tile + at) : values_from[first + at];\n  }\n  YOKE_BARRIER_LOCAL();\n" +
        each +
        "    uint i = here + 256u * k;\n    if (i < count) values_to[bases[digits[k]] + i] = staged_values[i];\n  }\n";
  }
  write += "}\n";

  if (form.look_back) {
    out += waiting_text();
    // All digits are counted at once.
    out +=
        sort_kernel_text("yoke_s_histogram", sort_block) +
        text("  YOKE_LOCAL uint found[2048];\n", here,
             "  uint passes = (uint)steps.passes;\n  yoke_int64 most = steps.tile * ", counted_tiles,
             ", chunks = (steps.count - 1) / most + 1;\n  yoke_int64 chunk = (yoke_int64)get_group_id(0) % chunks, row "
             "= "
             "(yoke_int64)get_group_id(0) / chunks;\n  uint count = (uint)(steps.count - chunk * most < most ? "
             "steps.count - "
             "chunk * most : most);\n  from += steps.from + row * steps.count + chunk * most;\n"
             "  for (uint k = here; k < 256u * passes; k += 256u) found[k] = 0;\n  YOKE_BARRIER_LOCAL();\n"
             "  for (uint begin = here; begin < count; begin += 2048u) {\n    YOKE_S_KEY key[8];\n    YOKE_UNROLL(8)\n"
             "    for (uint k = 0; k < 8u; ++k) key[k] = begin + 256u * k < count ? from[begin + 256u * k] : 0;\n"
             "    YOKE_UNROLL(8)\n    for (uint k = 0; k < 8u; ++k) {\n      if (begin + 256u * k >= count) break;\n"
             "      for (uint pass = 0; pass < passes; ++pass) {\n        uint shift = (uint)steps.first + 8u * pass, "
             "left = "
             "(uint)steps.last - shift;\n        uint mask = left >= 8u ? 255u : (1u << left) - 1u;\n"
             "        yoke_atomic_add(found + 256u * pass + YOKE_S_DIGIT(key[k]), 1u);\n      }\n    }\n  }\n"
             "  YOKE_BARRIER_LOCAL();\n  for (uint k = here; k < 256u * passes; k += 256u) {\n    if (found[k] != 0) "
             "yoke_atomic_add(table + ",
             sort_tickets, " + row * passes * 256 + k, found[k]);\n  }\n}\n");
    // Blocks take tiles in the order in which they begin, so that those before have begun. Two bits say what a tile has left for
    // each digit: its own count, or that of all tiles up to it.
    out += sort_kernel_text("yoke_s_sweep", sort_block, sort_resident) + local +
           "  YOKE_LOCAL uint bases[256];\n  YOKE_LOCAL uint ticket[1];\n" + pass_text + here +
           text(
               "  yoke_int64 pass = (yoke_int64)steps.pass, passes = (yoke_int64)steps.passes;\n"
               "  if (here == 0) ticket[0] = yoke_atomic_add(table + pass, 1u);\n  YOKE_BARRIER_LOCAL();\n"
               "  yoke_int64 tile = (yoke_int64)ticket[0] % steps.tiles, row = (yoke_int64)ticket[0] / steps.tiles;\n",
               place_in_tile_text, "  YOKE_GLOBAL uint* totals = table + ", sort_tickets,
               " + (row * passes + pass) * 256;\n  YOKE_GLOBAL uint* left = table + ", sort_tickets,
               " + steps.rows * passes * 256 + ((pass * steps.rows + row) * steps.tiles + tile) * 256 + here;\n") +
           offsets + threads + load +
           "  uint base = (uint)(row * steps.count) + yoke_s_before(scratch, totals[here]), own, start;\n" +
           rank_text(items, nullptr,
                     "    own = sum;\n    YOKE_X_PUT(uint, left, sum | (tile == 0 ? 0x80000000u : 0x40000000u));\n") +
           stage +
           "  if (tile > 0) {\n    uint before = 0;\n    for (YOKE_GLOBAL uint* at = left - 256;; at -= 256) {\n"
           "      uint found_there;\n      while ((found_there = YOKE_X_LOOK(uint, at)) == 0) YOKE_X_WAIT(40);\n"
           "      before += found_there & 0x3fffffffu;\n      if (found_there >= 0x80000000u) break;\n    }\n"
           "    YOKE_X_PUT(uint, left, (before + own) | 0x80000000u);\n    base += before;\n  }\n"
           "  bases[here] = base - start;\n" +
           write;
  } else {
    out +=
        sort_kernel_text("yoke_s_count", sort_block) + "  YOKE_LOCAL uint found[256];\n" + pass_text + tile_text +
        place_in_tile_text + here + "  from += steps.from;\n  found[here] = 0;\n  YOKE_BARRIER_LOCAL();\n" + each +
        "    uint at = here + 256u * k;\n    if (at < count) yoke_atomic_add(found + YOKE_S_DIGIT(from[first + at]), "
        "1u);\n  }\n  YOKE_BARRIER_LOCAL();\n  table[(row * 256 + here) * steps.tiles + tile] = found[here];\n}\n";
    // What is before a tile, and what all tiles have: by a block for each digit of each row or, of few tiles, by a thread.
    out += sort_kernel_text("yoke_s_offsets", sort_block, 0, false) +
           text("  YOKE_LOCAL YOKE_S_PLACE scratch[256];\n  YOKE_LOCAL YOKE_S_PLACE total[1];\n", here,
                "  if (steps.tiles <= ", few_tiles,
                ") {\n    yoke_int64 digit = (yoke_int64)get_global_id(0);\n    YOKE_S_PLACE before = 0;\n"
                "    for (yoke_int64 i = digit * steps.tiles; i < (digit + 1) * steps.tiles; ++i) {\n      "
                "YOKE_S_PLACE x = "
                "table[i];\n      table[i] = before;\n      before += x;\n    }\n    table[steps.rows * 256 * "
                "steps.tiles + "
                "digit] = before;\n    return;\n  }\n  YOKE_GLOBAL YOKE_S_PLACE* own = table + "
                "(yoke_int64)get_group_id(0) * steps.tiles;\n  YOKE_S_PLACE carried = "
                "0;\n  for (yoke_int64 first = 0; first < steps.tiles; first += 256) {\n    YOKE_S_PLACE x = first + "
                "here < "
                "steps.tiles ? own[first + here] : 0;\n    YOKE_S_PLACE before = ",
                form.wide ? "yoke_work_group_scan_exclusive_add" : "yoke_s_before",
                "(scratch, x);\n    if (here == 255u) total[0] = before + x;\n    YOKE_BARRIER_LOCAL();\n"
                "    if (first + here < steps.tiles) own[first + here] = carried + before;\n    carried += total[0];\n"
                "    YOKE_BARRIER_LOCAL();\n  }\n  if (here == 0) table[steps.rows * 256 * steps.tiles + "
                "(yoke_int64)get_group_id(0)] = carried;\n}\n");
    out += sort_kernel_text("yoke_s_scatter", sort_block) + local + "  YOKE_LOCAL YOKE_S_PLACE bases[256];\n" +
           (form.wide ? "  YOKE_LOCAL YOKE_S_PLACE wide_scratch[256];\n" : "") + pass_text + tile_text +
           place_in_tile_text + here + offsets + threads + load +
           text(
               "  YOKE_S_PLACE base = (YOKE_S_PLACE)(row * steps.count) + table[(row * 256 + here) * steps.tiles + "
               "tile] + ",
               form.wide ? "yoke_work_group_scan_exclusive_add(wide_scratch" : "yoke_s_before(scratch",
               ", table[steps.rows * 256 * steps.tiles + row * 256 + here]);\n") +
           "  uint start;\n" + rank_text(items, nullptr, "") + stage + "  bases[here] = base - start;\n" + write;
  }
  return out;
}

std::string sort_source(const sort_form& form) {
  std::string out = sort_types_text(form);
  out +=
      "YOKE_S_ORDER yoke_s_order(YOKE_S_KEY key, YOKE_S_ORDER flip, YOKE_S_ORDER infinity, uint shift, uint bits) {\n"
      "  YOKE_S_ORDER order = 0;\n  for (uint done = 0; done < bits; done += 16) {\n    uint left = bits - done;\n"
      "    order |= (YOKE_S_ORDER)yoke_s_digit(key, flip, infinity, shift + done, left >= 16 ? 0xffffu : (1u << left) "
      "- 1u) << "
      "done;\n  }\n  return order;\n}\n";
  if (form.use == sort_use::rows) return out + sort_rows_text(form);
  if (!form.serial) return out + block_sort_text(form);
  return out + (form.use == sort_use::one_tile ? serial_tile_text(form) : serial_sort_text(form));
}

std::string gather_source(std::size_t word, std::size_t index) {
  return text(
      "YOKE_KERNEL yoke_s_gather(YOKE_GLOBAL ", word_of_bytes(word), "* to, YOKE_GLOBAL const ", word_of_bytes(word),
      "* from, YOKE_GLOBAL const ", word_of_bytes(index),
      "* index, yoke_int64 to_first, yoke_int64 from_first, yoke_int64 count, yoke_int64 total, yoke_int64 words) {\n"
      "  to += to_first;\n  from += from_first;\n"
      "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total * words; i += (yoke_int64)get_global_size(0)) {\n"
      "    yoke_int64 element = i / words;\n    yoke_int64 taken = element / count * count + "
      "(yoke_int64)index[element];\n"
      "    to[i] = from[taken * words + i % words];\n  }\n}\n");
}

}  // namespace yoke::inline v0_1::detail

#endif
