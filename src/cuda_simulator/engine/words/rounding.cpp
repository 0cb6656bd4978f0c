// SPDX-License-Identifier: MIT
// Arithmetic in a rounding direction: the processor's own, switched for one operation.
#include "engine/words/rounding.hpp"

#include <cfenv>
#include <cmath>

namespace yoke::simulator {

namespace {

using yoke_simulator::operation;
using yoke_simulator::rounding;

int direction(rounding how) {
  switch (how) {
    case rounding::nearest: return FE_TONEAREST;
    case rounding::zero: return FE_TOWARDZERO;
    case rounding::up: return FE_UPWARD;
    case rounding::down: return FE_DOWNWARD;
  }
  return FE_TONEAREST;
}

class rounding_scope {
 public:
  explicit rounding_scope(rounding how) : before_(std::fegetround()) { std::fesetround(direction(how)); }
  ~rounding_scope() { std::fesetround(before_); }
  rounding_scope(const rounding_scope&) = delete;
  rounding_scope& operator=(const rounding_scope&) = delete;

 private:
  int before_;
};

// Volatile keeps the compiler from moving the operation out of the scope, or doing it itself.
template <class T>
T calculate(operation what, rounding how, T first, T second, T third) {
  volatile T a = first;
  volatile T b = second;
  volatile T c = third;
  volatile T result = 0;
  const rounding_scope scope(how);
  switch (what) {
    case operation::add: result = a + b; break;
    case operation::subtract: result = a - b; break;
    case operation::multiply: result = a * b; break;
    case operation::divide: result = a / b; break;
    case operation::square_root: result = std::sqrt(a); break;
    case operation::multiply_add: result = std::fma(a, b, c); break;
  }
  return result;
}

template <class To, class From>
To convert(rounding how, From value) {
  volatile From from = value;
  volatile To result = 0;
  const rounding_scope scope(how);
  result = static_cast<To>(from);
  return result;
}

}  // namespace

float rounded_float(operation what, rounding how, float a, float b, float c) { return calculate(what, how, a, b, c); }
double rounded_double(operation what, rounding how, double a, double b, double c) {
  return calculate(what, how, a, b, c);
}
float narrowed(rounding how, double value) { return convert<float>(how, value); }
float float_from_signed(rounding how, long long value) { return convert<float>(how, value); }
float float_from_unsigned(rounding how, unsigned long long value) { return convert<float>(how, value); }
double double_from_signed(rounding how, long long value) { return convert<double>(how, value); }
double double_from_unsigned(rounding how, unsigned long long value) {
  return value == 0 ? 0.0 : convert<double>(how, value);  // Clang subtracts equal numbers for 0, which is -0 downward
}

}  // namespace yoke::simulator
