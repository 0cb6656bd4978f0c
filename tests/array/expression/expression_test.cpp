// SPDX-License-Identifier: MIT
// Expressions of arrays: values against the host's double, layouts, aliases, launches and compilations counted.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <complex>
#include <yoke/array/expression/expression_operators.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// Returns: numbers of both signs, of every size near 1, none of them 0.
template <class T>
std::vector<T> random_numbers(std::size_t size, double least, double greatest) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::uniform_real_distribution<double> dice(least, greatest);
  std::vector<T> values(size);
  for (T& each : values) each = static_cast<T>(dice(engine));
  return values;
}

/// Returns: the greatest distance to what `expected` gives for each element, in units of `2^-23` times its size or 1.
template <class T, class Expected>
double worst(const std::vector<T>& result, const Expected& expected) {
  double most = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double right = expected(i);
    const double off = std::fabs(static_cast<double>(result[i]) - right) / std::max(std::fabs(right), 1.0);
    if (!(off <= most)) most = off;  // NaN, too
  }
  return most * 8388608.0;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("2 * a + sin(a) is one launch, which is compiled once", "[array]") {
  rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 255, 257, 100'003}) {
    const auto host = random_numbers<float>(size, -3, 3);
    auto a = yoke::to_device_array(host, state.stream);
    auto b = yoke::full(-1.0F, {size}, state.stream);
    b = 2 * a + sin(a);
    const std::size_t mark = state.driver.calls().size();
    b = 2 * a + sin(a);
    CHECK(state.enqueued(mark) == (size == 0 ? 0 : 1));
    for (const auto& call : state.driver.calls(mark)) {
      for (const char* compiles : {"program", "module_load", "library_load"}) {
        CHECK(call.find(compiles) == std::string::npos);
      }
    }
    CHECK(worst(b.to_host(), [&](std::size_t i) { return 2.0 * host[i] + std::sin(double{host[i]}); }) < 8);
    b = yoke::device_array(3 * a) - 2 * a;  // a temporary array lives until it is read
    CHECK(worst(b.to_host(), [&](std::size_t i) { return double{host[i]}; }) < 8);
  }
}

YOKE_DEVICE_TEST_CASE("an expression does nothing until it is assigned", "[array]") {
  rig state(device);
  auto a = yoke::to_device_array({1.0F, 2.0F}, state.stream);
  const std::size_t mark = state.driver.calls().size();
  const auto later = a * a + 1;
  CHECK(later.shape() == yoke::shape{2});
  CHECK(state.enqueued(mark) == 0);
  a = a + 1;
  CHECK(later.to_host() == std::vector<float>{5, 10});
  const yoke::device_array<float, 1, port> made(later);
  CHECK(made.to_host() == std::vector<float>{5, 10});
  CHECK(yoke::evaluate(later).to_host() == std::vector<float>{5, 10});
  CHECK(yoke::device_array(later).shape() == yoke::shape{2});
}

YOKE_ANY_DEVICE_TEST_CASE("numbers promote as in C++", "[array]") {
  any_rig state(device);
  const auto check = [&]<class L, class R>(L, R) {
    const auto left = yoke::to_device_array({static_cast<L>(7), static_cast<L>(3)}, state.stream);
    const auto right = yoke::to_device_array({static_cast<R>(2), static_cast<R>(5)}, state.stream);
    const auto e = left * right - left / right;
    using type = decltype(L{} * R{} - L{} / R{});
    static_assert(std::is_same_v<typename decltype(e)::value_type, type>);
    const auto one = static_cast<type>(L(7) * R(2) - L(7) / R(2));
    const auto two = static_cast<type>(L(3) * R(5) - L(3) / R(5));
    const auto result = e.to_host();
    CHECK(std::fabs(static_cast<double>(result[0] - one)) <= 1e-6);
    CHECK(std::fabs(static_cast<double>(result[1] - two)) <= 1e-6);
  };
  turns turn(device);
  if (turn()) check(float{}, int{});
  if (turn()) check(std::int8_t{}, std::uint8_t{});
  if (turn()) check(std::uint16_t{}, std::int64_t{});
  if (turn()) check(std::uint32_t{}, int{});
  if (turn()) check(double{}, std::uint64_t{});
  if (turn()) check(long{}, float{});
  const auto i = yoke::to_device_array({1, 4}, state.stream);
  const auto f = yoke::to_device_array({1.0F, 4.0F}, state.stream);
  static_assert(std::is_same_v<typename decltype(sqrt(i))::value_type, double>);
  static_assert(std::is_same_v<typename decltype(pow(f, 2))::value_type, float>);
  static_assert(std::is_same_v<typename decltype(f < i)::value_type, bool>);
  static_assert(std::is_same_v<typename decltype(2.0 * f)::value_type, double>);
  if (turn()) CHECK(sqrt(i).to_host() == std::vector<double>{1, 2});
  if (turn()) CHECK(pow(f, 2).to_host() == std::vector<float>{1, 16});
  if (turn()) CHECK((i / 2).to_host() == std::vector<int>{0, 2});
}

