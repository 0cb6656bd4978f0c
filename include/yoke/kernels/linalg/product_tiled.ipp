// SPDX-License-Identifier: MIT
// Multiplies matrices with a block of 256 threads for each tile of 64 x 64 or 128 x 128 elements.
R"yoke(// Before it stand the macros
//   YOKE_L_TILE                     the rows and columns of a tile
//   YOKE_L_BYTES                    those of a number
//   YOKE_L_LOCAL, YOKE_L_TOGETHER   the type in which threads read local memory, and the numbers in it
// The terms that a tile holds in local memory: two pairs of tiles take at most 17 KiB; by CUDA wide ones may take 34.
#if YOKE_BACKEND_CUDA && YOKE_L_TILE > 64
#define YOKE_L_DEPTH 8
#else
#define YOKE_L_DEPTH (4096 / YOKE_L_TILE / YOKE_L_BYTES)
#endif
#define YOKE_L_SIDE (YOKE_L_TILE / 16)
#define YOKE_L_PITCH ((YOKE_L_TILE + 4) / YOKE_L_TOGETHER)
#define YOKE_L_OWN (YOKE_L_DEPTH * YOKE_L_TILE / 256)
// The sums of the chains before are rarely used: a wide tile keeps them outside of the registers.
#if YOKE_L_TILE > 64
#define YOKE_L_TOTALS volatile
#else
#define YOKE_L_TOTALS
#endif
#if YOKE_L_BYTES == 4
#define YOKE_L_GROUPS YOKE_RESIDENT_GROUPS(256, 1, 1, 2)
#else
#define YOKE_L_GROUPS YOKE_WORK_GROUP_SIZE(256, 1, 1)
#endif
// Four neighbours from local memory.
#if YOKE_L_TOGETHER == 4
#define YOKE_L_FOUR(to, from) \
  { \
    YOKE_L_LOCAL all = (from)[0]; \
    (to)[0] = all.x; \
    (to)[1] = all.y; \
    (to)[2] = all.z; \
    (to)[3] = all.w; \
  }
#elif YOKE_L_TOGETHER == 2
#define YOKE_L_FOUR(to, from) \
  { \
    YOKE_L_LOCAL low = (from)[0], high = (from)[1]; \
    (to)[0] = low.x; \
    (to)[1] = low.y; \
    (to)[2] = high.x; \
    (to)[3] = high.y; \
  }
#else
#define YOKE_L_FOUR(to, from) \
  for (int part = 0; part < 4; ++part) (to)[part] = (from)[part];
#endif
#define YOKE_L_TERM(depth) \
  { \
    YOKE_L_NUMBER a[YOKE_L_SIDE], b[YOKE_L_SIDE]; \
    for (int j = 0; j < YOKE_L_SIDE; j += 4) { \
      YOKE_L_FOUR(a + j, left_from + (depth)*YOKE_L_PITCH + j * 16 / YOKE_L_TOGETHER) \
      YOKE_L_FOUR(b + j, right_from + (depth)*YOKE_L_PITCH + j * 16 / YOKE_L_TOGETHER) \
    } \
    for (int j = 0; j < YOKE_L_SIDE * YOKE_L_SIDE; ++j) { \
      sum[j] = yoke_l_step(a[j / YOKE_L_SIDE], b[j % YOKE_L_SIDE], sum[j]); \
    } \
  }
