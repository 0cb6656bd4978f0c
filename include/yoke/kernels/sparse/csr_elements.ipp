// SPDX-License-Identifier: MIT
// Adds the elements of a sparse matrix to those of an array: all of them, or those on the diagonal.
R"yoke(// Before it stand the parts of products, and the macros
//   YOKE_C_INDEX     the type of starts and columns
//   YOKE_C_DIAGONAL  1: only elements on the diagonal are added
// The numbers of the left operand are the first elements of values, starts and columns. Each row has one thread, so
// that elements which occur several times are added in their order.
YOKE_KERNEL yoke_c_elements(YOKE_GLOBAL YOKE_L_TO* to, YOKE_GLOBAL const YOKE_C_INDEX* starts,
                            YOKE_GLOBAL const YOKE_C_INDEX* columns, YOKE_GLOBAL const YOKE_L_LEFT* values,
                            yoke_l_product of) {
  for (yoke_int64 row = (yoke_int64)get_global_id(0); row < of.m; row += (yoke_int64)get_global_size(0)) {
    yoke_int64 end = (yoke_int64)starts[of.left_row + row + 1];
    for (yoke_int64 i = (yoke_int64)starts[of.left_row + row]; i < end; ++i) {
      yoke_int64 column = (yoke_int64)columns[of.left_column + i];
      if (YOKE_C_DIAGONAL && column != row) continue;
      yoke_int64 at = of.to_first + row * of.to_row + column * of.to_column, from = of.left_first + i;
      YOKE_L_NUMBER number = YOKE_L_LOAD_ADDED(to, at) + YOKE_L_LOAD_LEFT(values, from);
      YOKE_L_STORE(number, to, at)
    }
  }
}
)yoke"
