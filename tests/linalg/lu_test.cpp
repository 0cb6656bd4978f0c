// SPDX-License-Identifier: MIT
// LU factorisations of every type and layout, and what follows from them.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

/// Requires: the factors multiply to the matrix with its rows exchanged.
template <class T>
void check_factors(const matrix& a, const matrix& packed, const std::vector<int>& pivots, std::size_t first = 0) {
  const std::size_t least = std::min(a.rows, a.columns);
  matrix l(a.rows, least);
  matrix u(least, a.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) {
      if (i > j) {
        l(i, j) = packed(i, j);
        REQUIRE(std::abs(l(i, j)) <= 1.41422);  // the root of 2 for complex numbers, whose sizes need no root
      } else {
        u(i, j) = packed(i, j);
      }
    }
    if (i < least) l(i, i) = 1;
  }
  matrix exchanged = a;
  for (std::size_t i = 0; i < least; ++i) {
    const auto other = static_cast<std::size_t>(pivots[first + i]);
    REQUIRE(other >= i);
    REQUIRE(other < a.rows);
    for (std::size_t j = 0; j < a.columns; ++j) std::swap(exchanged(i, j), exchanged(other, j));
  }
  const double bound = 10 * static_cast<double>(std::max(a.rows, a.columns)) * epsilon_of<T> * a.norm();
  CHECK((l * u - exchanged).norm() <= bound);
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const auto& [m, n] : {std::pair{1U, 1U}, {7U, 7U}, {40U, 40U}, {29U, 11U}, {11U, 29U}}) {
    INFO(m << " x " << n);
    const matrix a = random_matrix<T>(m, n, m);
    const auto given = on_device<T>(a, state.stream);
    const auto factors = yoke::lu(given);
    REQUIRE(factors.packed().shape() == yoke::shape<2>{m, n});
    REQUIRE(factors.pivots().shape() == yoke::shape<1>{std::min(m, n)});
    check_factors<T>(a, matrix(m, n, factors.packed().to_host()), factors.pivots().to_host());
    CHECK(factors.infos().value() == 0);
    CHECK(given.to_host() == a.values<T>());
  }
}
template <class T>
void check_inverse(factor_rig& state) {
  const matrix a = random_matrix<T>(12, 12, 8);
  const matrix inverse(12, 12, yoke::inv(on_device<T>(a, state.stream)).to_host());
  const double bound = 10 * 12 * epsilon_of<T> * a.norm() * inverse.norm();
  CHECK((a * inverse - identity(12)).norm() <= bound);
  // The determinant of a product is the product of the determinants.
  const matrix b = random_matrix<T>(12, 12, 9);
  matrix both = a * b;
  const auto det = [&](const matrix& of) { return exactly(yoke::det(on_device<T>(of, state.stream)).value()); };
  const exact product = det(a) * det(b);
  CHECK(std::abs(det(both) - product) <= 1e5 * epsilon_of<T> * std::abs(product));
  const auto [sign, logabsdet] = yoke::slogdet(on_device<T>(both, state.stream));
  CHECK(std::abs(exactly(sign.value()) * std::exp(exactly(logabsdet.value())) - product) <=
        1e5 * epsilon_of<T> * std::abs(product));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("factors matrices of every type into triangles", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(8);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("factors in wide panels as in narrow ones", "[linalg]") {
  factor_rig state(device);
  const matrix a = random_matrix<float>(75, 70, 3);
  const auto factors = yoke::lu(on_device<float>(a, state.stream));
  check_factors<float>(a, matrix(75, 70, factors.packed().to_host()), factors.pivots().to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("factors batches once for several solutions", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(4);
  constexpr std::size_t n = 9;
  std::vector<double> all;
  for (unsigned k = 0; k < 6; ++k) {
    const auto next = random_matrix<double>(n, n, k + 20).values<double>();
    all.insert(all.end(), next.begin(), next.end());
  }
  const auto a = yoke::to_device_array(all, {3, 2, n, n}, state.stream);
  const auto factors = yoke::lu(a);
  const auto packed = factors.packed().to_host();
  const auto pivots = factors.pivots().to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_factors<double>(matrix(n, n, all, k * n * n), matrix(n, n, packed, k * n * n), pivots, k * n);
  }
  const auto b =
      yoke::to_device_array(random_matrix<double>(3 * 2 * n, 2, 1).values<double>(), {3, 2, n, 2}, state.stream);
  CHECK(factors.solve(b).to_host() == yoke::solve(a, b).to_host());
  const auto one = b(1, 1, yoke::whole, 0);
  CHECK(factors.solve(one).to_host() == yoke::solve(a, one).to_host());
  CHECK(yoke::lu(a(1, 1)).solve(b).to_host() == yoke::solve(a(1, 1), b).to_host());
  CHECK(factors.det().shape() == yoke::shape<2>{3, 2});
  const auto dets = yoke::det(a).to_host();
  CHECK(dets[3] == yoke::det(a(1, 1)).value());
  CHECK(dets[2] == yoke::det(a(1, 0)).value());
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "solve of (3, 2, 9, 9) and (4,): 9 is not 4",
                                 [&] { (void)factors.solve(one(yoke::slice(0, 4))); });
}

YOKE_ANY_DEVICE_TEST_CASE("inverts matrices of every type, and knows their determinants", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(5);
  turns takes_next(device);
  if (takes_next()) check_inverse<float>(state);
  if (takes_next()) check_inverse<std::complex<float>>(state);
  if (takes_next()) check_inverse<std::complex<double>>(state);
  if (takes_next()) check_inverse<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("a matrix with NaN is not singular, and its solutions are NaN", "[linalg]") {
  factor_rig state(device);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto b = yoke::ones<float>({2}, state.stream);
  for (const std::vector<float>& numbers : {std::vector<float>{nan, 0, 0, 1}, {1, nan, 2, 3}, {0, 1, nan, 2}}) {
    const auto factors = yoke::lu(yoke::to_device_array(numbers, {2, 2}, state.stream));
    CHECK(factors.infos().value() == 0);
    CHECK(std::isnan(factors.det().value()));
    CHECK(yoke::any(isnan(factors.solve(b))).get() != 0);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("factors a singular matrix, but does not solve with it", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(2);
  const auto a = yoke::to_device_array(std::vector<float>{1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3}, state.stream);
  const auto factors = yoke::lu(a);
  CHECK(factors.infos().value() == 3);
  CHECK(factors.det().value() == 0);
  const auto [sign, logabsdet] = factors.slogdet();
  CHECK(sign.value() == 0);
  CHECK(logabsdet.value() == -std::numeric_limits<float>::infinity());
  const auto b = yoke::ones<float>({3}, state.stream);
  const std::string says = "solve of (3, 3): the matrix is singular: pivot 2, counted from 0, is 0";
  check_fails<yoke::numeric_error>(yoke::errc::singular, says, [&] { (void)factors.solve(b); });
  check_fails<yoke::numeric_error>(yoke::errc::singular,
                                   "inv of (3, 3): the matrix is singular: pivot 2, counted from 0, is 0",
                                   [&] { (void)yoke::inv(a); });
  yoke::device_value<int> info(state.stream);
  (void)factors.solve(b, info);
  CHECK(info.get() == 3);
  const auto exchanged = yoke::to_device_array(std::vector<float>{0, 2, 3, 0}, {2, 2}, state.stream);
  CHECK(yoke::det(exchanged).value() == -6);
  CHECK(yoke::inv(exchanged).to_host() == std::vector<float>{0, 1.0F / 3, 0.5F, 0});
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "lu of (2, 3): the matrix is not square: 2 is not 3",
                                 [&] { (void)yoke::det(a(yoke::slice(0, 2))); });
}

YOKE_ANY_DEVICE_TEST_CASE("factors matrices without elements into triangles", "[linalg]") {
  factor_rig state(device);
  const auto none = yoke::zeros<float>({0, 0}, state.stream);
  CHECK(yoke::lu(none).packed().size() == 0);
  CHECK(yoke::det(none).value() == 1);
  CHECK(yoke::inv(none).size() == 0);
  const auto [signs, logarithms] = yoke::slogdet(yoke::zeros<float>({3, 0, 0}, state.stream));
  CHECK(signs.to_host() == std::vector<float>(3, 1.0F));
  CHECK(logarithms.to_host() == std::vector<float>(3, 0.0F));
  CHECK(yoke::det(yoke::zeros<float>({0, 3, 3}, state.stream)).size() == 0);
  CHECK(yoke::lu(yoke::zeros<float>({4, 0}, state.stream)).pivots().size() == 0);
}