YOKE_KERNEL YOKE_L_GROUPS yoke_l_tiled(
    YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added, YOKE_GLOBAL const YOKE_L_LEFT* left,
    YOKE_GLOBAL const YOKE_L_RIGHT* right, YOKE_L_NUMBER alpha, YOKE_L_NUMBER beta, yoke_l_product of) {
  // While a half of each is multiplied, the other half is filled.
  YOKE_LOCAL YOKE_L_LOCAL left_tile[2 * YOKE_L_DEPTH * YOKE_L_PITCH];
  YOKE_LOCAL YOKE_L_LOCAL right_tile[2 * YOKE_L_DEPTH * YOKE_L_PITCH];
  // 32 neighbours have the elements of 8 columns and 4 rows of threads, so that they read few words together.
  int here = (int)get_local_id(0), x = here / 32 % 2 * 8 + here % 8, y = here / 64 * 4 + here % 32 / 8;
  yoke_int64 tile = (yoke_int64)get_group_id(0);
  yoke_int64 across = (of.n + YOKE_L_TILE - 1) / YOKE_L_TILE, down = (of.m + YOKE_L_TILE - 1) / YOKE_L_TILE;
  yoke_int64 column0 = tile % across * YOKE_L_TILE, row0 = tile / across % down * YOKE_L_TILE;
  yoke_int64 batch = tile / across / down;
  // Neighbours read along k where that is how elements lie. A thread reads several places, or several depths.
  int along_left = of.left_column == 1, along_right = of.right_row == 1;
  int left_depth = along_left ? here % YOKE_L_DEPTH : here / YOKE_L_TILE;
  int left_place = along_left ? here / YOKE_L_DEPTH : here % YOKE_L_TILE;
  int left_deeper = along_left ? 0 : 256 / YOKE_L_TILE, left_further = along_left ? 256 / YOKE_L_DEPTH : 0;
  int right_depth = along_right ? here % YOKE_L_DEPTH : here / YOKE_L_TILE;
  int right_place = along_right ? here / YOKE_L_DEPTH : here % YOKE_L_TILE;
  int right_deeper = along_right ? 0 : 256 / YOKE_L_TILE, right_further = along_right ? 256 / YOKE_L_DEPTH : 0;
  yoke_int64 a0 = of.left_first + batch * of.left_batch + (row0 + left_place) * of.left_row + left_depth * of.left_column;
  yoke_int64 b0 =
      of.right_first + batch * of.right_batch + (column0 + right_place) * of.right_column + right_depth * of.right_row;
  yoke_int64 left_next = left_further * of.left_row + left_deeper * of.left_column;
  yoke_int64 right_next = right_further * of.right_column + right_deeper * of.right_row;
  int rows = of.m - row0 < YOKE_L_TILE ? (int)(of.m - row0) : YOKE_L_TILE;
  int columns = of.n - column0 < YOKE_L_TILE ? (int)(of.n - column0) : YOKE_L_TILE;
  YOKE_L_NUMBER sum[YOKE_L_SIDE * YOKE_L_SIDE];
  YOKE_L_TOTALS YOKE_L_NUMBER total[YOKE_L_SIDE * YOKE_L_SIDE];
  for (int j = 0; j < YOKE_L_SIDE * YOKE_L_SIDE; ++j) {
    sum[j] = YOKE_L_ZERO;
    total[j] = YOKE_L_ZERO;
  }
  YOKE_L_NUMBER next_left[YOKE_L_OWN], next_right[YOKE_L_OWN];
  int filled = 0;
  for (yoke_int64 begin = -YOKE_L_DEPTH; begin < of.k; begin += YOKE_L_DEPTH) {
    yoke_int64 after = begin + YOKE_L_DEPTH;
    int depths = of.k - after < YOKE_L_DEPTH ? (int)(of.k - after) : YOKE_L_DEPTH;
    for (int j = 0; j < YOKE_L_OWN; ++j) {
      YOKE_L_NUMBER value = YOKE_L_ZERO;
      if (left_depth + j * left_deeper < depths && left_place + j * left_further < rows) {
        yoke_int64 from = a0 + j * left_next;
        value = YOKE_L_LOAD_LEFT(left, from);
      }
      next_left[j] = value;
      value = YOKE_L_ZERO;
      if (right_depth + j * right_deeper < depths && right_place + j * right_further < columns) {
        yoke_int64 from = b0 + j * right_next;
        value = YOKE_L_LOAD_RIGHT(right, from);
      }
      next_right[j] = value;
    }
    a0 += YOKE_L_DEPTH * of.left_column;
    b0 += YOKE_L_DEPTH * of.right_row;
    if (begin >= 0) {
      YOKE_LOCAL_POINTER const YOKE_L_LOCAL* left_from = left_tile + filled * YOKE_L_DEPTH * YOKE_L_PITCH + y * 4 / YOKE_L_TOGETHER;
      YOKE_LOCAL_POINTER const YOKE_L_LOCAL* right_from =
          right_tile + filled * YOKE_L_DEPTH * YOKE_L_PITCH + x * 4 / YOKE_L_TOGETHER;
      if (after <= of.k) {
        YOKE_UNROLL(8)
        for (int depth = 0; depth < YOKE_L_DEPTH; ++depth) YOKE_L_TERM(depth)
      } else {
        for (int depth = 0; depth < (int)(of.k - begin); ++depth) YOKE_L_TERM(depth)
      }
      if (after % YOKE_L_CHAIN == 0 || after >= of.k) {
        for (int j = 0; j < YOKE_L_SIDE * YOKE_L_SIDE; ++j) {
          total[j] = total[j] + sum[j];
          sum[j] = YOKE_L_ZERO;
        }
      }
    }
    filled = 1 - filled;
    YOKE_LOCAL_POINTER YOKE_L_NUMBER* left_to =
        (YOKE_LOCAL_POINTER YOKE_L_NUMBER*)(left_tile + filled * YOKE_L_DEPTH * YOKE_L_PITCH);
    YOKE_LOCAL_POINTER YOKE_L_NUMBER* right_to =
        (YOKE_LOCAL_POINTER YOKE_L_NUMBER*)(right_tile + filled * YOKE_L_DEPTH * YOKE_L_PITCH);
    for (int j = 0; j < YOKE_L_OWN; ++j) {
      left_to[(left_depth + j * left_deeper) * (YOKE_L_TILE + 4) + left_place + j * left_further] = next_left[j];
      right_to[(right_depth + j * right_deeper) * (YOKE_L_TILE + 4) + right_place + j * right_further] = next_right[j];
    }
    YOKE_BARRIER_LOCAL();
  }
  for (int j = 0; j < YOKE_L_SIDE * YOKE_L_SIDE; ++j) {
    int down_of = j / YOKE_L_SIDE, across_of = j % YOKE_L_SIDE;
    yoke_int64 row = row0 + down_of / 4 * 64 + y * 4 + down_of % 4;
    yoke_int64 column = column0 + across_of / 4 * 64 + x * 4 + across_of % 4;
    if (row < of.m && column < of.n) {
      yoke_l_finish(total[j], to, added, alpha, beta, of, row, column, batch);
    }
  }
}
)yoke"
