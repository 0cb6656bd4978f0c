// SPDX-License-Identifier: MIT
// The kernel of an expression whose threads go down columns: neighbours read neighbours of a row, and rows again.
R"yoke(// Each thread has some elements of a column, and finds its place by division once. A row that several inputs read, as
// those of a stencil do, stays in the cache between them. Before it stand yoke_x_value(x0, x1, ...), which makes one
// element, and the macros
//   YOKE_EVALUATE_BLOCK       the threads of a block
//   YOKE_EVALUATE_WIDE        its threads along the columns' axis: a divisor of YOKE_EVALUATE_BLOCK
//   YOKE_EVALUATE_TALL        the rows of a thread
//   YOKE_EVALUATE_COLUMNS     the axis along which the destination is fastest
//   YOKE_EVALUATE_ROWS        the axis before it
//   YOKE_EVALUATE_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_EVALUATE_BEGIN       statements that advance each operand to its first element
//   YOKE_EVALUATE_OTHERS      statements that find the block's start along the other axes from `rest` of its number
//   YOKE_EVALUATE_AHEAD       1: a thread reads all its elements before it uses the first
//   YOKE_EVALUATE_DECLARE     declarations of the values that a thread reads
//   YOKE_EVALUATE_READ        statements that read value `j`, at `row` and `column`
//   YOKE_EVALUATE_WRITE       statements that calculate from value `j` and write, at `row` and `column`
//   YOKE_EVALUATE_ONE         statements that evaluate the element at `row` and `column`
#define YOKE_EVALUATE_DEEP (YOKE_EVALUATE_BLOCK / YOKE_EVALUATE_WIDE * YOKE_EVALUATE_TALL)

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_EVALUATE_BLOCK, 1, 1) yoke_x_evaluate(YOKE_EVALUATE_PARAMETERS yoke_x_steps steps) {
  YOKE_EVALUATE_BEGIN
  uint here = (uint)get_local_id(0);
  YOKE_X_INDEX wide = (YOKE_X_INDEX)steps.extents[YOKE_EVALUATE_COLUMNS];
  YOKE_X_INDEX high = (YOKE_X_INDEX)steps.extents[YOKE_EVALUATE_ROWS];
  YOKE_X_INDEX rest = (YOKE_X_INDEX)get_group_id(0);
  YOKE_X_INDEX q = (wide + (YOKE_EVALUATE_WIDE - 1)) / YOKE_EVALUATE_WIDE;
  YOKE_X_INDEX column = rest % q * YOKE_EVALUATE_WIDE + here % YOKE_EVALUATE_WIDE;
  rest /= q;
  q = (high + (YOKE_EVALUATE_DEEP - 1)) / YOKE_EVALUATE_DEEP;
  YOKE_X_INDEX first = rest % q * YOKE_EVALUATE_DEEP + here / YOKE_EVALUATE_WIDE * YOKE_EVALUATE_TALL;
  rest /= q;
  YOKE_EVALUATE_OTHERS
  if (column >= wide || first >= high) return;
#if YOKE_EVALUATE_AHEAD
  if (high - first >= YOKE_EVALUATE_TALL) {
    YOKE_EVALUATE_DECLARE
    YOKE_UNROLL(YOKE_EVALUATE_TALL)
    for (uint j = 0; j < YOKE_EVALUATE_TALL; ++j) {
      YOKE_X_INDEX row = first + j;
      YOKE_EVALUATE_READ
    }
    YOKE_UNROLL(YOKE_EVALUATE_TALL)
    for (uint j = 0; j < YOKE_EVALUATE_TALL; ++j) {
      YOKE_X_INDEX row = first + j;
      YOKE_EVALUATE_WRITE
    }
    return;
  }
#endif
  YOKE_X_INDEX end = high - first < YOKE_EVALUATE_TALL ? high : first + YOKE_EVALUATE_TALL;
  for (YOKE_X_INDEX row = first; row < end; ++row) {
    YOKE_EVALUATE_ONE
  }
}
)yoke"
