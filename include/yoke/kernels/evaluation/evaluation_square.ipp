// SPDX-License-Identifier: MIT
// The kernel of an expression some of whose inputs are fastest along another axis than the destination.
R"yoke(// A block has a square of elements. It reads inputs that are fastest along the rows' axis along that axis, into local
// memory. Before it stand yoke_x_value(x0, x1, ...), which makes one element, and the macros
//   YOKE_EVALUATE_BLOCK       the threads of a block
//   YOKE_EVALUATE_SQUARE      the elements of a side
//   YOKE_EVALUATE_COLUMNS     the axis along which the destination is fastest
//   YOKE_EVALUATE_ROWS        the axis along which such inputs are fastest
//   YOKE_EVALUATE_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_EVALUATE_BEGIN       statements that advance each operand to its first element
//   YOKE_EVALUATE_LOCAL       declarations of local memory: a square for each such input
//   YOKE_EVALUATE_OTHERS      statements that find the square's start along the other axes from `rest` of the block's
//                             number
//   YOKE_EVALUATE_DECLARE     declarations of the values that a thread reads of such inputs
//   YOKE_EVALUATE_READ        statements that read value `j`, at `row` and `column`
//   YOKE_EVALUATE_PUT         statements that store value `j` at YOKE_EVALUATE_PLACE(down + .., along)
//   YOKE_EVALUATE_WRITE       statements that evaluate the element at `row` and `column`
// Pads rows, so that the elements of a column are in different banks.
#define YOKE_EVALUATE_PLACE(row, column) ((row) * (YOKE_EVALUATE_SQUARE + 1) + (column))
#define YOKE_EVALUATE_DEEP (YOKE_EVALUATE_BLOCK / YOKE_EVALUATE_SQUARE)
#define YOKE_EVALUATE_TIMES (YOKE_EVALUATE_SQUARE / YOKE_EVALUATE_DEEP)

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_EVALUATE_BLOCK, 1, 1) yoke_x_evaluate(YOKE_EVALUATE_PARAMETERS yoke_x_steps steps) {
  YOKE_EVALUATE_BEGIN
  uint here = (uint)get_local_id(0);
  YOKE_EVALUATE_LOCAL
  YOKE_X_INDEX wide = (YOKE_X_INDEX)steps.extents[YOKE_EVALUATE_COLUMNS];
  YOKE_X_INDEX high = (YOKE_X_INDEX)steps.extents[YOKE_EVALUATE_ROWS];
  YOKE_X_INDEX rest = (YOKE_X_INDEX)get_group_id(0);
  YOKE_X_INDEX q = (wide + (YOKE_EVALUATE_SQUARE - 1)) / YOKE_EVALUATE_SQUARE;
  YOKE_X_INDEX x = rest % q * YOKE_EVALUATE_SQUARE;
  rest /= q;
  q = (high + (YOKE_EVALUATE_SQUARE - 1)) / YOKE_EVALUATE_SQUARE;
  YOKE_X_INDEX y = rest % q * YOKE_EVALUATE_SQUARE;
  rest /= q;
  YOKE_EVALUATE_OTHERS
  uint along = here % YOKE_EVALUATE_SQUARE, down = here / YOKE_EVALUATE_SQUARE;

  YOKE_EVALUATE_DECLARE
  YOKE_UNROLL(YOKE_EVALUATE_TIMES)
  for (uint j = 0; j < YOKE_EVALUATE_TIMES; ++j) {
    YOKE_X_INDEX row = y + along, column = x + down + j * YOKE_EVALUATE_DEEP;
    if (row < high && column < wide) {
      YOKE_EVALUATE_READ
    }
  }
  YOKE_UNROLL(YOKE_EVALUATE_TIMES)
  for (uint j = 0; j < YOKE_EVALUATE_TIMES; ++j) {
    YOKE_EVALUATE_PUT
  }
  YOKE_BARRIER_LOCAL();
  YOKE_UNROLL(YOKE_EVALUATE_TIMES)
  for (uint j = 0; j < YOKE_EVALUATE_TIMES; ++j) {
    YOKE_X_INDEX row = y + down + j * YOKE_EVALUATE_DEEP, column = x + along;
    if (row < high && column < wide) {
      YOKE_EVALUATE_WRITE
    }
  }
}
)yoke"
