// SPDX-License-Identifier: MIT
// The kernels of a scan whose rows lie side by side: neighbouring threads scan neighbouring rows.
R"yoke(// A thread scans as many elements of a row as in the other kernels, and joins what they join in the same order. The parts
// of all threads lie in `left`, those of one place of all rows side by side, and behind them those of the tiles. The
// macros are those of a scan; a row has at most YOKE_SCAN_BLOCK tiles of YOKE_SCAN_BLOCK threads.
#define YOKE_SCAN_BEGIN                                                            \
  YOKE_X_INDEX own = (YOKE_X_INDEX)get_global_id(0);                               \
  YOKE_X_INDEX rows = (YOKE_X_INDEX)steps.results;                                 \
  YOKE_X_INDEX parts = (YOKE_X_INDEX)((steps.count + (YOKE_SCAN_ITEMS - 1)) / YOKE_SCAN_ITEMS); \
  YOKE_GLOBAL yoke_x_part* of_threads = (YOKE_GLOBAL yoke_x_part*)left;            \
  YOKE_GLOBAL yoke_x_part* of_tiles = of_threads + (yoke_int64)parts * steps.results;

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1) yoke_x_scan_column_parts(
    YOKE_SCAN_PARAMETERS YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {
  YOKE_SCAN_BEGIN
  (void)of_tiles;
  if (own / rows >= parts) return;
  YOKE_X_INDEX result = own % rows;
  yoke_int64 first = (yoke_int64)(own / rows) * YOKE_SCAN_ITEMS;
  YOKE_SCAN_PLACES
  yoke_x_part joined = yoke_x_neutral();
  if (steps.count - first >= YOKE_SCAN_ITEMS) {
    yoke_x_part read[YOKE_SCAN_ITEMS];
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      YOKE_X_INDEX i = (YOKE_X_INDEX)first + k;
      yoke_x_part next;
      YOKE_SCAN_LOAD
      read[k] = next;
    }
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) joined = yoke_x_join(joined, read[k]);
  } else {
    for (YOKE_X_INDEX i = (YOKE_X_INDEX)first; i < (YOKE_X_INDEX)steps.count; ++i) {
      yoke_x_part next;
      YOKE_SCAN_LOAD
      joined = yoke_x_join(joined, next);
    }
  }
  of_threads[own] = joined;
}

#define YOKE_SCAN_STEP(apart)                                                                   \
  YOKE_UNROLL(32)                                                                               \
  for (uint j = 0; j < 32; ++j) {                                                               \
    uint to = 31 - j;                                                                           \
    if (to >= apart) part[to] = yoke_x_join(part[to - apart], part[to]);                        \
  }
// Replaces each part by the join of those before it, as yoke_x_scan_block does. Returns: the join of all.
yoke_x_part yoke_x_scan_column(YOKE_GLOBAL yoke_x_part* of, yoke_int64 rows, yoke_int64 count) {
  yoke_x_part all = yoke_x_neutral();
  for (yoke_int64 first = 0; first < count; first += 32) {
    yoke_x_part part[32];
    YOKE_UNROLL(32)
    for (uint j = 0; j < 32; ++j) part[j] = first + j < count ? of[(first + j) * rows] : yoke_x_neutral();
    YOKE_SCAN_STEP(1)
    YOKE_SCAN_STEP(2)
    YOKE_SCAN_STEP(4)
    YOKE_SCAN_STEP(8)
    YOKE_SCAN_STEP(16)
    of[first * rows] = all;
    YOKE_UNROLL(31)
    for (uint j = 1; j < 32; ++j) {
      if (first + j < count) of[(first + j) * rows] = yoke_x_join(all, part[j - 1]);
    }
    all = yoke_x_join(all, part[31]);
  }
  return all;
}

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1) yoke_x_scan_column_tiles(YOKE_GLOBAL yoke_uint8* left,
                                                                                  yoke_x_steps steps) {
  YOKE_SCAN_BEGIN
  yoke_int64 tile = (yoke_int64)(own / rows), from = tile * YOKE_SCAN_BLOCK;
  if (tile >= steps.tiles) return;
  yoke_int64 count = (yoke_int64)parts - from < YOKE_SCAN_BLOCK ? (yoke_int64)parts - from : YOKE_SCAN_BLOCK;
  of_tiles[own] = yoke_x_scan_column(of_threads + from * steps.results + own % rows, steps.results, count);
}

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1) yoke_x_scan_column_rows(YOKE_GLOBAL yoke_uint8* left,
                                                                                 yoke_x_steps steps) {
  YOKE_SCAN_BEGIN
  if (own < rows) (void)yoke_x_scan_column(of_tiles + own, steps.results, steps.tiles);
}

#if YOKE_SCAN_INCLUSIVE
#define YOKE_SCAN_KEPT before
#elif YOKE_SCAN_SEGMENTS
#define YOKE_SCAN_KEPT (next.s != 0 ? yoke_x_neutral() : prior)
#else
#define YOKE_SCAN_KEPT prior
#endif
// Stores what is kept of element `i`, `next`.
#define YOKE_SCAN_KEEP                  \
  yoke_x_part prior = before;           \
  before = yoke_x_join(before, next);   \
  yoke_x_part kept = YOKE_SCAN_KEPT;    \
  (void)prior;                          \
  YOKE_SCAN_STORE

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_SCAN_BLOCK, 1, 1) yoke_x_scan_columns(
    YOKE_SCAN_PARAMETERS YOKE_GLOBAL yoke_uint8* left, yoke_x_steps steps) {
  YOKE_SCAN_BEGIN
  if (own / rows >= parts) return;
  YOKE_X_INDEX result = own % rows;
  yoke_int64 first = (yoke_int64)(own / rows) * YOKE_SCAN_ITEMS;
  YOKE_SCAN_PLACES
  yoke_x_part before = of_threads[own];
  if (steps.tiles > 1) {
    yoke_int64 tile = (yoke_int64)(own / rows) / YOKE_SCAN_BLOCK;
    yoke_x_part carried = yoke_x_neutral();
    if (tile != 0) carried = yoke_x_join(carried, of_tiles[tile * steps.results + result]);
    before = yoke_x_join(carried, before);
  }
  if (steps.count - first >= YOKE_SCAN_ITEMS) {
    yoke_x_part read[YOKE_SCAN_ITEMS];
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      YOKE_X_INDEX i = (YOKE_X_INDEX)first + k;
      yoke_x_part next;
      YOKE_SCAN_LOAD
      read[k] = next;
    }
    YOKE_UNROLL(YOKE_SCAN_ITEMS)
    for (uint k = 0; k < YOKE_SCAN_ITEMS; ++k) {
      YOKE_X_INDEX i = (YOKE_X_INDEX)first + k;
      yoke_x_part next = read[k];
      YOKE_SCAN_KEEP
    }
  } else {
    for (YOKE_X_INDEX i = (YOKE_X_INDEX)first; i < (YOKE_X_INDEX)steps.count; ++i) {
      yoke_x_part next;
      YOKE_SCAN_LOAD
      YOKE_SCAN_KEEP
    }
  }
}
)yoke"
