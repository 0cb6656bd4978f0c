// SPDX-License-Identifier: MIT
// Products of each type beside OpenBLAS's of doubles; solutions, eigenvalues and singular values beside LAPACK's.
#include <linalg/factor_rig.hpp>
#include <linalg/peers.hpp>
#include <support/sample.hpp>
#include <yoke/sparse.hpp>

#include <algorithm>
#include <type_traits>

using namespace yoke_test;
using namespace yoke_test::factors;
using yoke_test::peers::lapack;
using yoke_test::peers::openblas;

namespace {

struct own_rig : factor_rig {
  explicit own_rig(const yoke::device<>& on) : factor_rig(on) { yoke::use_linalg(context, {.libraries = "own"}); }
};

/// Returns: numbers between -1 and 1, or from 0 to 1; those of `spread` are divided by up to 2^12.
template <class T>
std::vector<T> drawn(std::size_t count, unsigned seed, bool positive = false, bool spread = false) {
  std::mt19937 engine(seed);
  const auto draw = [&] {
    const double number = static_cast<double>(engine()) / 2147483648.0 - 1;
    return (positive ? std::abs(number) : number) / (spread ? static_cast<double>(1U << engine() % 13) : 1.0);
  };
  std::vector<T> made(count);
  for (T& each : made) {
    const double real = draw();
    if constexpr (yoke::detail::complex_element<T>) {
      each = rounded<T>(exact(real, draw()));
    } else if constexpr (std::is_integral_v<T>) {
      each = static_cast<T>(100 * real);
    } else {
      each = static_cast<T>(static_cast<float>(real));
      if constexpr (std::is_same_v<T, double>) each = real;
    }
  }
  return made;
}
template <class T>
auto as_doubles(const std::vector<T>& of) {
  std::vector<std::conditional_t<yoke::detail::complex_element<T>, exact, double>> made;
  for (const T& each : of) {
    if constexpr (yoke::detail::complex_element<T>) {
      made.push_back(exactly(each));
    } else if constexpr (std::is_same_v<T, yoke::half> || std::is_same_v<T, yoke::bfloat16>) {
      made.push_back(static_cast<double>(static_cast<float>(each)));
    } else {
      made.push_back(static_cast<double>(each));
    }
  }
  return made;
}
template <class T>
std::vector<double> sizes_of(const std::vector<T>& of) {
  std::vector<double> made;
  for (const T& each : of) {
    if constexpr (yoke::detail::complex_element<T>) {
      made.push_back(std::abs(each.real()) + std::abs(each.imag()));
    } else {
      made.push_back(std::abs(each));
    }
  }
  return made;
}

/// Returns: the product in a type whose roundings do not count beside those of T: OpenBLAS's of doubles, or for doubles
/// a sum of long doubles.
template <class T, class Wide>
std::vector<Wide> product_of(std::size_t m, std::size_t n, std::size_t k, const std::vector<Wide>& a,
                             const std::vector<Wide>& b) {
  if constexpr (!std::is_same_v<typename part_of<T>::type, double>) {
    return openblas::here().product(m, n, k, a, b);
  } else {
    using longer = std::conditional_t<std::is_same_v<Wide, double>, long double, std::complex<long double>>;
    std::vector<Wide> made;
    std::vector<longer> row(n);
    for (std::size_t i = 0; i < m; ++i) {
      std::fill(row.begin(), row.end(), longer{});
      for (std::size_t q = 0; q < k; ++q) {
        const longer left(a[i * k + q]);
        for (std::size_t j = 0; j < n; ++j) row[j] += left * longer(b[q * n + j]);
      }
      for (const longer& each : row) made.push_back(static_cast<Wide>(each));
    }
    return made;
  }
}

/// The rounding of a sum, and that of a result that is rounded once more: at least half of the least number.
template <class T>
struct roundings {
  static constexpr double of_sums = epsilon_of<T>, of_result = 0, least = 0;
};
template <>
struct roundings<yoke::half> {
  static constexpr double of_sums = epsilon_of<float>, of_result = 0x1p-11, least = 0x1p-25;
};
template <>
struct roundings<yoke::bfloat16> {
  static constexpr double of_sums = epsilon_of<float>, of_result = 0x1p-8, least = 0;
};

/// Requires: each element differs from the exact one by at most `factor` roundings of the sum of its terms' sizes.
template <class T, class Made>
void check_elements(const std::vector<Made>& made, std::size_t m, std::size_t n, std::size_t k, const std::vector<T>& a,
                    const std::vector<T>& b, double factor) {
  const auto left = as_doubles(a);
  const auto right = as_doubles(b);
  const auto expected = product_of<T>(m, n, k, left, right);
  const auto sizes = openblas::here().product(m, n, k, sizes_of(left), sizes_of(right));
  const auto got = as_doubles(made);
  REQUIRE(got.size() == expected.size());
  double worst = 0;  // of the bound; NaN is none
  for (std::size_t at = 0; at < got.size(); ++at) {
    const double limit = factor * roundings<T>::of_sums * sizes[at] +
                         (std::max)(roundings<Made>::of_result * std::abs(expected[at]), roundings<Made>::least);
    const double error = std::abs(got[at] - expected[at]);
    if (!(error <= limit)) worst = std::max(worst, std::isnan(error) || limit == 0 ? 1e300 : error / limit);
  }
  CHECK(worst <= 1);
}

struct extents {
  std::size_t m, n, k;
};

template <class T>
void check_products(own_rig& state, const std::vector<extents>& all) {
  for (const auto& [m, n, k] : all) {
    INFO(static_cast<int>(yoke::detail::kind_of<T>()) << ": " << m << " x " << n << " of " << k);
    for (const bool spread : {false, true}) {
      const auto x = drawn<T>(m * k, 1, false, spread);
      const auto y = drawn<T>(k * n, 2, false, spread);
      const auto a = yoke::to_device_array(x, {m, k}, state.stream);
      const auto b = yoke::to_device_array(y, {k, n}, state.stream);
      const double factor = spread ? 512.0 + static_cast<double>(k) / 512 : 2;
      check_elements(yoke::matmul(a, b).to_host(), m, n, k, x, y, factor);
      check_elements(yoke::matmul(a, b(yoke::whole, n - 1)).to_host(), m, 1, k, x,
                     std::vector<T>(b(yoke::whole, n - 1).copy().to_host()), factor);
    }
    const auto x = drawn<T>(m * k, 3, true);
    const auto y = drawn<T>(k * n, 4, true);
    const auto a = yoke::to_device_array(x, {m, k}, state.stream);
    const auto b = yoke::to_device_array(y, {k, n}, state.stream);
    check_elements(yoke::matmul(a, b).to_host(), m, n, k, x, y, 512.0 + static_cast<double>(k) / 512);
    if constexpr (std::is_same_v<T, yoke::half> || std::is_same_v<T, yoke::bfloat16>) {
      check_elements(yoke::matmul<float>(a, b).to_host(), m, n, k, x, y, 512.0 + static_cast<double>(k) / 512);
    }
  }
}
/// Sums of whole numbers below 2^53 are exact.
template <class T>
void check_whole_numbers(own_rig& state, const extents& of) {
  const auto& [m, n, k] = of;
  INFO(static_cast<int>(yoke::detail::kind_of<T>()));
  const auto x = drawn<T>(m * k, 1, std::is_unsigned_v<T>);
  const auto y = drawn<T>(k * n, 2, std::is_unsigned_v<T>);
  const auto made =
      yoke::matmul(yoke::to_device_array(x, {m, k}, state.stream), yoke::to_device_array(y, {k, n}, state.stream))
          .to_host();
  std::vector<T> expected;
  for (const double each : openblas::here().product(m, n, k, as_doubles(x), as_doubles(y))) {
    expected.push_back(static_cast<T>(static_cast<std::int64_t>(each)));
  }
  CHECK(made == expected);
}

template <class T>
void check_sparse(own_rig& state, std::size_t m, std::size_t k, unsigned one_in) {
  INFO(m << " x " << k << ", one in " << one_in);
  constexpr std::size_t n = 5;
  auto x = drawn<T>(m * k, 1);
  std::mt19937 engine(3);
  for (T& each : x) {
    if (engine() % one_in != 0) each = T{};
  }
  const auto y = drawn<T>(k * n, 2);
  const auto z = drawn<T>(m * n, 4);
  const auto a = yoke::csr_matrix<T>::from_dense(yoke::to_device_array(x, {m, k}, state.stream));
  const auto b = yoke::to_device_array(y, {k, n}, state.stream);
  check_elements(yoke::matmul(a, b).to_host(), m, n, k, x, y, 2);
  const auto column = yoke::device_array(b(yoke::whole, 2)).to_host();
  check_elements(yoke::matmul(a, b(yoke::whole, 2)).to_host(), m, 1, k, x, column, 2);
  std::vector<T> turned(k * m);
  for (std::size_t at = 0; at < m * k; ++at) turned[at % k * m + at / k] = x[at];
  const auto c = yoke::to_device_array(z, {m, n}, state.stream);
  check_elements(yoke::matmul(a.transpose(), c).to_host(), k, n, m, turned, z, 2);
}

/// The eigenvalues of `a + a^H`, the singular values of `a`, and solutions.
template <class T>
void check_factorisations(own_rig& state, std::size_t n) {
  INFO(n);
  const double rows = static_cast<double>(n);
  const auto values_of = [](const auto& of) {
    std::vector<double> made;
    for (const auto& each : of.to_host()) made.push_back(static_cast<double>(each));
    return made;
  };
  const auto furthest = [](const std::vector<double>& left, const std::vector<double>& right) {
    REQUIRE(left.size() == right.size());
    double most = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      REQUIRE(std::isfinite(left[k]));
      most = std::max(most, std::abs(left[k] - right[k]));
    }
    return most;
  };
  const double size = 10 * rows * epsilon_of<T>;
  const lapack& peer = lapack::here();
  const matrix a = random_matrix<T>(n, n, static_cast<unsigned>(n));
  const matrix b = random_matrix<T>(n, 3, 100);
  const auto given = on_device<T>(a, state.stream);
  // A matrix in rows is the transposed one in columns, with the same singular values.
  const auto values = peer.singular_values(n, n, a.at);
  REQUIRE(values.size() == n);
  CHECK(furthest(values_of(yoke::svd(given).s), values) <= size * values[0]);
  const matrix expected = matrix(3, n, peer.solve(n, a.turned().at, b.turned().at)).turned();
  const auto sides = on_device<T>(b, state.stream);
  const double conditioned = a.norm() / values[n - 1];
  for (const auto& x : {yoke::solve(given, sides), yoke::lu(given).solve(sides)}) {
    const matrix made(n, 3, x.to_host());
    CHECK((a * made - b).norm() <= size * a.norm() * made.norm());
    CHECK((made - expected).norm() <= size * conditioned * expected.norm());
  }
  matrix both = a;
  const matrix turned = a.turned();
  for (std::size_t k = 0; k < n * n; ++k) both.at[k] = exactly(rounded<T>(a.at[k] + turned.at[k]));
  CHECK(furthest(values_of(yoke::eigh(on_device<T>(both, state.stream)).values), peer.eigenvalues(n, both.at)) <=
        size * both.norm());
  // Equations of a positive definite matrix, by its factor.
  const matrix positive = positive_matrix<T>(n, static_cast<unsigned>(n) + 1);
  const auto l = yoke::cholesky(on_device<T>(positive, state.stream));
  const auto half = yoke::solve_triangular(l, sides, yoke::triangle::lower);
  const auto all = yoke::solve_triangular(conj(l.transpose()), half, yoke::triangle::upper);
  const matrix made(n, 3, all.to_host());
  CHECK((positive * made - b).norm() <= size * positive.norm() * made.norm());
  const auto spectrum = peer.eigenvalues(n, positive.at);
  const matrix solved = matrix(3, n, peer.solve(n, positive.turned().at, b.turned().at)).turned();
  CHECK((made - solved).norm() <= size * positive.norm() / spectrum[0] * solved.norm());
  // Least squares of more rows than columns solve the normal equations.
  const matrix tall = random_matrix<T>(2 * n, n, static_cast<unsigned>(n) + 2);
  const matrix right = random_matrix<T>(2 * n, 3, 101);
  const matrix fitted(n, 3,
                      yoke::lstsq(on_device<T>(tall, state.stream), on_device<T>(right, state.stream)).x.to_host());
  const matrix least =
      matrix(3, n, peer.solve(n, (tall.turned() * tall).turned().at, (tall.turned() * right).turned().at)).turned();
  const auto stretches = peer.singular_values(n, 2 * n, tall.at);
  const double ratio = stretches[0] / stretches[n - 1];
  CHECK((fitted - least).norm() <=
        2 * size * ratio * (least.norm() + ratio * (tall * least - right).norm() / tall.norm()));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("products of every type are OpenBLAS's", "[linalg]") {
  if (!openblas::here().why().empty()) YOKE_SKIP("no OpenBLAS: " + openblas::here().why());
  own_rig state(device);
  turns turn(device);
  std::vector<extents> all{{33, 70, 600}};
  if (runs_whole()) {
    all.insert(all.end(), {{1, 1, 1}, {64, 64, 64}, {130, 40, 513}});
    if (device.summary().kind == yoke::device_kind::cpu) all.insert(all.end(), {{300, 257, 1000}, {9, 33, 65536}});
  }
  if (turn()) check_products<float>(state, all);
  if (turn()) check_products<double>(state, all);
  if (turn()) check_products<yoke::half>(state, all);
  if (turn()) check_products<yoke::bfloat16>(state, all);
  if (turn()) check_products<std::complex<float>>(state, all);
  if (turn()) check_products<std::complex<double>>(state, all);
  const extents some{33, 70, 600};
  if (turn()) check_whole_numbers<std::int8_t>(state, some);
  if (turn()) check_whole_numbers<std::uint8_t>(state, some);
  if (turn()) check_whole_numbers<std::int16_t>(state, some);
  if (turn()) check_whole_numbers<std::uint16_t>(state, some);
  if (turn()) check_whole_numbers<std::int32_t>(state, some);
  if (turn()) check_whole_numbers<std::uint32_t>(state, some);
  if (turn()) check_whole_numbers<std::int64_t>(state, some);
  if (turn()) check_whole_numbers<std::uint64_t>(state, some);
}

YOKE_ANY_DEVICE_TEST_CASE("sparse products are OpenBLAS's of dense matrices", "[linalg][sparse]") {
  if (!openblas::here().why().empty()) YOKE_SKIP("no OpenBLAS: " + openblas::here().why());
  own_rig state(device);
  turns turn(device);
  if (turn()) check_sparse<float>(state, 150, 200, 20);
  if (turn()) check_sparse<std::complex<double>>(state, 40, 300, 3);
  if (!runs_whole()) return;
  check_sparse<double>(state, 300, 900, 5);
  check_sparse<std::complex<float>>(state, 300, 100, 60);
  check_sparse<yoke::half>(state, 70, 300, 9);
  check_sparse<yoke::bfloat16>(state, 70, 300, 2);
}

YOKE_ANY_DEVICE_TEST_CASE("solutions, eigenvalues and singular values are LAPACK's", "[linalg]") {
  if (!lapack::here().why().empty()) YOKE_SKIP("no LAPACK: " + lapack::here().why());
  own_rig state(device);
  turns turn(device);
  if (turn()) check_factorisations<float>(state, 21);
  if (turn()) check_factorisations<std::complex<double>>(state, 10);
  if (!runs_whole()) return;
  check_factorisations<std::complex<float>>(state, 40);
  check_factorisations<double>(state, 50);
  if (device.summary().kind != yoke::device_kind::cpu) return;
  check_factorisations<float>(state, 100);
  check_factorisations<double>(state, 200);
  check_factorisations<std::complex<float>>(state, 129);
}
