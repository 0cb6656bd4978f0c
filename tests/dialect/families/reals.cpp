// SPDX-License-Identifier: MIT
// Mathematics in both precisions. Tolerances are those of OpenCL's full profile, which CUDA's documented ones keep too.
#include <dialect/table.hpp>

#include <limits>
#include <tuple>

namespace yoke_test::dialect {

namespace {

/// Columns: a and b of any sign, c > 0, d in [-1, 1], e a small whole number.
template <class T>
using real_rows = evaluation<T, T, T, T, std::int32_t>;

template <class T>
real_rows<T> rows_of(const std::string& name, const std::string& feature) {
  const auto of = [](double a, double b, double c, double d, int e) {
    return std::tuple(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c), static_cast<T>(d), e);
  };
  return {name,
          feature,
          {of(0.0, 1.0, 1.0, 0.0, 0), of(-0.3, 2.5, 0.125, 0.3, 1), of(1.0, -1.0, 2.0, 1.0, -1),
           of(-1.0, 0.7, 0.3, -1.0, 2), of(2.5, -2.0, 4.0, -0.6, 3), of(-2.5, 0.5, 10.5, 0.95, -3),
           of(0.5, 3.5, 7.25, -0.01, 5), of(3.5, -0.125, 0.01, 0.5, -5), of(-1.5, 1.75, 100.0, -0.5, 7)}};
}

template <class T>
using wide = std::conditional_t<sizeof(T) == 4, double, long double>;

/// What ulps the functions may have: single precision's, double precision's.
template <class T>
double ulps(double single, double both) {
  return sizeof(T) == 4 ? single : both;
}

template <class T>
void add_mathematics(real_rows<T>& rows) {
  using W = wide<T>;
  const bool suffixed = sizeof(T) == 4;
  // C's name with and without its suffix.
  const auto add = [&](const std::string& name, const std::string& arguments, auto function, double allowed,
                       double absolute = 0) {
    const auto reference = [function](T a, T b, T c, T d, std::int32_t e) {
      return function(static_cast<W>(a), static_cast<W>(b), static_cast<W>(c), static_cast<W>(d), e);
    };
    rows.template add<T>(name + arguments, reference, allowed, absolute);
    if (suffixed) rows.template add<T>(name + "f" + arguments, reference, allowed, absolute);
  };
  const W ln10 = std::log(W(10));
  const W pi = std::acos(W(-1));
#define YOKE_REFERENCE(...)                                                                                            \
  [=]([[maybe_unused]] W a, [[maybe_unused]] W b, [[maybe_unused]] W c, [[maybe_unused]] W d,                          \
      [[maybe_unused]] std::int32_t e) -> W { return __VA_ARGS__; }
  add("sqrt", "(c)", YOKE_REFERENCE(std::sqrt(c)), ulps<T>(3, 0));
  add("rsqrt", "(c)", YOKE_REFERENCE(1 / std::sqrt(c)), 2);
  add("cbrt", "(a)", YOKE_REFERENCE(std::cbrt(a)), 2);
  add("exp", "(a)", YOKE_REFERENCE(std::exp(a)), 3);
  add("exp2", "(a)", YOKE_REFERENCE(std::exp2(a)), 3);
  add("exp10", "(a)", YOKE_REFERENCE(std::exp(a * ln10)), 3);
  add("expm1", "(a)", YOKE_REFERENCE(std::expm1(a)), 3);
  add("log", "(c)", YOKE_REFERENCE(std::log(c)), 3);
  add("log2", "(c)", YOKE_REFERENCE(std::log2(c)), 3);
  add("log10", "(c)", YOKE_REFERENCE(std::log10(c)), 3);
  add("log1p", "(c)", YOKE_REFERENCE(std::log1p(c)), 2);
  add("sin", "(a)", YOKE_REFERENCE(std::sin(a)), 4);
  add("cos", "(a)", YOKE_REFERENCE(std::cos(a)), 4);
  add("tan", "(a)", YOKE_REFERENCE(std::tan(a)), 5);
  add("asin", "(d)", YOKE_REFERENCE(std::asin(d)), 4);
  add("acos", "(d)", YOKE_REFERENCE(std::acos(d)), 4);
  add("atan", "(a)", YOKE_REFERENCE(std::atan(a)), 5);
  add("sinh", "(a)", YOKE_REFERENCE(std::sinh(a)), 4);
  add("cosh", "(a)", YOKE_REFERENCE(std::cosh(a)), 4);
  add("tanh", "(a)", YOKE_REFERENCE(std::tanh(a)), 5);
  add("asinh", "(a)", YOKE_REFERENCE(std::asinh(a)), 4);
  add("acosh", "(c + 1)", YOKE_REFERENCE(std::acosh(static_cast<W>(static_cast<T>(c) + T(1)))), 4);
  add("atanh", "(d / 2)", YOKE_REFERENCE(std::atanh(d / 2)), 5);
  add("sinpi", "(a)", YOKE_REFERENCE(std::sin(pi * a)), 4, ulps<T>(1e-15, 1e-17));
  add("cospi", "(a)", YOKE_REFERENCE(std::cos(pi * a)), 4, ulps<T>(1e-15, 1e-17));
  add("floor", "(a)", YOKE_REFERENCE(std::floor(a)), 0);
  add("ceil", "(a)", YOKE_REFERENCE(std::ceil(a)), 0);
  add("trunc", "(a)", YOKE_REFERENCE(std::trunc(a)), 0);
  add("round", "(a)", YOKE_REFERENCE(std::round(a)), 0);
  add("rint", "(a)", YOKE_REFERENCE(std::rint(a)), 0);
  add("fabs", "(a)", YOKE_REFERENCE(std::fabs(a)), 0);
  add("erf", "(a)", YOKE_REFERENCE(std::erf(a)), 16);
  add("erfc", "(a)", YOKE_REFERENCE(std::erfc(a)), 16);
  add("tgamma", "(c / 8)", YOKE_REFERENCE(std::tgamma(c / 8)), 16);
  add("lgamma", "(c)", YOKE_REFERENCE(std::lgamma(c)), 16, 1e-5);
  add("pow", "(c, a)", YOKE_REFERENCE(std::pow(c, a)), 16);
  add("atan2", "(a, b)", YOKE_REFERENCE(std::atan2(a, b)), 6);
  add("fmin", "(a, b)", YOKE_REFERENCE(std::fmin(a, b)), 0);
  add("fmax", "(a, b)", YOKE_REFERENCE(std::fmax(a, b)), 0);
  add("fmod", "(a, b)", YOKE_REFERENCE(std::fmod(a, b)), 0);
  add("remainder", "(a, b)", YOKE_REFERENCE(std::remainder(a, b)), 0);
  add("logb", "(a)", YOKE_REFERENCE(std::logb(a)), 0);
  add("ilogb", "(c)", YOKE_REFERENCE(static_cast<W>(std::ilogb(c))), 0);
  add("hypot", "(a, b)", YOKE_REFERENCE(std::hypot(a, b)), 4);
  add("copysign", "(a, b)", YOKE_REFERENCE(std::copysign(a, b)), 0);
  add("ldexp", "(a, e)", YOKE_REFERENCE(std::ldexp(a, e)), 0);
  add("fdim", "(a, b)", YOKE_REFERENCE(static_cast<W>(std::fdim(static_cast<T>(a), static_cast<T>(b)))), 0);
  add("nextafter", "(b, a)", YOKE_REFERENCE(static_cast<W>(std::nextafter(static_cast<T>(b), static_cast<T>(a)))), 0);
  add("fma", "(a, b, d)",
      YOKE_REFERENCE(static_cast<W>(std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(d)))), 0);

