// SPDX-License-Identifier: MIT
// The kernel that evaluates an expression, element by element, or several elements a thread.
R"yoke(// Before it stand yoke_x_value(x0, x1, ...), which makes one element, the types of vectors, and the macros
//   YOKE_EVALUATE_RANK        the number of axes; 0: element `i` of each operand is at offset `i`
//   YOKE_EVALUATE_BLOCK       the threads of a block
//   YOKE_EVALUATE_WIDTH       the elements of a vector; 1 if RANK is not 0
//   YOKE_EVALUATE_VECTORS     the vectors of a thread
//   YOKE_EVALUATE_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_EVALUATE_BEGIN       statements that advance each operand to its first element
//   YOKE_EVALUATE_ONE         statements that evaluate element `i`
// and, where a thread has several elements,
//   YOKE_EVALUATE_ALIGNED     whether vectors can be read and written
//   YOKE_EVALUATE_DECLARE     variables of the values that a thread reads: vectors, or elements and result offsets
//   YOKE_EVALUATE_READ        statements that read value `j`, at element `i`
//   YOKE_EVALUATE_WRITE       statements that calculate from value `j`, for a vector from element `k` on, and write
#define YOKE_EVALUATE_STEPS (YOKE_EVALUATE_BLOCK * YOKE_EVALUATE_WIDTH * YOKE_EVALUATE_VECTORS)

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_EVALUATE_BLOCK, 1, 1) yoke_x_evaluate(YOKE_EVALUATE_PARAMETERS yoke_x_steps steps) {
  YOKE_EVALUATE_BEGIN
  YOKE_X_INDEX count = (YOKE_X_INDEX)steps.count;
#if YOKE_EVALUATE_STEPS == YOKE_EVALUATE_BLOCK
  // Compilers for CPUs vectorise across threads only in kernels without a loop.
  YOKE_X_INDEX i = (YOKE_X_INDEX)get_global_id(0);
  if (i < count) {
    YOKE_EVALUATE_ONE
  }
#else
  uint here = (uint)get_local_id(0);
  YOKE_X_INDEX first = (YOKE_X_INDEX)get_group_id(0) * YOKE_EVALUATE_STEPS;
  if (count - first >= YOKE_EVALUATE_STEPS && YOKE_EVALUATE_ALIGNED) {
    // Issues all reads of a full tile before it uses the first.
    YOKE_EVALUATE_DECLARE
    YOKE_UNROLL(YOKE_EVALUATE_VECTORS)
    for (uint j = 0; j < YOKE_EVALUATE_VECTORS; ++j) {
#if YOKE_EVALUATE_RANK > 0
      YOKE_X_INDEX i = first + here + j * YOKE_EVALUATE_BLOCK;
#endif
      YOKE_EVALUATE_READ
    }
    YOKE_UNROLL(YOKE_EVALUATE_VECTORS)
    for (uint j = 0; j < YOKE_EVALUATE_VECTORS; ++j) {
#if YOKE_EVALUATE_RANK > 0
      YOKE_EVALUATE_WRITE
#else
      yoke_x_to made;
      YOKE_UNROLL(YOKE_EVALUATE_WIDTH)
      for (uint k = 0; k < YOKE_EVALUATE_WIDTH; ++k) {
        YOKE_EVALUATE_WRITE
      }
      ((YOKE_GLOBAL yoke_x_to*)(to + first))[here + j * YOKE_EVALUATE_BLOCK] = made;
#endif
    }
    return;
  }
  for (uint taken = here; taken < YOKE_EVALUATE_STEPS && taken < count - first; taken += YOKE_EVALUATE_BLOCK) {
    YOKE_X_INDEX i = first + taken;
    YOKE_EVALUATE_ONE
  }
#endif
}
)yoke"
