// SPDX-License-Identifier: MIT
// Checks that the starts of a sparse matrix ascend, and that its columns are in range.
R"yoke(// Before it stands the macro
//   YOKE_C_INDEX  the type of starts and columns
YOKE_KERNEL yoke_c_check(YOKE_GLOBAL int* found, YOKE_GLOBAL const YOKE_C_INDEX* starts,
                         YOKE_GLOBAL const YOKE_C_INDEX* columns, yoke_int64 starts_first, yoke_int64 columns_first,
                         yoke_int64 rows, yoke_int64 extent, yoke_int64 elements) {
  yoke_int64 all = rows + 1 > elements ? rows + 1 : elements;
  int wrong = 0;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < all; i += (yoke_int64)get_global_size(0)) {
    if (i <= rows) {
      yoke_int64 start = (yoke_int64)starts[starts_first + i];
      yoke_int64 before = i == 0 ? 0 : (yoke_int64)starts[starts_first + i - 1];
      if (start < before || (i == 0 && start != 0) || (i == rows && start != elements)) wrong = 1;
    }
    if (i < elements) {
      yoke_int64 column = (yoke_int64)columns[columns_first + i];
      if (column < 0 || column >= extent) wrong = 1;
    }
  }
  if (wrong != 0) yoke_atomic_or(found, 1);
}
)yoke"
