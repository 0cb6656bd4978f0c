// SPDX-License-Identifier: MIT
// Functions of NumPy's and SciPy's linear algebra that are spelled by others here, as the page of porting spells them.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

/// Requires: a matrix of the device is this one, within some roundings of its size.
template <class T, class A>
void check_near(const A& got, const matrix& expected) {
  REQUIRE(got.shape()[0] == expected.rows);
  const matrix found(expected.rows, expected.columns, got.to_host());
  CHECK((found - expected).norm() <= 200 * epsilon_of<T> * (1 + expected.norm()));
}
template <class T>
bool is_near(T got, double expected) {
  return std::abs(static_cast<double>(got) - expected) <= 200 * epsilon_of<T> * (1 + std::abs(expected));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("norms of vectors and matrices are reductions", "[linalg]") {
  factor_rig state(device);
  const auto x = yoke::to_device_array({3.0, -4.0, 0.0}, state.stream);
  CHECK(yoke::norm(x).get() == 5);
  CHECK(yoke::sum(abs(x)).get() == 7);       // norm(x, 1)
  CHECK(yoke::max(abs(x)).get() == 4);       // norm(x, inf)
  CHECK(yoke::min(abs(x)).get() == 0);       // norm(x, -inf)
  CHECK(yoke::count_nonzero(x).get() == 2);  // norm(x, 0)
  const auto a = yoke::to_device_array({{3.0, 0.0}, {4.0, 5.0}}, state.stream);
  CHECK(is_near(yoke::norm(a).get(), std::sqrt(50.0)));                  // norm(a, "fro")
  CHECK(yoke::norm(a, yoke::along(0)).to_host()[1] == 5);                // norm(a, axis=0)
  CHECK(yoke::max(yoke::sum(abs(a), yoke::along(0))).get() == 7);        // norm(a, 1)
  CHECK(yoke::max(yoke::sum(abs(a), yoke::along(1))).get() == 9);        // norm(a, inf)
  const auto s = yoke::svd(a).s;                                         // the roots of 45 and 5
  CHECK(is_near(s(0).value(), std::sqrt(45.0)));                         // norm(a, 2)
  CHECK(is_near(yoke::sum(s).get(), std::sqrt(45.0) + std::sqrt(5.0)));  // norm(a, "nuc")
  CHECK(is_near((s(0) / s(-1)).value(), 3));                             // cond(a)
  CHECK(yoke::count(s > 1e-9 * s(0)).get() == 2);                        // matrix_rank(a, rtol=1e-9)
  const auto singular = yoke::svd(yoke::ones<double>({3, 3}, state.stream)).s;
  CHECK(yoke::count(singular > 1e-9 * singular(0)).get() == 1);
  // Squares of floats are added in double: they do not overflow where the norm is finite.
  CHECK(is_near(yoke::norm(yoke::full(3e30F, {4}, state.stream)).get(), 6e30));
}

YOKE_ANY_DEVICE_TEST_CASE("traces, diagonals and matrices of a diagonal are views and assignments", "[linalg]") {
  factor_rig state(device);
  const auto a = yoke::to_device_array({{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 6.0F}}, state.stream);
  CHECK(yoke::sum(a.diagonal()).get() == 6);
  CHECK(yoke::sum(a.diagonal(1)).get() == 8);
  auto d = yoke::zeros<float>({2, 2}, state.stream);
  d.diagonal() = a(0, yoke::slice(0, 2));
  CHECK(d.to_host() == std::vector<float>{1, 0, 0, 2});
  d.diagonal() += 1;
  d.diagonal(-1).fill(7);
  CHECK(d.to_host() == std::vector<float>{2, 0, 7, 3});
  const auto scale = yoke::to_device_array({10.0F, 100.0F}, state.stream);
  CHECK(yoke::evaluate(scale(yoke::whole, yoke::newaxis) * a).to_host() ==
        std::vector<float>{10, 20, 30, 400, 500, 600});
  CHECK(yoke::matmul(yoke::matmul(d, yoke::eye<float>(2, state.stream)), d).to_host() ==
        std::vector<float>{4, 0, 35, 9});
}

YOKE_ANY_DEVICE_TEST_CASE("a pseudoinverse is a solution of least squares, and an upper factor a transposed one",
                          "[linalg]") {
  factor_rig state(device);
  using number = std::complex<float>;
  const matrix host = random_matrix<number>(5, 3, 4);
  const auto a = on_device<number>(host, state.stream);
  const auto pinv = yoke::lstsq(a, yoke::eye<number>(5, state.stream)).x;
  REQUIRE(pinv.shape() == yoke::shape<2>{3, 5});
  check_near<number>(yoke::matmul(pinv, a), identity(3));
  check_near<number>(yoke::matmul(yoke::matmul(a, pinv), a), host);
  const auto h = yoke::matmul(conj(a).transpose(), a);
  check_near<number>(conj(h).transpose(), matrix(3, 3, h.to_host()));
  const auto l = yoke::cholesky(h);
  const auto upper = yoke::evaluate(conj(l).transpose());
  check_near<number>(yoke::matmul(conj(upper).transpose(), upper), matrix(3, 3, h.to_host()));
  // As `cho_solve`.
  const auto b = on_device<number>(random_matrix<number>(3, 2, 5), state.stream);
  const auto y = yoke::solve_triangular(l, b, yoke::triangle::lower);
  const auto x = yoke::solve_triangular(conj(l).transpose(), y, yoke::triangle::upper);
  check_near<number>(yoke::matmul(h, x), matrix(3, 2, b.to_host()));
  // The upper triangle of a Hermitian matrix.
  CHECK(yoke::eigh(conj(h).transpose()).values.to_host() ==
        yoke::eigh(yoke::evaluate(conj(h).transpose())).values.to_host());
  const auto [q, r] = yoke::qr(a);
  check_near<number>(yoke::matmul(conj(q).transpose(), a), matrix(3, 3, r.to_host()));
}
