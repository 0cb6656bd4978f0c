// SPDX-License-Identifier: MIT
// The sources of the own kernels of factorisations, and the numbers that these kernels take.
#ifndef YOKE_LINALG_FACTOR_SOURCE_HPP
#define YOKE_LINALG_FACTOR_SOURCE_HPP

#include <yoke/array/evaluation/value_kind.hpp>

#include <string>

namespace yoke::inline v0_1::detail {

/// Kernels that are compiled together.
enum class factor_family : std::uint8_t {
  solve,   ///< Cholesky, LU, triangular matrices
  qr,      ///< reflections
  jacobi,  ///< rotations: singular values and eigenvalues
};
/// The properties that kernels of factorisations depend on.
struct factor_form {
  factor_family family{};
  value_kind kind{};
  int lanes = 1;  ///< the threads of a group; 1 on processors
  [[nodiscard]] constexpr std::uint64_t key() const noexcept {
    return static_cast<std::uint64_t>(family) | static_cast<std::uint64_t>(kind) << 8U |
           static_cast<std::uint64_t>(lanes) << 16U;
  }
};
/// Returns: the kernels of a family. Their names begin with `yoke_m_`.
[[nodiscard]] YOKE_API std::string factor_source(const factor_form& form);

/// The most columns of a panel, and the size of the greatest matrix that one kernel factors.
inline constexpr std::int64_t factor_width = 32;
/// The vectors that a thread of a processor solves for at once.
inline constexpr std::int64_t factor_strip = 16;
/// The width of panels, for tests: at most `factor_width`.
[[nodiscard]] YOKE_API std::int64_t& wanted_factor_width() noexcept;

/// The most columns of matrices of which one kernel makes all rotations, for tests.
[[nodiscard]] YOKE_API std::int64_t& wanted_jacobi_columns() noexcept;
/// The most rounds of rotations through all pairs of columns.
inline constexpr int jacobi_sweeps = 60;

/// The sizes and strides of a step as kernels take them. Units: elements.
struct factor_steps {
  std::int64_t rows, columns, batches, begin, count, flags;
  std::int64_t a[4], b[4], c[4];  ///< first element, strides of rows, columns and batches
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/factor_source.ipp>
#endif

#endif