YOKE_ANY_DEVICE_TEST_CASE("operators of integers", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto x = random_values<int>(1001);
  auto y = random_values<int>(1001);
  for (int& each : y) each = each == 0 ? 1 : each;
  const auto a = yoke::to_device_array(x, state.stream);
  const auto b = yoke::to_device_array(y, state.stream);
  const auto k = yoke::arange<int>(4, state.stream);
  // The expressions of a kernel, which reads 16 arrays at most, and what they have to give.
  const auto compare = [&](auto expected, const auto&... expressions) {
    constexpr std::size_t count = sizeof...(expressions);
    static_assert(count == std::tuple_size_v<decltype(expected(1, 1))>);
    const auto found = chosen(k(yoke::slice(0, count), yoke::newaxis), 0, yoke::cast<int>(expressions)...).to_host();
    REQUIRE(found.size() == count * x.size());
    for (std::size_t of = 0; of < count; ++of) {
      bool right = true;
      for (std::size_t i = 0; i < x.size(); ++i) {
        right = right && found[of * x.size() + i] == static_cast<int>(expected(x[i], y[i])[of]);
      }
      INFO("expression " << of << " of the " << count << " that begin with " << expected(7, 3)[0]);
      CHECK(right);
    }
  };
  compare(
      [](int p, int q) {
        return std::array{p % q, (p & q) | (p ^ 5), ~p + -q, (std::abs(p) << 3) >> (q & 7)};
      },
      a % b, (a & b) | (a ^ 5), ~a + -b, (abs(a) << 3) >> (b & 7));
  compare(
      [](int p, int q) {
        return std::array{int{p < q && q != 3}, int{p >= q || p == 0}, (p <= q) + (p > q) + (p == q)};
      },
      a < b && b != 3, a >= b || !a, (a <= b) + (a > b) + (a == b));
  compare(
      [](int p, int q) {
        return std::array{p > 0 ? p : q, std::min(p, q) - std::max(p, 2), p < -3 ? -3 : (q * q < p ? q * q : p),
                          static_cast<std::int8_t>(p) + 1};
      },
      where(a > 0, a, b), min(a, b) - max(a, 2), clamp(a, -3, b * b), yoke::cast<std::int8_t>(a) + yoke::cast<bool>(b));
}

