// SPDX-License-Identifier: MIT
// Libraries for processors that results are compared with, opened where they are installed.
#ifndef YOKE_TESTS_LINALG_PEERS_HPP
#define YOKE_TESTS_LINALG_PEERS_HPP

#include <yoke/core/system.hpp>

#include <complex>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace yoke_test::peers {

using exact = std::complex<double>;

/// A shared library, which stays open; none where it is not installed.
class library {
 public:
  explicit library(const char* name) : open_(yoke::detail::open_library(name, why_)) {}
  /// Why there is none; empty where there is one with all functions that were asked for.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  template <class Function>
  void find(Function*& function, const char* name) {
    if (!why_.empty()) return;
    function = reinterpret_cast<Function*>(yoke::detail::library_symbol(open_, name));
    if (function == nullptr) why_ = std::string("no ") + name;
  }

 private:
  std::string why_{};
  void* open_;
};

/// FFTW for doubles.
struct fftw : library {
  fftw() : library("libfftw3.so.3") {
    find(plan_, "fftw_plan_many_dft");
    find(execute_, "fftw_execute");
    find(destroy_, "fftw_destroy_plan");
  }
  static const fftw& here() {
    static const fftw opened;
    return opened;
  }
  /// Returns: the transforms of rows of `n`, not scaled.
  [[nodiscard]] std::vector<exact> rows(std::vector<exact> of, std::size_t n, bool inverse) const {
    std::vector<exact> made(of.size());
    const int points = static_cast<int>(n);
    constexpr unsigned estimate = 1U << 6U;
    void* const plan = plan_(1, &points, static_cast<int>(of.size() / n), of.data(), nullptr, 1, points, made.data(),
                             nullptr, 1, points, inverse ? 1 : -1, estimate);
    execute_(plan);
    destroy_(plan);
    return made;
  }

 private:
  void* (*plan_)(int, const int*, int, exact*, const int*, int, int, exact*, const int*, int, int, int, unsigned){};
  void (*execute_)(void*){};
  void (*destroy_)(void*){};
};

/// A library of BLAS or LAPACK: of one thread, if OpenBLAS opens with it.
struct one_thread : library {
  explicit one_thread(const char* name) : library((setenv("OPENBLAS_NUM_THREADS", "1", 0), name)) {}
};

/// OpenBLAS's products of doubles, of matrices in rows.
struct openblas : one_thread {
  openblas() : one_thread("libopenblas.so.0") {
    find(real_, "cblas_dgemm");
    find(complex_, "cblas_zgemm");
  }
  static const openblas& here() {
    static const openblas opened;
    return opened;
  }
  [[nodiscard]] std::vector<double> product(std::size_t m, std::size_t n, std::size_t k, const std::vector<double>& a,
                                            const std::vector<double>& b) const {
    std::vector<double> made(m * n);
    const auto [rows, columns, terms] = extents(m, n, k);
    real_(by_rows, as_it_is, as_it_is, rows, columns, terms, 1, a.data(), terms, b.data(), columns, 0, made.data(),
          columns);
    return made;
  }
  [[nodiscard]] std::vector<exact> product(std::size_t m, std::size_t n, std::size_t k, const std::vector<exact>& a,
                                           const std::vector<exact>& b) const {
    std::vector<exact> made(m * n);
    const auto [rows, columns, terms] = extents(m, n, k);
    const exact one = 1;
    const exact zero = 0;
    complex_(by_rows, as_it_is, as_it_is, rows, columns, terms, &one, a.data(), terms, b.data(), columns, &zero,
             made.data(), columns);
    return made;
  }

 private:
  static constexpr int by_rows = 101;
  static constexpr int as_it_is = 111;
  struct three {
    int rows, columns, terms;
  };
  static three extents(std::size_t m, std::size_t n, std::size_t k) {
    return {static_cast<int>(m), static_cast<int>(n), static_cast<int>(k)};
  }
  void (*real_)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int){};
  void (*complex_)(int, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*, void*,
                   int){};
};

/// LAPACK's functions of complex doubles, which take matrices in columns; the last arguments are the lengths of texts.
struct lapack : one_thread {
  lapack() : one_thread("liblapack.so.3") {
    find(solve_, "zgesv_");
    find(eigenvalues_, "zheev_");
    find(singular_values_, "zgesvd_");
  }
  static const lapack& here() {
    static const lapack opened;
    return opened;
  }
  /// Returns: `x` with `a x = b`, all in columns. Requires: `a` of `n` columns is not singular.
  [[nodiscard]] std::vector<exact> solve(std::size_t n, std::vector<exact> a, std::vector<exact> b) const {
    const int rows = static_cast<int>(n);
    const int columns = static_cast<int>(b.size() / n);
    std::vector<int> pivots(n);
    int info = 0;
    solve_(&rows, &columns, a.data(), &rows, pivots.data(), b.data(), &rows, &info);
    if (info != 0) b.clear();
    return b;
  }
  /// Returns: the eigenvalues of a Hermitian matrix, the least first.
  [[nodiscard]] std::vector<double> eigenvalues(std::size_t n, std::vector<exact> a) const {
    const int rows = static_cast<int>(n);
    const int room = 4 * rows + 64;
    std::vector<double> values(n);
    std::vector<exact> work(static_cast<std::size_t>(room));
    std::vector<double> more(3 * n + 1);
    int info = 0;
    eigenvalues_("N", "L", &rows, a.data(), &rows, values.data(), work.data(), &room, more.data(), &info, 1, 1);
    if (info != 0) values.clear();
    return values;
  }
  /// Returns: the singular values of an `m` x `n` matrix in columns, the greatest first.
  [[nodiscard]] std::vector<double> singular_values(std::size_t m, std::size_t n, std::vector<exact> a) const {
    const int rows = static_cast<int>(m);
    const int columns = static_cast<int>(n);
    const int room = 8 * (rows + columns) + 64;
    const int one = 1;
    std::vector<double> values(m < n ? m : n);
    std::vector<exact> work(static_cast<std::size_t>(room));
    std::vector<double> more(5 * values.size() + 1);
    exact none;
    int info = 0;
    singular_values_("N", "N", &rows, &columns, a.data(), &rows, values.data(), &none, &one, &none, &one, work.data(),
                     &room, more.data(), &info, 1, 1);
    if (info != 0) values.clear();
    return values;
  }

 private:
  void (*solve_)(const int*, const int*, exact*, const int*, int*, exact*, const int*, int*){};
  void (*eigenvalues_)(const char*, const char*, const int*, exact*, const int*, double*, exact*, const int*, double*,
                       int*, std::size_t, std::size_t){};
  void (*singular_values_)(const char*, const char*, const int*, const int*, exact*, const int*, double*, exact*,
                           const int*, exact*, const int*, exact*, const int*, double*, int*, std::size_t,
                           std::size_t){};
};

}  // namespace yoke_test::peers

#endif
