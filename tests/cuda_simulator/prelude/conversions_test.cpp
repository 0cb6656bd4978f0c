// SPDX-License-Identifier: MIT
// Conversions between numbers, in every direction of rounding, and of bits.
#include <cuda_simulator/prelude/expressions.hpp>
#include <limits>

using namespace yoke_test;

TEST_CASE("floating point becomes an integer in the direction asked for") {
  std::vector<std::string> texts;
  std::vector<double> values;
  for (const char* from : {"float", "double"}) {
    for (const char* to : {"int", "uint", "ll", "ull"}) {
      const std::string name = std::string("__") + from + "2" + to + "_";
      const std::pair<const char*, double> cases[] = {{"rn", 3}, {"rz", 2}, {"ru", 3}, {"rd", 2}};
      for (const auto& [suffix, value] : cases) {
        texts.push_back(name + suffix + "(2.7)");
        values.push_back(value);
      }
      texts.push_back(name + "rn(2.5)");  // to the even one
      values.push_back(2);
    }
  }
  std::vector<expression_row> rows;
  for (std::size_t each = 0; each < texts.size(); ++each) rows.push_back({texts[each].c_str(), values[each]});
  check_expressions("", rows);
  check_expressions("", {{"__float2int_rd(-2.1f)", -3},
                         {"__float2int_rz(-2.9f)", -2},
                         {"__float2int_ru(-2.9f)", -2},
                         {"__float2int_rn(1e20f)", 2147483647},
                         {"__float2int_rn(-1e20f)", -2147483648.0},
                         {"__float2int_rn(nanf(\"\"))", 0},
                         {"__float2uint_rn(-3.0f)", 0},
                         {"__float2uint_rn(1e20f)", 4294967295.0},
                         {"__double2ll_rn(1e300)", 9223372036854775807.0},
                         {"__double2ll_rn(nan(\"\")) == (long long)(1ull << 63)", 1},
                         {"__double2ull_rz(-1.0)", 0},
                         {"__double2uint_rz(4e9)", 4000000000.0}});
}

TEST_CASE("integers become floating point in the direction asked for") {
  check_expressions("", {{"__int2float_rn(16777217)", 16777216},
                         {"__int2float_ru(16777217)", 16777218},
                         {"__int2float_rd(-16777217)", -16777218},
                         {"__int2float_rz(-16777217)", -16777216},
                         {"__uint2float_rn(16777219u)", 16777220},
                         {"__uint2float_rz(16777219u)", 16777218},
                         {"__uint2float_ru(16777217u)", 16777218},
                         {"__uint2float_rd(16777219u)", 16777218},
                         {"__ll2float_rn(16777217ll)", 16777216},
                         {"__ll2float_rz(16777219ll)", 16777218},
                         {"__ll2float_ru(16777217ll)", 16777218},
                         {"__ll2float_rd(16777219ll)", 16777218},
                         {"__ull2float_rn(16777217ull)", 16777216},
                         {"__ull2float_rz(16777219ull)", 16777218},
                         {"__ull2float_ru(16777217ull)", 16777218},
                         {"__ull2float_rd(16777219ull)", 16777218},
                         {"__ll2double_rn(9007199254740993ll)", 9007199254740992.0},
                         {"__ll2double_ru(9007199254740993ll)", 9007199254740994.0},
                         {"__ll2double_rd(9007199254740993ll)", 9007199254740992.0},
                         {"__ll2double_rz(-9007199254740993ll)", -9007199254740992.0},
                         {"__ull2double_rn(9007199254740993ull)", 9007199254740992.0},
                         {"__ull2double_ru(9007199254740993ull)", 9007199254740994.0},
                         {"__ull2double_rd(9007199254740993ull)", 9007199254740992.0},
                         {"__ull2double_rz(9007199254740995ull)", 9007199254740994.0},
                         {"__int2double_rn(-7)", -7},
                         {"__uint2double_rn(7u)", 7},
                         {"__double2float_rn(0.1)", 0.1f},
                         {"__double2float_ru(0.1)", 0.1f},
                         {"__double2float_rd(0.1)", std::nextafter(0.1f, 0.0f)},
                         {"__double2float_rz(0.1)", std::nextafter(0.1f, 0.0f)}});
}

TEST_CASE("bits are taken as another type's") {
  check_expressions("", {{"__float_as_int(1.0f)", 0x3f800000},
                         {"__float_as_uint(-0.0f)", 2147483648.0},
                         {"__int_as_float(0x40000000)", 2},
                         {"__uint_as_float(0x40400000u)", 3},
                         {"__double_as_longlong(1.0) >> 52", 1023},
                         {"__longlong_as_double(0x4000000000000000ll)", 2},
                         {"__double2hiint(1.0)", 0x3ff00000},
                         {"__double2loint(1.0)", 0},
                         {"__hiloint2double(0x40080000, 0)", 3}});
}
