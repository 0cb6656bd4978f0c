// SPDX-License-Identifier: MIT
// The inputs' bodies.
#include <kernels/inputs.hpp>

#include <bit>
#include <cmath>
#include <map>

namespace yoke_test {

namespace {

/// A sequence that depends on the column's name and type alone (splitmix64).
class sequence {
 public:
  explicit sequence(const std::string& text) {
    for (const char each : text) state_ = (state_ ^ static_cast<unsigned char>(each)) * 0x100000001b3ull;
  }
  word next() {
    word z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  word state_ = 0xcbf29ce484222325ull;
};

/// A binary format: how many bits its exponent and its mantissa have.
struct format {
  int exponent, mantissa;
};
format format_of(const std::string& type) {
  if (type == "float") return {8, 23};
  if (type == "__half") return {5, 10};
  if (type == "__nv_bfloat16") return {8, 7};
  return {11, 52};
}

const std::map<std::string, std::size_t>& sizes() {
  static const std::map<std::string, std::size_t> table = {
      {"bool", 1},          {"char", 1},           {"signed char", 1},   {"unsigned char", 1}, {"short", 2},
      {"int", 4},           {"unsigned short", 2}, {"unsigned", 4},      {"float", 4},         {"__half", 2},
      {"__nv_bfloat16", 2}, {"__half2", 4},        {"__nv_bfloat162", 4}};
  return table;
}

std::size_t first_letter(const std::string& name) { return static_cast<unsigned char>(name[0]); }

word cut(const std::string& type, word bits) {
  const std::size_t bytes = bytes_of(type);
  return bytes == 8 ? bits : bits & ((word{1} << 8 * bytes) - 1);
}

}  // namespace

bool is_real(const std::string& type) {
  return type == "float" || type == "double" || type == "__half" || type == "__nv_bfloat16";
}
std::size_t bytes_of(const std::string& type) {
  const auto found = sizes().find(type);
  return found == sizes().end() ? 8 : found->second;
}

double real_of(const std::string& type, word bits) {
  const format of = format_of(type);
  const word mantissa = bits & ((word{1} << of.mantissa) - 1);
  const int highest = (1 << of.exponent) - 1;
  const int exponent = static_cast<int>(bits >> of.mantissa) & highest;
  const double sign = (bits >> (of.exponent + of.mantissa) & 1) != 0 ? -1.0 : 1.0;
  if (exponent == highest) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  const int bias = highest / 2;
  const double whole = static_cast<double>(exponent == 0 ? mantissa : mantissa | word{1} << of.mantissa);
  return sign * std::ldexp(whole, (exponent == 0 ? 1 : exponent) - bias - of.mantissa);
}

word real_word(const std::string& type, double value) {
  const format of = format_of(type);
  if (type == "double") return std::bit_cast<word>(value);
  if (type == "float") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const word sign = word{std::signbit(value)} << (of.exponent + of.mantissa);
  const word infinity = ((word{1} << of.exponent) - 1) << of.mantissa;
  if (value == 0) return sign;
  if (std::isnan(value)) return infinity | ((word{1} << of.mantissa) - 1);
  const int bias = (1 << of.exponent) / 2 - 1;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  const int unit = std::max(exponent - 1, 1 - bias) - of.mantissa;
  const double magnitude = std::isinf(value) ? value : std::nearbyint(std::ldexp(std::fabs(value), -unit));
  if (std::isinf(value) || std::ldexp(magnitude, unit) >= std::ldexp(1.0, bias + 1)) return sign | infinity;
  // A normal number's hidden bit adds one to the field.
  const int field = unit + of.mantissa + bias - 1;
  return sign | ((static_cast<word>(field) << of.mantissa) + static_cast<word>(magnitude));
}

input_column reals(const std::string& type, const std::string& name, double low, double high,
                   const std::vector<double>& first) {
  input_column column{type, name, {}};
  for (const double each : first) column.values.push_back(real_word(type, each));
  sequence random(type + name);
  while (column.values.size() < input_count) {
    const double part = static_cast<double>(random.next() >> 11) * 0x1p-53;
    column.values.push_back(real_word(type, low + (high - low) * part));
  }
  return column;
}

input_column numbers(const std::string& type, const std::string& name) {
  const format of = format_of(type);
  const word infinity = ((word{1} << of.exponent) - 1) << of.mantissa;
  const word sign = word{1} << (of.exponent + of.mantissa);
  input_column column{type, name, {0, sign, infinity, sign | infinity, 1, infinity - 1, word{1} << of.mantissa}};
  for (const double each : {1.0, -1.0, 0.5, 1.5, -2.5, 3.0}) column.values.push_back(real_word(type, each));
  sequence random(type + name);
  while (column.values.size() < input_count) {
    const word bits = cut(type, random.next());
    // Every other one near 1, where arithmetic rounds; else of any magnitude.
    const word near = real_word(type, (static_cast<double>(bits % 4096) - 2048.0) / 97.0);
    if ((bits & infinity) != infinity) column.values.push_back(column.values.size() % 2 == 0 ? bits : near);
  }
  // Each column goes round by another step, so that the special values of two columns meet others' plain ones.
  const std::size_t turn = first_letter(name) % 7 * 5;
  std::vector<word> turned;
  for (std::size_t each = 0; each < input_count; ++each) turned.push_back(column.values[(each + turn) % input_count]);
  column.values = turned;
  return column;
}

input_column any_reals(const std::string& type, const std::string& name) {
  input_column column = numbers(type, name);
  const format of = format_of(type);
  column.values[first_letter(name) % input_count] =
      (((word{1} << of.exponent) - 1) << of.mantissa) | word{1} << (of.mantissa - 1);
  return column;
}

input_column integers(const std::string& type, const std::string& name) {
  const word top = word{1} << (8 * bytes_of(type) - 1);
  input_column column{type, name, {}};
  for (const word each : {word{0}, word{1}, ~word{0}, top, top - 1, word{2}, word{0x55}, ~word{1}}) {
    column.values.push_back(cut(type, each));
  }
  sequence random(type + name);
  while (column.values.size() < input_count) column.values.push_back(cut(type, random.next()));
  const std::size_t turn = first_letter(name) % 5 * 3;
  std::vector<word> turned;
  for (std::size_t each = 0; each < input_count; ++each) turned.push_back(column.values[(each + turn) % input_count]);
  column.values = turned;
  return column;
}

input_column integers_between(const std::string& type, const std::string& name, long long low, long long high) {
  input_column column{type, name, {cut(type, static_cast<word>(low)), cut(type, static_cast<word>(high))}};
  sequence random(type + name);
  while (column.values.size() < input_count) {
    const word offset = random.next() % (static_cast<word>(high - low) + 1);
    column.values.push_back(cut(type, static_cast<word>(low) + offset));
  }
  return column;
}

input_column given(const std::string& type, const std::string& name, const std::vector<word>& values) {
  input_column column{type, name, values};
  for (std::size_t each = 0; column.values.size() < input_count; ++each) column.values.push_back(values[each]);
  return column;
}

}  // namespace yoke_test
