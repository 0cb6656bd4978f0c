// SPDX-License-Identifier: MIT
// The parts of a product that all shapes of kernels share.
R"yoke(// Before it stand the macros
//   YOKE_L_NUMBER                     the type of sums; integers have no sign
//   YOKE_L_ZERO                       its zero
//   YOKE_L_COMPLEX, YOKE_L_REAL       1: it is complex; 1: it is real; both 0: it is an integer
//   YOKE_L_TO, _LEFT, _RIGHT          the types in memory
//   YOKE_L_LOAD_LEFT(from, at) etc.   an element as a number
//   YOKE_L_STORE(value, to, at)       the statement that rounds and stores a number
//   YOKE_L_CHAIN                      the terms that are added in one chain
YOKE_STRUCT(yoke_l_product) {
  yoke_int64 m, n, k, batches;
  yoke_int64 to_first, to_row, to_column, to_batch;
  yoke_int64 added_first, added_row, added_column, added_batch;
  yoke_int64 left_first, left_row, left_column, left_batch;
  yoke_int64 right_first, right_row, right_column, right_batch;
  yoke_int64 scales, adds;
};
#if YOKE_L_COMPLEX
YOKE_L_NUMBER yoke_l_conjugate(YOKE_L_NUMBER of) {
  of.y = -of.y;
  return of;
}
#endif
// The next term of a sum.
YOKE_L_NUMBER yoke_l_step(YOKE_L_NUMBER left, YOKE_L_NUMBER right, YOKE_L_NUMBER sum) {
#if YOKE_L_COMPLEX
  sum.x = fma(-left.y, right.y, fma(left.x, right.x, sum.x));
  sum.y = fma(left.y, right.x, fma(left.x, right.y, sum.y));
  return sum;
#elif YOKE_L_REAL
  return fma(left, right, sum);
#else
  return left * right + sum;
#endif
}
void yoke_l_finish(YOKE_L_NUMBER sum, YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_L_TO* added,
                   YOKE_L_NUMBER alpha, YOKE_L_NUMBER beta, yoke_l_product of, yoke_int64 row, yoke_int64 column,
                   yoke_int64 batch) {
  yoke_int64 at = of.to_first + row * of.to_row + column * of.to_column + batch * of.to_batch;
  YOKE_L_NUMBER number = sum;
  if (of.scales != 0) number = yoke_l_step(alpha, sum, YOKE_L_ZERO);
  if (of.adds != 0) {
    yoke_int64 from = of.added_first + row * of.added_row + column * of.added_column + batch * of.added_batch;
    number = yoke_l_step(beta, YOKE_L_LOAD_ADDED(added, from), number);
  }
  YOKE_L_STORE(number, to, at)
}
)yoke"
