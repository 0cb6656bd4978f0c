// SPDX-License-Identifier: MIT
// Ranks the elements of a tile by a digit, in a block of 256 threads: one for each value of the digit.
R"yoke(// Before it stand the macros
//   YOKE_SORT_ITEMS   the elements of a thread, which it keeps in registers
//   YOKE_SORT_ROOM    the local memory of a block, in words of 8 bytes
//   YOKE_SORT_HAS(k)  a condition: threads have an element `k`; below `used` in rows of one tile, else always

// Returns: the sum of `x` over the threads before this one.
#if YOKE_SUB_GROUP_SIZE == 32
uint yoke_s_before(YOKE_LOCAL_POINTER uint* scratch, uint x) {
  uint up = yoke_sub_group_scan_inclusive_add(x), here = (uint)get_local_id(0), sum = 0;
  if (here % 32u == 31u) scratch[here / 32u] = up;
  YOKE_BARRIER_LOCAL();
  for (uint warp = 0; warp < here / 32u; ++warp) sum += scratch[warp];
  YOKE_BARRIER_LOCAL();
  return sum + up - x;
}
#else
#define yoke_s_before(scratch, x) yoke_work_group_scan_exclusive_add(scratch, x)
#endif

// The first 16 KiB of local memory are 8 * 256 marks, then 8 * 256 counts: one of each digit for every 32 threads.
#define YOKE_SORT_MARKS(room) ((YOKE_LOCAL_POINTER uint*)(room))
#define YOKE_SORT_COUNTS(room) (YOKE_SORT_MARKS(room) + 2048)

// Ranks each element among those of 32 threads. Element `k` of a thread is element `mine + 32 * k` of the tile, so
// that 32 threads have neighbouring elements in order. Missing elements get the last digit and the last ranks.
// Effects: `packed[k]` becomes the rank, with the digit above it; the counts become those of every 32 threads.
void yoke_s_rank_in_warps(YOKE_PRIVATE const YOKE_SORT_KEY* key, YOKE_PRIVATE uint* packed,
                          YOKE_LOCAL_POINTER yoke_uint64* room, uint mine, uint count, uint used, yoke_s_pass pass) {
  YOKE_LOCAL_POINTER uint* marks = YOKE_SORT_MARKS(room);
  YOKE_LOCAL_POINTER uint* found = YOKE_SORT_COUNTS(room);
  uint here = (uint)get_local_id(0), lane_bit = 1u << here % 32u;
  for (uint k = here; k < 4096u; k += 256u) marks[k] = 0;
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    if (YOKE_SORT_HAS(k)) {
      uint digit = mine + 32u * k < count ? yoke_s_digit(key[k], pass) : pass.mask;
      uint own = here / 32u * 256u + digit;
      // Threads among the 32 with the same digit find each other.
      yoke_atomic_or(marks + own, lane_bit);
      YOKE_BARRIER_WARP();
      uint peers = marks[own], before = found[own];
      YOKE_BARRIER_WARP();
      uint lower = popcount(peers & (lane_bit - 1u));
      if (peers < lane_bit << 1 || lane_bit == 0x80000000u) {  // the last of them
        found[own] = before + lower + 1u;
        marks[own] = 0;
      }
      YOKE_BARRIER_WARP();
      packed[k] = before + lower | digit << 16;
    }
  }
  YOKE_BARRIER_LOCAL();
}

// Effects: the counts become those of all groups of 32 threads before each. Returns: the number of elements with digit
// `here`.
uint yoke_s_add_warps(YOKE_LOCAL_POINTER yoke_uint64* room) {
  YOKE_LOCAL_POINTER uint* found = YOKE_SORT_COUNTS(room);
  uint here = (uint)get_local_id(0), sum = 0;
  YOKE_UNROLL(8)
  for (uint warp = 0; warp < 8u; ++warp) {
    uint of_warp = found[warp * 256u + here];
    found[warp * 256u + here] = sum;
    sum += of_warp;
  }
  return sum;
}

// Effects: the ranks become those in the tile. `sum`: the number of elements with digit `here`. Returns: its first
// rank.
uint yoke_s_rank_in_tile(YOKE_PRIVATE uint* packed, YOKE_LOCAL_POINTER yoke_uint64* room,
                         YOKE_LOCAL_POINTER uint* scratch, uint sum, uint used) {
  YOKE_LOCAL_POINTER uint* found = YOKE_SORT_COUNTS(room);
  uint here = (uint)get_local_id(0);
  uint start = yoke_s_before(scratch, sum);
  YOKE_UNROLL(8)
  for (uint warp = 0; warp < 8u; ++warp) found[warp * 256u + here] += start;
  YOKE_BARRIER_LOCAL();
  YOKE_SORT_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    if (YOKE_SORT_HAS(k)) packed[k] += found[here / 32u * 256u + (packed[k] >> 16)];
  }
  YOKE_BARRIER_LOCAL();
  return start;
}
)yoke"
