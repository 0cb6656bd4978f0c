// SPDX-License-Identifier: MIT
// half and bfloat16: conversions, operators, intrinsics, pairs, atomics, shuffles.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The same rows for both types: H stands for the type, N for its name in functions, P for its pair, Q for the pair's name.
void check_both(const std::vector<expression_row>& rows) {
  const char* const names[2][4] = {{"half", "half", "half2", "half2"},
                                   {"__nv_bfloat16", "bfloat16", "__nv_bfloat162", "bfloat162"}};
  for (const auto& name : names) {
    std::vector<std::string> texts;
    for (const expression_row& each : rows) {
      std::string text = each.expression;
      text = replaced(text, "$H", name[0]);
      text = replaced(text, "$N", name[1]);
      text = replaced(text, "$P", name[2]);
      texts.push_back(replaced(text, "$Q", name[3]));
    }
    std::vector<expression_row> own;
    for (std::size_t each = 0; each < rows.size(); ++each) {
      own.push_back({texts[each].c_str(), rows[each].expected, rows[each].tolerance});
    }
    check_expressions("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__device__ " + std::string(name[0]) +
                          " cell; __device__ " + name[2] + " pair;",
                      own);
  }
}

}  // namespace

TEST_CASE("half is rounded as IEEE's binary16") {
  check_expressions("#include <cuda_fp16.h>", {{"sizeof(half)", 2},
                                               {"alignof(half2)", 4},
                                               {"__half2float(__float2half(0.1f))", 0.0999755859375},
                                               {"__half2float(__float2half_rn(2049.0f))", 2048},
                                               {"__half2float(__float2half_rn(2051.0f))", 2052},
                                               {"__half2float(__float2half_rz(2051.0f))", 2050},
                                               {"__half2float(__float2half_ru(2049.0f))", 2050},
                                               {"__half2float(__float2half_rd(-2049.0f))", -2050},
                                               {"__half_as_ushort(__float2half(65520.0f))", 0x7c00},
                                               {"__half_as_ushort(__float2half_rz(1e9f))", 0x7bff},
                                               {"__half_as_ushort(__float2half(65519.0f))", 0x7bff},
                                               {"__half_as_ushort(__float2half(5.9604645e-8f))", 1},
                                               {"__half_as_ushort(__float2half(2.9802322e-8f))", 0},
                                               {"__half_as_ushort(__float2half(-1e-30f))", 0x8000},
                                               {"__half_as_ushort(__float2half_ru(1e-30f))", 1},
                                               {"__half_as_ushort(__float2half(nanf(\"\")))", 0x7fff},
                                               {"__half2float(__ushort_as_half(0x0001))", 5.9604644775390625e-8},
                                               {"__half2float(__ushort_as_half(0x0400))", 6.103515625e-05},
                                               {"__half2float(__ushort_as_half(0x7bff))", 65504},
                                               {"__half2float(__double2half(0.1))", 0.0999755859375},
                                               {"__half2float(__ull2half_rn(65519ull))", 65504},
                                               {"__half2float(__hfma(__float2half(3.0f), __float2half(0.3334f), "
                                                "__float2half(-1.0f)))",
                                                0.00048828125},
                                               {"sizeof(__half_raw)", 2}});
}

TEST_CASE("bfloat16 is a float cut to its upper half") {
  check_expressions("#include <cuda_bf16.h>",
                    {{"sizeof(__nv_bfloat16)", 2},
                     {"__bfloat162float(__float2bfloat16(0.1f))", 0.10009765625},
                     {"__bfloat162float(__float2bfloat16_rn(257.0f))", 256},
                     {"__bfloat162float(__float2bfloat16_rn(259.0f))", 260},
                     {"__bfloat162float(__float2bfloat16_rz(259.0f))", 258},
                     {"__bfloat162float(__float2bfloat16_ru(257.0f))", 258},
                     {"__bfloat162float(__float2bfloat16_rd(-257.0f))", -258},
                     {"__bfloat16_as_ushort(__float2bfloat16(1e38f))", 0x7e96},
                     {"__bfloat16_as_ushort(__float2bfloat16(3.4e38f))", 0x7f80},
                     {"__bfloat162float(__ushort_as_bfloat16(0x0001))", 9.183549615799121e-41}});
}

