// SPDX-License-Identifier: MIT
// Multiplies matrices with a thread for each element.
R"yoke(
YOKE_KERNEL yoke_l_direct(YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added,
                          YOKE_GLOBAL const YOKE_L_LEFT* left, YOKE_GLOBAL const YOKE_L_RIGHT* right,
                          YOKE_L_NUMBER alpha, YOKE_L_NUMBER beta, yoke_l_product of) {
  yoke_int64 all = of.m * of.n * of.batches;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < all; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 column = i % of.n, rest = i / of.n;
    yoke_int64 row = rest % of.m, batch = rest / of.m;
    yoke_int64 a = of.left_first + row * of.left_row + batch * of.left_batch;
    yoke_int64 b = of.right_first + column * of.right_column + batch * of.right_batch;
    YOKE_L_NUMBER total = YOKE_L_ZERO;
    for (yoke_int64 begin = 0; begin < of.k; begin += YOKE_L_CHAIN) {
      yoke_int64 end = of.k - begin < YOKE_L_CHAIN ? of.k : begin + YOKE_L_CHAIN;
      YOKE_L_NUMBER sum = YOKE_L_ZERO;
      for (yoke_int64 k = begin; k < end; ++k) {
        sum = yoke_l_step(YOKE_L_LOAD_LEFT(left, a), YOKE_L_LOAD_RIGHT(right, b), sum);
        a += of.left_column;
        b += of.right_row;
      }
      total = total + sum;
    }
    yoke_l_finish(total, to, added, alpha, beta, of, row, column, batch);
  }
}
)yoke"