  const auto own = [&](const std::string& text, auto function, double allowed, double absolute = 0) {
    rows.template add<T>(
        text,
        [function](T a, T b, T c, T d, std::int32_t e) {
          return function(static_cast<W>(a), static_cast<W>(b), static_cast<W>(c), static_cast<W>(d), e);
        },
        allowed, absolute);
  };
  own("atan2pi(a, b)", YOKE_REFERENCE(std::atan2(a, b) / pi), 6);
  const std::string t = scalar_name<T>();
  own("mad(a, b, d)", YOKE_REFERENCE(a * b + d), 4, 1e-5);
  own("mix(a, b, c)", YOKE_REFERENCE(a + (b - a) * c), 4, 1e-4);
  own("step(a, b)", YOKE_REFERENCE(b < a ? W(0) : W(1)), 0);
  own("smoothstep((" + t + ")-1, (" + t + ")1, d)", YOKE_REFERENCE((d + 1) / 2 * ((d + 1) / 2) * (3 - (d + 1))), 4,
      1e-5);
  own("sign(a)", YOKE_REFERENCE(a > 0 ? W(1) : a < 0 ? W(-1) : W(0)), 0);
  own("degrees(a)", YOKE_REFERENCE(a * 180 / pi), 4);
  own("radians(a)", YOKE_REFERENCE(a * pi / 180), 4);
  own("powr(c, a)", YOKE_REFERENCE(std::pow(c, a)), 16);
  own("pown(b, e)", YOKE_REFERENCE(std::pow(b, W(e))), 16);
  own("min(a, b)", YOKE_REFERENCE(std::fmin(a, b)), 0);
  own("max(a, b)", YOKE_REFERENCE(std::fmax(a, b)), 0);
  own("clamp(a, d - 1, d)",
      YOKE_REFERENCE(a < static_cast<W>(static_cast<T>(d) - T(1)) ? static_cast<W>(static_cast<T>(d) - T(1))
                     : a > d                                      ? d
                                                                  : a),
      0);
  own("a + b * c - d / c", YOKE_REFERENCE(a + b * c - d / c), 4, 1e-3);
  const std::string condition = sizeof(T) == 4 ? "(int)(a < b)" : "(yoke_int64)(a < b)";
  own("select(a, b, " + condition + ")", YOKE_REFERENCE(a < b ? b : a), 0);
  if constexpr (sizeof(T) == 4) {
    constexpr double native = 8192;  // theirs to choose: Intel's CPU has 12 bits of some
    own("native_sin(d)", YOKE_REFERENCE(std::sin(d)), native, 1e-5);
    own("native_cos(d)", YOKE_REFERENCE(std::cos(d)), native, 1e-5);
    own("native_tan(d)", YOKE_REFERENCE(std::tan(d)), native, 1e-4);
    own("native_exp(a)", YOKE_REFERENCE(std::exp(a)), native);
    own("native_exp2(a)", YOKE_REFERENCE(std::exp2(a)), native);
    own("native_exp10(a)", YOKE_REFERENCE(std::exp(a * ln10)), native);
    own("native_log(c)", YOKE_REFERENCE(std::log(c)), native, 1e-5);
    own("native_log2(c)", YOKE_REFERENCE(std::log2(c)), native, 1e-5);
    own("native_log10(c)", YOKE_REFERENCE(std::log10(c)), native, 1e-5);
    own("native_sqrt(c)", YOKE_REFERENCE(std::sqrt(c)), native);
    own("native_rsqrt(c)", YOKE_REFERENCE(1 / std::sqrt(c)), native);
    own("native_recip(b)", YOKE_REFERENCE(1 / b), native);
    own("native_divide(a, b)", YOKE_REFERENCE(a / b), native);
    own("native_powr(c, a)", YOKE_REFERENCE(std::pow(c, a)), native);
  }
#undef YOKE_REFERENCE
  rows.template add<std::int32_t>("(a < b) + 2 * (a == b) + 4 * (a >= b)", [](T a, T b, T, T, std::int32_t) {
    return (a < b ? 1 : 0) + (a == b ? 2 : 0) + (a >= b ? 4 : 0);
  });
  rows.template add<std::int32_t>("(isnan((a - a) / (a - a)) != 0) + 2 * (isnan(a) != 0)",
                                  [](T, T, T, T, std::int32_t) { return 1; });
  rows.template add<std::int32_t>("(isinf(b / (a - a)) != 0) + 2 * (isinf(a) != 0)",
                                  [](T, T, T, T, std::int32_t) { return 1; });
  rows.template add<std::int32_t>("(isfinite(b / (a - a)) == 0) + 2 * (isfinite(a) == 0)",
                                  [](T, T, T, T, std::int32_t) { return 1; });
  rows.template add<std::int32_t>("signbit(a) != 0",
                                  [](T a, T, T, T, std::int32_t) { return std::signbit(a) ? 1 : 0; });
}

