// SPDX-License-Identifier: MIT
// The mathematical functions: each in double precision, in single precision by its f-name, and by overload.
#include <cuda_simulator/prelude/expressions.hpp>
#include <limits>

using namespace yoke_test;

namespace {

struct function_row {
  const char* name;
  const char* arguments;  // separated by commas
  double expected;
};

/// name(...), namef(...f) and name(...f) agree with the value, each to its own precision.
void check_functions(const std::vector<function_row>& table) {
  std::vector<std::string> texts;
  std::vector<double> values;
  std::vector<double> tolerances;
  const auto expect = [&](std::string text, double value, double tolerance) {
    texts.push_back(std::move(text));
    values.push_back(value);
    tolerances.push_back(tolerance);
  };
  for (const function_row& each : table) {
    const std::string arguments = each.arguments;
    std::string narrow;
    for (const char letter : arguments) narrow += letter == ',' ? std::string("f,") : std::string(1, letter);
    narrow += 'f';
    const auto call = [&](const char* suffix, const std::string& given) {
      return std::string(each.name).append(suffix).append("(").append(given).append(")");
    };
    expect(call("", arguments), each.expected, 4e-15);
    expect(call("f", narrow), each.expected, 1e-6);
    expect(call("", narrow), each.expected, 1e-6);
    expect("sizeof(" + call("", narrow) + ")", 4, 0);
  }
  std::vector<expression_row> rows;
  for (std::size_t each = 0; each < texts.size(); ++each) {
    rows.push_back({texts[each].c_str(), values[each], tolerances[each]});
  }
  check_expressions("", rows);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("functions of the C library keep their values") {
  check_functions({
      {"sin", "0.5", 0.479425538604203},
      {"cos", "0.5", 0.8775825618903728},
      {"tan", "0.5", 0.5463024898437905},
      {"asin", "0.5", 0.5235987755982989},
      {"acos", "0.5", 1.0471975511965979},
      {"atan", "0.5", 0.4636476090008061},
      {"sinh", "0.5", 0.5210953054937474},
      {"cosh", "0.5", 1.1276259652063807},
      {"tanh", "0.5", 0.46211715726000973},
      {"asinh", "0.5", 0.48121182505960347},
      {"acosh", "1.5", 0.9624236501192069},
      {"atanh", "0.5", 0.5493061443340549},
      {"exp", "0.5", 1.6487212707001282},
      {"exp2", "0.5", 1.4142135623730951},
      {"exp10", "0.5", 3.1622776601683795},
      {"expm1", "0.5", 0.6487212707001282},
      {"log", "0.5", -0.6931471805599453},
      {"log2", "0.125", -3.0},
      {"log10", "0.5", -0.3010299956639812},
      {"log1p", "0.5", 0.4054651081081644},
      {"logb", "10.0", 3.0},
      {"sqrt", "2.25", 1.5},
      {"cbrt", "27.0", 3.0},
      {"fabs", "-2.5", 2.5},
      {"floor", "-2.5", -3.0},
      {"ceil", "-2.5", -2.0},
      {"trunc", "-2.5", -2.0},
      {"round", "-2.5", -3.0},
      {"rint", "2.5", 2.0},
      {"nearbyint", "3.5", 4.0},
      {"erf", "0.5", 0.5204998778130465},
      {"erfc", "0.5", 0.4795001221869535},
      {"tgamma", "5.0", 24.0},
      {"lgamma", "0.5", 0.5723649429247001},
      {"j0", "1.5", 0.5118276717359181},
      {"j1", "1.5", 0.5579365079100996},
      {"y0", "1.5", 0.38244892379775886},
      {"y1", "1.5", -0.4123086269739113},
      {"pow", "2.0,0.5", 1.4142135623730951},
      {"atan2", "1.0,-1.0", 2.356194490192345},
      {"hypot", "3.0,4.0", 5.0},
      {"fmin", "1.0,2.0", 1.0},
      {"fmax", "1.0,2.0", 2.0},
      {"fdim", "5.0,3.0", 2.0},
      {"fmod", "5.5,2.0", 1.5},
      {"remainder", "5.5,2.0", -0.5},
      {"copysign", "3.0,-1.0", -3.0},
      {"fma", "2.0,3.0,4.0", 10.0},
  });
}

TEST_CASE("functions that the C library lacks have their values") {
  check_functions({
      {"sinpi", "0.25", 0.7071067811865476},
      {"sinpi", "-1.5", 1.0},
      {"cospi", "0.25", 0.7071067811865476},
      {"cospi", "3.0", -1.0},
      {"erfinv", "0.5", 0.4769362762044699},
      {"erfinv", "-0.75", -0.8134198475976185},
      {"erfcinv", "0.5", 0.4769362762044699},
      {"erfcinv", "1.5", -0.4769362762044699},
      {"erfcx", "0.5", 0.6156903441929259},
      {"erfcx", "30.0", 0.018795888861416751},
      {"normcdf", "1.0", 0.8413447460685429},
      {"normcdfinv", "0.975", 1.959963984540054},
      {"cyl_bessel_i0", "1.0", 1.2660658777520084},
      {"cyl_bessel_i1", "1.0", 0.5651591039924851},
      {"rsqrt", "4.0", 0.5},
      {"rcbrt", "8.0", 0.5},
  });
}

TEST_CASE("functions with results of other kinds, and results through pointers") {
  check_expressions(
      "__device__ float f, g; __device__ double d, e; __device__ int n;"
      "__device__ double v[] = {2, 3, 6}; __device__ float w[] = {2, 3, 6};",
      {
          {"ilogb(10.0)", 3},
          {"sizeof(jn(1, 1.0f))", 4},
          {"sizeof(yn(1, 1.0f))", 4},
          {"sizeof(jn(1, 1.0))", 8},
          {"jn(2, 1.5f) == jnf(2, 1.5f)", 1},
          {"yn(2, 1.5f) == ynf(2, 1.5f)", 1},
          {"ilogbf(10.0f)", 3},
          {"lrint(2.5)", 2},
          {"lrintf(3.5f)", 4},
          {"lround(2.5)", 3},
          {"lroundf(-2.5f)", -3},
          {"llrint(2.5)", 2},
          {"llrintf(3.5f)", 4},
          {"llround(2.5)", 3},
          {"llroundf(-2.5f)", -3},
          {"ldexp(3.0, 2)", 12},
          {"ldexpf(3.0f, 2)", 12},
          {"ldexp(3.0f, 2)", 12},
          {"scalbn(3.0, 2)", 12},
          {"scalbnf(3.0f, 2)", 12},
          {"scalbln(3.0, 2l)", 12},
          {"scalblnf(3.0f, 2l)", 12},
          {"frexp(12.0, &n)", 0.75},
          {"n", 4},
          {"frexpf(3.0f, &n)", 0.75},
          {"n", 2},
          {"modf(2.75, &d)", 0.75},
          {"d", 2},
          {"modff(3.25f, &f)", 0.25},
          {"f", 3},
          {"remquo(7.0, 2.0, &n)", -1},
          {"n & 7", 4},
          {"remquof(7.0f, 2.0f, &n)", -1},
          {"(sincos(0.5, &d, &e), d)", 0.479425538604203, 1e-15},
          {"e", 0.8775825618903728, 1e-15},
          {"(sincosf(0.5f, &f, &g), g)", 0.8775825618903728, 1e-6},
          {"(sincospi(0.5, &d, &e), d + e)", 1},
          {"(sincospif(1.0f, &f, &g), f + g)", -1},
          {"jn(0, 1.5)", 0.5118276717359181, 1e-14},
          {"jnf(1, 1.5f)", 0.5579365079100996, 1e-6},
          {"yn(0, 1.5)", 0.38244892379775886, 1e-14},
          {"ynf(1, 1.5f)", -0.4123086269739113, 1e-6},
          {"nextafter(1.0, 2.0) - 1.0", std::numeric_limits<double>::epsilon()},
          {"nextafterf(1.0f, 2.0f) - 1.0f", std::numeric_limits<float>::epsilon()},
          {"norm3d(2.0, 3.0, 6.0)", 7, 1e-15},
          {"norm3df(2.0f, 3.0f, 6.0f)", 7},
          {"norm4d(1.0, 1.0, 1.0, 1.0)", 2, 1e-15},
          {"norm4df(1.0f, 1.0f, 1.0f, 1.0f)", 2},
          {"rnorm3d(2.0, 3.0, 6.0)", 1.0 / 7, 1e-15},
          {"rnorm3df(2.0f, 3.0f, 6.0f)", 1.0f / 7},
          {"rnorm4d(1.0, 1.0, 1.0, 1.0)", 0.5, 1e-15},
          {"rnorm4df(1.0f, 1.0f, 1.0f, 1.0f)", 0.5},
          {"norm(3, v)", 7, 1e-15},
          {"normf(3, w)", 7},
          {"rnorm(3, v)", 1.0 / 7, 1e-15},
          {"rnormf(3, w)", 1.0f / 7},
          {"rhypot(3.0, 4.0)", 0.2},
          {"rhypotf(3.0f, 4.0f)", 0.2f},
          {"isnan(nan(\"\"))", 1},
          {"isnan(nan(0u))", 1},
          {"isnan(nanf(nullptr))", 1},
          {"__double_as_longlong(nan(\"3\")) & 7", 3},
          {"__float_as_int(nanf(\"5\")) & 7", 5},
          {"isnan(1.0f)", 0},
          {"isinf(1.0 / 0.0)", 1},
          {"isinf(1.0f)", 0},
          {"isfinite(1.0)", 1},
          {"isfinite(-1.0f / 0.0f)", 0},
          {"signbit(-0.0f)", 1},
          {"signbit(0.0)", 0},
          {"abs(-1.5f)", 1.5},
          {"abs(-1.5)", 1.5},
          {"pow(3.0f, 2)", 9},
          {"sizeof(pow(3.0f, 2))", 4},
          {"pow(3.0, 2)", 9},
          {"min(1.5f, 2.5)", 1.5},
      });
}

TEST_CASE("the ends of the special functions") {
  check_expressions("", {{"erfinv(1.0)", infinity},
                         {"erfinv(-1.0)", -infinity},
                         {"erfinv(2.0)", std::nan("")},
                         {"erfcinv(0.0)", infinity},
                         {"erfcinv(2.0)", -infinity},
                         {"normcdfinv(0.5)", 0.0},
                         {"normcdf(-30.0)", 4.906713927148187e-198, 1e-12},
                         {"sinpi(1e15)", 0.0},
                         {"cospi(0.5)", 0.0},
                         {"sinpi(1.0 / 0.0)", std::nan("")},
                         {"erfcx(-2.0)", 108.9409043899779, 1e-14},
                         {"cyl_bessel_i0(700.0)", 1.5295933476718737e302, 1e-3},
                         {"cyl_bessel_i1(-1.0)", -0.5651591039924851, 1e-14}});
}
