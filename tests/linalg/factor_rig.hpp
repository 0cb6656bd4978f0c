// SPDX-License-Identifier: MIT
// Matrices on the host, against which factorisations are tested.
#ifndef YOKE_TESTS_LINALG_FACTOR_RIG_HPP
#define YOKE_TESTS_LINALG_FACTOR_RIG_HPP

#include <array/array_rig.hpp>
#include <yoke/cache.hpp>
#include <yoke/linalg.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace yoke_test::factors {

struct factor_rig : arrays::any_rig {
  explicit factor_rig(const yoke::device<>& on) : arrays::any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};

/// Factors in panels of this width while it lives.
struct by_width {
  explicit by_width(std::int64_t wanted) { yoke::detail::wanted_factor_width() = wanted; }
  ~by_width() { yoke::detail::wanted_factor_width() = yoke::detail::factor_width; }
  by_width(const by_width&) = delete;
  by_width& operator=(const by_width&) = delete;
};

using exact = std::complex<double>;
template <class T>
exact exactly(const T& of) {
  if constexpr (yoke::detail::complex_element<T>) {
    return {static_cast<double>(of.real()), static_cast<double>(of.imag())};
  } else {
    return {static_cast<double>(of), 0.0};
  }
}
template <class T>
T rounded(const exact& of) {
  if constexpr (yoke::detail::complex_element<T>) {
    using part = typename T::value_type;
    return T(static_cast<part>(of.real()), static_cast<part>(of.imag()));
  } else {
    return static_cast<T>(of.real());
  }
}
template <class T>
struct part_of {
  using type = T;
};
template <yoke::detail::complex_element T>
struct part_of<T> {
  using type = typename T::value_type;
};
template <class T>
inline constexpr double epsilon_of = static_cast<double>(std::numeric_limits<typename part_of<T>::type>::epsilon());

/// A matrix of the host, in rows.
struct matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<exact> at{};
  matrix(std::size_t m, std::size_t n) : rows(m), columns(n), at(m * n) {}
  template <class T>
  matrix(std::size_t m, std::size_t n, const std::vector<T>& of, std::size_t first = 0) : matrix(m, n) {
    REQUIRE(of.size() >= first + m * n);
    for (std::size_t k = 0; k < m * n; ++k) at[k] = exactly(of[first + k]);
  }
  exact& operator()(std::size_t i, std::size_t j) { return at[i * columns + j]; }
  const exact& operator()(std::size_t i, std::size_t j) const { return at[i * columns + j]; }
  [[nodiscard]] matrix turned() const {  ///< transposed and conjugated
    matrix made(columns, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) made(j, i) = std::conj((*this)(i, j));
    }
    return made;
  }
  /// The root of the sum of all squares. It is NaN if any element is.
  [[nodiscard]] double norm() const {
    double sum = 0;
    for (const exact& each : at) sum += std::norm(each);
    return std::sqrt(sum);
  }
  template <class T>
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> made;
    for (const exact& each : at) made.push_back(rounded<T>(each));
    return made;
  }
};
inline matrix operator*(const matrix& a, const matrix& b) {
  REQUIRE(a.columns == b.rows);
  matrix made(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k) {
      for (std::size_t j = 0; j < b.columns; ++j) made(i, j) += a(i, k) * b(k, j);
    }
  }
  return made;
}
inline matrix operator-(matrix a, const matrix& b) {
  REQUIRE(a.at.size() == b.at.size());
  for (std::size_t k = 0; k < a.at.size(); ++k) a.at[k] -= b.at[k];
  return a;
}
inline matrix identity(std::size_t n) {
  matrix made(n, n);
  for (std::size_t i = 0; i < n; ++i) made(i, i) = 1;
  return made;
}
/// Numbers between -1 and 1, the same on each run; complex ones for complex types.
template <class T>
matrix random_matrix(std::size_t m, std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  matrix made(m, n);
  const auto draw = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1.0; };
  for (exact& each : made.at) {
    const double real = draw();
    each = exactly(rounded<T>(exact(real, draw())));
  }
  return made;
}
/// A Hermitian matrix whose eigenvalues are positive.
template <class T>
matrix positive_matrix(std::size_t n, unsigned seed) {
  const matrix half = random_matrix<T>(n, n, seed);
  matrix made = half * half.turned();
  for (std::size_t i = 0; i < n; ++i) made(i, i) += 1.0;
  for (exact& each : made.at) each = exactly(rounded<T>(each));
  return made;
}
template <class T>
auto on_device(const matrix& of, const yoke::stream<>& stream) {
  return yoke::to_device_array(of.values<T>(), {of.rows, of.columns}, stream);
}

/// Requires: `run` throws an error of this class, with this condition and a message that begins so.
template <class Error, class Run>
void check_fails(yoke::errc condition, const std::string& message, const Run& run) {
  INFO(message);
  try {
    run();
    FAIL_CHECK("nothing was thrown");
  } catch (const Error& e) {
    CHECK(e.code() == condition);
    CHECK_THAT(e.what(), Catch::Matchers::StartsWith(message));
  }
}

}  // namespace yoke_test::factors

#endif
