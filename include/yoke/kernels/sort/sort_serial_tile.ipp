// SPDX-License-Identifier: MIT
// Sorts rows of one tile by all digits, where a block is one thread.
R"yoke(// The table is spare memory for keys and values: those of more bytes come first.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_s_small(YOKE_SORT_PARAMETERS) {
  yoke_int64 begin = (yoke_int64)get_group_id(0) * steps.count;
  YOKE_GLOBAL YOKE_SORT_KEY* spare = (YOKE_GLOBAL YOKE_SORT_KEY*)table;
  YOKE_GLOBAL YOKE_SORT_VALUE* spare_values = (YOKE_GLOBAL YOKE_SORT_VALUE*)table;
  if (YOKE_SORT_PAIRS) {
    if (sizeof(YOKE_SORT_VALUE) < sizeof(YOKE_SORT_KEY)) {
      spare_values = (YOKE_GLOBAL YOKE_SORT_VALUE*)(spare + steps.rows * steps.count);
    } else {
      spare = (YOKE_GLOBAL YOKE_SORT_KEY*)(spare_values + steps.rows * steps.count);
    }
  }
  YOKE_GLOBAL YOKE_SORT_KEY* source = from + steps.from + begin;
  YOKE_GLOBAL YOKE_SORT_VALUE* source_values = values_from + steps.values_from + (steps.numbers != 0 ? 0 : begin);
  to += steps.to + begin;
  values_to += steps.values_to + begin;
  spare += begin;
  spare_values += begin;
  uint count = (uint)steps.count, passes = (uint)((steps.last - steps.first + 7) / 8);
  bool into_spare = steps.in_place != 0 || passes % 2 == 0, numbers = steps.numbers != 0;
  for (uint turn = 0; turn < passes; ++turn) {
    yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first + 8 * turn);
    uint place[256];
    for (uint digit = 0; digit < 256; ++digit) place[digit] = 0;
    for (uint i = 0; i < count; ++i) ++place[yoke_s_digit(source[i], pass)];
    uint before = 0;
    for (uint digit = 0; digit < 256; ++digit) {
      uint found = place[digit];
      place[digit] = before;
      before += found;
    }
    YOKE_GLOBAL YOKE_SORT_KEY* target = into_spare ? spare : to;
    YOKE_GLOBAL YOKE_SORT_VALUE* target_values = into_spare ? spare_values : values_to;
    for (uint i = 0; i < count; ++i) {
      YOKE_SORT_KEY key = source[i];
      uint at = place[yoke_s_digit(key, pass)]++;
      target[at] = key;
      if (YOKE_SORT_PAIRS) target_values[at] = numbers ? (YOKE_SORT_VALUE)i : source_values[i];
    }
    source = target;
    source_values = target_values;
    numbers = false;
    into_spare = !into_spare;
  }
  if (source == to) return;
  for (uint i = 0; i < count; ++i) {
    to[i] = source[i];
    if (YOKE_SORT_PAIRS) values_to[i] = source_values[i];
  }
}
)yoke"
