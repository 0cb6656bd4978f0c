// SPDX-License-Identifier: MIT
// Quotients and remainders that every operand has, in the dialect itself.
R"yoke(//part divisions
//words yoke_divide yoke_remainder
// By 0 and -1 they divide by 1: the quotient times the divisor is then 0, or the wrapped negative, and nothing branches.
#define YOKE_D_DIVISIONS(T, U) \
  YOKE_D_FUNCTION T yoke_divide(T __a, T __b) { \
    T __by = (U)__b + 1u <= 1u ? (T)1 : __b; \
    T __whole = __a / __by; \
    return __by == __b ? __whole : (T)((U)__whole * (U)__b); \
  } \
  YOKE_D_FUNCTION T yoke_remainder(T __a, T __b) { return __a % ((U)__b + 1u <= 1u ? (T)1 : __b); } \
  YOKE_D_FUNCTION U yoke_divide(U __a, U __b) { return __b == 0 ? (U)0 : __a / (__b == 0 ? (U)1 : __b); } \
  YOKE_D_FUNCTION U yoke_remainder(U __a, U __b) { return __a % (__b == 0 ? (U)1 : __b); }
YOKE_D_DIVISIONS(int, uint)
YOKE_D_DIVISIONS(yoke_int64, yoke_uint64)
)yoke"
