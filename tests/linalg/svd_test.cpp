// SPDX-License-Identifier: MIT
// Singular value decompositions of every type and layout, and of matrices whose values are known.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

/// Makes rotations by a kernel for each step while it lives.
struct by_steps {
  by_steps() { yoke::detail::wanted_jacobi_columns() = 0; }
  ~by_steps() { yoke::detail::wanted_jacobi_columns() = 48; }
  by_steps(const by_steps&) = delete;
  by_steps& operator=(const by_steps&) = delete;
};

template <class T>
void check_factors(const matrix& a, const matrix& u, const std::vector<double>& s, const matrix& vh) {
  const double size = 10 * static_cast<double>(std::max(a.rows, a.columns)) * epsilon_of<T>;
  CHECK((u.turned() * u - identity(u.columns)).norm() <= size);
  CHECK((vh * vh.turned() - identity(vh.rows)).norm() <= size);
  matrix scaled(u.rows, vh.rows);
  for (std::size_t k = 0; k < s.size(); ++k) {
    CHECK(s[k] >= 0);
    if (k != 0) CHECK(s[k] <= s[k - 1]);
    for (std::size_t i = 0; i < u.rows; ++i) scaled(i, k) = u(i, k) * s[k];
  }
  CHECK((scaled * vh - a).norm() <= size * a.norm());
}
template <class T>
std::vector<double> values_of(const std::vector<T>& of, std::size_t first = 0, std::size_t count = 0) {
  std::vector<double> made;
  for (std::size_t k = 0; k < (count == 0 ? of.size() : count); ++k) made.push_back(static_cast<double>(of[first + k]));
  return made;
}
template <class T>
void check_matrix(factor_rig& state, const matrix& a) {
  const std::size_t least = std::min(a.rows, a.columns);
  const auto given = on_device<T>(a, state.stream);
  const auto [u, s, vh] = yoke::svd(given);
  REQUIRE(u.shape() == yoke::shape<2>{a.rows, least});
  REQUIRE(s.shape() == yoke::shape<1>{least});
  REQUIRE(vh.shape() == yoke::shape<2>{least, a.columns});
  check_factors<T>(a, matrix(a.rows, least, u.to_host()), values_of(s.to_host()),
                   matrix(least, a.columns, vh.to_host()));
  const auto full = yoke::svd(given, {.full_matrices = true});
  REQUIRE(full.u.shape() == yoke::shape<2>{a.rows, a.rows});
  REQUIRE(full.vh.shape() == yoke::shape<2>{a.columns, a.columns});
  check_factors<T>(a, matrix(a.rows, a.rows, full.u.to_host()), values_of(full.s.to_host()),
                   matrix(a.columns, a.columns, full.vh.to_host()));
  CHECK(given.to_host() == a.values<T>());
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const auto& [m, n] : {std::pair{1U, 1U}, {7U, 7U}, {12U, 12U}, {17U, 6U}, {6U, 17U}}) {
    INFO(m << " x " << n);
    check_matrix<T>(state, random_matrix<T>(m, n, m));
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("finds singular values of every type", "[linalg]") {
  factor_rig state(device);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("finds singular values step by step", "[linalg]") {
  factor_rig state(device);
  const by_steps steps;
  check_sizes<std::complex<float>>(state);
  check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("finds singular values that are graded, repeated or 0", "[linalg]") {
  factor_rig state(device);
  const matrix left =
      matrix(10, 10, yoke::qr(on_device<double>(random_matrix<double>(10, 10, 1), state.stream)).q.to_host());
  const matrix right =
      matrix(8, 8, yoke::qr(on_device<double>(random_matrix<double>(8, 8, 2), state.stream)).q.to_host());
  const std::vector<std::vector<double>> spectra{{1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14},
                                                 {3, 3, 3, 2, 2, 2, 1, 1},
                                                 {5, 4, 3, 0, 0, 0, 0, 0},
                                                 {0, 0, 0, 0, 0, 0, 0, 0}};
  for (const auto& spectrum : spectra) {
    INFO(spectrum[0] << " " << spectrum[1]);
    matrix middle(10, 8);
    for (std::size_t k = 0; k < 8; ++k) middle(k, k) = spectrum[k];
    const matrix a = left * middle * right;
    check_matrix<double>(state, a);
    const auto s = yoke::svd(on_device<double>(a, state.stream)).s.to_host();
    for (std::size_t k = 0; k < 8; ++k) {
      CHECK(std::abs(s[k] - spectrum[k]) <= 100 * epsilon_of<double> * spectrum[0]);
    }
    check_matrix<float>(state, matrix(10, 8, a.values<float>()));
  }
  // Numbers whose squares overflow or vanish.
  for (const double scale : {0x1p120, 0x1p-120}) {
    matrix a = random_matrix<float>(5, 4, 3);
    for (exact& each : a.at) each *= scale;
    check_matrix<float>(state, a);
  }
  // Columns that are alike or nearly 0 beside others.
  const auto check_tiny = [&] {
    for (const std::size_t n : {2U, 3U, 4U, 7U}) {
      INFO(n);
      matrix alike(n + 1, n);
      for (exact& each : alike.at) each = 1;
      check_matrix<double>(state, alike);
      check_matrix<float>(state, alike);
      const auto s = yoke::svd(on_device<double>(alike, state.stream)).s.to_host();
      CHECK(std::abs(s[0] - std::sqrt(static_cast<double>(n * (n + 1)))) <= 100 * epsilon_of<double> * s[0]);
      CHECK(s[1] <= 100 * epsilon_of<double>);
    }
    for (const double step : {1e-4, 1e-6, 1e-8, 1e-12}) {
      INFO(step);
      matrix a = random_matrix<float>(9, 6, 8);
      matrix b = random_matrix<double>(9, 6, 9);
      for (std::size_t i = 0; i < 9; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          a(i, j) = exactly(static_cast<float>(a(i, j).real() * std::pow(step, static_cast<double>(j))));
          b(i, j) *= std::pow(step, 5.0 * static_cast<double>(j));
        }
      }
      check_matrix<float>(state, a);
      check_matrix<double>(state, b);
    }
  };
  check_tiny();
  const by_steps steps;
  check_tiny();
  const auto only = yoke::svd(yoke::to_device_array(std::vector<float>{-3}, {1, 1}, state.stream));
  CHECK(only.s.to_host() == std::vector<float>{3});
}

YOKE_ANY_DEVICE_TEST_CASE("finds singular values of batches, views and expressions", "[linalg]") {
  factor_rig state(device);
  const auto all = random_matrix<double>(6 * 7, 4, 5).values<double>();
  const auto batch = yoke::to_device_array(all, {3, 2, 7, 4}, state.stream);
  const auto [u, s, vh] = yoke::svd(batch);
  REQUIRE(u.shape() == yoke::shape<4>{3, 2, 7, 4});
  REQUIRE(s.shape() == yoke::shape<3>{3, 2, 4});
  const auto of_u = u.to_host();
  const auto of_s = s.to_host();
  const auto of_vh = vh.to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_factors<double>(matrix(7, 4, all, k * 28), matrix(7, 4, of_u, k * 28), values_of(of_s, k * 4, 4),
                          matrix(4, 4, of_vh, k * 16));
  }
  const auto view = batch(1, 1, yoke::slice(yoke::none, yoke::none, -2)).transpose();
  const auto dense = yoke::svd(view.copy());
  CHECK(yoke::svd(view).u.to_host() == dense.u.to_host());
  CHECK(yoke::svd(1.0 * view).vh.to_host() == dense.vh.to_host());
  const yoke::device_view<const double, 2> constant = view;
  CHECK(yoke::svd(constant).s.to_host() == dense.s.to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("refuses to find singular values of what is not finite, and finds none of nothing",
                          "[linalg]") {
  factor_rig state(device);
  auto a = yoke::ones<float>({3, 4, 2}, state.stream);
  a(1, 2, 1) = std::numeric_limits<float>::quiet_NaN();
  check_fails<yoke::numeric_error>(yoke::errc::not_converged,
                                   "svd of (3, 4, 2): the matrix at index 1 has elements that are not finite",
                                   [&] { (void)yoke::svd(a); });
  a(1, 2, 1) = 1;
  a(2, 0, 0) = std::numeric_limits<float>::infinity();
  {
    const by_steps steps;
    check_fails<yoke::numeric_error>(yoke::errc::not_converged,
                                     "svd of (3, 4, 2): the matrix at index 2 has elements that are not finite",
                                     [&] { (void)yoke::svd(a); });
  }
  const auto none = yoke::svd(yoke::zeros<float>({3, 0}, state.stream), {.full_matrices = true});
  CHECK(none.u.to_host() == std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(none.s.size() == 0);
  CHECK(yoke::svd(yoke::zeros<float>({0, 2, 2}, state.stream)).u.shape() == yoke::shape<3>{0, 2, 2});
}
