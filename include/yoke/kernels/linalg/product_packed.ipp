// SPDX-License-Identifier: MIT
// Multiplies matrices from packed panels, with a thread for each tile of 8 rows and two vectors of OpenCL C.
R"yoke(// Before it stand the macros
//   YOKE_L_VECTOR, YOKE_L_WIDTH   a vector of numbers and its length
//   YOKE_L_VLOAD, YOKE_L_VSTORE   the functions that read and write one
#if YOKE_BACKEND_OPENCL
// A panel holds the elements of 8 rows of the left matrix for each k; what is outside of the matrix is 0.
YOKE_KERNEL yoke_l_pack_left(YOKE_GLOBAL YOKE_L_NUMBER* to, YOKE_GLOBAL const YOKE_L_LEFT* left, yoke_l_product of) {
  yoke_int64 panels = (of.m + 7) / 8, chains = (of.k + YOKE_L_CHAIN - 1) / YOKE_L_CHAIN;
  yoke_int64 all = panels * chains * of.batches;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < all; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 panel = i / chains % panels, batch = i / chains / panels;
    yoke_int64 begin = i % chains * YOKE_L_CHAIN;
    yoke_int64 end = of.k - begin < YOKE_L_CHAIN ? of.k : begin + YOKE_L_CHAIN;
    yoke_int64 rows = of.m - panel * 8 < 8 ? of.m - panel * 8 : 8;
    YOKE_GLOBAL YOKE_L_NUMBER* p = to + ((batch * panels + panel) * of.k + begin) * 8;
    yoke_int64 a = of.left_first + batch * of.left_batch + panel * 8 * of.left_row + begin * of.left_column;
    for (yoke_int64 k = begin; k < end; ++k) {
      for (int j = 0; j < 8; ++j) {
        yoke_int64 from = a + j * of.left_row;
        YOKE_L_NUMBER value = YOKE_L_ZERO;
        if (j < rows) value = YOKE_L_LOAD_LEFT(left, from);
        p[j] = value;
      }
      p += 8;
      a += of.left_column;
    }
  }
}
// A panel holds the elements of two vectors of columns of the right matrix for each k.
YOKE_KERNEL yoke_l_pack_right(YOKE_GLOBAL YOKE_L_NUMBER* to, YOKE_GLOBAL const YOKE_L_RIGHT* right,
                              yoke_l_product of) {
  yoke_int64 panels = (of.n + 2 * YOKE_L_WIDTH - 1) / (2 * YOKE_L_WIDTH);
  yoke_int64 chains = (of.k + YOKE_L_CHAIN - 1) / YOKE_L_CHAIN, all = panels * chains * of.batches;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < all; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 panel = i / chains % panels, batch = i / chains / panels;
    yoke_int64 begin = i % chains * YOKE_L_CHAIN;
    yoke_int64 end = of.k - begin < YOKE_L_CHAIN ? of.k : begin + YOKE_L_CHAIN;
    yoke_int64 column0 = panel * 2 * YOKE_L_WIDTH;
    yoke_int64 columns = of.n - column0 < 2 * YOKE_L_WIDTH ? of.n - column0 : 2 * YOKE_L_WIDTH;
    YOKE_GLOBAL YOKE_L_NUMBER* p = to + ((batch * panels + panel) * of.k + begin) * (2 * YOKE_L_WIDTH);
    yoke_int64 b = of.right_first + batch * of.right_batch + column0 * of.right_column + begin * of.right_row;
    for (yoke_int64 k = begin; k < end; ++k) {
      for (int j = 0; j < 2 * YOKE_L_WIDTH; ++j) {
        yoke_int64 from = b + j * of.right_column;
        YOKE_L_NUMBER value = YOKE_L_ZERO;
        if (j < columns) value = YOKE_L_LOAD_RIGHT(right, from);
        p[j] = value;
      }
      p += 2 * YOKE_L_WIDTH;
      b += of.right_row;
    }
  }
}
#define YOKE_L_ROWS(X) X(s0, t0, 0) X(s1, t1, 1) X(s2, t2, 2) X(s3, t3, 3) X(s4, t4, 4) X(s5, t5, 5) X(s6, t6, 6) X(s7, t7, 7)
#define YOKE_L_CLEAR(s, t, row) YOKE_L_VECTOR s = (YOKE_L_VECTOR)(0), t = (YOKE_L_VECTOR)(0);
#define YOKE_L_TERM(s, t, row) \
  { \
    YOKE_L_VECTOR value = (YOKE_L_VECTOR)(a[row]); \
    s = fma(value, b0, s); \
    t = fma(value, b1, t); \
  }
#define YOKE_L_ADD(s, t, row) \
  YOKE_L_VSTORE(YOKE_L_VLOAD(2 * row, total) + s, 2 * row, total); \
  YOKE_L_VSTORE(YOKE_L_VLOAD(2 * row + 1, total) + t, 2 * row + 1, total);
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_l_packed(
    YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added, YOKE_GLOBAL const YOKE_L_NUMBER* left,
    YOKE_GLOBAL const YOKE_L_NUMBER* right, YOKE_L_NUMBER alpha, YOKE_L_NUMBER beta, yoke_l_product of) {
  yoke_int64 down = (of.m + 7) / 8, across = (of.n + 2 * YOKE_L_WIDTH - 1) / (2 * YOKE_L_WIDTH);
  yoke_int64 tile = (yoke_int64)get_group_id(0);
  yoke_int64 row0 = tile % down, column0 = tile / down % across, batch = tile / down / across;
  YOKE_GLOBAL const YOKE_L_NUMBER* a = left + (batch * down + row0) * of.k * 8;
  YOKE_GLOBAL const YOKE_L_NUMBER* b = right + (batch * across + column0) * of.k * (2 * YOKE_L_WIDTH);
  YOKE_L_NUMBER total[16 * YOKE_L_WIDTH];
  for (int j = 0; j < 16 * YOKE_L_WIDTH; ++j) total[j] = YOKE_L_ZERO;
  for (yoke_int64 begin = 0; begin < of.k; begin += YOKE_L_CHAIN) {
    int terms = of.k - begin < YOKE_L_CHAIN ? (int)(of.k - begin) : YOKE_L_CHAIN;
    YOKE_L_ROWS(YOKE_L_CLEAR)
    for (int term = 0; term < terms; ++term) {
      YOKE_L_VECTOR b0 = YOKE_L_VLOAD(0, b), b1 = YOKE_L_VLOAD(1, b);
      YOKE_L_ROWS(YOKE_L_TERM)
      a += 8;
      b += 2 * YOKE_L_WIDTH;
    }
    YOKE_L_ROWS(YOKE_L_ADD)
  }
  row0 *= 8;
  column0 *= 2 * YOKE_L_WIDTH;
  for (int row = 0; row < 8 && row0 + row < of.m; ++row) {
    for (int column = 0; column < 2 * YOKE_L_WIDTH && column0 + column < of.n; ++column) {
      yoke_l_finish(total[row * 2 * YOKE_L_WIDTH + column], to, added, alpha, beta, of, row0 + row, column0 + column,
                    batch);
    }
  }
}
#undef YOKE_L_ROWS
#undef YOKE_L_CLEAR
#undef YOKE_L_TERM
#undef YOKE_L_ADD
#endif
)yoke"
