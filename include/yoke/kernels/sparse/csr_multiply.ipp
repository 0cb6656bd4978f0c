// SPDX-License-Identifier: MIT
// Multiplies a sparse matrix by vectors and dense matrices.
R"yoke(// Before it stand the parts of products, and the macros
//   YOKE_C_INDEX  the type of starts, columns and places
//   YOKE_C_LANES  the sums of a row: sum k adds the elements k, k + YOKE_C_LANES, ... of it
//   YOKE_C_APART  1: each sum has a thread; 0: one thread has all sums of a row
//   YOKE_C_SERIAL 1: a group is one thread, which takes neighbouring rows, and YOKE_C_COLUMNS columns at once
//   YOKE_C_PLACE  the place of the value of element `at` among the values
// The numbers of the left operand are the first elements of values, starts, columns and places.
YOKE_L_NUMBER yoke_c_step(YOKE_GLOBAL const YOKE_C_INDEX* columns, YOKE_GLOBAL const YOKE_C_INDEX* places,
                          YOKE_GLOBAL const YOKE_L_LEFT* values, YOKE_GLOBAL const YOKE_L_RIGHT* right,
                          yoke_l_product of, yoke_int64 at, yoke_int64 first, YOKE_L_NUMBER sum) {
  yoke_int64 place = of.left_first + YOKE_C_PLACE;
  yoke_int64 from = first + (yoke_int64)columns[of.left_column + at] * of.right_row;
  return yoke_l_step(YOKE_L_LOAD_LEFT(values, place), YOKE_L_LOAD_RIGHT(right, from), sum);
}

