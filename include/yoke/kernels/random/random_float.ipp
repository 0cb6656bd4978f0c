// SPDX-License-Identifier: MIT
// Random words as floats: uniform and normal numbers.
R"yoke(// Uses conversions, products and fma, which each device rounds alike, and no sum of products, which compilers fuse:
// each device gives the same bits.

// Returns: a number of [0, 1).
float yoke_uniform_of(uint bits) { return (float)(bits >> 8) * 5.9604644775390625e-8f; }

// Returns: two numbers by Box and Muller: the logarithm of the first word, the angle of the second.
float2 yoke_normals_of(uint first, uint second) {
  float u = fma((float)first, 2.3283064365386962890625e-10f, 1.16415321826934814453125e-10f);
  uint bits = as_uint(u);
  uint scale = bits - 0x3f3504f3u;
  int exponent = (int)scale >> 23;
  float f = as_float(bits - (scale & 0xff800000u)) - 1.0f;
  float p = fma(f, -0.062015f, 0.105308644f);
  p = fma(p, f, -0.10646192f);
  p = fma(p, f, 0.11037783f);
  p = fma(p, f, -0.124507435f);
  p = fma(p, f, 0.14286524f);
  p = fma(p, f, -0.16668001f);
  p = fma(p, f, 0.2000001f);
  p = fma(p, f, -0.2499999f);
  p = fma(p, f, 0.33333334f);
  float square = f * f;
  float logarithm = f + fma(p * f, square, -0.5f * square);
  float x = -2.0f * fma((float)exponent, 0.6931472f, logarithm);
  float y = as_float(0x5f3759dfu - (as_uint(x) >> 1));
  float h = 0.5f * x;
  y = y * fma(-(h * y), y, 1.5f);
  y = y * fma(-(h * y), y, 1.5f);
  y = y * fma(-(h * y), y, 1.5f);
  float r = x * y;
  r = fma(fma(-r, r, x), 0.5f * y, r);
  uint quarter = second + 0x20000000u;  // its upper two bits
  float angle = (float)(int)(second - (quarter & 0xc0000000u)) * 1.4629181e-9f;
  float z = angle * angle;
  float sine = fma(z, 2.7249926e-6f, -0.00019840087f);
  sine = fma(sine, z, 0.008333332f);
  sine = fma(sine, z, -0.16666667f);
  sine = fma(sine, angle * z, angle);
  float cosine = fma(z, -2.730096e-7f, 2.48006e-5f);
  cosine = fma(cosine, z, -0.0013888888f);
  cosine = fma(cosine, z, 0.041666668f);
  cosine = fma(cosine, z, -0.5f);
  cosine = fma(cosine, z, 1.0f);
  uint across = (quarter & 0x40000000u) != 0u ? as_uint(sine) : as_uint(cosine);
  uint up = (quarter & 0x40000000u) != 0u ? as_uint(cosine) : as_uint(sine);
  across ^= (quarter ^ (quarter << 1)) & 0x80000000u;  // negative in the second and the third quarter
  up ^= quarter & 0x80000000u;
  return make_float2(r * as_float(across), r * as_float(up));
}
)yoke"
