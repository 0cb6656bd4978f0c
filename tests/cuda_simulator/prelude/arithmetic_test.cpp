// SPDX-License-Identifier: MIT
// Floating-point intrinsics: the four rounding directions, and the fast forms.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

namespace {

/// One operation's results in the four directions, given what lies below and above the exact value.
struct rounded_row {
  const char* name;
  const char* arguments;
  double below, above;
  bool nearest_is_above;
};

void check_rounded(const std::vector<rounded_row>& table) {
  std::vector<std::string> texts;
  std::vector<double> values;
  for (const rounded_row& each : table) {
    const double nearest = each.nearest_is_above ? each.above : each.below;
    const double zero = each.below > 0 ? each.below : each.above;
    const std::pair<const char*, double> cases[] = {
        {"rn", nearest}, {"rz", zero}, {"ru", each.above}, {"rd", each.below}};
    for (const auto& [suffix, value] : cases) {
      texts.push_back(std::string("__") + each.name + "_" + suffix + each.arguments);
      values.push_back(value);
    }
  }
  std::vector<expression_row> rows;
  for (std::size_t each = 0; each < texts.size(); ++each) rows.push_back({texts[each].c_str(), values[each]});
  check_expressions("", rows);
}

constexpr double float_step = 1.0 / (1 << 23);      // from 1 to the next float
constexpr double double_step = 1.0 / (1ull << 52);  // from 1 to the next double

}  // namespace

TEST_CASE("single-precision arithmetic rounds as asked") {
  const float third = 1.0f / 3.0f;     // the nearest is above
  const float root = std::sqrt(2.0f);  // 1.41421354, below the exact root
  check_rounded({{"fadd", "(1.0f, 1e-9f)", 1.0, 1.0 + float_step, false},
                 {"fadd", "(-1.0f, -1e-9f)", -1.0 - float_step, -1.0, true},
                 {"fsub", "(1.0f, -1e-9f)", 1.0, 1.0 + float_step, false},
                 {"fmul", "(1.00000012f, 1.00000012f)", 1.0 + 2 * float_step, 1.0 + 3 * float_step, false},
                 {"fdiv", "(1.0f, 3.0f)", std::nextafter(third, 0.0f), third, true},
                 {"frcp", "(3.0f)", std::nextafter(third, 0.0f), third, true},
                 {"fsqrt", "(2.0f)", root, std::nextafter(root, 2.0f), false},
                 {"fmaf", "(1.0f, 1.0f, 1e-9f)", 1.0, 1.0 + float_step, false},
                 {"fmaf_ieee", "(1.0f, 1.0f, 1e-9f)", 1.0, 1.0 + float_step, false}});
}

TEST_CASE("double-precision arithmetic rounds as asked") {
  const double third = 1.0 / 3.0;      // below
  const double root = std::sqrt(2.0);  // above
  check_rounded(
      {{"dadd", "(1.0, 1e-20)", 1.0, 1.0 + double_step, false},
       {"dsub", "(1.0, -1e-20)", 1.0, 1.0 + double_step, false},
       {"dmul", "(1.0000000000000002, 1.0000000000000002)", 1.0 + 2 * double_step, 1.0 + 3 * double_step, false},
       {"ddiv", "(1.0, 3.0)", third, std::nextafter(third, 1.0), false},
       {"drcp", "(3.0)", third, std::nextafter(third, 1.0), false},
       {"dsqrt", "(2.0)", std::nextafter(root, 1.0), root, true},
       {"fma", "(1.0, 1.0, 1e-20)", 1.0, 1.0 + double_step, false}});
}

TEST_CASE("the fast forms and the rest of the single-precision intrinsics are there") {
  constexpr double close = 1e-6;
  check_expressions("__device__ float s, c;", {{"__frsqrt_rn(4.0f)", 0.5},
                                               {"__fdividef(1.0f, 4.0f)", 0.25},
                                               {"fdividef(1.0f, 4.0f)", 0.25},
                                               {"__sinf(0.5f)", 0.479425538604203, close},
                                               {"__cosf(0.5f)", 0.8775825618903728, close},
                                               {"__tanf(0.5f)", 0.5463024898437905, close},
                                               {"__tanhf(0.5f)", 0.46211715726000973, close},
                                               {"(__sincosf(0.5f, &s, &c), s)", 0.479425538604203, close},
                                               {"c", 0.8775825618903728, close},
                                               {"__expf(1.0f)", 2.718281828459045, close},
                                               {"__exp10f(2.0f)", 100, close},
                                               {"__logf(2.0f)", 0.6931471805599453, close},
                                               {"__log2f(8.0f)", 3, close},
                                               {"__log10f(1000.0f)", 3, close},
                                               {"__powf(2.0f, 10.0f)", 1024, close},
                                               {"__saturatef(1.5f)", 1},
                                               {"__saturatef(-1.5f)", 0},
                                               {"__saturatef(0.25f)", 0.25},
                                               {"__saturatef(nanf(\"\"))", 0}});
}
