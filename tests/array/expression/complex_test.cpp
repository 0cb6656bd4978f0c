// SPDX-License-Identifier: MIT
// Complex elements: operators and functions against the host's long double, types, reductions, scans, conversions, printing.
#include <array/expression/complex_values.hpp>
#include <support/sample.hpp>
#include <yoke/array.hpp>
#include <yoke/fmt.hpp>

#include <complex>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::complex_values;

namespace {

template <class Complex>
std::vector<Complex> random_complex(std::size_t size, double most = 3) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::uniform_real_distribution<double> dice(-most, most);
  using part = typename Complex::value_type;
  std::vector<Complex> values(size);
  for (Complex& each : values) each = {static_cast<part>(dice(engine)), static_cast<part>(dice(engine))};
  return values;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("complex operators and functions against the host", "[array]") {
  any_rig state(device);
  const auto check = [&]<class Complex>(Complex) {
    using part = typename Complex::value_type;
    constexpr std::size_t size = 333;
    const auto x = random_complex<Complex>(size);
    const auto y = random_complex<Complex>(size);
    const auto z = yoke::to_device_array(x, state.stream);
    const auto w = yoke::to_device_array(y, state.stream);
    const auto compare = [&](const auto& expression, std::size_t functions, double bound, const auto& right) {
      const auto found = expression.to_host();
      REQUIRE(found.size() == functions * size);
      for (std::size_t f = 0; f < functions; ++f) {
        double worst = 0;
        for (std::size_t i = 0; i < size; ++i) {
          worst = std::max(worst, off(found[f * size + i], right(f, exact(x[i]), exact(y[i]))));
        }
        INFO("function " << f << " of " << sizeof(part) << " bytes: " << worst);
        CHECK(worst < bound);
      }
    };
    const auto k = yoke::arange<int>(5, state.stream);
    const auto rows = [&](auto count) { return k(yoke::slice(0, count), yoke::newaxis); };
    const Complex i{0, 1};
    const auto r = real(w);
    compare(chosen(rows(4), 0, z + w, z - w, z * w, z / w), 4, 4, [](std::size_t f, exact a, exact b) {
      const exact all[]{a + b, a - b, a * b, a / b};
      return all[f];
    });
    compare(chosen(rows(5), 0, -z, +z, conj(z), z * r, r * z), 5, 4, [](std::size_t f, exact a, exact b) {
      const exact all[]{-a, a, std::conj(a), a * b.real(), a * b.real()};
      return all[f];
    });
    compare(chosen(rows(4), 0, z / r, r / z, i * imag(z), where(r > 0, z, w)), 4, 4,
            [](std::size_t f, exact a, exact b) {
              const long double s = b.real();
              const exact all[]{a / s, s / a, exact(0, a.imag()), s > 0 ? a : b};
              return all[f];
            });
    compare(chosen(rows(5), 0, exp(z), log(z), log10(z), sqrt(z), sin(z)), 5, 16, [](std::size_t f, exact a, exact) {
      const exact all[]{std::exp(a), std::log(a), std::log10(a), std::sqrt(a), std::sin(a)};
      return all[f];
    });
    compare(chosen(rows(5), 0, cos(z), tan(z), sinh(z), cosh(z), tanh(z)), 5, 32, [](std::size_t f, exact a, exact) {
      const exact all[]{std::cos(a), std::tan(a), std::sinh(a), std::cosh(a), std::tanh(a)};
      return all[f];
    });
    compare(chosen(rows(4), 0, pow(z, w), pow(z, 3), pow(z, -2), pow(2, z)), 4, 64,
            [](std::size_t f, exact a, exact b) {
              const exact all[]{std::pow(a, b), a * a * a, exact(1) / (a * a), std::pow(exact(2), a)};
              return all[f];
            });
    // Real results, as the real parts of complex ones.
    const auto reals = chosen(rows(4), 0, real(z), imag(z), abs(z), arg(z));
    static_assert(std::is_same_v<typename decltype(reals)::value_type, part>);
    compare(yoke::cast<Complex>(reals), 4, 8, [](std::size_t f, exact a, exact) {
      const long double all[]{a.real(), a.imag(), std::abs(a), std::arg(a)};
      return exact(all[f]);
    });
    const auto truths = chosen(rows(4), 0, z == w, z != w, z && !z, yoke::cast<bool>(z - z) || w);
    static_assert(std::is_same_v<typename decltype(truths)::value_type, bool>);
    compare(yoke::cast<Complex>(truths), 4, 1, [](std::size_t f, exact a, exact b) {
      const bool all[]{a == b, a != b, false, true};
      return exact(all[f] ? 1 : 0);
    });
  };
  turns turn(device);
  if (turn()) check(single{});
  if (turn()) check(twice{});
}

YOKE_ANY_DEVICE_TEST_CASE("complex numbers promote by their parts", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto z = yoke::to_device_array({single(1, 2), single(3, -4)}, state.stream);
  const auto w = yoke::to_device_array({twice(0.5, 0), twice(0, 1)}, state.stream);
  const auto h = yoke::full(yoke::half(2.0F), {2}, state.stream);
  const auto n = yoke::to_device_array({2, 3}, state.stream);
  static_assert(std::is_same_v<typename decltype(2 * z)::value_type, single>);
  static_assert(std::is_same_v<typename decltype(z * h)::value_type, single>);
  static_assert(std::is_same_v<typename decltype(2.0 * z)::value_type, twice>);
  static_assert(std::is_same_v<typename decltype(z + w)::value_type, twice>);
  static_assert(std::is_same_v<typename decltype(n * single(1))::value_type, single>);
  static_assert(std::is_same_v<typename decltype(pow(n, w))::value_type, twice>);
  static_assert(std::is_same_v<typename decltype(abs(z))::value_type, float>);
  static_assert(std::is_same_v<typename decltype(arg(n))::value_type, double>);
  static_assert(std::is_same_v<typename decltype(real(n))::value_type, int>);
  static_assert(std::is_same_v<typename decltype(z == n)::value_type, bool>);
  CHECK((z * w + n * h).to_host() == std::vector<twice>{{4.5, 1}, {10, 3}});
  CHECK((conj(n) + imag(n) + real(n) + yoke::cast<int>(arg(n))).to_host() == std::vector<int>{4, 6});
  CHECK(arg(-1.0F * n).to_host() == std::vector<float>(2, 3.14159274F));
  auto to = yoke::zeros<twice>({2}, state.stream);
  to = +z;  // widened
  CHECK(to.to_host() == std::vector<twice>{{1, 2}, {3, -4}});
  to = +n;
  to /= single(0, 2);
  CHECK(to.to_host() == std::vector<twice>{{0, -1}, {0, -1.5}});
  CHECK(n.template astype<single>().to_host() == std::vector<single>{2, 3});
  CHECK(w.template astype<single>().to_host() == std::vector<single>{{0.5F, 0}, {0, 1}});
  CHECK(z.template astype<twice>()(yoke::reversed).to_host() == std::vector<twice>{{3, -4}, {1, 2}});
  // Both parts are a view of reals, which can be written.
  auto parts = yoke::to_device_array({single(1, 2), single(3, -4)}, state.stream);
  parts.template as<float>().reshape({2, 2})(yoke::whole, 0) = 7 * h;
  CHECK(parts.to_host() == std::vector<single>{{14, 2}, {14, -4}});
  CHECK(yoke::apply<"yoke_complex_times_f(a, make_float2(b, 1.0f))">(z, 2.0F).to_host() ==
        std::vector<single>{{0, 5}, {10, -5}});
}

YOKE_ANY_DEVICE_TEST_CASE("complex functions at the ends of their range", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<single> x{{3e38F, 3e38F}, {1e-44F, 0},   {0, 0},           {-4, 0},  {-4, -0.0F},
                              {0, -2e38F},    {88.9F, 0.8F}, {-inf, 0.5F},     {100, 0}, {30, 2},
                              {1, 1e-6F},     {2, inf},      {-1e-40F, 1e-40F}};
  const auto z = yoke::to_device_array(x, state.stream);
  const auto k = yoke::arange<int>(6, state.stream);
  const auto found =
      chosen(k(yoke::whole, yoke::newaxis), 0, z / z, sqrt(z), exp(z), log(z), tanh(z), yoke::cast<single>(abs(z)))
          .to_host();
  const auto at = [&](std::size_t f, std::size_t i) { return found[f * x.size() + i]; };
  const auto near = [](single result, twice right, double units = 32) { return off(result, exact(right)) < units; };
  for (const std::size_t i : {0U, 3U, 5U, 6U, 9U}) CHECK(near(at(0, i), 1));
  CHECK(std::isnan(at(0, 2).real()));
  CHECK(near(at(1, 0), std::sqrt(twice(x[0]))));
  CHECK((at(1, 2) == single(0, 0) && at(1, 3) == single(0, 2) && at(1, 4) == single(0, -2)));
  CHECK(std::signbit(at(1, 4).imag()));
  CHECK(near(at(1, 5), std::sqrt(twice(x[5]))));
  CHECK(at(1, 11) == single(inf, inf));
  CHECK(near(at(2, 6), std::exp(twice(x[6])), 128));  // finite, though exp(88.9) is not
  CHECK(at(2, 7) == single(0, 0));
  CHECK((at(2, 8).real() == inf && at(2, 8).imag() == 0));
  CHECK(near(at(3, 0), std::log(twice(x[0]))));
  CHECK(near(at(3, 10), std::log(twice(x[10]))));  // the real part is 5e-13
  CHECK(std::fabs(at(3, 10).real() - 5e-13F) < 1e-18F);
  CHECK(at(4, 9) == single(1, at(4, 9).imag()));
  CHECK(near(at(5, 5), 2e38F));
}

YOKE_ANY_DEVICE_TEST_CASE("reductions and scans of complex numbers", "[array]") {
  any_rig state(device);
  const auto check = [&]<class Complex>(Complex) {
    using part = typename Complex::value_type;
    const auto x = random_complex<Complex>(9000, 1);
    const auto z = yoke::to_device_array(x, state.stream);
    exact sum{};
    long double squares = 0;
    for (const Complex& each : x) {
      sum += exact(each);
      squares += std::norm(exact(each));
    }
    const auto mean = sum / 9000.0L;
    auto [total, middle, size, many, some] = yoke::in_one_pass(
        yoke::pass::sum(z), yoke::pass::mean(z), yoke::pass::norm(z), yoke::pass::count(z - z(0)), yoke::pass::any(z));
    const auto near = [](auto result, exact right, long double size_of) {
      const auto epsilon = static_cast<long double>(std::numeric_limits<part>::epsilon());
      return std::abs(exact(result) - right) < 64 * epsilon * size_of;
    };
    CHECK(near(total.get(), sum, 9000));
    CHECK(near(middle.get(), mean, 1));
    static_assert(std::is_same_v<decltype(size.get()), part>);
    CHECK(near(Complex(size.get()), std::sqrt(squares), std::sqrt(squares)));
    CHECK((many.get() == 8999 && some.get()));
    long double spread = 0;
    for (const Complex& each : x) spread += std::norm(exact(each) - mean);
    CHECK(near(Complex(yoke::variance(z, 1).get()), spread / 8999, 1));
    exact inner{};
    for (std::size_t i = 0; i < x.size(); ++i) inner += std::conj(exact(x[i])) * exact(x[x.size() - 1 - i]);
    CHECK(near(dot(conj(z), z(yoke::reversed)).get(), inner, 9000));
    CHECK(near(vdot(z, z(yoke::reversed)).get(), inner, 9000));
    const auto rows = z.reshape({90, 100});
    CHECK(near(
        yoke::sum(rows, yoke::along(0)).to_host()[99],
        [&] {
          exact column{};
          for (std::size_t i = 99; i < x.size(); i += 100) column += exact(x[i]);
          return column;
        }(),
        90));
    // Numbers of size 1 multiply exactly: i, -1, -i, 1.
    const auto turns = yoke::full(Complex{0, 1}, {5001}, state.stream);
    CHECK(yoke::prod(turns).get() == Complex{0, 1});
    const auto turned = yoke::cumprod(turns).to_host();
    bool right = true;
    for (std::size_t i = 0; i < turned.size(); ++i) {
      const Complex wanted[]{{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
      right = right && turned[i] == wanted[i % 4];
    }
    CHECK(right);
    // Whole numbers add exactly, by segments too.
    auto whole = random_complex<Complex>(5001, 100);
    for (Complex& each : whole) each = {std::trunc(each.real()), std::trunc(each.imag())};
    const auto starts = yoke::arange<int>(5001, state.stream) % 700 == 0;
    const auto sums = yoke::cumsum(yoke::to_device_array(whole, state.stream), yoke::segments(starts)).to_host();
    Complex at{};
    right = true;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      at = i % 700 == 0 ? whole[i] : at + whole[i];
      right = right && sums[i] == at;
    }
    CHECK(right);
  };
  turns turn(device);
  if (turn()) check(twice{});
  if (turn()) check(single{});
}

YOKE_ANY_DEVICE_TEST_CASE("kernels from text take complex numbers as vectors of two", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto z = yoke::to_device_array({single(1, 2), single(3, -4), single(0, 1)}, state.stream);
  auto to = yoke::empty_like(z);
  const yoke::elementwise_kernel<void(single*, const single*, single)> axpy(
      state.context, {"y", "x", "a"}, "y[i] = yoke_complex_times_f(a, x[i]) + make_float2(1.0f, 0.0f)");
  axpy(to, z, single(0, 1));
  CHECK(to.to_host() == std::vector<single>{{-1, 1}, {5, 3}, {0, 0}});
  const yoke::reduction_kernel<single(const single*)> product(
      state.context, {"x"}, {.map = "x[i]", .join = "yoke_complex_times_f(a, b)", .neutral = "1"});
  CHECK(product(z).get() == single(1, 2) * single(3, -4) * single(0, 1));
  const yoke::scan_kernel<single(const single*, single*)> sums(
      state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"});
  sums(z, to);
  CHECK(to.to_host() == std::vector<single>{{1, 2}, {4, -2}, {4, -1}});
}

YOKE_ANY_DEVICE_TEST_CASE("complex numbers are printed as NumPy does", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto a = yoke::to_device_array({single(1, 2), single(3.5F, -1)}, stream);
  CHECK(fmt::format("{}", a) == "[1. +2.j 3.5-1.j]");
  CHECK(fmt::format("{}", yoke::to_device_array({twice(1, 10), twice(-1, -2.25)}, stream)) ==
        "[ 1.+10.j   -1. -2.25j]");
  CHECK(fmt::format("{}", yoke::to_device_array({single(nan, inf), single(0, -inf), single(1, nan)}, stream)) ==
        "[nan+infj  0.-infj  1.+nanj]");
  CHECK(fmt::format("{}", a(0)) == "(1+2j)");
  CHECK(fmt::format("{}", yoke::device_value(stream, twice(0, -2.5))) == "-2.5j");
  CHECK(fmt::format("{}", yoke::device_value(stream, twice(1e20, 0.1))) == "(1e+20+0.1j)");
  CHECK(fmt::format("{:.1f}", a) == "[1.0+2.0j 3.5-1.0j]");
}