YOKE_ANY_DEVICE_TEST_CASE("mathematical functions against the host's double", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto x = random_numbers<float>(777, 0.1, 0.9);
  const auto y = random_numbers<float>(777, -2, 2);
  const auto a = yoke::to_device_array(x, state.stream);
  const auto b = yoke::to_device_array(y, state.stream);
  const auto k = yoke::arange<int>(7, state.stream);
  // The functions of a kernel, which reads 16 arrays at most, what they have to give, and how far they may be off.
  const auto compare = [&](double bound, auto expected, const auto&... functions) {
    constexpr std::size_t count = sizeof...(functions);
    static_assert((std::is_same_v<typename std::remove_cvref_t<decltype(functions)>::value_type, float> && ...));
    static_assert(count == std::tuple_size_v<decltype(expected(0.0, 0.0))>);
    const auto found = chosen(k(yoke::slice(0, count), yoke::newaxis), 0, functions...).to_host();
    REQUIRE(found.size() == count * x.size());
    for (std::size_t of = 0; of < count; ++of) {
      const std::vector<float> row(found.begin() + static_cast<std::ptrdiff_t>(of * x.size()),
                                   found.begin() + static_cast<std::ptrdiff_t>((of + 1) * x.size()));
      INFO("function " << of << " of the " << count << " that begin with " << expected(0.5, 0.5)[0]);
      CHECK(worst(row, [&](std::size_t i) { return expected(double{x[i]}, double{y[i]})[of]; }) <= bound);
    }
  };
  compare(
      32,
      [](double p, double) {
        return std::array{std::sin(p),  std::cos(p),  std::tan(p), std::asin(p),
                          std::acos(p), std::atan(p), std::cbrt(p)};
      },
      sin(a), cos(a), tan(a), asin(a), acos(a), atan(a), cbrt(a));
  compare(
      32,
      [](double p, double) {
        return std::array{std::sinh(p),
                          std::cosh(p),
                          std::tanh(p),
                          std::asinh(p),
                          std::atanh(p),
                          std::expm1(p),
                          std::acosh(double(float(p) + 1))};
      },
      sinh(a), cosh(a), tanh(a), asinh(a), atanh(a), expm1(a), acosh(a + 1));
  compare(
      32,
      [](double p, double) {
        return std::array{std::exp(p),  std::exp2(p),  std::pow(10.0, p), std::log(p),
                          std::log2(p), std::log10(p), std::log1p(p)};
      },
      exp(a), exp2(a), exp10(a), log(a), log2(a), log10(a), log1p(a));
  compare(
      32,
      [](double, double q) {
        return std::array{std::sin(std::numbers::pi * q), std::cos(std::numbers::pi * q)};
      },
      sinpi(b), cospi(b));
  compare(
      32,
      [](double p, double) {
        return std::array{std::sqrt(p),   1 / std::sqrt(p),      std::erf(p),          std::erfc(p),
                          std::tgamma(p), p * 57.29577951308232, p / 57.29577951308232};
      },
      sqrt(a), rsqrt(a), erf(a), erfc(a), tgamma(a), degrees(a), radians(a));
  compare(
      32,
      [](double p, double q) {
        return std::array{std::pow(p, q), std::atan2(p, q), std::hypot(p, q), std::fmod(q, p), std::fdim(p, q)};
      },
      pow(a, b), atan2(a, b), hypot(a, b), fmod(b, a), fdim(a, b));
  compare(
      32,
      [](double p, double q) {
        return std::array{std::atan2(p, q) / std::numbers::pi, std::remainder(q, p)};
      },
      atan2pi(a, b), remainder(b, a));
  compare(
      64, [](double p, double) { return std::array{std::lgamma(p)}; }, lgamma(a));
  compare(
      4,
      [](double p, double q) {
        return std::array{std::fma(p, q, 2), std::fmin(p, q) + 2 * p};
      },
      fma(a, b, 2), fmin(a, b) + 2 * fmax(a, 0));
  compare(
      0,
      [](double p, double q) {
        return std::array{std::floor(q) + std::ceil(q), std::trunc(q) + std::round(q) + std::rint(q), 0.0,
                          std::copysign(p, q), static_cast<double>(std::nextafter(float(p), 1.0F))};
      },
      floor(b) + ceil(b), trunc(b) + round(b) + rint(b), fabs(b) - abs(b), copysign(a, b), nextafter(a, 1));
  CHECK(worst(exp(yoke::cast<double>(a)).to_host(), [&](std::size_t i) { return std::exp(double{x[i]}); }) < 1e-6);
  const float infinite = std::numeric_limits<float>::infinity();
  const auto odd = yoke::to_device_array({1.0F, infinite, std::nanf("")}, state.stream);
  CHECK((isnan(odd) + 2 * isinf(odd) + 4 * isfinite(odd)).to_host() == std::vector<int>{4, 2, 1});
}

