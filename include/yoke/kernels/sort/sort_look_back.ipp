// SPDX-License-Identifier: MIT
// Sorts rows of several tiles by a digit in one pass, in which blocks wait for earlier ones.
R"yoke(// Before it stand the macros
//   YOKE_SORT_TICKETS        the words of the table before the counts: a counter for each pass
//   YOKE_SORT_COUNTED_TILES  the tiles that a block counts at once
//   YOKE_SORT_RESIDENT       the blocks that share a multiprocessor; more leave each too few registers
// Behind its counters the table has, for each row and pass, the count of each digit; then, for each pass, row and
// tile, a word for each digit.

// Counts all digits at once.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_s_histogram(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL uint found[2048];
  uint here = (uint)get_local_id(0), passes = (uint)steps.passes;
  yoke_int64 most = steps.tile * YOKE_SORT_COUNTED_TILES, chunks = (steps.count - 1) / most + 1;
  yoke_int64 chunk = (yoke_int64)get_group_id(0) % chunks, row = (yoke_int64)get_group_id(0) / chunks;
  yoke_int64 left = steps.count - chunk * most;
  uint count = (uint)(left < most ? left : most);
  from += steps.from + row * steps.count + chunk * most;
  for (uint k = here; k < 256u * passes; k += 256u) found[k] = 0;
  YOKE_BARRIER_LOCAL();
  for (uint begin = here; begin < count; begin += 2048u) {
    YOKE_SORT_KEY key[8];
    YOKE_UNROLL(8)
    for (uint k = 0; k < 8u; ++k) key[k] = begin + 256u * k < count ? from[begin + 256u * k] : 0;
    YOKE_UNROLL(8)
    for (uint k = 0; k < 8u; ++k) {
      for (uint pass = 0; pass < passes && begin + 256u * k < count; ++pass) {
        uint digit = yoke_s_digit(key[k], yoke_s_pass_at(steps, (uint)steps.first + 8u * pass));
        yoke_atomic_add(found + 256u * pass + digit, 1u);
      }
    }
  }
  YOKE_BARRIER_LOCAL();
  for (uint k = here; k < 256u * passes; k += 256u) {
    if (found[k] != 0) yoke_atomic_add(table + YOKE_SORT_TICKETS + row * passes * 256 + k, found[k]);
  }
}

// The word of a tile for a digit: 30 bits, and a bit that tells what they are: the number of the tile's elements with
// that digit, or the place in the row behind them.
#define YOKE_SORT_OF_TILE 0x40000000u
#define YOKE_SORT_OF_ALL_BEFORE 0x80000000u

// Moves the elements of a tile. Blocks take tiles in the order in which they begin, so that earlier tiles have begun.
YOKE_KERNEL YOKE_RESIDENT_GROUPS(256, 1, 1, YOKE_SORT_RESIDENT) yoke_s_sweep(YOKE_SORT_PARAMETERS) {
  YOKE_LOCAL yoke_uint64 room[YOKE_SORT_ROOM];
  YOKE_LOCAL uint scratch[16];
  YOKE_LOCAL uint bases[256];
  YOKE_LOCAL uint ticket[1];
  YOKE_LOCAL_POINTER uint* found = (YOKE_LOCAL_POINTER uint*)room;
  yoke_s_pass pass = yoke_s_pass_at(steps, (uint)steps.first);
  uint here = (uint)get_local_id(0), mine = yoke_s_own(here);
  uint turn = (uint)steps.pass, turns = (uint)steps.passes, tiles = (uint)steps.tiles;
  if (here == 0) ticket[0] = yoke_atomic_add(table + turn, 1u);
  YOKE_UNROLL(8)
  for (uint warp = 0; warp < 8u; ++warp) found[warp * 256u + here] = 0;
  YOKE_BARRIER_LOCAL();
  uint row = ticket[0] / tiles, tile = ticket[0] - row * tiles;
  uint begin = tile * (uint)steps.tile, first = row * (uint)steps.count + begin;
  uint count = min((uint)steps.count - begin, (uint)steps.tile);
  YOKE_GLOBAL uint* totals = table + YOKE_SORT_TICKETS + ((yoke_uint64)row * turns + turn) * 256;
  YOKE_GLOBAL uint* left = table + YOKE_SORT_TICKETS + (yoke_uint64)steps.rows * turns * 256 +
                           (((yoke_uint64)turn * (uint)steps.rows + row) * tiles + tile) * 256 + here;
  YOKE_SORT_KEY key[YOKE_SORT_ITEMS];
  uint packed[YOKE_SORT_ITEMS];
  yoke_s_read(key, from + steps.from + first, mine, count, yoke_s_last(pass));
  yoke_s_count_in_warps(key, packed, found, pass);
  uint own = yoke_s_add_warps(found, here);
  if (tile != 0) yoke_atomic_store(left, own | YOKE_SORT_OF_TILE);
  uint start = yoke_s_before(scratch, own);
  yoke_s_rank(packed, found, here, start);
  yoke_s_stage(room, key, packed);
  uint before = 0;
  if (tile == 0) {  // passes the places of digits in the row on to the other tiles
    before = yoke_s_before(scratch + 8, totals[here]);
  } else {
    for (YOKE_GLOBAL uint* at = left - 256;; at -= 256) {
      uint there;
      while ((there = yoke_atomic_load(at)) == 0) yoke_pause(40);
      before += there & 0x3fffffffu;
      if (there >= YOKE_SORT_OF_ALL_BEFORE) break;
    }
  }
  yoke_atomic_store(left, (before + own) | YOKE_SORT_OF_ALL_BEFORE);
  bases[here] = row * (uint)steps.count + before - start;
  yoke_s_write(to + steps.to, values_to + steps.values_to, values_from + steps.values_from + first, room, bases, packed,
               mine, count, steps.numbers != 0, begin, pass);
}
)yoke"
