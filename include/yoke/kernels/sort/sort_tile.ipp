// SPDX-License-Identifier: MIT
// Sorts rows of one tile by all digits, in registers and local memory.
R"yoke(YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_s_small(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL yoke_uint64 room[YOKE_SORT_ROOM];
  YOKE_LOCAL uint scratch[256];
  YOKE_LOCAL_POINTER YOKE_SORT_KEY* staged = (YOKE_LOCAL_POINTER YOKE_SORT_KEY*)room;
  yoke_int64 row = (yoke_int64)get_group_id(0);
  YOKE_SORT_PLACE first = (YOKE_SORT_PLACE)(row * steps.count);
  uint here = (uint)get_local_id(0), count = (uint)steps.count;
  from += steps.from;
  to += steps.to;
  values_from += steps.values_from;
  values_to += steps.values_to;
  YOKE_SORT_KEY key[YOKE_SORT_ITEMS];
  YOKE_SORT_VALUE value[YOKE_SORT_ITEMS];
  uint packed[YOKE_SORT_ITEMS];
  uint used = (count + 255u) / 256u;
  uint mine = here / 32u * 32u * used + here % 32u;
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    key[k] = 0;
    value[k] = 0;
    uint at = mine + 32u * k;
    if (k < used && at < count) {
      key[k] = from[first + at];
      if (YOKE_SORT_PAIRS) value[k] = steps.numbers != 0 ? (YOKE_SORT_VALUE)at : values_from[first + at];
    }
  }
  for (uint shift = (uint)steps.first; shift < (uint)steps.last; shift += 8u) {
    yoke_s_rank_in_warps(key, packed, room, mine, count, used, yoke_s_pass_at(steps, shift));
    yoke_s_rank_in_tile(packed, room, scratch, yoke_s_add_warps(room), used);
    YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
    for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
      if (k < used) staged[packed[k] & 0xffffu] = key[k];
    }
    YOKE_BARRIER_LOCAL();
    YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
    for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
      if (k < used) key[k] = staged[mine + 32u * k];
    }
    YOKE_BARRIER_LOCAL();
#if YOKE_SORT_PAIRS
    YOKE_LOCAL_POINTER YOKE_SORT_VALUE* staged_values = (YOKE_LOCAL_POINTER YOKE_SORT_VALUE*)room;
    YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
    for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
      if (k < used) staged_values[packed[k] & 0xffffu] = value[k];
    }
    YOKE_BARRIER_LOCAL();
    YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
    for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
      if (k < used) value[k] = staged_values[mine + 32u * k];
    }
    YOKE_BARRIER_LOCAL();
#endif
  }
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint at = mine + 32u * k;
    if (k < used && at < count) {
      to[first + at] = key[k];
      if (YOKE_SORT_PAIRS) values_to[first + at] = value[k];
    }
  }
}
)yoke"
