// SPDX-License-Identifier: MIT
// Linear equations of every type and layout, by the residuals of their solutions.
#include <array/reduction/recorded_rig.hpp>
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

template <class T>
void check_solution(const matrix& a, const matrix& x, const matrix& b) {
  const double bound = 10 * static_cast<double>(a.rows) * epsilon_of<T> * a.norm() * x.norm();
  CHECK((a * x - b).norm() <= bound);
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const std::size_t n : {1U, 2U, 7U, 19U, 40U}) {
    INFO(n);
    const matrix a = random_matrix<T>(n, n, static_cast<unsigned>(n));
    const matrix b = random_matrix<T>(n, 3, 100);
    const auto left = on_device<T>(a, state.stream);
    const auto right = on_device<T>(b, state.stream);
    const auto x = yoke::solve(left, right);
    REQUIRE(x.shape() == yoke::shape<2>{n, 3});
    check_solution<T>(a, matrix(n, 3, x.to_host()), b);
    const auto one = yoke::solve(left, right(yoke::whole, 1));
    REQUIRE(one.shape() == yoke::shape<1>{n});
    check_solution<T>(a, matrix(n, 1, one.to_host()), matrix(n, 1, right(yoke::whole, 1).copy().to_host()));
    CHECK(left.to_host() == a.values<T>());
    CHECK(right.to_host() == b.values<T>());
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("solves equations of every type", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(8);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("solves by NumPy's rules of ranks and batches", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(3);
  constexpr std::size_t n = 7;
  std::vector<float> all;
  for (unsigned k = 0; k < 6; ++k) {
    const auto next = random_matrix<float>(n, n, k + 1).values<float>();
    all.insert(all.end(), next.begin(), next.end());
  }
  const auto a = yoke::to_device_array(all, {2, 3, n, n}, state.stream);
  const auto sides = random_matrix<float>(2 * n, 4, 9).values<float>();
  const auto b = yoke::to_device_array(sides, {2, 1, n, 4}, state.stream);
  const auto x = yoke::solve(a, b);
  REQUIRE(x.shape() == yoke::shape<4>{2, 3, n, 4});
  auto got = x.to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_solution<float>(matrix(n, n, all, k * n * n), matrix(n, 4, got, k * n * 4),
                          matrix(n, 4, sides, k / 3 * n * 4));
  }
  // One matrix for all right-hand sides is factored once; one vector for all matrices.
  const auto shared = yoke::solve(a(1, 1), b);
  REQUIRE(shared.shape() == yoke::shape<4>{2, 1, n, 4});
  got = shared.to_host();
  for (std::size_t k = 0; k < 2; ++k) {
    check_solution<float>(matrix(n, n, all, 4 * n * n), matrix(n, 4, got, k * n * 4), matrix(n, 4, sides, k * n * 4));
  }
  const auto vector = b(0, 0, yoke::whole, 2);
  const auto many = yoke::solve(a, vector);
  REQUIRE(many.shape() == yoke::shape<3>{2, 3, n});
  got = many.to_host();
  const auto side = vector.copy().to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_solution<float>(matrix(n, n, all, k * n * n), matrix(n, 1, got, k * n), matrix(n, 1, side));
  }
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "solve of (2, 3, 7, 7) and (2, 1, 5, 4): 7 is not 5",
                                 [&] { (void)yoke::solve(a, b(yoke::whole, yoke::whole, yoke::slice(0, 5))); });
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "solve of (2, 3, 7, 7) and (2, 2, 7, 7): 3 is not 2",
                                 [&] { (void)yoke::solve(a, a(yoke::slice(0, 2), yoke::slice(0, 2))); });
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch,
                                 "solve of (2, 1, 7, 4): the matrix is not square: 7 is not 4",
                                 [&] { (void)yoke::solve(b, b); });
}

