// SPDX-License-Identifier: MIT
// The kernel of a scan that scans elements and, without look-back, also the one that reduces tiles to parts.
R"yoke(// Before it stand yoke_x_part, its functions, yoke_x_scan_block, and the macros
//   YOKE_SCAN_NAME        the name of the kernel
//   YOKE_SCAN_TO_PARTS    1: the kernel only stores the part of each tile
//   YOKE_SCAN_LOOK_BACK   1: one pass, in which blocks wait for earlier ones
//   YOKE_SCAN_ONE_ROW     1: there is one row
//   YOKE_SCAN_PADDED      1: the last tile is padded with neutral elements, so that loops are unrolled
//   YOKE_SCAN_RESIDENT    1: 8 blocks run on a multiprocessor at once
//   YOKE_SCAN_AGAIN       1: elements are calculated again when they are stored
//   YOKE_SCAN_INCLUSIVE   else, 1: `kept` of an element is its item; 0: the item before
//   YOKE_SCAN_BLOCK       the threads of a block
//   YOKE_SCAN_ITEMS       the elements of a thread
//   YOKE_SCAN_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_SCAN_PLACES      statements that run once for each row, `result`
//   YOKE_SCAN_LOAD        statements that load element `i` into `next`
//   YOKE_SCAN_STORE       statements that use `kept`, or `item`, `prior` and `every`, of element `i`
#define YOKE_SCAN_TILE (YOKE_SCAN_BLOCK * YOKE_SCAN_ITEMS)
// A thread joins neighbours; the padding puts those of several threads into different banks.
#define YOKE_SCAN_STAGED(taken) staged[(taken) + (taken) / YOKE_SCAN_ITEMS]
#define YOKE_SCAN_OWN(k) staged[here * (YOKE_SCAN_ITEMS + 1) + (k)]
// Simple scans need few registers; with few registers enough reads are in flight.
#if YOKE_SCAN_RESIDENT
#define YOKE_SCAN_BOUNDS YOKE_RESIDENT_GROUPS(YOKE_SCAN_BLOCK, 1, 1, 8)
#else
#define YOKE_SCAN_BOUNDS YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1)
#endif

YOKE_KERNEL YOKE_SCAN_BOUNDS YOKE_SCAN_NAME(YOKE_SCAN_PARAMETERS YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {
  YOKE_LOCAL yoke_x_part staged[YOKE_SCAN_TILE + YOKE_SCAN_BLOCK];
  YOKE_LOCAL yoke_x_part part[YOKE_SCAN_SHARED];
  uint here = (uint)get_local_id(0);
  yoke_int64 group = (yoke_int64)get_group_id(0);
#if YOKE_SCAN_LOOK_BACK
  // Blocks take tiles in the order in which they begin, so that all blocks of earlier tiles have begun.
  YOKE_LOCAL yoke_x_part carry[2];
  YOKE_LOCAL uint ticket[1];
  if (steps.tiles > 1) {
    if (here == 0) ticket[0] = yoke_atomic_add((YOKE_GLOBAL uint*)left, 1u);
    YOKE_BARRIER_LOCAL();
    group = (yoke_int64)ticket[0];
  }
#endif
#if YOKE_SCAN_ONE_ROW
  yoke_int64 tile = group, row = 0;
#else
  yoke_int64 tile = group % steps.tiles, row = group / steps.tiles;
#endif
  YOKE_X_INDEX result = (YOKE_X_INDEX)row;
  (void)result;
  yoke_int64 first = tile * YOKE_SCAN_TILE;
  uint count = steps.count - first < YOKE_SCAN_TILE ? (uint)(steps.count - first) : YOKE_SCAN_TILE;
  YOKE_SCAN_PLACES

  // Neighbouring threads read neighbouring elements of the block or, with look-back, of their warp.
#if YOKE_SCAN_LOOK_BACK
  uint mine = here / 32 * (32 * YOKE_SCAN_ITEMS) + here % 32;
  if (count == YOKE_SCAN_TILE) {
    yoke_int64 from = first + here / 32 * (32 * YOKE_SCAN_ITEMS) + here % 32;
    // Issues all reads of a full tile before it uses the first.
    yoke_x_part read[YOKE_SCAN_ITEMS];
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      YOKE_X_INDEX i = (YOKE_X_INDEX)(from + k * 32);
      yoke_x_part next;
      YOKE_SCAN_LOAD
      read[k] = next;
    }
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      uint taken = mine + k * 32;
      YOKE_SCAN_STAGED(taken) = read[k];
    }
  } else {
#if YOKE_SCAN_PADDED
    YOKE_UNROLL(1)
#endif
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      uint taken = mine + k * 32;
      if (taken >= count) {
#if YOKE_SCAN_PADDED
        YOKE_SCAN_STAGED(taken) = yoke_x_neutral();
        continue;
#else
        break;
#endif
      }
      YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
      yoke_x_part next;
      YOKE_SCAN_LOAD
      YOKE_SCAN_STAGED(taken) = next;
    }
  }
  YOKE_BARRIER_WARP();
