// SPDX-License-Identifier: MIT
// Reduces rows, one of each rank, to one row, in the order of the ranks.
R"yoke(// Before it stand the macros
//   YOKE_B_ELEMENT          the type of elements in memory
//   YOKE_B_NUMBER           the type in which they are reduced
//   YOKE_B_LOAD(from, at)   an element as a number
//   YOKE_B_JOIN             joins the numbers `a`, of earlier ranks, and `b`
//   YOKE_B_END              the result of `a`, of all `rows`
//   YOKE_B_STORE(value, to, at)  stores a number
YOKE_KERNEL yoke_b_combine(YOKE_GLOBAL YOKE_B_ELEMENT* to, YOKE_GLOBAL const YOKE_B_ELEMENT* from, yoke_int64 to_first,
                           yoke_int64 rows, yoke_int64 count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < count; i += (yoke_int64)get_global_size(0)) {
    YOKE_B_NUMBER a = YOKE_B_LOAD(from, i);
    for (yoke_int64 row = 1; row < rows; ++row) {
      YOKE_B_NUMBER b = YOKE_B_LOAD(from, row * count + i);
      a = YOKE_B_JOIN;
    }
    a = YOKE_B_END;
    YOKE_B_STORE(a, to, to_first + i)
  }
}
)yoke"
