// SPDX-License-Identifier: MIT
// bfloat16 by whole numbers, in the dialect itself.
R"yoke(//part bfloat16
//needs conversions odd
//words yoke_bfloat16 yoke_load_bfloat16 yoke_store_bfloat16 yoke_bfloat16_to_float yoke_float_to_bfloat16
typedef ushort yoke_bfloat16;
YOKE_D_FUNCTION float yoke_bfloat16_to_float(yoke_bfloat16 __a) { return as_float((uint)__a << 16); }
YOKE_D_FUNCTION yoke_bfloat16 yoke_float_to_bfloat16(float __a) {
  uint __bits = as_uint(__a);
  if ((__bits & 0x7fffffffu) > 0x7f800000u) return (yoke_bfloat16)(__bits >> 16 | 0x40u);
  return (yoke_bfloat16)((__bits + 0x7fffu + (__bits >> 16 & 1u)) >> 16);
}
#define yoke_load_bfloat16(at, p) yoke_bfloat16_to_float((p)[at])
#define yoke_store_bfloat16(value, at, p) ((void)((p)[at] = yoke_float_to_bfloat16(yoke_d_to_odd(value))))
)yoke"
