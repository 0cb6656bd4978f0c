// SPDX-License-Identifier: MIT
// The functions of complex numbers, written once for both precisions.
#ifndef YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_IPP
#define YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_IPP

#include <yoke/array/evaluation/complex_functions.hpp>
#include <yoke/core/text.hpp>

#include <cstddef>

namespace yoke::inline v0_1::detail {

/// A function of complex numbers: its result, parameters and body. In these texts `C` is the vector type, `R` the type
/// of its parts, `MAKE` makes a vector from two parts, and `F(name)` calls another of these functions.
struct complex_function {
  const char* name;
  const char* result;
  const char* parameters;
  const char* body;
};

// Each function stands behind the functions that it calls.
inline constexpr complex_function complex_table[] = {
    {"times", "C", "C a, C b", "return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);"},
    {"scaled", "C", "C a, R b", "return MAKE(a.x * b, a.y * b);"},
    {"conj", "C", "C a", "return MAKE(a.x, -a.y);"},
    {"equal", "int", "C a, C b", "return a.x == b.x && a.y == b.y;"},
    {"abs", "R", "C a", "return hypot(a.x, a.y);"},
    {"arg", "R", "C a", "return atan2(a.y, a.x);"},
    // Divides by the greater part, because its square could overflow.
    {"divided", "C", "C a, C b", R"(
  if (fmax(fabs(b.x), fabs(b.y)) > (R)GREAT) {
    a = MAKE(a.x * (R)0.25, a.y * (R)0.25);
    b = MAKE(b.x * (R)0.25, b.y * (R)0.25);
  }
  if (fabs(b.x) >= fabs(b.y)) {
    if (b.x == (R)0) return MAKE(a.x / fabs(b.x), a.y / fabs(b.x));
    R q = b.y / b.x, d = b.x + b.y * q;
    return MAKE((a.x + a.y * q) / d, (a.y - a.x * q) / d);
  }
  R q = b.x / b.y, d = b.y + b.x * q;
  return MAKE((a.x * q + a.y) / d, (a.y * q - a.x) / d);)"},
    {"quotient", "C", "C a, R b", "return MAKE(a.x / b, a.y / b);"},
    // exp(x) may overflow where the result does not: calculates exp(x / 2) and squares it last.
    {"exp", "C", "C a", R"(
  if (a.y == (R)0) return MAKE(exp(a.x), a.y);
  if (a.x < (R)0 && isinf(a.x)) return MAKE((R)0, (R)0);
  R c = cos(a.y), s = sin(a.y);
  if (a.x > (R)GREAT_EXP) {
    R e = exp(a.x * (R)0.5);
    return MAKE(e * c * e, e * s * e);
  }
  R e = exp(a.x);
  return MAKE(e * c, e * s);)"},
    // Near the unit circle log(hypot(x, y)) would lose its digits.
    {"log", "C", "C a", R"(
  R x = fabs(a.x), y = fabs(a.y);
  R most = fmax(x, y), least = fmin(x, y), h = hypot(x, y), size;
  if (h > (R)0.5 && h < (R)2) {
    size = (R)0.5 * log1p((most - (R)1) * (most + (R)1) + least * least);
  } else if (isinf(h) && !isinf(most)) {
    size = log(hypot(x * (R)0.5, y * (R)0.5)) + (R)0.69314718055994530942;
  } else {
    size = log(h);
  }
  return MAKE(size, atan2(a.y, a.x));)"},
    {"log10", "C", "C a",
     "C l = F(log)(a);\n  return MAKE(l.x * (R)0.43429448190325182765, l.y * (R)0.43429448190325182765);"},
    {"sqrt", "C", "C a", R"(
  if (isinf(a.y)) return MAKE(fabs(a.y), a.y);
  R x = a.x, y = a.y, most = fmax(fabs(x), fabs(y)), back = (R)1;
  if (most == (R)0) return MAKE((R)0, y);
  if (most > (R)GREAT) {
    x *= (R)0.25;
    y *= (R)0.25;
    back = (R)2;
  } else if (most < (R)SMALL) {
    x *= (R)UP;
    y *= (R)UP;
    back = (R)DOWN;
  }
  R t = sqrt((fabs(x) + hypot(x, y)) * (R)0.5);
  if (x >= (R)0) return MAKE(t * back, y / (t + t) * back);
  return MAKE(fabs(y) / (t + t) * back, copysign(t, y) * back);)"},
    // As `exp`: multiplies by exp(|x| / 2) twice where exp(|x|) could overflow.
    {"sinh", "C", "C a", R"(
  if (a.y == (R)0) return MAKE(sinh(a.x), a.y);
  R c = cos(a.y), s = sin(a.y);
  if (fabs(a.x) > (R)GREAT_EXP) {
    R e = exp(fabs(a.x) * (R)0.5), h = e * (R)0.5;
    return MAKE(copysign(h, a.x) * c * e, h * s * e);
  }
  return MAKE(sinh(a.x) * c, cosh(a.x) * s);)"},
    {"cosh", "C", "C a", R"(
  if (a.y == (R)0) return MAKE(cosh(a.x), copysign((R)1, a.x) * a.y);
  R c = cos(a.y), s = sin(a.y);
  if (fabs(a.x) > (R)GREAT_EXP) {
    R e = exp(fabs(a.x) * (R)0.5), h = e * (R)0.5;
    return MAKE(h * c * e, copysign(h, a.x) * s * e);
  }
  return MAKE(cosh(a.x) * c, sinh(a.x) * s);)"},
    {"tanh", "C", "C a", R"(
  if (fabs(a.x) > (R)GREAT_TANH) {
    R e = exp((R)-2 * fabs(a.x));
    return MAKE(copysign((R)1, a.x), (R)4 * sin(a.y) * cos(a.y) * e);
  }
  R t = tan(a.y), s = sinh(a.x), b = (R)1 + t * t, d = (R)1 + b * s * s;
  return MAKE(b * sqrt((R)1 + s * s) * s / d, t / d);)"},
    {"sin", "C", "C a", "C h = F(sinh)(MAKE(-a.y, a.x));\n  return MAKE(h.y, -h.x);"},
    {"cos", "C", "C a", "return F(cosh)(MAKE(-a.y, a.x));"},
    {"tan", "C", "C a", "C h = F(tanh)(MAKE(-a.y, a.x));\n  return MAKE(h.y, -h.x);"},
    // The inverse functions and their branch cuts follow W. Kahan, "Branch cuts for complex elementary functions":
    // sums do not cancel, and the sign of zero selects the side of a cut. Where squares would overflow, log(2 z) is
    // exact enough.
    {"log_of_twice", "R", "C a", "return log(hypot(a.x * (R)0.5, a.y * (R)0.5)) + (R)1.38629436111989061883;"},
    {"asin", "C", "C a", R"(
  if (fmax(fabs(a.x), fabs(a.y)) > (R)GREAT_ROOT) return MAKE(atan2(a.x, fabs(a.y)), copysign(F(log_of_twice)(a), a.y));
  C p = F(sqrt)(MAKE((R)1 - a.x, -a.y)), q = F(sqrt)(MAKE((R)1 + a.x, a.y));
  return MAKE(atan2(a.x, p.x * q.x - p.y * q.y), asinh(p.x * q.y - p.y * q.x));)"},
    {"acos", "C", "C a", R"(
  if (fmax(fabs(a.x), fabs(a.y)) > (R)GREAT_ROOT) return MAKE(atan2(fabs(a.y), a.x), copysign(F(log_of_twice)(a), -a.y));
  C p = F(sqrt)(MAKE((R)1 - a.x, -a.y)), q = F(sqrt)(MAKE((R)1 + a.x, a.y));
  return MAKE((R)2 * atan2(p.x, q.x), asinh(q.x * p.y - q.y * p.x));)"},
    {"acosh", "C", "C a", R"(
  if (fmax(fabs(a.x), fabs(a.y)) > (R)GREAT_ROOT) return MAKE(F(log_of_twice)(a), atan2(a.y, a.x));
  C p = F(sqrt)(MAKE(a.x - (R)1, a.y)), q = F(sqrt)(MAKE(a.x + (R)1, a.y));
  return MAKE(asinh(p.x * q.x + p.y * q.y), (R)2 * atan2(p.y, q.x));)"},
    {"asinh", "C", "C a", "C h = F(asin)(MAKE(a.y, -a.x));\n  return MAKE(-h.y, h.x);"},
    {"atanh", "C", "C a", R"(
  R x = fabs(a.x), y = fabs(a.y), most = fmax(x, y), size, angle;
  if (isinf(x) || isinf(y)) {
    size = (R)0;
    angle = (R)1.57079632679489661923;
  } else if (most > (R)GREAT_ROOT) {
    R h = hypot(x * (R)0.5, y * (R)0.5);
    size = x * (R)0.25 / h / h;
    angle = (R)1.57079632679489661923;
  } else if (x == (R)1 && y < (R)SMALL_ROOT) {
    size = (R)0.34657359027997265471 - (R)0.5 * log(y);
    angle = y == (R)0 ? (R)0 : (R)0.78539816339744830962;
  } else {
    R d = (R)1 - x;
    size = (R)0.25 * log1p((R)4 * x / (d * d + y * y));
    angle = (R)0.5 * atan2((R)2 * y, d * ((R)1 + x) - y * y);
  }
  return MAKE(copysign(size, a.x), copysign(angle, a.y));)"},
    {"atan", "C", "C a", "C h = F(atanh)(MAKE(-a.y, a.x));\n  return MAKE(h.y, -h.x);"},
    // Whole exponents multiply, so that pow(z, 2) equals z * z.
    {"pow", "C", "C a, C b", R"(
  if (b.y == (R)0 && b.x == rint(b.x) && fabs(b.x) <= (R)64) {
    C product = MAKE((R)1, (R)0), square = a;
    for (int n = (int)fabs(b.x); n != 0; n >>= 1) {
      if ((n & 1) != 0) product = F(times)(product, square);
      if (n > 1) square = F(times)(square, square);
    }
    return b.x < (R)0 ? F(divided)(MAKE((R)1, (R)0), product) : product;
  }
  if (a.x == (R)0 && a.y == (R)0) {
    R zero = b.x > (R)0 ? (R)0 : (R)0 / a.x;
    return MAKE(zero, zero);
  }
  return F(exp)(F(times)(b, F(log)(a)));)"},
};

struct complex_spelling {
  const char* word;
  const char* single;
  const char* twice;
};
inline constexpr complex_spelling complex_spellings[] = {
    {"C", "float2", "double2"},
    {"R", "float", "double"},
    {"MAKE", "make_float2", "make_double2"},
    {"GREAT_EXP", "88.0f", "709.0"},
    {"GREAT_TANH", "9.5f", "19.0"},
    {"GREAT_ROOT", "1.0e18f", "1.0e153"},
    {"SMALL_ROOT", "1.0e-18f", "1.0e-153"},
    {"GREAT", "8.0e37f", "4.0e307"},
    {"SMALL", "1.0e-30f", "1.0e-290"},
    {"UP", "281474976710656.0f", "324518553658426726783156020576256.0"},
    {"DOWN", "5.9604644775390625e-08f", "5.5511151231257827e-17"}};

/// Returns: a text in which these words are replaced by those of one precision.
std::string complex_text_of(std::string_view of, bool is_double) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string out;
  for (std::size_t at = 0; at < of.size();) {
    if (!is_letter(of[at])) {
      out += of[at++];
      continue;
    }
    const std::size_t begin = at;
    std::size_t end = at;
    while (end < of.size() && is_letter(of[end])) ++end;
    const std::string_view word = of.substr(at, end - at);
    at = end;
    if (word == "F") {  // "F(name)"
      const std::size_t close = of.find(')', at);
      out += text("yoke_complex_", of.substr(at + 1, close - at - 1), is_double ? "_d" : "_f");
      at = close + 1;
      continue;
    }
    std::string_view put = word;
    for (const complex_spelling& each : complex_spellings) {
      if (word == each.word) put = is_double ? each.twice : each.single;
    }
    out += put;
    // Literals become floats, because some devices lack double.
    if (!is_double && word[0] >= '0' && word[0] <= '9' && begin > 0 && of[begin - 1] == '.') out += 'f';
  }
  return out;
}

std::string complex_functions(std::string_view source) {
  std::string out;
  if (source.find("yoke_complex_") == std::string_view::npos) return out;
  for (const bool is_double : {false, true}) {
    for (std::size_t k = std::size(complex_table); k-- > 0;) {
      const complex_function& each = complex_table[k];
      const std::string name = text("yoke_complex_", each.name, is_double ? "_d" : "_f");
      if (source.find(name) == std::string_view::npos && out.find(name) == std::string::npos) continue;
      out = text(complex_text_of(each.result, is_double), " ", name, "(", complex_text_of(each.parameters, is_double),
                 ") {\n  ", complex_text_of(each.body, is_double), "\n}\n") +
            out;
    }
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