YOKE_ANY_DEVICE_TEST_CASE("numbers are taken into fraction, exponent and whole part, and put together", "[array]") {
  any_rig state(device);
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> host{0.0F, -0.0F, 1.0F, -3.75F, 6e30F, 1e-30F, infinite, -infinite, std::nanf("")};
  const auto a = yoke::to_device_array(host, state.stream);
  const auto bits = [](const std::vector<float>& of) {
    std::vector<std::uint32_t> made;
    for (const float each : of) made.push_back(each != each ? 0x7fc00000U : std::bit_cast<std::uint32_t>(each));
    return made;
  };
  std::vector<float> fractions;
  std::vector<float> rests;
  std::vector<float> wholes;
  std::vector<float> powers;
  std::vector<std::int32_t> exponents;
  std::vector<std::int32_t> logarithms;
  for (const float each : host) {
    int exponent = 0;
    float whole = 0;
    fractions.push_back(std::frexp(each, &exponent));
    exponents.push_back(std::isfinite(each) ? exponent : 0);
    rests.push_back(std::modf(each, &whole));
    wholes.push_back(whole);
    powers.push_back(std::logb(each));
    logarithms.push_back(each == 0 || each != each ? std::numeric_limits<std::int32_t>::min()
                         : std::isinf(each)        ? std::numeric_limits<std::int32_t>::max()
                                                   : std::ilogb(each));
  }
  const auto [fraction, exponent] = yoke::frexp(a);
  CHECK(bits(fraction.to_host()) == bits(fractions));
  CHECK(exponent.to_host() == exponents);
  const auto [rest, whole] = yoke::modf(a);
  CHECK(bits(rest.to_host()) == bits(rests));
  CHECK(bits(whole.to_host()) == bits(wholes));
  CHECK(bits(logb(a).to_host()) == bits(powers));
  CHECK(ilogb(a).to_host() == logarithms);
  CHECK(bits(ldexp(fraction, exponent).to_host()) == bits(host));
  // By numbers of several types, also out of the range of the exponent.
  const auto small = yoke::to_device_array(std::vector<std::int8_t>{1, -1, 100}, state.stream);
  const auto b = yoke::to_device_array({0.5F, 3.0F, 1.0F}, state.stream);
  CHECK(ldexp(b, small).to_host() == std::vector<float>{1, 1.5F, std::ldexp(1.0F, 100)});
  CHECK(ldexp(b, 200).to_host() == std::vector<float>(3, infinite));
  CHECK(ldexp(yoke::to_device_array({3, 4}, state.stream), 2).to_host() == std::vector<double>{12, 16});
  const auto [part, power] = yoke::frexp(yoke::to_device_array({12, -1}, state.stream));
  CHECK(part.to_host() == std::vector<double>{0.75, -0.5});
  CHECK((power + 1).to_host() == std::vector<int>{5, 2});
  CHECK(yoke::modf(2.0F * b).fraction.to_host() == std::vector<float>{0, 0, 0});
}

YOKE_ANY_DEVICE_TEST_CASE("expressions broadcast, and go over strides, reversals and F order", "[array]") {
  if (!takes(device, "opencl")) return;
  counting_rig state(device);
  const auto host = counting<int>(24, 0);
  const auto a = yoke::to_device_array(host, {2, 3, 4}, state.stream);
  const auto row = yoke::to_device_array({10, 20, 30, 40}, state.stream);
  const auto column = yoke::to_device_array({100, 200, 300}, state.stream);
  const auto f = yoke::to_device_array(host, {2, 3, 4}, state.stream, yoke::array_order::f);
  const auto scalar = yoke::full(1000, yoke::shape<0>{}, state.stream);
  const auto e = a + row + column(yoke::whole, yoke::newaxis) - 2 * f + scalar;
  CHECK(e.shape() == yoke::shape{2, 3, 4});
  std::vector<int> expected;
  for (int i = 0; i < 24; ++i) expected.push_back(-i + 10 * (i % 4 + 1) + 100 * (i / 4 % 3 + 1) + 1000);
  CHECK(e.to_host() == expected);
  auto to_f = yoke::zeros<int>({2, 3, 4}, state.stream, yoke::array_order::f);
  to_f = e;
  CHECK(to_f.to_host() == expected);
  // Two parts of one array, backwards and with a step; what is between keeps its value.
  auto to = yoke::full(-1, {2, 3, 9}, state.stream);
  const std::size_t mark = state.mark();
  to(yoke::whole, yoke::reversed, yoke::slice(7, yoke::none, -2)) =
      a(yoke::whole, yoke::reversed, yoke::whole) * 2 + a(yoke::whole, yoke::reversed, yoke::whole);
  CHECK(state.enqueued(mark) == 1);
  const auto back = to.to_host();
  bool right = true;
  for (int i = 0; i < 54; ++i) {
    const int column_of = i % 9;
    const int source = i / 9 * 4 + (7 - column_of) / 2;
    right = right && back[static_cast<std::size_t>(i)] == (column_of % 2 == 1 ? 3 * source : -1);
  }
  CHECK(right);
  to.fill(0);
  to = row(3) + scalar;  // one value everywhere
  CHECK(to.to_host() == std::vector<int>(54, 1040));
}