/// What C says of infinities, of what is no number, of zeros' signs and of halves; numbers too small for a device are not
/// among them.
template <class T>
kernel edges_of(const std::string& name, const std::string& feature) {
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T odd = 1 / std::numeric_limits<T>::epsilon() + 1;  // no fraction fits behind it
  const T most = std::numeric_limits<T>::max();
  evaluation<T, T> rows(name, feature,
                        {{T(0), -T(0)},
                         {-T(0), T(0)},
                         {T(0.5), nan},
                         {nan, T(-0.5)},
                         {T(1.5), inf},
                         {T(2.5), -inf},
                         {T(-0.5), T(2)},
                         {T(-1.5), T(-2)},
                         {T(-2.5), T(3)},
                         {inf, T(1)},
                         {-inf, T(-1)},
                         {inf, nan},
                         {nan, -inf},
                         {odd, T(0.25)},
                         {-odd, T(0)},
                         {most, T(2)},
                         {-most, -T(0)},
                         {T(1), -inf}});
  // A comparison takes zeros of both signs for the same, so that the sign is asked for by itself.
  const auto one = [&](const std::string& word, T (*function)(T)) {
    rows.template add<T>(word + "(a)", [=](T a, T) { return function(a); });
    rows.template add<std::int32_t>("isnan(a) == 0 && signbit(" + word + "(a)) != 0",
                                    [=](T a, T) { return !std::isnan(a) && std::signbit(function(a)) ? 1 : 0; });
  };
  one("floor", [](T x) { return std::floor(x); });
  one("ceil", [](T x) { return std::ceil(x); });
  one("trunc", [](T x) { return std::trunc(x); });
  one("round", [](T x) { return std::round(x); });
  one("rint", [](T x) { return std::rint(x); });
  one("fabs", [](T x) { return std::fabs(x); });
  // Not the sign of zero: NVIDIA's OpenCL gives sign(-0) as 0.
  rows.template add<T>("sign(a)", [](T a, T) { return a > 0 ? T(1) : a < 0 ? T(-1) : T(0); });
  const auto both = [&](const std::string& word, T (*function)(T, T)) {
    rows.template add<T>(word + "(a, b)", [=](T a, T b) { return function(a, b); });
  };
  both("fmin", [](T a, T b) { return std::fmin(a, b); });
  both("fmax", [](T a, T b) { return std::fmax(a, b); });
  both("yoke_min", [](T a, T b) { return b < a || std::isnan(b) ? b : a; });
  both("yoke_max", [](T a, T b) { return a < b || std::isnan(b) ? b : a; });
  both("fmod", [](T a, T b) { return std::fmod(a, b); });
  both("copysign", [](T a, T b) { return std::copysign(a, b); });
  rows.template add<std::int32_t>("isnan(b) == 0 && signbit(copysign(a, b)) != 0",
                                  [](T, T b) { return !std::isnan(b) && std::signbit(b) ? 1 : 0; });
  both("fdim", [](T a, T b) { return std::fdim(a, b); });
  // Of halves: the largest number's own would be within the allowed error of infinity.
  rows.template add<T>(
      "hypot(a / 2, b / 2)",
      [](T a, T b) {
        return std::isinf(a) || std::isinf(b) ? std::numeric_limits<T>::infinity()
               : std::isnan(a + b)            ? std::numeric_limits<T>::quiet_NaN()
                                              : std::hypot(a / 2, b / 2);
      },
      4);
  const auto count = [&](const std::string& text, bool (*function)(T)) {
    rows.template add<std::int32_t>("(" + text + "(a) != 0) + 2 * (" + text + "(b) != 0)",
                                    [=](T a, T b) { return (function(a) ? 1 : 0) + (function(b) ? 2 : 0); });
  };
  count("isnan", [](T x) { return std::isnan(x); });
  count("isinf", [](T x) { return std::isinf(x); });
  count("isfinite", [](T x) { return std::isfinite(x); });
  // The sign of what is no number is anybody's.
  rows.template add<std::int32_t>("isnan(a) == 0 && signbit(a) != 0",
                                  [](T a, T) { return !std::isnan(a) && std::signbit(a) ? 1 : 0; });
  const std::string t = scalar_name<T>();
  rows.template add<T>(
      "sqrt(a)", [](T a, T) { return std::sqrt(a); }, 3);
  rows.template add<T>(
      "exp(a)", [](T a, T) { return std::exp(a); }, 3);
  rows.template add<T>(
      "log(a)", [](T a, T) { return std::log(a); }, 3);
  rows.template add<T>("pow(a, (" + t + ")0)", [](T, T) { return T(1); });
  rows.template add<T>("pow((" + t + ")1, b)", [](T, T) { return T(1); });
  rows.template add<T>(
      "atan2(a, b)", [](T a, T b) { return std::atan2(a, b); }, 6);
  rows.template add<T>("ldexp(a, 5000)", [](T a, T) { return std::ldexp(a, 5000); });
  // Intel's CPU runtime takes what is no number for less than any edge.
  rows.template add<T>("isnan(a) != 0 || isnan(b) != 0 ? -1 : step(b, a)", [](T a, T b) {
    return std::isnan(a) || std::isnan(b) ? T(-1) : a < b ? T(0) : T(1);
  });
  rows.template add<std::int32_t>("(a < b) + 2 * (a == b) + 4 * (a > b) + 8 * (a != b)", [](T a, T b) {
    return (a < b ? 1 : 0) + (a == b ? 2 : 0) + (a > b ? 4 : 0) + (a != b ? 8 : 0);
  });
  return rows.finish();
}

}  // namespace

std::vector<kernel> real_kernels() {
  auto singles = rows_of<float>("reals", "");
  add_mathematics(singles);
  auto doubles = rows_of<double>("doubles", "FP64");
  add_mathematics(doubles);
  return {singles.finish(), doubles.finish(), edges_of<float>("edges_of_reals", ""),
          edges_of<double>("edges_of_doubles", "FP64")};
}

}  // namespace yoke_test::dialect
