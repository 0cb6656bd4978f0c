// SPDX-License-Identifier: MIT
// Conversions between numbers in the four rounding directions, and of bits.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

namespace {

constexpr const char* directions[] = {"rn", "rz", "ru", "rd"};

struct whole_type {
  const char* word;
  const char* type;
};
constexpr whole_type whole_types[] = {
    {"int", "int"}, {"uint", "unsigned"}, {"ll", "long long"}, {"ull", "unsigned long long"}};

kernel_entry to_whole(const std::string& from) {
  std::vector<expression> rows;
  for (const whole_type& to : whole_types) {
    for (const char* const direction : directions) {
      rows.push_back({to.type, "__" + from + "2" + to.word + "_" + direction + "(a)"});
    }
  }
  // Near the ends of the results, beyond them, and NaN.
  input_column a =
      reals(from, "a", -5.0, 5.0,
            {2147483646.5, 2147483648.0, -2147483648.5, -2147483650.0, 4294967295.5, 4294967296.0,
             9223372036854775807.0, -9223372036854775808.0, 1.8446744073709552e19, 1e30, -1e30, 0.5, 1.5, -0.5});
  const input_column odd = any_reals(from, "b");
  a.values.insert(a.values.end(), odd.values.begin(), odd.values.end());
  return evaluate("from_" + from, {a}, rows);
}

kernel_entry to_real(const whole_type& from) {
  std::vector<expression> rows;
  const std::string start = std::string("__") + from.word + "2";
  for (const char* const direction : directions) rows.push_back({"float", start + "float_" + direction + "(a)"});
  if (std::string(from.type).find("long") == std::string::npos) {
    rows.push_back({"double", start + "double_rn(a)"});
  } else {
    for (const char* const direction : directions) rows.push_back({"double", start + "double_" + direction + "(a)"});
  }
  return evaluate(std::string("from_") + from.word, {integers(from.type, "a")}, rows);
}

}  // namespace

std::vector<kernel_program> conversion_kernels() {
  kernel_program program{"conversions", ""};
  program.kernels.push_back(to_whole("float"));
  program.kernels.push_back(to_whole("double"));
  for (const whole_type& each : whole_types) program.kernels.push_back(to_real(each));

  std::vector<expression> narrow;
  for (const char* const direction : directions) {
    narrow.push_back({"float", std::string("__double2float_") + direction + "(a)"});
  }
  narrow.push_back({"int", "__double2hiint(a)"});
  narrow.push_back({"int", "__double2loint(a)"});
  narrow.push_back({"long long", "__double_as_longlong(a)"});
  narrow.push_back({"double", "__hiloint2double(__double2hiint(a), 7)"});
  input_column wide = numbers("double", "a");
  wide.values[5] = real_word("double", 1.0 + 0x1p-24);  // between two floats
  wide.values[6] = real_word("double", 0x1.fffffefp-130);
  program.kernels.push_back(evaluate("parts_of_double", {wide}, narrow));
  program.kernels.push_back(evaluate("bits_of_float", {numbers("float", "a"), integers("unsigned", "b")},
                                     {{"int", "__float_as_int(a)"},
                                      {"unsigned", "__float_as_uint(a)"},
                                      {"float", "__int_as_float(__float_as_int(a) ^ 1)"},
                                      {"float", "__uint_as_float(b >> 2)"},
                                      {"double", "__longlong_as_double((long long)b)"}}));
  std::vector<expression> modes;
  for (const char* const mode :
       {"", ", cudaRoundNearest", ", cudaRoundZero", ", cudaRoundPosInf", ", cudaRoundMinInf"}) {
    const std::string with = std::string("(a") + mode + ")";
    modes.push_back({"int", "double2int" + with});
    modes.push_back({"unsigned", "double2uint" + with});
    modes.push_back({"long long", "double2ll" + with});
    modes.push_back({"unsigned long long", "double2ull" + with});
  }
  program.kernels.push_back(evaluate("double_by_mode", {reals("double", "a", 0.0, 1000.0, {0.5, 1.5, 2.5})}, modes));
  std::vector<expression> back;
  for (const char* const mode :
       {"", ", cudaRoundNearest", ", cudaRoundZero", ", cudaRoundPosInf", ", cudaRoundMinInf"}) {
    const std::string with = std::string(mode) + ")";
    back.push_back({"double", "ll2double(a" + with});
    back.push_back({"double", "ull2double((unsigned long long)a" + with});
    back.push_back({"double", "int2double((int)a" + with});
    back.push_back({"double", "uint2double((unsigned)a" + with});
    back.push_back({"double", "float2double(__ll2float_rn(a)" + with});
  }
  program.kernels.push_back(evaluate("whole_by_mode", {integers("long long", "a")}, back));
  return {program};
}

}  // namespace yoke_test
