// SPDX-License-Identifier: MIT
// Multiplies matrices with a block of 256 threads for each tile of 64 x 64 elements.
R"yoke(
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_l_tiled(
    YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added, YOKE_GLOBAL const YOKE_L_LEFT* left,
    YOKE_GLOBAL const YOKE_L_RIGHT* right, YOKE_L_NUMBER alpha, YOKE_L_NUMBER beta, yoke_l_product of) {
  YOKE_LOCAL YOKE_L_NUMBER left_tile[YOKE_L_DEPTH * 65];
  YOKE_LOCAL YOKE_L_NUMBER right_tile[YOKE_L_DEPTH * 65];
  int here = (int)get_local_id(0), x = here % 16, y = here / 16;
  yoke_int64 tile = (yoke_int64)get_group_id(0);
  yoke_int64 across = (of.n + 63) / 64, down = (of.m + 63) / 64;
  yoke_int64 column0 = tile % across * 64, row0 = tile / across % down * 64, batch = tile / across / down;
  yoke_int64 a0 = of.left_first + batch * of.left_batch, b0 = of.right_first + batch * of.right_batch;
  int along_left = of.left_column == 1, along_right = of.right_row == 1;  // neighbours read along k
  YOKE_L_NUMBER sum[16], total[16];
  for (int j = 0; j < 16; ++j) {
    sum[j] = YOKE_L_ZERO;
    total[j] = YOKE_L_ZERO;
  }
  for (yoke_int64 begin = 0; begin < of.k; begin += YOKE_L_DEPTH) {
    for (int e = here; e < YOKE_L_DEPTH * 64; e += 256) {
      int depth = along_left ? e % YOKE_L_DEPTH : e / 64;
      int place = along_left ? e / YOKE_L_DEPTH : e % 64;
      yoke_int64 k = begin + depth, row = row0 + place;
      YOKE_L_NUMBER value = YOKE_L_ZERO;
      if (k < of.k && row < of.m) {
        yoke_int64 from = a0 + row * of.left_row + k * of.left_column;
        value = YOKE_L_LOAD_LEFT(left, from);
      }
      left_tile[depth * 65 + place] = value;
    }
    for (int e = here; e < YOKE_L_DEPTH * 64; e += 256) {
      int depth = along_right ? e % YOKE_L_DEPTH : e / 64;
      int place = along_right ? e / YOKE_L_DEPTH : e % 64;
      yoke_int64 k = begin + depth, column = column0 + place;
      YOKE_L_NUMBER value = YOKE_L_ZERO;
      if (k < of.k && column < of.n) {
        yoke_int64 from = b0 + k * of.right_row + column * of.right_column;
        value = YOKE_L_LOAD_RIGHT(right, from);
      }
      right_tile[depth * 65 + place] = value;
    }
    YOKE_BARRIER_LOCAL();
    int depths = of.k - begin < YOKE_L_DEPTH ? (int)(of.k - begin) : YOKE_L_DEPTH;
    for (int depth = 0; depth < depths; ++depth) {
      YOKE_L_NUMBER a[4], b[4];
      for (int j = 0; j < 4; ++j) {
        a[j] = left_tile[depth * 65 + y + 16 * j];
        b[j] = right_tile[depth * 65 + x + 16 * j];
      }
      for (int j = 0; j < 16; ++j) sum[j] = yoke_l_step(a[j / 4], b[j % 4], sum[j]);
    }
    YOKE_BARRIER_LOCAL();
    if ((begin + YOKE_L_DEPTH) % YOKE_L_CHAIN == 0 || begin + YOKE_L_DEPTH >= of.k) {
      for (int j = 0; j < 16; ++j) {
        total[j] = total[j] + sum[j];
        sum[j] = YOKE_L_ZERO;
      }
    }
  }
  for (int j = 0; j < 16; ++j) {
    yoke_int64 row = row0 + y + 16 * (j / 4), column = column0 + x + 16 * (j % 4);
    if (row < of.m && column < of.n) {
      yoke_l_finish(total[j], to, added, alpha, beta, of, row, column, batch);
    }
  }
}
)yoke"