YOKE_ANY_DEVICE_TEST_CASE("expressions are transposed as arrays are", "[array]") {
  any_rig state(device);
  const auto a = yoke::to_device_array(counting<int>(24, 0), {2, 3, 4}, state.stream);
  const auto row = yoke::to_device_array({10, 20, 30, 40}, state.stream);
  const auto column = yoke::to_device_array({{100}, {200}, {300}}, state.stream);
  // Operands of fewer axes, numbers, values of the device and a part of fewer axes.
  const auto e = a * 2 + (row - column) * 3 + yoke::sum(row).array() - 7;
  const yoke::device_array<int, 3> whole = yoke::cast<int>(e);
  CHECK(yoke::cast<int>(e).transpose().shape() == yoke::shape{4, 3, 2});
  CHECK(yoke::cast<int>(e).transpose().to_host() == whole.transpose().to_host());
  CHECK(yoke::cast<int>(e.transpose({1, -1, 0})).to_host() == whole.transpose({1, 2, 0}).to_host());
  CHECK(yoke::cast<int>(e).transpose({2, 0, 1}).transpose({1, 2, 0}).to_host() == whole.to_host());
  CHECK((row * 2).transpose().to_host() == (2 * row).to_host());
  CHECK((row(3) + 1).transpose().value() == 41);
  // As an operand, and for what reads expressions.
  auto square = a(0, yoke::whole, yoke::slice(0, 3)).copy();
  square += (square * 2).transpose();
  CHECK(square.to_host() == std::vector<int>{0, 9, 18, 6, 15, 24, 12, 21, 30});
  CHECK(yoke::sum((a + row).transpose(), yoke::along(0, 1)).to_host() == std::vector<std::int64_t>{366, 510});
  CHECK_THROWS_AS((a + row).transpose({0, 1, 1}), yoke::logic_error);
  CHECK_THROWS_AS((a + row).transpose({0, 1, 3}), yoke::logic_error);
  CHECK_THROWS_AS((a + column(yoke::slice(0, 2))).transpose().shape(), yoke::logic_error);
  const yoke::device_array<int, 2> none;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)(2 * none).transpose(); }),
             Catch::Matchers::ContainsSubstring("an array of the expression is empty (moved from or never set)"));
}