YOKE_ANY_DEVICE_TEST_CASE("solves equations of views and expressions into elements that exist", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(5);
  constexpr std::size_t n = 13;
  const matrix a = random_matrix<double>(n, n, 4);
  const auto left = on_device<double>(a, state.stream);
  const auto wide = on_device<double>(random_matrix<double>(n, 12, 5), state.stream);
  const auto right = wide(yoke::whole, yoke::slice(yoke::none, yoke::none, -3));
  const auto expected = yoke::solve(left.transpose().copy(), right.copy()).to_host();
  CHECK(yoke::solve(left.transpose(), right).to_host() == expected);
  const yoke::device_view<const double, 2> constant = right;
  CHECK(yoke::solve(left.transpose(), constant).to_host() == expected);
  CHECK(yoke::solve(1.0 * left.transpose(), 1.0 * right).to_host() == expected);
  yoke::device_value<int> info(state.stream, 7);
  auto to = wide.copy();
  auto part = to(yoke::whole, yoke::slice(yoke::none, yoke::none, -3));
  part = yoke::pass::solve(left.transpose(), part, info);
  CHECK(part.to_host() == expected);
  CHECK(to(yoke::whole, 0).to_host() == wide(yoke::whole, 0).to_host());
  CHECK(info.get() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("names the matrix that is singular, and its pivot", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(2);
  std::vector<float> all(2 * 3 * 25);
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t i = 0; i < 5; ++i) all[k * 25 + i * 6] = 1;
  }
  all[4 * 25 + 3 * 6] = 0;
  const auto a = yoke::to_device_array(all, {2, 3, 5, 5}, state.stream);
  const auto b = yoke::ones<float>({5}, state.stream);
  check_fails<yoke::numeric_error>(
      yoke::errc::singular,
      "solve of (2, 3, 5, 5): the matrix at index (1, 1) is singular: pivot 3, counted from 0, is 0",
      [&] { (void)yoke::solve(a, b); });
  yoke::device_value<int> info(state.stream);
  auto x = yoke::zeros<float>({2, 3, 5}, state.stream);
  x = yoke::pass::solve(a, b, info);
  CHECK(info.get() == 4 * 5 + 3 + 1);
  CHECK(x(1, 2).to_host() == std::vector<float>(5, 1.0F));
  // A value of another stream waits for what is written to it, and so does the end of its memory.
  {
    const yoke::stream<> other{state.context};
    yoke::device_value<int> elsewhere(other);
    x = yoke::pass::solve(a, b, elsewhere);
    CHECK(elsewhere.get() == 4 * 5 + 3 + 1);
    yoke::device_value<int> of_factors(other);
    (void)yoke::lu(a).solve(b, of_factors);
    CHECK(of_factors.get() == 4 * 5 + 3 + 1);
    yoke::device_value<int> of_triangle(other);
    x = yoke::pass::solve_triangular(a, b, yoke::triangle::lower, of_triangle);
    auto l = yoke::zeros<float>({2, 3, 5, 5}, state.stream);
    yoke::device_value<int> of_cholesky(other);
    l = yoke::pass::cholesky(a, of_cholesky);
  }
  check_fails<yoke::numeric_error>(
      yoke::errc::singular, "solve of (2, 2): the matrix is singular: pivot 0, counted from 0, is 0", [&] {
        (void)yoke::solve(yoke::zeros<float>({2, 2}, state.stream), yoke::ones<float>({2}, state.stream));
      });
}

