// SPDX-License-Identifier: MIT
// The begin of the kernel of rows, which reads each row once: it joins the elements, and goes on with the results.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_ROW_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_ROW_ALONE       1: a thread runs all of a row
//   YOKE_ROW_SHARED      1: it does so, but the threads of a block copy their rows to local memory together
//   YOKE_ROW_LANES       the lanes of a tile; a lane joins elements at this distance
//   YOKE_ROW_WARPS       the warps of a row, each of YOKE_ROW_LANES threads
//   YOKE_ROW_ITEMS       the elements that a thread of these keeps
//   YOKE_ROW_FLAT        1: rows lie without gaps and fill all threads
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
    uint lane = here % YOKE_ROW_LANES, warp = here / YOKE_ROW_LANES % YOKE_ROW_WARPS;
    uint column = here / (YOKE_ROW_LANES * YOKE_ROW_WARPS);
    yoke_int64 row = begin_of_block + column;
    uint count = (uint)steps.count, begin = warp * (YOKE_ROW_ITEMS * YOKE_ROW_LANES) + lane;
    YOKE_X_INDEX result = row < steps.results ? (YOKE_X_INDEX)row : 0;
// Runs statements for each element that the thread keeps: `item` counts them, and `taken` is the place in the row.
// Threads without elements read another one and do not use it.
#define YOKE_ROW_EACH              \
  YOKE_UNROLL(YOKE_ROW_ITEMS)      \
  for (uint item = 0, taken = begin; item < YOKE_ROW_ITEMS; ++item, taken += YOKE_ROW_LANES)
#define YOKE_ROW_THERE (YOKE_ROW_FLAT || taken < count)
#define YOKE_ROW_PLACE (YOKE_X_INDEX)(YOKE_ROW_THERE ? taken : lane)
    (void)count;
#endif
    (void)result;
    YOKE_ROW_PLACES
)yoke"
