// SPDX-License-Identifier: MIT
// The mathematical functions in both precisions; the bounds are those of the CUDA C++ Programming Guide's tables.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

#include <cmath>

namespace yoke_test {

namespace {

/// A function with its bounds in float and in double precision.
struct function_row {
  const char* name;
  double float_ulps, double_ulps;
  real_reference reference = nullptr;
  double float_absolute = 0, double_absolute = 0;
};

// The C library's own errors in its least exact functions, of which the bounds know nothing.
constexpr double library = 4;

/// name(a...) in double, namef(a...) and name(a...) in float; every row's reference is worked out in double precision.
void add_functions(std::vector<kernel_entry>& kernels, const std::string& name, const std::string& arguments,
                   const std::vector<std::array<double, 2>>& ranges, const std::vector<function_row>& functions,
                   const std::vector<double>& first = {}) {
  static constexpr const char* names[] = {"a", "b", "c"};
  std::vector<expression> narrow, wide;
  for (const function_row& each : functions) {
    const std::string call = "(" + arguments + ")";
    narrow.push_back({"float", each.name + ("f" + call), each.float_ulps, each.float_absolute, each.reference});
    narrow.push_back({"float", each.name + call, each.float_ulps, each.float_absolute, each.reference});
    wide.push_back({"double", each.name + call, each.double_ulps, each.double_absolute, each.reference});
  }
  for (const std::string type : {"float", "double"}) {
    std::vector<input_column> columns;
    for (std::size_t each = 0; each < ranges.size(); ++each) {
      columns.push_back(reals(type, names[each], ranges[each][0], ranges[each][1], first));
    }
    kernels.push_back(evaluate(name + "_" + type, columns, type == std::string("float") ? narrow : wide));
  }
}

#define YOKE_TEST_OF_1(call) [](double a, double, double) -> double { return std::call; }
#define YOKE_TEST_OF_2(call) [](double a, double b, double) -> double { return std::call; }

constexpr double infinity = HUGE_VAL;

std::vector<kernel_entry> of_one() {
  std::vector<kernel_entry> kernels;
  add_functions(kernels, "anywhere", "a", {{{-10.0, 10.0}}},
                {{"sin", 2, 2, YOKE_TEST_OF_1(sin(a))},
                 {"cos", 2, 2, YOKE_TEST_OF_1(cos(a))},
                 {"tan", 4, 2, YOKE_TEST_OF_1(tan(a))},
                 {"atan", 2, 2, YOKE_TEST_OF_1(atan(a))},
                 {"sinh", 3, 2, YOKE_TEST_OF_1(sinh(a))},
                 {"cosh", 2, 1, YOKE_TEST_OF_1(cosh(a))},
                 {"tanh", 2, 1, YOKE_TEST_OF_1(tanh(a))},
                 {"asinh", 3, 3, YOKE_TEST_OF_1(asinh(a))},
                 {"exp", 2, 1, YOKE_TEST_OF_1(exp(a))},
                 {"exp2", 2, 1, YOKE_TEST_OF_1(exp2(a))},
                 {"exp10", 2, 1},
                 {"expm1", 1, 1, YOKE_TEST_OF_1(expm1(a))},
                 {"cbrt", 1, 1, YOKE_TEST_OF_1(cbrt(a))},
                 {"rcbrt", 1, 1},
                 {"erf", 2, 2, YOKE_TEST_OF_1(erf(a))},
                 {"erfc", 4, 5, YOKE_TEST_OF_1(erfc(a))},
                 {"sinpi", 1, 2},
                 {"cospi", 1, 2}},
                {0.0, 1.0, -1.0, 0.5, 1e-6});
  add_functions(kernels, "between_ones", "a", {{{-1.0, 1.0}}},
                {{"asin", 2, 2, YOKE_TEST_OF_1(asin(a))},
                 {"acos", 2, 2, YOKE_TEST_OF_1(acos(a))},
                 {"atanh", 3, 2, YOKE_TEST_OF_1(atanh(a))},
                 {"erfinv", 2, 5}},
                {0.0, 1.0, -1.0, 0.5, 1.5});
  add_functions(kernels, "positive", "a", {{{0.01, 30.0}}},
                {{"log", 1, 1, YOKE_TEST_OF_1(log(a))},
                 {"log2", 1, 1, YOKE_TEST_OF_1(log2(a))},
                 {"log10", 2, 1, YOKE_TEST_OF_1(log10(a))},
                 {"log1p", 1, 1, YOKE_TEST_OF_1(log1p(a))},
                 {"sqrt", 0, 0, YOKE_TEST_OF_1(sqrt(a))},
                 {"rsqrt", 2, 1},
                 {"tgamma", 5 + library, 10 + library, YOKE_TEST_OF_1(tgamma(a))},
                 {"lgamma", 6 + library, 4 + library, YOKE_TEST_OF_1(lgamma(a))},
                 {"erfcx", 4, 4},
                 {"cyl_bessel_i0", 6, 6},
                 {"cyl_bessel_i1", 6, 6}},
                {1.0, 2.0, 0.5, 10.0});
  add_functions(kernels, "above_one", "a", {{{1.0, 20.0}}}, {{"acosh", 4, 3, YOKE_TEST_OF_1(acosh(a))}},
                {1.0, infinity});
  add_functions(kernels, "below_eight", "a", {{{0.5, 7.5}}},
                {{"j0", 9 + library, 7 + library, nullptr, 2.2e-6, 5e-12},
                 {"j1", 9 + library, 7 + library, nullptr, 2.2e-6, 5e-12},
                 {"y0", 9 + library, 7 + library, nullptr, 2.2e-6, 5e-12},
                 {"y1", 9 + library, 7 + library, nullptr, 2.2e-6, 5e-12}});
  add_functions(kernels, "normal", "a", {{{-5.0, 5.0}}}, {{"normcdf", 5, 5}}, {0.0});
  add_functions(kernels, "probability", "a", {{{0.001, 0.999}}}, {{"normcdfinv", 5, 8}, {"erfcinv", 4, 6}},
                {0.5, 1.0, 0.0});
  return kernels;
}

std::vector<kernel_entry> exact_ones() {
  std::vector<kernel_entry> kernels;
  for (const std::string type : {"float", "double"}) {
    const std::string f = type == "float" ? "f" : "";
    const auto row = [&](const std::string& call, real_reference reference = nullptr) {
      return expression{type, call, 0, 0, reference};
    };
    std::vector<expression> rows = {
        row("fabs" + f + "(a)", YOKE_TEST_OF_1(fabs(a))),
        row("abs(a)", YOKE_TEST_OF_1(fabs(a))),
        row("floor" + f + "(a)", YOKE_TEST_OF_1(floor(a))),
        row("ceil" + f + "(a)", YOKE_TEST_OF_1(ceil(a))),
        row("trunc" + f + "(a)", YOKE_TEST_OF_1(trunc(a))),
        row("round" + f + "(a)", YOKE_TEST_OF_1(round(a))),
        row("rint" + f + "(a)", YOKE_TEST_OF_1(rint(a))),
        row("nearbyint" + f + "(a)", YOKE_TEST_OF_1(nearbyint(a))),
        row("logb" + f + "(a)", YOKE_TEST_OF_1(logb(a))),
        row("copysign" + f + "(a, b)", YOKE_TEST_OF_2(copysign(a, b))),
        row("nextafter" + f + "(a, b)"),
        row("fmin" + f + "(a, b)"),
        row("fmax" + f + "(a, b)"),
        row("min(a, b)"),
        row("max(a, b)"),
        row("fdim" + f + "(a, b)"),
        row("fmod" + f + "(a, b)", YOKE_TEST_OF_2(fmod(a, b))),
        row("remainder" + f + "(a, b)", YOKE_TEST_OF_2(remainder(a, b))),
        row("fma" + f + "(a, b, 1)"),
        row("sqrt" + f + "(a)", YOKE_TEST_OF_1(sqrt(a))),
        {"int", "ilogb" + f + "(a)"},
        {"bool", "isnan(a)"},
        {"bool", "isinf(a)"},
        {"bool", "isfinite(a)"},
        {"bool", "signbit(a) || isnan(a)"},
        {"bool", "__isnan" + f + "(a) != 0"},
        {"bool", "__isinf" + f + "(a) != 0"},
        {"bool", "__finite" + f + "(a) != 0"},
        {"bool", "__signbit" + f + "(a) != 0 || isnan(a)"},
        row("floor(a) + ceil(a)"),
        row("trunc(a) - round(a)"),
        row("rint(a) - nearbyint(a)"),
        row("fmod(a, b)"),
        row("fmax(a, b) + fmin(a, b)"),
    };
    kernels.push_back(evaluate("exact_" + type, {any_reals(type, "a"), any_reals(type, "b")}, rows));

    const std::vector<expression> parts = {
        row("ldexp" + f + "(a, n)"),
        row("ldexp(a, n)"),
        row("scalbn" + f + "(a, n)"),
        row("scalbn(a, n)"),
        row("scalbln" + f + "(a, (long)n)"),
        row("scalbln(a, (long)n)"),
        row("[=] { int e; return frexp" + f + "(a, &e); }()"),
        {"int", "[=] { int e; frexp(a, &e); return e; }()"},
        row("[=] { " + type + " whole; return modf" + f + "(a, &whole); }()"),
        row("[=] { " + type + " whole; modf(a, &whole); return whole; }()"),
        row("[=] { int q; return remquo" + f + "(a, b, &q); }()"),
        {"int", "[=] { int q; remquo(a, b, &q); return q & 7; }()"},
        {"long", "lrint" + f + "(a)"},
        {"long", "lround" + f + "(a)"},
        {"long long", "llrint" + f + "(a)"},
        {"long long", "llround" + f + "(a)"},
        row("nan" + f + "(\"\")"),
    };
    kernels.push_back(
        evaluate("parts_" + type,
                 {reals(type, "a", -1000.0, 1000.0, {0.5, 1.5, 2.5, -0.5, -1.5, 0.25}),
                  reals(type, "b", 0.5, 9.0, {2.0, 2.0, 2.0, 1.0}), integers_between("int", "n", -20, 20)},
                 parts));
  }
  return kernels;
}

std::vector<kernel_entry> of_more() {
  std::vector<kernel_entry> kernels;
  add_functions(kernels, "of_two", "a, b", {{{0.1, 10.0}}, {{-3.0, 3.0}}},
                {{"pow", 4, 2, YOKE_TEST_OF_2(pow(a, b))},
                 {"atan2", 3, 2, YOKE_TEST_OF_2(atan2(a, b))},
                 {"hypot", 3, 2, YOKE_TEST_OF_2(hypot(a, b))}},
                {1.0, 2.0});
  for (const std::string type : {"float", "double"}) {
    const bool narrow = type == "float";
    const std::string f = narrow ? "f" : "";
    const auto row = [&](const std::string& call, double float_ulps, double double_ulps, double float_absolute = 0,
                         double double_absolute = 0) {
      return expression{type, call, narrow ? float_ulps : double_ulps, narrow ? float_absolute : double_absolute};
    };
    const std::string list = "[=] { const " + type + " v[] = {a, b, c}; return ";
    kernels.push_back(evaluate(
        "norms_" + type, {reals(type, "a", -9.0, 9.0), reals(type, "b", -9.0, 9.0), reals(type, "c", 1.0, 9.0)},
        {row("rhypot" + f + "(a, c)", 2, 1), row("norm3d" + f + "(a, b, c)", 3, 2),
         row("rnorm3d" + f + "(a, b, c)", 2, 1), row("norm4d" + f + "(a, b, c, a)", 3, 2),
         row("rnorm4d" + f + "(a, b, c, a)", 2, 1),
         // No bound is documented for the two of any length.
         row(list + "norm" + f + "(3, v); }()", 4, 4), row(list + "rnorm" + f + "(3, v); }()", 4, 4)}));
    kernels.push_back(evaluate("both_" + type, {reals(type, "a", -6.0, 6.0, {0.0, 0.5, 1.0, 1.5})},
                               {row("[=] { " + type + " s, c; sincos" + f + "(a, &s, &c); return s; }()", 2, 2),
                                row("[=] { " + type + " s, c; sincos" + f + "(a, &s, &c); return c; }()", 2, 2),
                                row("[=] { " + type + " s, c; sincospi" + f + "(a, &s, &c); return s; }()", 1, 2),
                                row("[=] { " + type + " s, c; sincospi(a, &s, &c); return c; }()", 1, 2),
                                row("pow(a, 3)", 4, 2), row("pow(a, -2)", 4, 2)}));
    kernels.push_back(evaluate("bessel_" + type, {reals(type, "a", 4.0, 20.0), integers_between("int", "n", 0, 3)},
                               {row("jn" + f + "(n, a)", 9 + library, 7 + library, 2.2e-6, 5e-12),
                                row("yn" + f + "(n, a)", 10 + library, 10 + library, 2.2e-6, 5e-12)}));
  }
  kernels.push_back(evaluate("promotions", {integers_between("int", "n", 1, 100), reals("float", "a", 0.5, 4.0)},
                             {{"double", "min(a, 2.0)"},
                              {"double", "max(2.0, a)"},
                              {"int", "(int)(sizeof(min(a, 2.0)) + 10 * sizeof(sqrt(a)) + 100 * sizeof(pow(a, n)))"}}));
  return kernels;
}

#undef YOKE_TEST_OF_1
#undef YOKE_TEST_OF_2

}  // namespace

std::vector<kernel_program> mathematics_kernels() {
  return {
      {"functions_of_one", "", of_one()}, {"exact_functions", "", exact_ones()}, {"functions_of_more", "", of_more()}};
}

}  // namespace yoke_test
