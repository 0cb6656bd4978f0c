// SPDX-License-Identifier: MIT
// Sorts short rows, one in each thread.
R"yoke(// Before it stands the macro
//   YOKE_SORT_ROW_BLOCK  the threads of a block

// Returns: `bits` bits of the key's order, from `shift` on.
YOKE_SORT_ORDER yoke_s_order(YOKE_SORT_KEY key, yoke_s_pass pass, uint bits) {
  YOKE_SORT_ORDER order = 0;
  for (uint done = 0; done < bits; done += 16) {
    uint left = bits - done;
    uint mask = left >= 16 ? 0xffffu : (1u << left) - 1u;
    order |= (YOKE_SORT_ORDER)((uint)(yoke_s_ordered(key, pass.flip, pass.infinity) >> (pass.shift + done)) & mask) << done;
  }
  return order;
}

// Each thread inserts the elements of a row one by one.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SORT_ROW_BLOCK, 1, 1) yoke_s_rows(YOKE_SORT_PARAMETERS) {
  yoke_int64 row = (yoke_int64)get_global_id(0);
  if (row >= steps.rows) return;
  from += steps.from + row * steps.count;
  to += steps.to + row * steps.count;
  if (YOKE_SORT_PAIRS) {
    values_from += steps.values_from + (steps.numbers != 0 ? 0 : row * steps.count);
    values_to += steps.values_to + row * steps.count;
  }
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  uint bits = (uint)(steps.last - steps.first);
  for (yoke_int64 i = 0; i < steps.count; ++i) {
    YOKE_SORT_KEY key = from[i];
    YOKE_SORT_VALUE value = 0;
    if (YOKE_SORT_PAIRS) value = steps.numbers != 0 ? (YOKE_SORT_VALUE)i : values_from[i];
    YOKE_SORT_ORDER order = yoke_s_order(key, pass, bits);
    yoke_int64 at = i;
    for (; at > 0 && yoke_s_order(to[at - 1], pass, bits) > order; --at) {
      to[at] = to[at - 1];
      if (YOKE_SORT_PAIRS) values_to[at] = values_to[at - 1];
    }
    to[at] = key;
    if (YOKE_SORT_PAIRS) values_to[at] = value;
  }
}
)yoke"
