// SPDX-License-Identifier: MIT
// Floating-point arithmetic: the operators, and the intrinsics in the four rounding directions.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

#include <cmath>

namespace yoke_test {

namespace {

void add_directions(std::vector<expression>& rows, const std::string& type, const std::string& name,
                    const std::string& arguments, real_reference nearest) {
  for (const char* const direction : {"rn", "rz", "ru", "rd"}) {
    rows.push_back({type, "__" + name + "_" + direction + "(" + arguments + ")", 0, 0,
                    std::string(direction) == "rn" ? nearest : nullptr});
  }
}

// What double precision rounds twice, the float forms round once: those have no reference here.
kernel_entry directions(const std::string& name, const std::string& type, const std::string& letter,
                        const std::string& fused) {
  std::vector<expression> rows;
  add_directions(rows, type, letter + "add", "a, b", [](double a, double b, double) { return a + b; });
  add_directions(rows, type, letter + "sub", "a, b", [](double a, double b, double) { return a - b; });
  add_directions(rows, type, letter + "mul", "a, b", [](double a, double b, double) { return a * b; });
  add_directions(rows, type, letter + "div", "a, b", nullptr);
  add_directions(rows, type, letter + "rcp", "a", nullptr);
  add_directions(rows, type, letter + "sqrt", "a", [](double a, double, double) { return std::sqrt(a); });
  add_directions(rows, type, fused, "a, b, c", nullptr);
  return evaluate(name, {any_reals(type, "a"), any_reals(type, "b"), any_reals(type, "c")}, rows);
}

kernel_entry operators(const std::string& name, const std::string& type) {
  return evaluate(name, {any_reals(type, "a"), any_reals(type, "b")},
                  {{type, "a + b", 0, 0, [](double a, double b, double) { return a + b; }},
                   {type, "a - b", 0, 0, [](double a, double b, double) { return a - b; }},
                   {type, "a * b", 0, 0, [](double a, double b, double) { return a * b; }},
                   {type, "a / b"},
                   {type, "-a", 0, 0, [](double a, double, double) { return -a; }},
                   {"bool", "a < b"},
                   {"bool", "a <= b"},
                   {"bool", "a == b"},
                   {"bool", "a != b"}});
}

}  // namespace

std::vector<kernel_program> arithmetic_kernels() {
  kernel_program program{"arithmetic", ""};
  program.kernels.push_back(operators("operators_float", "float"));
  program.kernels.push_back(operators("operators_double", "double"));
  program.kernels.push_back(directions("directions_float", "float", "f", "fmaf"));
  program.kernels.push_back(directions("directions_double", "double", "d", "fma"));
  std::vector<expression> ieee;
  add_directions(ieee, "float", "fmaf_ieee", "a, b, c", nullptr);
  ieee.push_back({"float", "__frsqrt_rn(a)"});
  ieee.push_back({"float", "__saturatef(a)"});
  program.kernels.push_back(
      evaluate("ieee_float", {any_reals("float", "a"), any_reals("float", "b"), any_reals("float", "c")}, ieee));

  std::vector<expression> modes;
  for (const char* const mode : {"cudaRoundNearest", "cudaRoundZero", "cudaRoundPosInf", "cudaRoundMinInf"}) {
    const std::string with = std::string(", ") + mode + ")";
    modes.push_back({"double", "dadd(a, b" + with});
    modes.push_back({"double", "dsub(a, b" + with});
    modes.push_back({"double", "dmul(a, b" + with});
  }
  program.kernels.push_back(evaluate("rounding_modes", {numbers("double", "a"), numbers("double", "b")}, modes));

  // Bounds of the CUDA C++ Programming Guide's table of intrinsic functions.
  const double near_zero = 0x1p-21;
  program.kernels.push_back(
      evaluate("fast_on_a_turn", {reals("float", "a", -3.14, 3.14, {0.0, 1.0, -1.0, 0.5})},
               {{"float", "__sinf(a)", 0, 0x1p-21, [](double a, double, double) { return std::sin(a); }},
                {"float", "__cosf(a)", 0, 0x1p-21, [](double a, double, double) { return std::cos(a); }},
                {"float", "[=] { float s, c; __sincosf(a, &s, &c); return s; }()", 0, near_zero,
                 [](double a, double, double) { return std::sin(a); }},
                {"float", "[=] { float s, c; __sincosf(a, &s, &c); return c; }()", 0, near_zero,
                 [](double a, double, double) { return std::cos(a); }},
                {"float", "__tanf(a * 0.25f)", 8, 0x1p-20, [](double a, double, double) { return std::tan(a * 0.25); }},
                {"float", "__tanhf(a)", 8192, 0, [](double a, double, double) { return std::tanh(a); }},
                {"float", "__expf(a)", 5, 0, [](double a, double, double) { return std::exp(a); }},
                {"float", "__exp10f(a)", 11, 0, [](double a, double, double) { return std::pow(10.0, a); }}}));
  program.kernels.push_back(evaluate(
      "fast_on_positive", {reals("float", "a", 0.01, 100.0, {1.0, 0.5, 2.0}), reals("float", "b", 0.1, 3.0, {1.0})},
      {{"float", "__logf(a)", 3, 0x1p-21, [](double a, double, double) { return std::log(a); }},
       {"float", "__log2f(a)", 2, 0x1p-22, [](double a, double, double) { return std::log2(a); }},
       {"float", "__log10f(a)", 3, 0x1p-23, [](double a, double, double) { return std::log10(a); }},
       {"float", "__powf(a, b)", 64, 0, [](double a, double b, double) { return std::pow(a, b); }},
       {"float", "__fdividef(a, b)", 2, 0, [](double a, double b, double) { return a / b; }},
       {"float", "fdividef(a, b)", 2, 0, [](double a, double b, double) { return a / b; }},
       {"double", "fdivide(a, b)", 0, 0, [](double a, double b, double) { return a / b; }}}));
  return {program};
}

}  // namespace yoke_test