YOKE_ANY_DEVICE_TEST_CASE("solves with NaN, without elements, and with pivots that have to be exchanged", "[linalg]") {
  factor_rig state(device);
  auto unknown = yoke::eye<float>(4, state.stream);
  unknown(1, 2) = std::numeric_limits<float>::quiet_NaN();
  const auto x = yoke::solve(unknown, yoke::ones<float>({4}, state.stream)).to_host();
  CHECK(std::isnan(x[1]));
  CHECK(yoke::solve(yoke::zeros<float>({0, 0}, state.stream), yoke::zeros<float>({0, 2}, state.stream)).shape() ==
        yoke::shape<2>{0, 2});
  CHECK(yoke::solve(yoke::eye<float>(3, state.stream), yoke::zeros<float>({3, 0}, state.stream)).shape() ==
        yoke::shape<2>{3, 0});
  const auto exchanged = yoke::to_device_array(std::vector<float>{0, 1, 0, 0, 0, 1, 1, 0, 0}, {3, 3}, state.stream);
  const auto sides = yoke::to_device_array(std::vector<float>{5, 6, 7}, {3}, state.stream);
  CHECK(yoke::solve(exchanged, sides).to_host() == std::vector<float>{7, 5, 6});
}

YOKE_ANY_DEVICE_TEST_CASE("solves equations of triangular matrices", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(4);
  constexpr std::size_t n = 15;
  using number = std::complex<float>;
  matrix all = random_matrix<number>(n, n, 6);
  for (std::size_t i = 0; i < n; ++i) all(i, i) += 4.0;
  const matrix b = random_matrix<number>(n, 18, 7);
  const auto a = on_device<number>(all, state.stream);
  const auto right = on_device<number>(b, state.stream);
  for (const bool lower : {true, false}) {
    for (const bool unit : {true, false}) {
      INFO(lower << unit);
      matrix part = all;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (lower ? i < j : i > j) part(i, j) = 0;
        }
        if (unit) part(i, i) = 1;
      }
      const auto side = lower ? yoke::triangle::lower : yoke::triangle::upper;
      const auto x = yoke::solve_triangular(a, right, side, {.unit_diagonal = unit});
      check_solution<number>(part, matrix(n, 18, x.to_host()), b);
      const auto turned = yoke::solve_triangular(a.transpose().copy().transpose(), right(yoke::whole, 2), side,
                                                 {.unit_diagonal = unit});
      CHECK(turned.to_host() == x(yoke::whole, 2).copy().to_host());
    }
  }
  auto zero = a.copy();
  zero(9, 9) = number(0);
  check_fails<yoke::numeric_error>(
      yoke::errc::singular, "solve_triangular of (15, 15): the matrix is singular: pivot 9, counted from 0, is 0",
      [&] { (void)yoke::solve_triangular(zero, right, yoke::triangle::upper); });
  yoke::device_value<int> info(state.stream, 7);
  auto x = right.copy();
  x = yoke::pass::solve_triangular(zero, x, yoke::triangle::lower, info, {.unit_diagonal = true});
  CHECK(info.get() == 0);
  CHECK(x.to_host() == yoke::solve_triangular(a, right, yoke::triangle::lower, {.unit_diagonal = true}).to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("solves and factors at each launch of a graph", "[linalg][graph]") {
  arrays::recorded_rig on(device);
  const by_width narrow(4);
  auto a = on_device<float>(positive_matrix<float>(9, 1), on.stream);
  auto b = on_device<float>(random_matrix<float>(9, 2, 2), on.stream);
  auto x = yoke::zeros<float>({9, 2}, on.stream);
  auto l = yoke::zeros<float>({9, 9}, on.stream);
  yoke::device_value<int> info(on.stream, 7);
  yoke::device_value<int> positive(on.stream, 7);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    x.bind(record) = yoke::pass::solve(a, b, info);
    l.bind(record) = yoke::pass::cholesky(a, positive);
    executable = graph.instantiate();
  }
  for (unsigned k = 1; k < 4; ++k) {
    INFO(k);
    a.assign(positive_matrix<float>(9, k).values<float>());
    if (k == 3) a(4, 4) = -1000;
    executable.launch(on.stream);
    CHECK(positive.get() == (k == 3 ? 5 : 0));
    CHECK(info.get() == 0);
    CHECK(x.to_host() == yoke::solve(a, b).to_host());
    if (k != 3) CHECK(l.to_host() == yoke::cholesky(a).to_host());
  }
}
