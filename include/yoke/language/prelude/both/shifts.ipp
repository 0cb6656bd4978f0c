// SPDX-License-Identifier: MIT
// Shifts whose amounts count modulo the width, in the dialect itself.
R"yoke(//part shifts
//words yoke_shift_left yoke_shift_right
// T and B have the same bits, B without a sign.
#define YOKE_D_SHIFTS(T, B, last) \
  YOKE_D_FUNCTION T yoke_shift_left(T __a, uint __by) { return (T)((B)__a << (__by & last)); } \
  YOKE_D_FUNCTION T yoke_shift_right(T __a, uint __by) { return __a >> (__by & last); }
YOKE_D_SHIFTS(int, uint, 31u)
YOKE_D_SHIFTS(uint, uint, 31u)
YOKE_D_SHIFTS(yoke_int64, yoke_uint64, 63u)
YOKE_D_SHIFTS(yoke_uint64, yoke_uint64, 63u)
)yoke"
