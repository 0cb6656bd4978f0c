// SPDX-License-Identifier: MIT
// Rounds a float to a half in registers.
R"yoke(// Rounds to the nearest, ties to even.
float yoke_x_half(float x) {
  uint bits = as_uint(x), size = bits & 0x7fffffffu, sign = bits & 0x80000000u;
  if (size > 0x7f800000u) return x;
  if (size >= 0x477ff000u) return as_float(sign | 0x7f800000u);
  if (size < 0x38800000u) return rint(x * 16777216.0f) * 5.9604644775390625e-8f;
  return as_float(sign | ((size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u));
}
)yoke"
