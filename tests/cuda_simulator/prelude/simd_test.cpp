// SPDX-License-Identifier: MIT
// The SIMD intrinsics on two and on four parts of a word.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

TEST_CASE("SIMD intrinsics work on each part by itself") {
  check_expressions("", {{"__vadd2(0xffff0001u, 0x00010002u)", 0x00000003},
                         {"__vadd4(0xff010203u, 0x01010101u)", 0x00020304},
                         {"__vsub2(0x00000003u, 0x00010002u)", 0xffff0001},
                         {"__vsub4(0x00020304u, 0x01010101u)", 0xff010203},
                         {"__vaddss2(0x7fff8000u, 0x0001ffffu)", 0x7fff8000},
                         {"__vaddss4(0x7f800102u, 0x01ff0101u)", 0x7f800203},
                         {"__vaddus2(0xffff0001u, 0x00010002u)", 0xffff0003},
                         {"__vaddus4(0xff010203u, 0x01010101u)", 0xff020304},
                         {"__vsubss2(0x80000003u, 0x00010002u)", 0x80000001},
                         {"__vsubss4(0x80030405u, 0x01010101u)", 0x80020304},
                         {"__vsubus2(0x00000003u, 0x00010002u)", 0x00000001},
                         {"__vsubus4(0x00020304u, 0x01010101u)", 0x00010203},
                         {"__vavgs2(0xfffe0003u, 0xfffc0004u)", 0xfffd0004},
                         {"__vavgs2(0xfffe0003u, 0xfffd0004u)", 0xfffd0004},
                         {"__vavgs4(0xfe030000u, 0xfc040000u)", 0xfd040000},
                         {"__vavgu2(0xffff0003u, 0xffff0004u)", 0xffff0004},
                         {"__vavgu4(0xff030000u, 0xff040001u)", 0xff040001},
                         {"__vhaddu2(0xffff0003u, 0xffff0004u)", 0xffff0003},
                         {"__vhaddu4(0xff030000u, 0xff040001u)", 0xff030000},
                         {"__vabsdiffs2(0xffff0003u, 0x00010001u)", 0x00020002},
                         {"__vabsdiffs4(0xff030000u, 0x01010000u)", 0x02020000},
                         {"__vabsdiffu2(0xffff0003u, 0x00010005u)", 0xfffe0002},
                         {"__vabsdiffu4(0xff030000u, 0x01050000u)", 0xfe020000},
                         {"__vmaxs2(0xffff0003u, 0x00010002u)", 0x00010003},
                         {"__vmaxs4(0xff030000u, 0x01020000u)", 0x01030000},
                         {"__vmaxu2(0xffff0003u, 0x00010002u)", 0xffff0003},
                         {"__vmaxu4(0xff030000u, 0x01020000u)", 0xff030000},
                         {"__vmins2(0xffff0003u, 0x00010002u)", 0xffff0002},
                         {"__vmins4(0xff030000u, 0x01020000u)", 0xff020000},
                         {"__vminu2(0xffff0003u, 0x00010002u)", 0x00010002},
                         {"__vminu4(0xff030000u, 0x01020000u)", 0x01020000},
                         {"__vabs2(0xffff8000u)", 0x00018000},
                         {"__vabs4(0xff800203u)", 0x01800203},
                         {"__vabsss2(0xffff8000u)", 0x00017fff},
                         {"__vabsss4(0xff800203u)", 0x017f0203},
                         {"__vneg2(0xffff0002u)", 0x0001fffe},
                         {"__vneg4(0xff020000u)", 0x01fe0000},
                         {"__vnegss2(0x80000002u)", 0x7ffffffe},
                         {"__vnegss4(0x80020000u)", 0x7ffe0000},
                         {"__vsads2(0xffff0003u, 0x00010001u)", 4},
                         {"__vsads4(0xff030201u, 0x01010101u)", 5},
                         {"__vsadu2(0xffff0003u, 0x00010005u)", 0x10000},
                         {"__vsadu4(0xff030201u, 0x01010101u)", 0x101}});
}

TEST_CASE("SIMD comparisons give masks or ones") {
  const std::pair<const char*, unsigned> cases[] = {// for the parts -1 and 1, 2 and 2
                                                    {"eq", 0x0001},  {"ne", 0x1000},  {"lts", 0x1000}, {"ltu", 0},
                                                    {"les", 0x1001}, {"leu", 0x0001}, {"gts", 0},      {"gtu", 0x1000},
                                                    {"ges", 0x0001}, {"geu", 0x1001}};
  std::vector<std::string> texts;
  std::vector<double> values;
  for (const auto& [name, parts] : cases) {
    const bool high = (parts & 0x1000) != 0;
    const bool low = (parts & 1) != 0;
    const auto expect = [&, each = name](const char* kind, const char* arguments, unsigned value) {
      texts.push_back(std::string(kind).append(each).append(arguments));
      values.push_back(value);
    };
    expect("__vcmp", "2(0xffff0002u, 0x00010002u)", (high ? 0xffff0000u : 0u) | (low ? 0xffffu : 0u));
    expect("__vset", "2(0xffff0002u, 0x00010002u)", (high ? 0x00010000u : 0u) | (low ? 1u : 0u));
    expect("__vcmp", "4(0xff02ff02u, 0x01020102u)", (high ? 0xff00ff00u : 0u) | (low ? 0x00ff00ffu : 0u));
    expect("__vset", "4(0xff02ff02u, 0x01020102u)", (high ? 0x01000100u : 0u) | (low ? 0x00010001u : 0u));
  }
  std::vector<expression_row> rows;
  for (std::size_t each = 0; each < texts.size(); ++each) rows.push_back({texts[each].c_str(), values[each]});
  check_expressions("", rows);
}