YOKE_ANY_DEVICE_TEST_CASE("an expression of every rank and small size, against a model", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  static std::mt19937_64 engine{std::random_device{}()};
  const auto dice_of = [&](int most) { return static_cast<std::size_t>(engine() % static_cast<unsigned>(most)); };
  for (int turn = 0; turn < 40; ++turn) {
    const std::size_t x = 1 + dice_of(4);
    const std::size_t y = dice_of(9) == 0 ? 0 : 1 + dice_of(5);
    const std::size_t z = 1 + dice_of(6);
    const auto host = random_values<int>(x * y * z * 4);
    const auto memory = yoke::to_device_array(host, {x, 2 * y, 2 * z}, state.stream);
    const auto on = [&](std::size_t i, std::size_t j, std::size_t k) { return host[(i * 2 * y + j) * 2 * z + k]; };
    const auto order = turn % 2 == 0 ? yoke::array_order::c : yoke::array_order::f;
    yoke::device_array<int, 3> result(state.stream, {x, y, z}, order);
    result = memory(yoke::whole, yoke::slice(0, yoke::none, 2), yoke::slice(yoke::none, yoke::none, -2)) -
             3 * memory(yoke::slice(0, 1), yoke::slice(0, static_cast<std::ptrdiff_t>(y)), yoke::slice(1, 2));
    std::vector<int> expected;
    for (std::size_t i = 0; i < x; ++i) {
      for (std::size_t j = 0; j < y; ++j) {
        for (std::size_t k = 0; k < z; ++k) expected.push_back(on(i, 2 * j, 2 * z - 1 - 2 * k) - 3 * on(0, j, 1));
      }
    }
    CHECK(result.to_host() == expected);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("an array on both sides", "[array]") {
  if (!takes(device, "opencl")) return;
  counting_rig state(device);
  const auto host = random_values<int>(5000);
  auto a = yoke::to_device_array(host, state.stream);
  a = a + a;
  const std::size_t mark = state.mark();
  a = a * a - a;  // each element is read before it is written: no temporary
  CHECK(state.enqueued(mark) == 1);
  a = yoke::to_device_array(host, state.stream);
  a = a + a(yoke::reversed);
  auto result = a.to_host();
  bool right = true;
  for (std::size_t i = 0; i < 5000; ++i) right = right && result[i] == host[i] + host[4999 - i];
  CHECK(right);
  a = yoke::to_device_array(host, state.stream);
  a(yoke::slice(1, yoke::none)) = a(yoke::slice(0, -1)) + 1;
  result = a.to_host();
  right = result[0] == host[0];
  for (std::size_t i = 1; i < 5000; ++i) right = right && result[i] == host[i - 1] + 1;
  CHECK(right);
  // Bytes of another type: also a temporary.
  auto b = yoke::to_device_array({1, 2, 3, 4}, state.stream);
  b.template as<std::int16_t>()(yoke::slice(0, 4)).assign(b + 1);
  CHECK(b.template as<std::int16_t>().to_host() == std::vector<std::int16_t>{2, 3, 4, 5, 3, 0, 4, 0});
}

YOKE_ANY_DEVICE_TEST_CASE("a temporary is made exactly where elements of both sides share bytes", "[array]") {
  counting_rig state(device);
  constexpr std::ptrdiff_t n = 5000;
  const auto counted = yoke::arange<int>(2 * n, state.stream);
  auto a = counted.copy();
  const auto kernels = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    const auto source = a(yoke::slice(from, from + n));
    auto destination = a(yoke::slice(to, to + n));
    destination = source + 1;  // compiles
    a.assign(counted);
    const std::size_t mark = state.mark();
    destination = source + 1;
    const std::size_t enqueued = state.enqueued(mark);
    auto expected = counting<int>(2 * n, 0);
    for (std::ptrdiff_t i = 0; i < n; ++i) expected[static_cast<std::size_t>(to + i)] = static_cast<int>(from + i) + 1;
    CHECK(a.to_host() == expected);
    return enqueued;
  };
  CHECK(kernels(0, n) == 1);
  CHECK(kernels(n, 0) == 1);
  CHECK(kernels(5, 5) == 1);
  CHECK(kernels(0, n - 1) == 2);  // one element is on both sides
  CHECK(kernels(n - 1, 0) == 2);
  // Equal offsets and strides in elements, of another size.
  auto x = yoke::arange<std::int32_t>(n, state.stream);
  auto bytes = x.template as<std::uint8_t>()(yoke::slice(0, n));
  const auto before = bytes.to_host();
  x = bytes + 0;
  CHECK(x.to_host() == std::vector<std::int32_t>(before.begin(), before.end()));
}

YOKE_ANY_DEVICE_TEST_CASE("an array that occurs twice has one kernel, two arrays another", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto a = yoke::to_device_array({1.0F, 2.0F, 4.0F}, state.stream);
  const auto b = yoke::to_device_array({10.0F, 20.0F, 40.0F}, state.stream);
  using list = std::vector<float>;
  CHECK((a * 2 + a).to_host() == list{3, 6, 12});
  CHECK((a * 2 + b).to_host() == list{12, 24, 48});
  CHECK((a * 2 + a).to_host() == list{3, 6, 12});
  CHECK((a + b - a).to_host() == list{10, 20, 40});
  CHECK((a + b - b).to_host() == list{1, 2, 4});
  CHECK((a + a - b).to_host() == list{-8, -16, -32});
  CHECK((a + b - a(yoke::reversed)).to_host() == list{7, 20, 43});
  CHECK(yoke::sum(a * 2 + a).get() == 21);
  CHECK(yoke::sum(a * 2 + b).get() == 84);
  CHECK(yoke::cumsum(a * 2 + a).to_host() == list{3, 9, 21});
  CHECK(yoke::cumsum(a * 2 + b).to_host() == list{12, 36, 84});
  // The same memory as elements of another type is read by itself.
  const auto bits = a.template as<std::int32_t>();
  CHECK(((bits >> 23) + a).to_host() == list{128, 130, 133});
  CHECK((a + (bits >> 23)).to_host() == list{128, 130, 133});
  CHECK(yoke::sum(a + (bits >> 23)).get() == 391);
}

YOKE_ANY_DEVICE_TEST_CASE("compound assignment", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  auto a = yoke::to_device_array({1, 2, 3, 4}, state.stream);
  a += 1;
  a *= a;
  a -= yoke::to_device_array({1, 1, 1, 1}, state.stream);
  a(yoke::slice(2, yoke::none)) /= 2;
  CHECK(a.to_host() == std::vector<int>{3, 8, 7, 12});
  ((a %= 5) <<= 2) |= 1;
  CHECK(a.to_host() == std::vector<int>{13, 13, 9, 9});
  a &= 12;
  a ^= 1;
  a >>= 1;
  CHECK(a.to_host() == std::vector<int>{6, 6, 4, 4});
}

YOKE_ANY_DEVICE_TEST_CASE("half, bfloat16, bool and members of structs", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  struct cell {
    int kind;
    float mass;
    char name[4];
  };
  const std::vector<cell> cells{{1, 2.5F, "a"}, {2, 3.5F, "b"}, {3, 4.5F, "c"}};
  auto c = yoke::to_device_array(cells, state.stream);
  c.template member<&cell::mass>() *= 2 * c.template member<&cell::kind>();
  const auto back = c.to_host();
  CHECK((back[0].mass == 5 && back[2].mass == 27 && back[1].kind == 2 && back[1].name[0] == 'b'));
  auto h = yoke::full(yoke::half(1.5F), {5}, state.stream);
  auto b = yoke::full(yoke::bfloat16(2.0F), {5}, state.stream);
  static_assert(std::is_same_v<typename decltype(h * b)::value_type, float>);
  CHECK((h * b + yoke::half(0.5F)).to_host() == std::vector<float>(5, 3.5F));
  h = h * b;
  b = 2 * h;
  CHECK(static_cast<float>(h.to_host()[4]) == 3.0F);
  CHECK(static_cast<float>(b.to_host()[4]) == 6.0F);
  yoke::device_array<bool, 1> flags(h > 2);
  CHECK((!flags + 2 * flags + true).to_host() == std::vector<int>(5, 3));
  CHECK(where(flags, h, 0).to_host() == std::vector<float>(5, 3.0F));
}

YOKE_DEVICE_TEST_CASE("what expressions refuse", "[array]") {
  rig state(device);
  auto a = yoke::zeros<float>({3, 4}, state.stream);
  const auto b = yoke::zeros<float>({3, 5}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { a = a + b; }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (3, 4) with (3, 5): axis 1"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { a = 2 * b; }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (3, 5) to (3, 4): axis 1"));
  auto row = yoke::zeros<float>({1, 4}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { row = 2 * a; }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (3, 4) to (1, 4): axis 0"));
  yoke::device_array<float, 2, port> none;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { none = 2 * a; }),
             Catch::Matchers::ContainsSubstring("this device array is empty"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { a = 2 * none; }),
             Catch::Matchers::ContainsSubstring("an array of the expression is empty (moved from or never set)"));
  const context other(state.device);
  if (!(other.native_handle() == state.context.native_handle())) {
    const typename backend::stream there(other);
    const auto far = yoke::zeros<float>({3, 4}, there);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { a = a + far; }),
               Catch::Matchers::ContainsSubstring("operand"));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("refused assignments and reductions name the program's line", "[array]") {
  any_rig state(device);
  auto a = yoke::zeros<float>({3, 4}, state.stream);
  const auto other = yoke::zeros<float>({3, 5}, state.stream);
  const yoke::device_array<float, 2> none;
  const auto here = [&](const char* message, const auto& what) {
    try {
      what();
      FAIL("nothing was thrown for: " << message);
    } catch (const yoke::logic_error& e) {
      CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring(message));
      CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring("expression_test.cpp:"));
    }
  };
  here("cannot broadcast", [&] { a = a + other; });
  here("an array of the expression is empty", [&] { a = a + none; });
  here("an array of the expression is empty", [&] { a = -yoke::device_array<float, 2>(); });
  here("an array of the expression is empty", [&] { a.view() = a + none; });
  here("an array of the expression is empty", [&] { (void)yoke::evaluate(none + 1); });
  here("an array of the expression is empty", [&] { (void)yoke::sum(none * 2); });
  here("cannot broadcast", [&] { a.view() = other; });
  here("cannot broadcast", [&] { a(0) = yoke::arange<float>(5, state.stream); });
  here("cannot broadcast", [&] { (void)yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::max(other)); });
  here("the least of no elements", [&] {
    const auto nothing = yoke::zeros<float>({0}, state.stream);
    (void)yoke::in_one_pass(yoke::along(0), yoke::pass::sum(nothing), yoke::pass::min(nothing));
  });
  // Others have no place, rather than one in the library.
  const auto without = [&](const auto& what) {
    try {
      what();
      FAIL("nothing was thrown");
    } catch (const yoke::logic_error& e) {
      CHECK_THAT(e.what(), !Catch::Matchers::ContainsSubstring("yoke/array/"));
    }
  };
  without([&] { a += other; });
  without([&] { a.view() *= none; });
  without([&] { a.view() = yoke::zeros<float>({3, 5}, state.stream).view(); });
}