#if YOKE_C_APART
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_c_multiply(
#elif YOKE_C_SERIAL
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) yoke_c_multiply(
#else
YOKE_KERNEL yoke_c_multiply(
#endif
    YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added, YOKE_GLOBAL const YOKE_C_INDEX* starts,
    YOKE_GLOBAL const YOKE_C_INDEX* columns, YOKE_GLOBAL const YOKE_C_INDEX* places,
    YOKE_GLOBAL const YOKE_L_LEFT* values, YOKE_GLOBAL const YOKE_L_RIGHT* right, YOKE_L_NUMBER alpha,
    YOKE_L_NUMBER beta, yoke_l_product of) {
  yoke_int64 all = of.m * of.n, part = (yoke_int64)YOKE_L_CHAIN * YOKE_C_LANES;
#if YOKE_C_APART
  YOKE_LOCAL YOKE_L_NUMBER totals[256];
  int here = (int)get_local_id(0), lane = here % YOKE_C_LANES;
  yoke_int64 own = 256 / YOKE_C_LANES;
  for (yoke_int64 group = (yoke_int64)get_group_id(0) * own; group < all; group += (yoke_int64)get_num_groups(0) * own) {
    yoke_int64 i = group + here / YOKE_C_LANES, row = i / of.n, column = i % of.n;
    YOKE_L_NUMBER total = YOKE_L_ZERO;
    if (i < all) {
      yoke_int64 begin = (yoke_int64)starts[of.left_row + row], end = (yoke_int64)starts[of.left_row + row + 1];
      yoke_int64 first = of.right_first + column * of.right_column;
      for (; begin < end; begin += part) {
        yoke_int64 stop = end - begin < part ? end : begin + part;
        YOKE_L_NUMBER sum = YOKE_L_ZERO;
        for (yoke_int64 at = begin + lane; at < stop; at += YOKE_C_LANES) {
          sum = yoke_c_step(columns, places, values, right, of, at, first, sum);
        }
        total = total + sum;
      }
    }
    totals[here] = total;
    for (int apart = YOKE_C_LANES / 2; apart > 0; apart /= 2) {
      YOKE_BARRIER_LOCAL();
      if (lane < apart) totals[here] = totals[here] + totals[here + apart];
    }
    if (lane == 0 && i < all) yoke_l_finish(totals[here], to, added, alpha, beta, of, row, column, 0);
    YOKE_BARRIER_LOCAL();
  }
#elif YOKE_C_SERIAL
  yoke_int64 groups = (yoke_int64)get_num_groups(0), each = (of.m + groups - 1) / groups;
  yoke_int64 row = (yoke_int64)get_group_id(0) * each, last = row + each < of.m ? row + each : of.m;
#if YOKE_C_COLUMNS == 1 && YOKE_C_LANES == 1
  yoke_int64 begin = row < last ? (yoke_int64)starts[of.left_row + row] : 0;
  for (; row < last; ++row) {
    yoke_int64 end = (yoke_int64)starts[of.left_row + row + 1];
    YOKE_L_NUMBER total = YOKE_L_ZERO;
    while (begin < end) {
      yoke_int64 stop = end - begin < part ? end : begin + part;
      YOKE_L_NUMBER sum = YOKE_L_ZERO;
      for (; begin < stop; ++begin) sum = yoke_c_step(columns, places, values, right, of, begin, of.right_first, sum);
      total = total + sum;
    }
    yoke_l_finish(total, to, added, alpha, beta, of, row, 0, 0);
  }
#else
  for (; row < last; ++row) {
    for (yoke_int64 column = 0; column < of.n; column += YOKE_C_COLUMNS) {
      yoke_int64 begin = (yoke_int64)starts[of.left_row + row], end = (yoke_int64)starts[of.left_row + row + 1];
      yoke_int64 first = of.right_first + column * of.right_column;
      int width = of.n - column < YOKE_C_COLUMNS ? (int)(of.n - column) : YOKE_C_COLUMNS;
      YOKE_L_NUMBER total[YOKE_C_LANES * YOKE_C_COLUMNS];
      for (int k = 0; k < YOKE_C_LANES * YOKE_C_COLUMNS; ++k) total[k] = YOKE_L_ZERO;
      for (; begin < end; begin += part) {
        yoke_int64 stop = end - begin < part ? end : begin + part, at = begin;
        YOKE_L_NUMBER sum[YOKE_C_LANES * YOKE_C_COLUMNS];
        for (int k = 0; k < YOKE_C_LANES * YOKE_C_COLUMNS; ++k) sum[k] = YOKE_L_ZERO;
        if (width == YOKE_C_COLUMNS) {
          for (; at + YOKE_C_LANES <= stop; at += YOKE_C_LANES) {
            for (int k = 0; k < YOKE_C_LANES * YOKE_C_COLUMNS; ++k) {
              sum[k] = yoke_c_step(columns, places, values, right, of, at + k / YOKE_C_COLUMNS,
                                   first + k % YOKE_C_COLUMNS * of.right_column, sum[k]);
            }
          }
        }
        for (int lane = 0; at < stop; ++at, lane = lane + 1 == YOKE_C_LANES ? 0 : lane + 1) {
          // Columns behind the last one repeat it: PoCL's compiler loses sums of loops of `width`.
          for (int k = 0; k < YOKE_C_COLUMNS; ++k) {
            sum[lane * YOKE_C_COLUMNS + k] =
                yoke_c_step(columns, places, values, right, of, at,
                            first + (k < width ? k : width - 1) * of.right_column, sum[lane * YOKE_C_COLUMNS + k]);
          }
        }
        for (int k = 0; k < YOKE_C_LANES * YOKE_C_COLUMNS; ++k) total[k] = total[k] + sum[k];
      }
      for (int apart = YOKE_C_LANES / 2; apart > 0; apart /= 2) {
        for (int k = 0; k < apart * YOKE_C_COLUMNS; ++k) total[k] = total[k] + total[k + apart * YOKE_C_COLUMNS];
      }
      for (int k = 0; k < width; ++k) yoke_l_finish(total[k], to, added, alpha, beta, of, row, column + k, 0);
    }
  }
#endif
#else
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < all; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 row = i / of.n, column = i % of.n;
    yoke_int64 begin = (yoke_int64)starts[of.left_row + row], end = (yoke_int64)starts[of.left_row + row + 1];
    yoke_int64 first = of.right_first + column * of.right_column;
    YOKE_L_NUMBER total[YOKE_C_LANES];
    for (int lane = 0; lane < YOKE_C_LANES; ++lane) total[lane] = YOKE_L_ZERO;
    for (; begin < end; begin += part) {
      yoke_int64 stop = end - begin < part ? end : begin + part, at = begin;
      YOKE_L_NUMBER sum[YOKE_C_LANES];
      for (int lane = 0; lane < YOKE_C_LANES; ++lane) sum[lane] = YOKE_L_ZERO;
      for (; at + YOKE_C_LANES <= stop; at += YOKE_C_LANES) {
        for (int lane = 0; lane < YOKE_C_LANES; ++lane) {
          sum[lane] = yoke_c_step(columns, places, values, right, of, at + lane, first, sum[lane]);
        }
      }
      for (int lane = 0; lane < YOKE_C_LANES; ++lane) {
        if (at + lane < stop) sum[lane] = yoke_c_step(columns, places, values, right, of, at + lane, first, sum[lane]);
        total[lane] = total[lane] + sum[lane];
      }
    }
    for (int apart = YOKE_C_LANES / 2; apart > 0; apart /= 2) {
      for (int lane = 0; lane < apart; ++lane) total[lane] = total[lane] + total[lane + apart];
    }
    yoke_l_finish(total[0], to, added, alpha, beta, of, row, column, 0);
  }
#endif
}
)yoke"
