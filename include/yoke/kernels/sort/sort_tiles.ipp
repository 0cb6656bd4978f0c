// SPDX-License-Identifier: MIT
// Sorts rows of several tiles by a digit, in three kernels: counts, offsets, moves.
R"yoke(// Before it stand the macros
//   YOKE_SORT_WIDE       1: counts of elements have 64 bits
//   YOKE_SORT_FEW_TILES  the maximum of tiles for which one thread adds up the counts of a digit

// Counts the digits of a tile.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_s_count(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL uint found[256];
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  yoke_int64 tile = (yoke_int64)get_group_id(0) % steps.tiles, row = (yoke_int64)get_group_id(0) / steps.tiles;
  YOKE_SORT_PLACE first = (YOKE_SORT_PLACE)(row * steps.count + tile * steps.tile);
  uint here = (uint)get_local_id(0), count = yoke_s_tile_count(steps, tile);
  from += steps.from;
  found[here] = 0;
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint at = here + 256u * k;
    if (at < count) yoke_atomic_add(found + yoke_s_digit(from[first + at], pass), 1u);
  }
  YOKE_BARRIER_LOCAL();
  table[(row * 256 + here) * steps.tiles + tile] = found[here];
}

#if YOKE_SORT_WIDE
#define YOKE_SORT_BEFORE(scratch, x) yoke_work_group_scan_exclusive_add(scratch, x)
#else
#define YOKE_SORT_BEFORE(scratch, x) yoke_s_before(scratch, x)
#endif

// Turns the counts of a digit in a row's tiles into the sums before each tile, and writes the totals behind them. A
// block does so for each digit of each row; with few tiles a thread does.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_s_offsets(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL YOKE_SORT_PLACE scratch[256];
  YOKE_LOCAL YOKE_SORT_PLACE total[1];
  uint here = (uint)get_local_id(0);
  YOKE_GLOBAL YOKE_SORT_PLACE* totals = table + steps.rows * 256 * steps.tiles;
  if (steps.tiles <= YOKE_SORT_FEW_TILES) {
    yoke_int64 digit = (yoke_int64)get_global_id(0);
    YOKE_SORT_PLACE before = 0;
    for (yoke_int64 i = digit * steps.tiles; i < (digit + 1) * steps.tiles; ++i) {
      YOKE_SORT_PLACE x = table[i];
      table[i] = before;
      before += x;
    }
    totals[digit] = before;
    return;
  }
  YOKE_GLOBAL YOKE_SORT_PLACE* own = table + (yoke_int64)get_group_id(0) * steps.tiles;
  YOKE_SORT_PLACE carried = 0;
  for (yoke_int64 first = 0; first < steps.tiles; first += 256) {
    YOKE_SORT_PLACE x = first + here < steps.tiles ? own[first + here] : 0;
    YOKE_SORT_PLACE before = YOKE_SORT_BEFORE(scratch, x);
    if (here == 255u) total[0] = before + x;
    YOKE_BARRIER_LOCAL();
    if (first + here < steps.tiles) own[first + here] = carried + before;
    carried += total[0];
    YOKE_BARRIER_LOCAL();
  }
  if (here == 0) totals[(yoke_int64)get_group_id(0)] = carried;
}

// Moves the elements of a tile.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_s_scatter(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL yoke_uint64 room[YOKE_SORT_ROOM];
  YOKE_LOCAL uint scratch[256];
  YOKE_LOCAL YOKE_SORT_PLACE bases[256];
#if YOKE_SORT_WIDE
  YOKE_LOCAL YOKE_SORT_PLACE wide_scratch[256];
#else
  YOKE_LOCAL_POINTER uint* wide_scratch = scratch;
#endif
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  yoke_int64 tile = (yoke_int64)get_group_id(0) % steps.tiles, row = (yoke_int64)get_group_id(0) / steps.tiles;
  YOKE_SORT_PLACE first = (YOKE_SORT_PLACE)(row * steps.count + tile * steps.tile);
  uint here = (uint)get_local_id(0), mine = yoke_s_own(here), count = yoke_s_tile_count(steps, tile);
  YOKE_SORT_KEY key[YOKE_SORT_ITEMS];
  uint packed[YOKE_SORT_ITEMS];
  yoke_s_read(key, from + steps.from + first, mine, count, 0);
  YOKE_SORT_PLACE base = (YOKE_SORT_PLACE)(row * steps.count) + table[(row * 256 + here) * steps.tiles + tile] +
                      YOKE_SORT_BEFORE(wide_scratch, table[steps.rows * 256 * steps.tiles + row * 256 + here]);
  yoke_s_rank_in_warps(key, packed, room, mine, count, YOKE_SORT_ITEMS, pass);
  uint start = yoke_s_rank_in_tile(packed, room, scratch, yoke_s_add_warps(room), YOKE_SORT_ITEMS);
  yoke_s_stage(room, key, packed);
  bases[here] = base - start;
  yoke_s_write(to + steps.to, values_to + steps.values_to, values_from + steps.values_from + first, room, bases, packed,
               mine, count, steps.numbers != 0, tile * steps.tile, pass);
}
)yoke"
