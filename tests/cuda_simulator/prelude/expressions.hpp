// SPDX-License-Identifier: MIT
// Tables of kernel expressions with their values, each table one translation unit.
#ifndef YOKE_TESTS_CUDA_SIMULATOR_PRELUDE_EXPRESSIONS_HPP
#define YOKE_TESTS_CUDA_SIMULATOR_PRELUDE_EXPRESSIONS_HPP

#include <cmath>
#include <cuda_simulator/simulator.hpp>
#include <functional>
#include <string>
#include <vector>

namespace yoke_test {

struct expression_row {
  const char* expression;
  double expected;
  double tolerance = 0;  ///< relative; 0: the very same
};

inline bool agrees(double value, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(value);
  if (value == expected) return std::signbit(value) == std::signbit(expected);
  return std::abs(value - expected) <= tolerance * std::abs(expected);
}

/// Effects: evaluates each expression in a kernel of one thread, after the text `before`, and checks its value.
inline void check_expressions(const std::string& before, const std::vector<expression_row>& rows) {
  std::string source = before + "\nextern \"C\" __global__ void evaluate(double* out) {\n";
  for (std::size_t each = 0; each < rows.size(); ++each) {
    source += "out[" + std::to_string(each) + "] = static_cast<double>(" + rows[each].expression + ");\n";
  }
  const loaded_source loaded(source + "}\n");
  CHECK_THAT(loaded.compiled.log, Equals(""));
  std::vector<double> out(rows.size(), -12345.0);
  const auto result = loaded.run("evaluate", shape_of(1, 1), out.data());
  REQUIRE_THAT(result.text, Equals(""));
  for (std::size_t each = 0; each < rows.size(); ++each) {
    INFO(rows[each].expression << " is " << out[each] << ", expected was " << rows[each].expected);
    CHECK(agrees(out[each], rows[each].expected, rows[each].tolerance));
  }
}

/// One expression for every lane of a warp; what it must be is worked out here.
struct lane_row {
  const char* expression;
  std::function<double(int lane)> expected;
};

/// Effects: evaluates each expression by one warp, where `lane` is the lane's number, and checks every lane's value.
inline void check_lanes(const std::string& before, const std::vector<lane_row>& rows) {
  std::string source =
      before + "\nextern \"C\" __global__ void evaluate(double* out) {\nconst int lane = threadIdx.x;\n";
  for (std::size_t each = 0; each < rows.size(); ++each) {
    source += "out[" + std::to_string(each * 32) + " + lane] = static_cast<double>(" + rows[each].expression + ");\n";
  }
  const loaded_source loaded(source + "}\n");
  CHECK_THAT(loaded.compiled.log, Equals(""));
  std::vector<double> out(rows.size() * 32, -12345.0);
  const auto result = loaded.run("evaluate", shape_of(1, 32), out.data());
  REQUIRE_THAT(result.text, Equals(""));
  for (std::size_t each = 0; each < rows.size(); ++each) {
    for (int lane = 0; lane < 32; ++lane) {
      INFO(rows[each].expression << " in lane " << lane);
      CHECK(out[each * 32 + static_cast<std::size_t>(lane)] == rows[each].expected(lane));
    }
  }
}

}  // namespace yoke_test

#endif
