// SPDX-License-Identifier: MIT
// Vector types: sizes, alignments, members, dim3.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

TEST_CASE("vector types have CUDA's sizes and alignments") {
  struct family {
    const char* name;
    double size, align2, align4;
  };
  const family families[] = {{"char", 1, 2, 4},        {"uchar", 1, 2, 4},   {"short", 2, 4, 8},
                             {"ushort", 2, 4, 8},      {"int", 4, 8, 16},    {"uint", 4, 8, 16},
                             {"long", 8, 16, 16},      {"ulong", 8, 16, 16}, {"longlong", 8, 16, 16},
                             {"ulonglong", 8, 16, 16}, {"float", 4, 8, 16},  {"double", 8, 16, 16}};
  std::vector<std::string> texts;
  std::vector<double> values;
  const auto expect = [&](const std::string& text, double value) {
    texts.push_back(text);
    values.push_back(value);
  };
  for (const family& each : families) {
    const std::string name = each.name;
    const double alignments[] = {each.size, each.align2, each.size, each.align4};
    for (int count = 1; count <= 4; ++count) {
      const std::string type = name + std::to_string(count);
      expect("sizeof(" + type + ")", each.size * count);
      expect("alignof(" + type + ")", alignments[count - 1]);
    }
    expect("make_" + name + "1(5).x", 5);
    expect("make_" + name + "2(5, 6).y", 6);
    expect("make_" + name + "3(5, 6, 7).z", 7);
    expect("make_" + name + "4(5, 6, 7, 8).w", 8);
  }
  for (const char* name : {"long", "ulong", "longlong", "ulonglong", "double"}) {
    for (const char* bytes : {"16", "32"}) {
      const std::string type = std::string(name) + "4_" + bytes + "a";
      expect("sizeof(" + type + ")", 32);
      expect("alignof(" + type + ")", std::stod(bytes));
      const bool has_make = std::string(name) != "long" && std::string(name) != "ulong";
      if (has_make) expect("make_" + type + "(1, 2, 3, 4).w", 4);
    }
  }
  std::vector<expression_row> rows;
  for (std::size_t each = 0; each < texts.size(); ++each) rows.push_back({texts[each].c_str(), values[each]});
  check_expressions("", rows);
}

TEST_CASE("dim3 fills what is not given with ones") {
  check_expressions("", {{"dim3().y", 1},
                         {"dim3(4).x", 4},
                         {"dim3(4).z", 1},
                         {"dim3(4, 5, 6).z", 6},
                         {"dim3(make_uint3(7, 8, 9)).y", 8},
                         {"static_cast<uint3>(dim3(7, 8, 9)).z", 9},
                         {"warpSize", 32},
                         {"sizeof(size_t)", sizeof(std::size_t)},
                         {"sizeof(ptrdiff_t)", sizeof(std::ptrdiff_t)},
                         {"NULL == nullptr", 1}});
}