TEST_CASE("half and bfloat16 share their words") {
  check_both({
      {"$H(1.5f) + $H(2.0f)", 3.5},
      {"$H(1.5f) - $H(2.0f)", -0.5},
      {"$H(1.5f) * $H(2.0f)", 3},
      {"$H(1.5f) / $H(2.0f)", 0.75},
      {"-$H(1.5f)", -1.5},
      {"(cell = $H(1.0f), cell += $H(2.0f), cell)", 3},
      {"(cell -= $H(1.0f), cell)", 2},
      {"(cell *= $H(4.0f), cell)", 8},
      {"(cell /= $H(2.0f), cell)", 4},
      {"(++cell, cell)", 5},
      {"(cell--, cell)", 4},
      {"(pair = $P($H(1.0f), $H(-2.0f)), pair = +pair, pair.y)", -2},
      {"(++pair).y", -1},
      {"pair.x", 2},
      {"(pair++).y", -1},
      {"pair.y", 0},
      {"(pair--).x", 3},
      {"(--pair).x", 1},
      {"pair.y", -2},
      {"[] { volatile $H v = cell; $H c = v; v = c; volatile $H w = v; w = v; cell = w; return cell; }()", 4},
      {"$H(1.0f) == $H(1.0f)", 1},
      {"$H(1.0f) != $H(1.0f)", 0},
      {"$H(1.0f) < $H(2.0f)", 1},
      {"$H(1.0f) > $H(2.0f)", 0},
      {"$H(1.0f) <= $H(1.0f)", 1},
      {"$H(1.0f) >= $H(2.0f)", 0},
      {"__hadd($H(1.0f), $H(2.0f))", 3},
      {"__hsub($H(1.0f), $H(2.0f))", -1},
      {"__hmul($H(3.0f), $H(2.0f))", 6},
      {"__hdiv($H(3.0f), $H(2.0f))", 1.5},
      {"__hadd_rn($H(1.0f), $H(2.0f))", 3},
      {"__hsub_rn($H(1.0f), $H(2.0f))", -1},
      {"__hmul_rn($H(3.0f), $H(2.0f))", 6},
      {"__hfma($H(3.0f), $H(2.0f), $H(1.0f))", 7},
      {"__hneg($H(3.0f))", -3},
      {"__habs($H(-3.0f))", 3},
      {"__hadd_sat($H(1.0f), $H(2.0f))", 1},
      {"__hsub_sat($H(1.0f), $H(2.0f))", 0},
      {"__hmul_sat($H(0.5f), $H(0.5f))", 0.25},
      {"__hfma_sat($H(3.0f), $H(2.0f), $H(1.0f))", 1},
      {"__hfma_relu($H(-3.0f), $H(2.0f), $H(1.0f))", 0},
      {"__heq($H(1.0f), $H(1.0f))", 1},
      {"__hne($H(1.0f), $H(1.0f))", 0},
      {"__hlt($H(1.0f), $H(2.0f))", 1},
      {"__hle($H(3.0f), $H(2.0f))", 0},
      {"__hgt($H(3.0f), $H(2.0f))", 1},
      {"__hge($H(1.0f), $H(2.0f))", 0},
      {"__hltu($H(nanf(\"\")), $H(2.0f))", 1},
      {"__hequ($H(nanf(\"\")), $H(2.0f))", 1},
      {"__hne($H(nanf(\"\")), $H(2.0f))", 0},
      {"__hneu($H(nanf(\"\")), $H(2.0f))", 1},
      {"__hleu($H(3.0f), $H(2.0f))", 0},
      {"__hgtu($H(3.0f), $H(2.0f))", 1},
      {"__hgeu($H(1.0f), $H(2.0f))", 0},
      {"__hisnan($H(nanf(\"\")))", 1},
      {"__hisinf($H(-1.0f / 0.0f))", -1},
      {"__hmin($H(1.0f), $H(2.0f))", 1},
      {"__hmax($H(1.0f), $H(2.0f))", 2},
      {"__hmin_nan($H(1.0f), $H(nanf(\"\")))", std::nan("")},
      {"__hmax_nan($H(1.0f), $H(2.0f))", 2},
      {"hsqrt($H(4.0f))", 2},
      {"hrsqrt($H(4.0f))", 0.5},
      {"hrcp($H(4.0f))", 0.25},
      {"hexp($H(0.0f))", 1},
      {"hexp2($H(3.0f))", 8},
      {"hexp10($H(1.0f))", 10},
      {"hlog($H(1.0f))", 0},
      {"hlog2($H(8.0f))", 3},
      {"hlog10($H(100.0f))", 2},
      {"hsin($H(0.0f))", 0},
      {"hcos($H(0.0f))", 1},
      {"htanh($H(0.0f))", 0},
      {"hfloor($H(-1.5f))", -2},
      {"hceil($H(-1.5f))", -1},
      {"htrunc($H(-1.5f))", -1},
      {"hrint($H(2.5f))", 2},
      {"__$N2int_rz($H(-2.5f))", -2},
      {"__$N2int_rn($H(2.5f))", 2},
      {"__$N2uint_ru($H(2.5f))", 3},
      {"__$N2ll_rd($H(-2.5f))", -3},
      {"__$N2ull_rz($H(2.5f))", 2},
      {"__$N2short_rn($H(3.5f))", 4},
      {"__$N2ushort_rn($H(3.5f))", 4},
      {"__int2$N_rn(-5)", -5},
      {"__uint2$N_rn(5u)", 5},
      {"__short2$N_rn(-5)", -5},
      {"__ushort2$N_rn(5)", 5},
      {"__ll2$N_rn(-5ll)", -5},
      {"__ull2$N_rn(5ull)", 5},
      {"__double2$N(0.5)", 0.5},
      {"__$N_as_short($H(-0.0f))", -32768},
      {"__short_as_$N(0)", 0},
      {"__low2float(__floats2$Q_rn(1.0f, 2.0f))", 1},
      {"__high2float(__floats2$Q_rn(1.0f, 2.0f))", 2},
      {"__$Q2float2(__float2$Q_rn(3.0f)).y", 3},
      {"__float22$Q_rn(make_float2(3.0f, 4.0f)).y", 4},
      {"__halves2$Q($H(1.0f), $H(2.0f)).y", 2},
      {"make_$Q($H(1.0f), $H(2.0f)).x", 1},
      {"__$N2$Q($H(2.0f)).x", 2},
      {"__low2$N($P($H(1.0f), $H(2.0f)))", 1},
      {"__high2$N($P($H(1.0f), $H(2.0f)))", 2},
      {"__low2$Q($P($H(1.0f), $H(2.0f))).y", 1},
      {"__high2$Q($P($H(1.0f), $H(2.0f))).x", 2},
      {"__lows2$Q($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).y", 3},
      {"__highs2$Q($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).x", 2},
      {"__lowhigh2highlow($P($H(1.0f), $H(2.0f))).x", 2},
      {"__hadd2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).y", 6},
      {"__hsub2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).y", -2},
      {"__hmul2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).y", 8},
      {"__h2div($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f))).y", 0.5},
      {"__hfma2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f)), $P($H(1.0f), $H(1.0f))).y", 9},
      {"__hneg2($P($H(1.0f), $H(2.0f))).y", -2},
      {"__habs2($P($H(1.0f), $H(-2.0f))).y", 2},
      {"__hmin2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(1.0f))).y", 1},
      {"__hmax2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(1.0f))).y", 2},
      {"__heq2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(2.0f))).y", 1},
      {"__hbeq2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(2.0f)))", 0},
      {"__hblt2($P($H(1.0f), $H(2.0f)), $P($H(3.0f), $H(4.0f)))", 1},
      {"h2sqrt($P($H(4.0f), $H(9.0f))).y", 3},
      {"($P($H(4.0f), $H(9.0f)) + $P($H(1.0f), $H(1.0f))).y", 10},
      {"(cell = $H(1.0f), atomicAdd(&cell, $H(2.0f)))", 1},
      {"cell", 3},
      {"(atomicAdd(&cell, $H(1.0f)), atomicAdd(&cell, $H(1.0f)), cell)", 5},
      {"(pair = $P($H(1.0f), $H(2.0f)), atomicAdd(&pair, $P($H(1.0f), $H(2.0f))), pair.y)", 4},
      {"__shfl_sync(1u, $H(3.0f), 0)", 3},
      {"__shfl_xor_sync(1u, $P($H(3.0f), $H(4.0f)), 0).y", 4},
  });
}
