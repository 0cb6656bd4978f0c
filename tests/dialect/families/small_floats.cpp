// SPDX-License-Identifier: MIT
// Half precision and bfloat16: bits in memory, values in registers.
#include <dialect/table.hpp>

namespace yoke_test::dialect {

std::vector<kernel> small_float_kernels() {
  std::vector<kernel> all;
  // Bits of the nearest half, ties to even: 2049 and 2051 lie between two, 65520 is infinite, 1e-8 nothing.
  all.push_back(whole_kernel("halves_in_memory", "", R"(
YOKE_CONSTANT float numbers[8] = {1.0f, -2.5f, 2049.0f, 2051.0f, 65504.0f, 65520.0f, 1e-8f, 6.103515625e-5f};
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_GLOBAL yoke_half* halves = (YOKE_GLOBAL yoke_half*)(out + 16);
  YOKE_GLOBAL ushort* bits = (YOKE_GLOBAL ushort*)halves;
  for (int i = 0; i < 8; ++i) {
    yoke_store_half(numbers[i], i, halves);
    out[i] = bits[i];
    bits[i] = (ushort)in[i];
    out[8 + i] = (yoke_uint64)(yoke_int64)(yoke_load_half(i, halves) * 1024.0f);
  }
  out[16] = 0;
  out[17] = 0;
}
)",
                             {0x3c00, 0xc100, 0x6800, 0x6802, 0x7bff, 0x7c00, 0, 0x0400, 1024, -2560, 1, 512, 0,
                              65504 * 1024, 341, -1024, 0, 0}));
  all.back().input = {0x3c00, 0xc100, 0x1400, 0x3800, 0x8000, 0x7bff, 0x3555, 0xbc00};
  all.push_back(whole_kernel("arithmetic_of_halves", "FP16", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_LOCAL yoke_half tile[2];
  tile[0] = yoke_float_to_half((float)in[0]);
  tile[1] = (yoke_half)0.1f;
  yoke_half a = tile[0];
  yoke_half b = tile[1];
  yoke_half c = a * b;
  c += a;
  c -= b;
  out[0] = (yoke_uint64)(yoke_half_to_float(a + b) * 1024.0f);
  out[1] = (yoke_uint64)(yoke_half_to_float(a - b) * 1024.0f);
  out[2] = (yoke_uint64)(yoke_half_to_float(a * b) * 1024.0f);
  out[3] = (yoke_uint64)(yoke_half_to_float(a / b) * 1024.0f);
  out[4] = (yoke_uint64)(yoke_half_to_float(c) * 1024.0f);
  out[5] = (a < b) + 2 * (a > b) + 4 * (a == a);
  out[6] = (yoke_uint64)(-yoke_half_to_float(-a));
  c *= a;
  c /= a;
  out[7] = (yoke_uint64)(yoke_half_to_float(c) * 1024.0f);
}
)",
                             {}));
  // 0.1 as a half is 1638.4 / 16384 -> 0.0999755859375; 3 + that rounds to a multiple of 1/512.
  {
    const auto half = [](double x) {  // to 11 digits, ties to even
      int exponent = 0;
      const double fraction = std::frexp(x, &exponent);
      return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
    };
    const double a = 3;
    const double b = half(0.1);
    double c = half(half(half(a * b) + a) - b);
    std::vector<word>& expected = all.back().results[0].expected;
    const auto give = [&](double x) { expected.push_back(static_cast<word>(x)); };
    give(half(a + b) * 1024);
    give(half(a - b) * 1024);
    give(half(a * b) * 1024);
    give(half(a / b) * 1024);
    give(c * 1024);
    give(2 + 4);
    give(3);
    c = half(half(c * a) / a);
    give(c * 1024);
    all.back().input = {3};
  }
  all.push_back(whole_kernel("bfloat16", "", R"(
YOKE_CONSTANT float numbers[6] = {1.0f, -2.5f, 1.00390625f, 1.01171875f, 3.38953139e38f, 3.4e38f};
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_GLOBAL yoke_bfloat16* stored = (YOKE_GLOBAL yoke_bfloat16*)(out + 12);
  for (int i = 0; i < 6; ++i) {
    yoke_store_bfloat16(numbers[i], i, stored);
    out[i] = stored[i];
  }
  out[6] = (yoke_uint64)(yoke_load_bfloat16(3, stored) * 1024.0f);
  yoke_bfloat16 sum = yoke_float_to_bfloat16(yoke_bfloat16_to_float(stored[0]) + yoke_bfloat16_to_float(stored[3]));
  out[7] = sum;
  float nothing = numbers[0] - (float)in[0];
  out[8] = yoke_float_to_bfloat16(nothing / nothing) >> 7 & 0xff;
  out[9] = (yoke_float_to_bfloat16(nothing / nothing) & 0x7f) != 0;
  out[10] = yoke_float_to_bfloat16(1.0f / nothing);
  out[11] = sizeof(yoke_bfloat16);
  out[12] = 0;
  out[13] = 0;
}
)",
                             {0x3f80, 0xc020, 0x3f80, 0x3f82, 0x7f7f, 0x7f80, 1040, 0x4001, 0xff, 1, 0x7f80, 2, 0, 0}));
  all.back().input = {1};
  return all;
}

}  // namespace yoke_test::dialect
