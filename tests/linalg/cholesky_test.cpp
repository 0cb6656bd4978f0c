// SPDX-License-Identifier: MIT
// Cholesky factorisations of every type and layout, against their products on the host.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

/// Requires: `l` is the lower triangular factor of `a`.
template <class T>
void check_factor(const matrix& a, const matrix& l) {
  for (std::size_t i = 0; i < l.rows; ++i) {
    for (std::size_t j = i + 1; j < l.columns; ++j) REQUIRE(l(i, j) == exact(0));
    REQUIRE(l(i, i).imag() == 0);
    REQUIRE(l(i, i).real() > 0);
  }
  const double bound = 10 * static_cast<double>(a.rows) * epsilon_of<T> * a.norm();
  CHECK((l * l.turned() - a).norm() <= bound);
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const std::size_t n : {1U, 2U, 7U, 19U, 40U}) {
    INFO(n);
    const matrix a = positive_matrix<T>(n, static_cast<unsigned>(n));
    const auto given = on_device<T>(a, state.stream);
    const auto l = yoke::cholesky(given);
    REQUIRE(l.shape() == yoke::shape<2>{n, n});
    check_factor<T>(a, matrix(n, n, l.to_host()));
    CHECK(given.to_host() == a.values<T>());
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("factors positive definite matrices of every type", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(8);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("factors in panels of the usual width", "[linalg]") {
  factor_rig state(device);
  const matrix a = positive_matrix<float>(70, 3);
  check_factor<float>(a, matrix(70, 70, yoke::cholesky(on_device<float>(a, state.stream)).to_host()));
}

YOKE_ANY_DEVICE_TEST_CASE("factors batches, views, views of const and expressions", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(4);
  constexpr std::size_t n = 11;
  std::vector<float> all;
  for (unsigned k = 0; k < 6; ++k) {
    const auto next = positive_matrix<float>(n, k).values<float>();
    all.insert(all.end(), next.begin(), next.end());
  }
  const auto batch = yoke::to_device_array(all, {2, 3, n, n}, state.stream);
  const auto l = yoke::cholesky(batch);
  REQUIRE(l.shape() == yoke::shape<4>{2, 3, n, n});
  const auto got = l.to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_factor<float>(matrix(n, n, all, k * n * n), matrix(n, n, got, k * n * n));
  }
  // Of a matrix only the lower triangle is read: other numbers above the diagonal change nothing.
  auto spoilt = batch(1, 2).copy();
  spoilt(0, yoke::slice(1, yoke::none)) = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> last(got.end() - n * n, got.end());
  CHECK(yoke::cholesky(spoilt).to_host() == last);
  const auto turned = batch(1, 2).transpose();
  CHECK(yoke::cholesky(turned).to_host() == yoke::cholesky(turned.copy()).to_host());
  auto written = yoke::zeros<float>({2 * n, 3 * n}, state.stream);
  auto part = written(yoke::slice(yoke::none, yoke::none, 2), yoke::slice(yoke::none, yoke::none, 3));
  part = batch(1, 2);
  const yoke::device_view<const float, 2> constant = part;
  CHECK(yoke::cholesky(constant).to_host() == last);
  check_factor<float>(matrix(n, n, yoke::device_array<float, 2>(2 * batch(1, 2)).to_host()),
                      matrix(n, n, yoke::cholesky(2 * batch(1, 2)).to_host()));
  // In place, and into a strided view.
  yoke::device_value<int> info(state.stream, 7);
  part = yoke::pass::cholesky(part, info);
  CHECK(part.to_host() == last);
  CHECK(info.get() == 0);
  auto own = batch(1, 2).copy();
  own = yoke::pass::cholesky(own, info);
  CHECK(own.to_host() == last);
  auto exchanged = spoilt.transpose().copy();  // the lower triangle is spoilt: that of the transposed matrix is not
  exchanged = yoke::pass::cholesky(exchanged.transpose(), info);
  CHECK(exchanged.to_host() == last);
}

YOKE_ANY_DEVICE_TEST_CASE("names the matrix that is not positive definite, and its pivot", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(2);
  std::vector<double> all(3 * 25);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 5; ++i) all[k * 25 + i * 6] = 1;
  }
  all[2 * 25 + 3 * 6] = -1;
  const auto a = yoke::to_device_array(all, {3, 5, 5}, state.stream);
  check_fails<yoke::numeric_error>(
      yoke::errc::not_positive,
      "cholesky of (3, 5, 5): the matrix at index 2 is not positive definite: pivot 3, counted from 0, is not "
      "above 0",
      [&] { (void)yoke::cholesky(a); });
  yoke::device_value<int> info(state.stream);
  auto l = yoke::zeros<double>({3, 5, 5}, state.stream);
  l = yoke::pass::cholesky(a, info);
  CHECK(info.get() == 2 * 5 + 3 + 1);
  CHECK(l(1).to_host() == std::vector<double>(all.begin(), all.begin() + 25));
  // NaN is an error, too.
  auto unknown = a(0).copy();
  unknown(2, 2) = std::numeric_limits<double>::quiet_NaN();
  check_fails<yoke::numeric_error>(
      yoke::errc::not_positive,
      "cholesky of (5, 5): the matrix is not positive definite: pivot 2, counted from 0, is not above 0",
      [&] { (void)yoke::cholesky(unknown); });
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch,
                                 "cholesky of (3, 3, 5): the matrix is not square: 3 is not 5",
                                 [&] { (void)yoke::cholesky(a(yoke::whole, yoke::slice(0, 3))); });
}

YOKE_ANY_DEVICE_TEST_CASE("factors matrices without elements", "[linalg]") {
  factor_rig state(device);
  CHECK(yoke::cholesky(yoke::zeros<float>({0, 0}, state.stream)).size() == 0);
  CHECK(yoke::cholesky(yoke::zeros<float>({0, 3, 3}, state.stream)).shape() == yoke::shape<3>{0, 3, 3});
  CHECK(yoke::cholesky(yoke::ones<float>({1, 1}, state.stream)).to_host() == std::vector<float>{1});
}
