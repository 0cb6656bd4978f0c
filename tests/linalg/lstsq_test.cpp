// SPDX-License-Identifier: MIT
// Least squares of matrices of any shape and rank, by the equations that their solutions have to fulfil.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

/// Requires: what is left has no part in the columns of `a`, and `x` none outside of its rows.
template <class T>
void check_solution(const matrix& a, const matrix& x, const matrix& b, std::size_t rank) {
  const double size = 50 * static_cast<double>(std::max(a.rows, a.columns)) * epsilon_of<T>;
  CHECK((a.turned() * (a * x - b)).norm() <= size * a.norm() * (a.norm() * x.norm() + b.norm()));
  if (rank == a.columns) return;
  CHECK(x.norm() <= 1e3 * b.norm());
}
template <class T>
void check_shapes(factor_rig& state) {
  for (const auto& [m, n] : {std::pair{9U, 5U}, {5U, 9U}, {6U, 6U}}) {
    INFO(m << " x " << n);
    const matrix a = random_matrix<T>(m, n, m);
    const matrix b = random_matrix<T>(m, 2, 50);
    const auto left = on_device<T>(a, state.stream);
    const auto right = on_device<T>(b, state.stream);
    const auto [x, residuals, rank, s] = yoke::lstsq(left, right);
    REQUIRE(x.shape() == yoke::shape<2>{n, 2});
    REQUIRE(residuals.shape() == yoke::shape<1>{2});
    CHECK(rank.value() == static_cast<int>(std::min(m, n)));
    CHECK(s.to_host() == yoke::svd(left).s.to_host());
    const matrix found(n, 2, x.to_host());
    check_solution<T>(a, found, b, std::min(m, n));
    const auto one = yoke::lstsq(left, right(yoke::whole, 1));
    REQUIRE(one.x.shape() == yoke::shape<1>{n});
    const matrix side(m, 1, right(yoke::whole, 1).copy().to_host());
    const matrix only(n, 1, one.x.to_host());
    check_solution<T>(a, only, side, std::min(m, n));
    const double left_over = (a * only - side).norm();
    CHECK(std::abs(static_cast<double>(one.residuals.value()) - left_over * left_over) <= 1000 * epsilon_of<T>);
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("finds least squares of tall, wide and square matrices", "[linalg]") {
  factor_rig state(device);
  turns takes_next(device);
  if (takes_next()) check_shapes<double>(state);
  if (takes_next()) check_shapes<std::complex<float>>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("finds the shortest solution of matrices without full rank", "[linalg]") {
  factor_rig state(device);
  // Both columns are alike: the weights are shared.
  const auto a = yoke::to_device_array(std::vector<double>{1, 1, 2, 2, 3, 3}, {3, 2}, state.stream);
  const auto b = yoke::to_device_array(std::vector<double>{2, 4, 6}, {3}, state.stream);
  const auto [x, residuals, rank, s] = yoke::lstsq(a, b);
  CHECK(rank.value() == 1);
  const auto found = x.to_host();
  CHECK(std::abs(found[0] - 1) <= 1e-14);
  CHECK(std::abs(found[1] - 1) <= 1e-14);
  CHECK(residuals.value() <= 1e-26);
  // By a limit of the program's own.
  const auto graded = yoke::to_device_array(std::vector<float>{1, 0, 0, 0.01F}, {2, 2}, state.stream);
  const auto ones = yoke::ones<float>({2}, state.stream);
  CHECK(yoke::lstsq(graded, ones).rank.value() == 2);
  const auto limited = yoke::lstsq(graded, ones, {.rcond = 0.1});
  CHECK(limited.rank.value() == 1);
  CHECK(limited.x.to_host() == std::vector<float>{1, 0});
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "lstsq of (3, 2) and (2,): 3 is not 2",
                                 [&] { (void)yoke::lstsq(a, b(yoke::slice(0, 2))); });
  check_fails<yoke::logic_error>(yoke::errc::invalid_argument, "lstsq: rcond is not a number",
                                 [&] { (void)yoke::lstsq(a, b, {.rcond = std::nan("")}); });
  const auto endless = yoke::full(std::numeric_limits<double>::infinity(), {3, 2}, state.stream);
  check_fails<yoke::numeric_error>(yoke::errc::not_converged, "lstsq of (3, 2): the matrix has elements that are not",
                                   [&] { (void)yoke::lstsq(endless, b); });
}

YOKE_ANY_DEVICE_TEST_CASE("evaluates results of pass, and hands arrays on that are made", "[linalg]") {
  factor_rig state(device);
  const auto a = yoke::to_device_array({{1.0, 2.0}, {3.0, 4.0}}, state.stream);
  CHECK(evaluate(2 * yoke::pass::matmul(a, a) - a).to_host() == std::vector<double>{13, 18, 27, 40});
  auto product = matmul(a, a);
  const auto same = evaluate(std::move(product));
  CHECK(product.size() == 0);  // NOLINT: its memory was handed on
  CHECK(same.to_host() == std::vector<double>{7, 10, 15, 22});
}

YOKE_ANY_DEVICE_TEST_CASE("finds least squares of batches", "[linalg]") {
  factor_rig state(device);
  const auto all = random_matrix<double>(3 * 6, 4, 5).values<double>();
  const auto a = yoke::to_device_array(all, {3, 6, 4}, state.stream);
  const auto sides = random_matrix<double>(6, 2, 6).values<double>();
  const auto b = yoke::to_device_array(sides, {6, 2}, state.stream);
  const auto [x, residuals, rank, s] = yoke::lstsq(a, b);
  REQUIRE(x.shape() == yoke::shape<3>{3, 4, 2});
  REQUIRE(residuals.shape() == yoke::shape<2>{3, 2});
  CHECK(rank.to_host() == std::vector<std::int64_t>{4, 4, 4});
  const auto found = x.to_host();
  for (std::size_t k = 0; k < 3; ++k) {
    check_solution<double>(matrix(6, 4, all, k * 24), matrix(4, 2, found, k * 8), matrix(6, 2, sides), 4);
  }
}