YOKE_ANY_DEVICE_TEST_CASE("arrays of another type are converted by their assignment", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  const auto whole = yoke::to_device_array({-2, 0, 3}, stream);
  const auto real = yoke::to_device_array({-1.5F, 0.0F, 0.25F}, stream);
  auto twice = yoke::zeros<double>({2, 3}, stream);
  twice.assign(real);  // broadcast
  twice(1) = whole;
  CHECK(twice.to_host() == std::vector<double>{-1.5, 0, 0.25, -2, 0, 3});
  auto small = yoke::zeros<std::int8_t>({3}, stream);
  small.view() = yoke::cast<int>(real(yoke::reversed));
  CHECK(small.to_host() == std::vector<std::int8_t>{0, 0, -1});
  auto truth = yoke::zeros<bool>({3}, stream);
  truth.assign(real != 0);
  CHECK(yoke::cast<int>(truth).to_host() == std::vector<int>{1, 0, 1});
  auto h = yoke::zeros<yoke::half>({3}, stream);
  h.assign(whole);
  auto back = yoke::zeros<float>({3}, stream);
  back.view() = h;
  CHECK(back.to_host() == std::vector<float>{-2, 0, 3});
  auto z = yoke::zeros<std::complex<float>>({3}, stream);
  z.assign(whole);
  CHECK(z(2).value() == std::complex<float>(3, 0));
  // The same memory as other elements: through a temporary.
  auto bits = yoke::arange<int>(4, stream);
  bits.as<float>() = bits;
  CHECK(bits.as<float>().to_host() == std::vector<float>{0, 1, 2, 3});
}

