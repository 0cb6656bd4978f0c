// SPDX-License-Identifier: MIT
// The begin of the kernel of rows, which reads each row once: it joins the elements, and goes on with the results.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_ROW_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_ROW_ALONE       1: a thread runs all of a row
//   YOKE_ROW_SHARED      1: it does so, but the threads of a block copy their rows to local memory together
//   YOKE_ROW_TILE        the elements of a tile
//   YOKE_ROW_LANES       the lanes of a tile; a lane joins elements at this distance
//   YOKE_ROW_TILES       the tiles for which a row has threads
//   YOKE_ROW_RESULTS     the rows of a block
//   YOKE_ROW_BLOCK       the threads of a block
//   YOKE_ROW_COUNT       the elements of a row
//   YOKE_ROW_LOCALS      declarations in local memory
//   YOKE_ROW_OFFSETS     statements that advance each operand to its first element
//   YOKE_ROW_PLACES      statements that make the places of the row `result`
//   YOKE_ROW_COPY        statements that copy element `i` of the row `column` of a block to local memory
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_ROW_BLOCK, 1, 1) yoke_x_rows(YOKE_ROW_PARAMETERS yoke_x_steps steps) {
  YOKE_ROW_LOCALS
  YOKE_ROW_OFFSETS
  uint here = (uint)get_local_id(0);
  yoke_int64 begin_of_block = (yoke_int64)get_group_id(0) * YOKE_ROW_RESULTS;
#if YOKE_ROW_SHARED
  yoke_int64 left_rows = steps.results - begin_of_block;
  uint taken_of_block = (left_rows < YOKE_ROW_RESULTS ? (uint)left_rows : YOKE_ROW_RESULTS) * YOKE_ROW_COUNT;
  for (uint each = here; each < taken_of_block; each += YOKE_ROW_BLOCK) {
    uint column = each / YOKE_ROW_COUNT;
    YOKE_X_INDEX i = each % YOKE_ROW_COUNT;
    YOKE_X_INDEX result = (YOKE_X_INDEX)begin_of_block + column;
    YOKE_ROW_PLACES
    YOKE_ROW_COPY
  }
  YOKE_BARRIER_LOCAL();
#endif
#if YOKE_ROW_ALONE
  for (uint column = here; column < YOKE_ROW_RESULTS; column += YOKE_ROW_BLOCK) {
    yoke_int64 row = begin_of_block + column;
    if (row >= steps.results) break;
    YOKE_X_INDEX result = (YOKE_X_INDEX)row;
#else
  {
    uint lane = here % YOKE_ROW_LANES, tile = here / YOKE_ROW_LANES % YOKE_ROW_TILES;
    uint column = here / (YOKE_ROW_LANES * YOKE_ROW_TILES);
    yoke_int64 row = begin_of_block + column;
    YOKE_X_INDEX first = tile * YOKE_ROW_TILE;
    uint count = 0;
    if (first < (YOKE_X_INDEX)steps.count) {
      yoke_int64 left = steps.count - (yoke_int64)first;
      count = left < YOKE_ROW_TILE ? (uint)left : YOKE_ROW_TILE;
    }
    YOKE_X_INDEX result = row < steps.results ? (YOKE_X_INDEX)row : 0;
#endif
    (void)result;
    YOKE_ROW_PLACES
)yoke"
