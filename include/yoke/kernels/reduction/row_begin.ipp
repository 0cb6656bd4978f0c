// SPDX-License-Identifier: MIT
// The begin of the kernel of rows, which reads each row once: it joins the elements, and goes on with the results.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_ROW_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_ROW_SERIAL      1: a block is one thread, which runs all lanes of a row
//   YOKE_ROW_TILE        the elements of a tile
//   YOKE_ROW_LANES       the lanes of a tile; a lane joins elements at this distance
//   YOKE_ROW_TILES       the tiles for which a row has threads
//   YOKE_ROW_RESULTS     the rows of a block
//   YOKE_ROW_LOCALS      declarations in local memory
//   YOKE_ROW_PLACES      statements that run once for each row, `result`
#define YOKE_ROW_THREADS (YOKE_ROW_LANES * YOKE_ROW_TILES)
#if YOKE_ROW_SERIAL
#define YOKE_ROW_BLOCK 1
#else
#define YOKE_ROW_BLOCK (YOKE_ROW_THREADS * YOKE_ROW_RESULTS)
#endif

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_ROW_BLOCK, 1, 1) yoke_x_rows(YOKE_ROW_PARAMETERS yoke_x_steps steps) {
#if YOKE_ROW_SERIAL
  yoke_int64 row = (yoke_int64)get_group_id(0);
#else
  YOKE_ROW_LOCALS
  uint here = (uint)get_local_id(0);
  uint lane = here % YOKE_ROW_LANES, tile = here / YOKE_ROW_LANES % YOKE_ROW_TILES;
  uint column = here / YOKE_ROW_THREADS;
  yoke_int64 row = (yoke_int64)get_group_id(0) * YOKE_ROW_RESULTS + column;
  YOKE_X_INDEX first = tile * YOKE_ROW_TILE;
  uint count = 0;
  if (first < (YOKE_X_INDEX)steps.count) {
    yoke_int64 left = steps.count - (yoke_int64)first;
    count = left < YOKE_ROW_TILE ? (uint)left : YOKE_ROW_TILE;
  }
#endif
  YOKE_X_INDEX result = row < steps.results ? (YOKE_X_INDEX)row : 0;
  (void)result;
  YOKE_ROW_PLACES
#undef YOKE_ROW_THREADS
#undef YOKE_ROW_BLOCK
)yoke"