YOKE_ANY_DEVICE_TEST_CASE("where chooses by numbers of every type", "[array]") {
  any_rig state(device);
  const auto yes = yoke::to_device_array({1, 2, 3, 4}, state.stream);
  const auto choose = [&]<class T>(std::type_identity<T>) {
    // 0.25 is no integer but 0.
    const T few = std::is_integral_v<T> ? T(3) : T(0.25F);
    const auto c = yoke::to_device_array(std::vector<T>{T(0), few, T(1), T(0)}, state.stream);
    CHECK(where(c, yes, -yes).to_host() == std::vector<int>{-1, 2, 3, -4});
    CHECK(where(c, 1.0F, yes).to_host() == std::vector<float>{1, 1, 1, 4});
    CHECK(where(!c, 1, 0).to_host() == std::vector<int>{1, 0, 0, 1});
    CHECK(where(c && yes, yes, 0).to_host() == std::vector<int>{0, 2, 3, 0});
    CHECK(where(yes > 1, c, few).to_host().size() == 4);
    CHECK(where(0.5F, c, few).to_host().size() == 4);
  };
  choose(std::type_identity<float>());
  choose(std::type_identity<double>());
  choose(std::type_identity<std::int8_t>());
  choose(std::type_identity<std::uint64_t>());
  const auto halves = yoke::to_device_array(std::vector<yoke::half>{yoke::half(0.25F), yoke::half(0.0F)}, state.stream);
  CHECK(where(halves, 1, 2).to_host() == std::vector<int>{1, 2});
  const auto complex = yoke::to_device_array(std::vector<std::complex<float>>{{0, 0.25F}, {0, 0}}, state.stream);
  CHECK(where(complex, 1.0F, 2.0F).to_host() == std::vector<float>{1, 2});
  CHECK(where(complex, complex, 2.0F).to_host()[0] == std::complex<float>(0, 0.25F));
}
