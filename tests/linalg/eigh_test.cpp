// SPDX-License-Identifier: MIT
// Eigenvalues of Hermitian matrices of every type and layout, and of matrices whose values are known.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

template <class T>
matrix hermitian_matrix(std::size_t n, unsigned seed) {
  matrix made = random_matrix<T>(n, n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    made(i, i) = made(i, i).real();
    for (std::size_t j = i + 1; j < n; ++j) made(i, j) = std::conj(made(j, i));
  }
  return made;
}
template <class T>
void check_factors(const matrix& a, const std::vector<typename part_of<T>::type>& values, const matrix& vectors,
                   std::size_t first = 0) {
  const std::size_t n = a.rows;
  const double size = 10 * static_cast<double>(n) * epsilon_of<T>;
  CHECK((vectors.turned() * vectors - identity(n)).norm() <= size);
  matrix scaled = vectors;
  for (std::size_t j = 0; j < n; ++j) {
    if (j != 0) CHECK(values[first + j] >= values[first + j - 1]);
    for (std::size_t i = 0; i < n; ++i) scaled(i, j) *= static_cast<double>(values[first + j]);
  }
  CHECK((a * vectors - scaled).norm() <= size * a.norm());
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const std::size_t n : {1U, 2U, 7U, 16U}) {
    INFO(n);
    const matrix a = hermitian_matrix<T>(n, static_cast<unsigned>(n));
    const auto given = on_device<T>(a, state.stream);
    const auto [values, vectors] = yoke::eigh(given);
    REQUIRE(values.shape() == yoke::shape<1>{n});
    check_factors<T>(a, values.to_host(), matrix(n, n, vectors.to_host()));
    CHECK(given.to_host() == a.values<T>());
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("finds eigenvalues of every type", "[linalg]") {
  factor_rig state(device);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
  yoke::detail::wanted_jacobi_columns() = 0;
  check_sizes<double>(state);
  yoke::detail::wanted_jacobi_columns() = 48;
}

YOKE_ANY_DEVICE_TEST_CASE("finds eigenvalues that are known", "[linalg]") {
  factor_rig state(device);
  // Of a diagonal matrix they are exact, however small.
  const std::vector<float> expected{-1000, -1, 0, 0, 1.0F / 1024, 3, 3};
  matrix diagonal(7, 7);
  for (std::size_t i = 0; i < 7; ++i) diagonal(i, i) = static_cast<double>(expected[i * 3 % 7]);
  CHECK(yoke::eigh(on_device<float>(diagonal, state.stream)).values.to_host() == expected);
  // Hilbert's matrix of 4 rows.
  matrix hilbert(4, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) hilbert(i, j) = 1.0 / static_cast<double>(i + j + 1);
  }
  const auto found = yoke::eigh(on_device<double>(hilbert, state.stream)).values.to_host();
  const double known[]{9.670230402258692e-05, 0.006738273605760735, 0.16914122022145014, 1.5002142800592426};
  for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(found[k] - known[k]) <= 40 * epsilon_of<double> * 1.5);
  // Values of both signs and one size.
  const auto swapped = yoke::to_device_array(std::vector<double>{0, 1, 1, 0}, {2, 2}, state.stream);
  const auto both = yoke::eigh(swapped);
  check_factors<double>(matrix(2, 2, swapped.to_host()), both.values.to_host(), matrix(2, 2, both.vectors.to_host()));
  CHECK(yoke::eigh(yoke::zeros<float>({3, 3}, state.stream)).values.to_host() == std::vector<float>(3));
}

YOKE_ANY_DEVICE_TEST_CASE("finds eigenvalues of batches and views, of which it reads the lower triangles", "[linalg]") {
  factor_rig state(device);
  std::vector<double> all;
  for (unsigned k = 0; k < 4; ++k) {
    const auto next = hermitian_matrix<double>(6, k + 1).values<double>();
    all.insert(all.end(), next.begin(), next.end());
  }
  const auto batch = yoke::to_device_array(all, {4, 6, 6}, state.stream);
  const auto [values, vectors] = yoke::eigh(batch);
  REQUIRE(values.shape() == yoke::shape<2>{4, 6});
  const auto of_values = values.to_host();
  const auto of_vectors = vectors.to_host();
  for (std::size_t k = 0; k < 4; ++k) {
    check_factors<double>(matrix(6, 6, all, k * 36), of_values, matrix(6, 6, of_vectors, k * 36), k * 6);
  }
  auto spoilt = batch(2).copy();
  spoilt(0, yoke::slice(1, yoke::none)) = std::numeric_limits<double>::quiet_NaN();
  CHECK(yoke::eigh(spoilt).values.to_host() == values(2).copy().to_host());
  CHECK(yoke::eigh(batch(2).transpose()).values.to_host() == yoke::eigh(batch(2).transpose().copy()).values.to_host());
  spoilt(3, 1) = std::numeric_limits<double>::infinity();
  check_fails<yoke::numeric_error>(yoke::errc::not_converged,
                                   "eigh of (6, 6): the matrix has elements that are not finite",
                                   [&] { (void)yoke::eigh(spoilt); });
  check_fails<yoke::logic_error>(yoke::errc::size_mismatch, "eigh of (4, 3, 6): the matrix is not square: 3 is not 6",
                                 [&] { (void)yoke::eigh(batch(yoke::whole, yoke::slice(0, 3))); });
  CHECK(yoke::eigh(yoke::zeros<double>({0, 0}, state.stream)).values.size() == 0);
}
