// SPDX-License-Identifier: MIT
// Conversions and bit casts, of scalars and of vectors.
#include <dialect/table.hpp>

#include <tuple>

namespace yoke_test::dialect {

namespace {

template <class T>
std::string opencl_name() {
  const std::string base = sizeof(T) == 1 ? "char" : sizeof(T) == 2 ? "short" : sizeof(T) == 4 ? "int" : "long";
  return std::is_signed_v<T> ? base : "u" + base;
}

/// Returns: a number within T, cut or rounded.
template <class T>
T saturated(long double x, bool nearest) {
  x = nearest ? std::rint(x) : std::trunc(x);
  if (x <= static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (x >= static_cast<long double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}

/// Rows that convert column a, a real in every T's range when halved to be positive: b; and c, a real of any size.
template <class T, class Real>
void add_from_real(evaluation<Real, Real, Real>& rows) {
  const std::string name = "convert_" + opencl_name<T>();
  const std::string small = std::is_signed_v<T> ? "a" : "b";
  const auto pick = [](Real a, Real b) { return static_cast<long double>(std::is_signed_v<T> ? a : b); };
  rows.template add<T>(name + "(" + small + ")", [=](Real a, Real b, Real) { return saturated<T>(pick(a, b), false); });
  rows.template add<T>(name + "_rtz(" + small + ")",
                       [=](Real a, Real b, Real) { return saturated<T>(pick(a, b), false); });
  rows.template add<T>(name + "_rte(" + small + ")",
                       [=](Real a, Real b, Real) { return saturated<T>(pick(a, b), true); });
  const auto any = [](bool nearest) {
    return [nearest](Real, Real, Real c) { return saturated<T>(static_cast<long double>(c), nearest); };
  };
  rows.template add<T>(name + "_sat(c)", any(false));
  rows.template add<T>(name + "_sat_rtz(c)", any(false));
  rows.template add<T>(name + "_sat_rte(c)", any(true));
}
template <class Real>
void add_all_from_real(evaluation<Real, Real, Real>& rows) {
  add_from_real<std::int8_t>(rows);
  add_from_real<std::uint8_t>(rows);
  add_from_real<std::int16_t>(rows);
  add_from_real<std::uint16_t>(rows);
  add_from_real<std::int32_t>(rows);
  add_from_real<std::uint32_t>(rows);
  add_from_real<std::int64_t>(rows);
  add_from_real<std::uint64_t>(rows);
}

template <class T>
void add_from_integers(evaluation<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>& rows) {
  using i = std::int32_t;
  using u = std::uint32_t;
  using l = std::int64_t;
  using v = std::uint64_t;
  const std::string name = "convert_" + opencl_name<T>();
  for (const char* const suffix : {"", "_rte", "_rtz"}) {
    rows.add<T>(name + suffix + "(a)", [](i a, u, l, v) { return static_cast<T>(a); });
    rows.add<T>(name + suffix + "(d)", [](i, u, l, v d) { return static_cast<T>(d); });
  }
  rows.add<T>(name + "(b)", [](i, u b, l, v) { return static_cast<T>(b); });
  rows.add<T>(name + "(c)", [](i, u, l c, v) { return static_cast<T>(c); });
  for (const char* const suffix : {"_sat", "_sat_rte", "_sat_rtz"}) {
    rows.add<T>(name + suffix + "(a)", [](i a, u, l, v) { return saturated<T>(static_cast<long double>(a), false); });
    rows.add<T>(name + suffix + "(c)", [](i, u, l c, v) { return saturated<T>(static_cast<long double>(c), false); });
    rows.add<T>(name + suffix + "(d)", [](i, u, l, v d) { return saturated<T>(static_cast<long double>(d), false); });
  }
  rows.add<T>(name + "_sat(b)", [](i, u b, l, v) { return saturated<T>(static_cast<long double>(b), false); });
}

/// Returns: the real of T's precision next to `x` towards zero.
template <class T>
T towards_zero(long double x) {
  const T nearest = static_cast<T>(x);
  if (std::fabs(static_cast<long double>(nearest)) <= std::fabs(x)) return nearest;
  return std::nextafter(nearest, T(0));
}

template <class T>
void add_to_real(evaluation<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>& rows) {
  using i = std::int32_t;
  using u = std::uint32_t;
  using l = std::int64_t;
  using v = std::uint64_t;
  const std::string name = "convert_" + scalar_name<T>();
  for (const char* const suffix : {"", "_rte"}) {
    rows.add<T>(name + suffix + "(a)", [](i a, u, l, v) { return static_cast<T>(a); });
    rows.add<T>(name + suffix + "(b)", [](i, u b, l, v) { return static_cast<T>(b); });
    rows.add<T>(name + suffix + "(c)", [](i, u, l c, v) { return static_cast<T>(c); });
    rows.add<T>(name + suffix + "(d)", [](i, u, l, v d) { return static_cast<T>(d); });
  }
  rows.add<T>(name + "_rtz(a)", [](i a, u, l, v) { return towards_zero<T>(static_cast<long double>(a)); });
  rows.add<T>(name + "_rtz(b)", [](i, u b, l, v) { return towards_zero<T>(static_cast<long double>(b)); });
  rows.add<T>(name + "_rtz(c)", [](i, u, l c, v) { return towards_zero<T>(static_cast<long double>(c)); });
  rows.add<T>(name + "_rtz(d)", [](i, u, l, v d) { return towards_zero<T>(static_cast<long double>(d)); });
}

const std::vector<std::tuple<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>> whole_numbers{
    {0, 0, 0, 0},
    {-1, 255, -129, 300},
    {127, 4294967295U, 40000, 70000},
    {16777217, 16777219, 9007199254740993, 9007199254740995},
    {-2147483647 - 1, 2147483648U, std::numeric_limits<std::int64_t>::min(), ~std::uint64_t{0}},
    {2147483647, 65536, std::numeric_limits<std::int64_t>::max(), std::uint64_t{1} << 63}};

template <class Real>
std::vector<std::tuple<Real, Real, Real>> real_numbers() {
  const auto of = [](double a, double b, double c) {
    return std::tuple(static_cast<Real>(a), static_cast<Real>(b), static_cast<Real>(c));
  };
  return {of(0.0, 0.0, 0.0),          of(-1.5, 1.5, 1e10),       of(2.5, 2.5, -1e10),    of(-2.5, 0.75, 1e30),
          of(127.0, 254.5, -1e30),    of(-127.75, 3.5, 127.5),   of(0.5, 0.5, -128.5),   of(-0.5, 99.9, 255.5),
          of(1.75, 100.0, 32767.5),   of(63.25, 200.0, -0.75),   of(3.5, 7.0, 65535.25), of(-3.5, 8.5, -65535.25),
          of(7.9, 7.9, 2147483648.0), of(1.0, 1.0, 4294967296.0)};
}

}  // namespace

std::vector<kernel> conversion_kernels() {
  evaluation<float, float, float> singles{"conversions_of_floats", "", real_numbers<float>()};
  add_all_from_real(singles);
  singles.add<std::int32_t>("as_int(a)", [](float a, float, float) { return static_cast<std::int32_t>(word_of(a)); });
  singles.add<std::uint32_t>("as_uint(a)",
                             [](float a, float, float) { return static_cast<std::uint32_t>(word_of(a)); });
  singles.add<float>("as_float(as_uint(a) ^ 0x80000000u)", [](float a, float, float) { return -a; });
  for (const char* const suffix : {"", "_rte", "_rtz"}) {
    singles.add<float>(std::string("convert_float") + suffix + "(a)", [](float a, float, float) { return a; });
  }

  evaluation<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t> wholes{"conversions_of_integers", "",
                                                                              whole_numbers};
  add_from_integers<std::int8_t>(wholes);
  add_from_integers<std::uint8_t>(wholes);
  add_from_integers<std::int16_t>(wholes);
  add_from_integers<std::uint16_t>(wholes);
  add_from_integers<std::int32_t>(wholes);
  add_from_integers<std::uint32_t>(wholes);
  add_from_integers<std::int64_t>(wholes);
  add_from_integers<std::uint64_t>(wholes);
  add_to_real<float>(wholes);
  using i = std::int32_t;
  using u = std::uint32_t;
  using l = std::int64_t;
  using v = std::uint64_t;
  wholes.add<i>("as_int(b)", [](i, u b, l, v) { return static_cast<i>(b); });
  wholes.add<u>("as_uint(a)", [](i a, u, l, v) { return static_cast<u>(a); });
  wholes.add<l>("as_long(d)", [](i, u, l, v d) { return static_cast<l>(d); });
  wholes.add<v>("as_ulong(c)", [](i, u, l c, v) { return static_cast<v>(c); });
  wholes.add<std::int8_t>("as_char((uchar)b)", [](i, u b, l, v) { return static_cast<std::int8_t>(b); });
  wholes.add<std::uint8_t>("as_uchar((yoke_int8)a)", [](i a, u, l, v) { return static_cast<std::uint8_t>(a); });
  wholes.add<std::int16_t>("as_short((ushort)b)", [](i, u b, l, v) { return static_cast<std::int16_t>(b); });
  wholes.add<std::uint16_t>("as_ushort((short)a)", [](i a, u, l, v) { return static_cast<std::uint16_t>(a); });

  evaluation<double, double, double> doubles{"conversions_of_doubles", "FP64", real_numbers<double>()};
  add_all_from_real(doubles);
  doubles.add<float>("convert_float(a * 0.1)", [](double a, double, double) { return static_cast<float>(a * 0.1); });
  doubles.add<float>("convert_float_rte(a * 0.1)",
                     [](double a, double, double) { return static_cast<float>(a * 0.1); });
  doubles.add<float>("convert_float_rtz(a * 0.1)",
                     [](double a, double, double) { return towards_zero<float>(static_cast<long double>(a * 0.1)); });
  doubles.add<double>("convert_double((float)a)",
                      [](double a, double, double) { return static_cast<double>(static_cast<float>(a)); });
  doubles.add<std::int64_t>("as_long(a)",
                            [](double a, double, double) { return static_cast<std::int64_t>(word_of(a)); });
  doubles.add<double>("as_double(as_ulong(a) ^ 0x8000000000000000ul)", [](double a, double, double) { return -a; });
  evaluation<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t> to_doubles{"conversions_to_doubles", "FP64",
                                                                                  whole_numbers};
  add_to_real<double>(to_doubles);

  using f2 = lanes<float, 2>;
  using f4 = lanes<float, 4>;
  using i2 = lanes<std::int32_t, 2>;
  using i4 = lanes<std::int32_t, 4>;
  using u2 = lanes<std::uint32_t, 2>;
  using u4 = lanes<std::uint32_t, 4>;
  evaluation<f2, f4> vectors{
      "conversions_of_vectors",
      "",
      {{f2{{1.5F, 2.75F}}, f4{{0.0F, 3.5F, 100.25F, 7.0F}}}, {f2{{0.25F, 1e6F}}, f4{{9.0F, 8.5F, 7.75F, 1.0F}}}}};
  const auto whole = [](float x) { return static_cast<std::int32_t>(x); };
  const auto natural = [](float x) { return static_cast<std::uint32_t>(x); };
  const auto bits = [](float x) { return static_cast<std::uint32_t>(word_of(x)); };
  const auto signed_bits = [](float x) { return static_cast<std::int32_t>(word_of(x)); };
  const auto same = [](auto x) { return x; };
  vectors.add<i2>("convert_int2(a)", [=](f2 a, f4) { return each_lane<std::int32_t>(whole, a); });
  vectors.add<i4>("convert_int4(b)", [=](f2, f4 b) { return each_lane<std::int32_t>(whole, b); });
  vectors.add<u2>("convert_uint2(a)", [=](f2 a, f4) { return each_lane<std::uint32_t>(natural, a); });
  vectors.add<u4>("convert_uint4(b)", [=](f2, f4 b) { return each_lane<std::uint32_t>(natural, b); });
  vectors.add<f2>("convert_float2(convert_int2(a))",
                  [=](f2 a, f4) { return each_lane([](float x) { return std::trunc(x); }, a); });
  vectors.add<f4>("convert_float4(convert_uint4(b))",
                  [=](f2, f4 b) { return each_lane([](float x) { return std::trunc(x); }, b); });
  vectors.add<i2>("as_int2(a)", [=](f2 a, f4) { return each_lane<std::int32_t>(signed_bits, a); });
  vectors.add<i4>("as_int4(b)", [=](f2, f4 b) { return each_lane<std::int32_t>(signed_bits, b); });
  vectors.add<u2>("as_uint2(a)", [=](f2 a, f4) { return each_lane<std::uint32_t>(bits, a); });
  vectors.add<u4>("as_uint4(b)", [=](f2, f4 b) { return each_lane<std::uint32_t>(bits, b); });
  vectors.add<f2>("as_float2(as_uint2(a))", [=](f2 a, f4) { return each_lane(same, a); });
  vectors.add<f4>("as_float4(as_int4(b))", [=](f2, f4 b) { return each_lane(same, b); });
  using d2 = lanes<double, 2>;
  using d4 = lanes<double, 4>;
  evaluation<f2, f4> wide{
      "conversions_of_double_vectors", "FP64", {{f2{{1.5F, -2.75F}}, f4{{0.0F, 3.5F, -100.25F, 7.0F}}}}};
  wide.add<d2>("convert_double2(a)", [=](f2 a, f4) { return each_lane<double>(same, a); });
  wide.add<d4>("convert_double4(b)", [=](f2, f4 b) { return each_lane<double>(same, b); });
  wide.add<d2>("as_double2(as_uint4(convert_double2(a)))", [=](f2 a, f4) { return each_lane<double>(same, a); });
  wide.add<d4>("as_double4(convert_double4(b))", [=](f2, f4 b) { return each_lane<double>(same, b); });
  return {singles.finish(), wholes.finish(), doubles.finish(), to_doubles.finish(), vectors.finish(), wide.finish()};
}

}  // namespace yoke_test::dialect