#else
  for (uint taken = here; taken < count; taken += YOKE_SCAN_BLOCK) {
    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
    yoke_x_part next;
    YOKE_SCAN_LOAD
    YOKE_SCAN_STAGED(taken) = next;
  }
  YOKE_BARRIER_LOCAL();
#endif

  yoke_x_part joined = yoke_x_neutral();
#if YOKE_SCAN_PADDED
  YOKE_UNROLL(YOKE_SCAN_ITEMS)
  for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) joined = yoke_x_join(joined, YOKE_SCAN_OWN(k));
#else
  for (uint k = 0; k < YOKE_SCAN_ITEMS && here * YOKE_SCAN_ITEMS + k < count; ++k) {
    joined = yoke_x_join(joined, YOKE_SCAN_OWN(k));
  }
#endif
  yoke_x_part every;
  yoke_x_part before = yoke_x_scan_block(part, joined, &every);

#if YOKE_SCAN_TO_PARTS
  if (here == 0) ((YOKE_GLOBAL yoke_x_part*)left)[row * (steps.tiles + 1) + tile] = every;
#else
#if YOKE_SCAN_LOOK_BACK
  // A block stores the part of its tile, and scans the parts of its batch as yoke_x_scan_tiles does; the last block of
  // a batch stores the sum before the next batch.
  if (steps.tiles > 1) {
    yoke_int64 batches = (steps.tiles + (YOKE_SCAN_BLOCK - 1)) / YOKE_SCAN_BLOCK, batch = tile / YOKE_SCAN_BLOCK;
    yoke_int64 slots = steps.results * (steps.tiles + batches);
    yoke_int64 batch_at = row * steps.tiles + batch * YOKE_SCAN_BLOCK;
    yoke_int64 carry_at = steps.results * steps.tiles + row * batches + batch;
    uint own = (uint)(tile % YOKE_SCAN_BLOCK);
    if (here == 0) yoke_x_put(left, slots, row * steps.tiles + tile, every);
    yoke_x_part before_here = before;
    joined = yoke_x_neutral();
    if (here == own) joined = every;
    if (steps.tiles > 256) yoke_pause(800);  // until most are stored
    if (here < own) joined = yoke_x_take(left, slots, batch_at + here);
    before = yoke_x_scan_block(part, joined, &every);
    if (here == own) carry[1] = before;
    if (here == 0) {
      yoke_x_part carried = batch == 0 ? yoke_x_neutral() : yoke_x_take(left, slots, carry_at);
      if (own == YOKE_SCAN_BLOCK - 1 && tile + 1 < steps.tiles) {
        yoke_x_put(left, slots, carry_at + 1, yoke_x_join(carried, every));
      }
      carry[0] = carried;
    }
    YOKE_BARRIER_LOCAL();
    before = yoke_x_join(own == 0 ? carry[0] : yoke_x_join(carry[0], carry[1]), before_here);
  }
#else
  if (steps.tiles > 1) {
    YOKE_GLOBAL const yoke_x_part* own = (YOKE_GLOBAL const yoke_x_part*)left + row * (steps.tiles + 1);
    before = yoke_x_join(own[tile], before);
    every = own[steps.tiles];
  }
#endif
  (void)every;

  // The value kept for each element replaces it.
#if YOKE_SCAN_PADDED
  YOKE_UNROLL(YOKE_SCAN_ITEMS)
  for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
#else
  for (uint k = 0; k < YOKE_SCAN_ITEMS && here * YOKE_SCAN_ITEMS + k < count; ++k) {
#endif
    yoke_x_part next = YOKE_SCAN_OWN(k);
    yoke_x_part prior = before;
    before = yoke_x_join(before, next);
#if YOKE_SCAN_INCLUSIVE && !YOKE_SCAN_AGAIN
    YOKE_SCAN_OWN(k) = before;
#else
#if YOKE_SCAN_SEGMENTS && !YOKE_SCAN_AGAIN
    if (next.s != 0) prior = yoke_x_neutral();
#endif
    YOKE_SCAN_OWN(k) = prior;
#endif
  }

#if YOKE_SCAN_LOOK_BACK
  YOKE_BARRIER_WARP();
#if YOKE_SCAN_PADDED
  YOKE_UNROLL(4)
#endif
  for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
    uint taken = mine + k * 32;
    if (taken >= count) break;
#else
  YOKE_BARRIER_LOCAL();
  for (uint taken = here; taken < count; taken += YOKE_SCAN_BLOCK) {
#endif
    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
    yoke_x_part kept = YOKE_SCAN_STAGED(taken);
#if YOKE_SCAN_AGAIN
    yoke_x_part prior = kept;
    yoke_x_part next;
    YOKE_SCAN_LOAD
    yoke_x_part item = yoke_x_join(prior, next);
    (void)item;
#if YOKE_SCAN_SEGMENTS
    if (next.s != 0) prior = yoke_x_neutral();
#endif
#endif
    YOKE_SCAN_STORE
  }
#endif
}
)yoke"
