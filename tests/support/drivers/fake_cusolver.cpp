// SPDX-License-Identifier: MIT
// Plays cuSOLVER for the tests of factorisations.
#include <support/drivers/fake_math_parts.hpp>

#include <algorithm>
#include <cmath>

namespace yoke_test::fake_parts {

namespace {

int solver_create(abi::cusolver* to) { return make_handle("cusolverDnCreate", to); }
int solver_destroy(abi::cusolver handle) { return end_handle("cusolverDnDestroy", handle); }
int solver_property(abi::library_property which, int* to) {
  constexpr int version[]{12, 1, 0};
  *to = version[static_cast<int>(which)];
  return 0;
}
int solver_set_stream(abi::cusolver handle, abi::stream stream) {
  set_stream_of(handle, stream);
  return note("cusolverDnSetStream");
}
int solver_create_options(abi::cusolver_options* to) { return make_handle("cusolverDnCreateParams", to); }
int solver_destroy_options(abi::cusolver_options options) { return end_handle("cusolverDnDestroyParams", options); }
/// What is asked for here must be given to the factorisation.
constexpr std::size_t solver_device_bytes = 160;
constexpr std::size_t solver_host_bytes = 48;
int solver_bytes(const char* entry, std::size_t* on_device, std::size_t* on_host) {
  *on_device = solver_device_bytes;
  *on_host = solver_host_bytes;
  return note(entry);
}
/// Returns: the code of a factorisation before it begins.
int solver_begin(const char* entry, abi::cusolver handle, void* on_device, std::size_t device_bytes, void* on_host,
                 std::size_t host_bytes) {
  if (const int code = note(entry); code != 0) return code;
  if (device_bytes != solver_device_bytes || host_bytes != solver_host_bytes) return abi::cusolver_invalid_workspace;
  const std::byte last{1};
  if (driver().memcpy_htod(address(on_device) + device_bytes - 1, &last, 1) != abi::success) {
    return abi::cusolver_invalid_workspace;
  }
  static_cast<std::byte*>(on_host)[host_bytes - 1] = last;
  return driver().stream_synchronize(stream_of(handle)) == abi::success ? 0 : abi::cusolver_execution_failed;
}
void write_info(int* to, int info) { (void)driver().memcpy_htod(address(to), &info, sizeof info); }
/// Effects: makes a Hermitian matrix diagonal by rotations. Returns: the vectors, by columns.
numbers rotate_to_diagonal(numbers& a, std::size_t n) {
  numbers v(n * n);
  for (std::size_t k = 0; k < n; ++k) v[k + k * n] = 1;
  for (int sweep = 0; sweep < 40; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const number off = a[p + q * n];
        if (std::abs(off) < 1e-300) continue;
        const number phase = off / std::abs(off);
        const double t = 0.5 * std::atan2(2 * std::abs(off), a[q + q * n].real() - a[p + p * n].real());
        const double c = std::cos(t);
        const number s = std::sin(t) * phase;
        const auto turn_columns = [&](numbers& of) {
          for (std::size_t i = 0; i < n; ++i) {
            const number x = of[i + p * n];
            const number y = of[i + q * n];
            of[i + p * n] = c * x - std::conj(s) * y;
            of[i + q * n] = s * x + c * y;
          }
        };
        turn_columns(a);
        for (std::size_t j = 0; j < n; ++j) {
          const number x = a[p + j * n];
          const number y = a[q + j * n];
          a[p + j * n] = c * x - s * y;
          a[q + j * n] = std::conj(s) * x + c * y;
        }
        turn_columns(v);
      }
    }
  }
  return v;
}
std::vector<std::size_t> ascending(const numbers& diagonal, std::size_t n) {
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return diagonal[i + i * n].real() < diagonal[j + j * n].real(); });
  return order;
}

int solver_cholesky_bytes(abi::cusolver, abi::cusolver_options, abi::fill_mode, std::int64_t, abi::data_type,
                          const void*, std::int64_t, abi::data_type, std::size_t* on_device, std::size_t* on_host) {
  return solver_bytes("cusolverDnXpotrf_bufferSize", on_device, on_host);
}
int solver_cholesky(abi::cusolver handle, abi::cusolver_options, abi::fill_mode triangle, std::int64_t size,
                    abi::data_type type, void* a, std::int64_t leading, abi::data_type, void* on_device,
                    std::size_t device_bytes, void* on_host, std::size_t host_bytes, int* info) {
  if (const int code = solver_begin("cusolverDnXpotrf", handle, on_device, device_bytes, on_host, host_bytes);
      code != 0) {
    return code;
  }
  const in_use now(handle);
  if (triangle != abi::fill_mode::lower || leading < size) return abi::cusolver_invalid_value;
  numbers l = read_matrix(a, type, size, size, leading);
  const auto n = static_cast<std::size_t>(size);
  int found = 0;
  for (std::size_t j = 0; j < n && found == 0; ++j) {
    double pivot = l[j + j * n].real();
    for (std::size_t k = 0; k < j; ++k) pivot -= std::norm(l[j + k * n]);
    if (!(pivot > 0)) found = static_cast<int>(j) + 1;
    l[j + j * n] = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) l[i + j * n] -= l[i + k * n] * std::conj(l[j + k * n]);
      l[i + j * n] /= l[j + j * n];
    }
  }
  write_matrix(a, type, size, size, leading, l);
  write_info(info, found);
  return 0;
}
int solver_lu_bytes(abi::cusolver, abi::cusolver_options, std::int64_t, std::int64_t, abi::data_type, const void*,
                    std::int64_t, abi::data_type, std::size_t* on_device, std::size_t* on_host) {
  return solver_bytes("cusolverDnXgetrf_bufferSize", on_device, on_host);
}
int solver_lu(abi::cusolver handle, abi::cusolver_options, std::int64_t rows, std::int64_t columns, abi::data_type type,
              void* a, std::int64_t leading, std::int64_t* pivots, abi::data_type, void* on_device,
              std::size_t device_bytes, void* on_host, std::size_t host_bytes, int* info) {
  if (const int code = solver_begin("cusolverDnXgetrf", handle, on_device, device_bytes, on_host, host_bytes);
      code != 0) {
    return code;
  }
  if (leading < rows) return abi::cusolver_invalid_value;
  numbers of = read_matrix(a, type, rows, columns, leading);
  const auto m = static_cast<std::size_t>(rows);
  const auto n = static_cast<std::size_t>(columns);
  std::vector<std::int64_t> exchanged;
  int found = 0;
  const auto length = [](const number& each) { return std::abs(each.real()) + std::abs(each.imag()); };
  for (std::size_t c = 0; c < std::min(m, n); ++c) {
    std::size_t at = c;
    for (std::size_t i = c + 1; i < m; ++i) {
      if (length(of[i + c * m]) > length(of[at + c * m])) at = i;
    }
    exchanged.push_back(static_cast<std::int64_t>(at) + 1);
    for (std::size_t j = 0; j < n; ++j) std::swap(of[c + j * m], of[at + j * m]);
    if (of[c + c * m] == number(0)) {
      if (found == 0) found = static_cast<int>(c) + 1;
      continue;
    }
    for (std::size_t i = c + 1; i < m; ++i) {
      of[i + c * m] /= of[c + c * m];
      for (std::size_t j = c + 1; j < n; ++j) of[i + j * m] -= of[i + c * m] * of[c + j * m];
    }
  }
  write_matrix(a, type, rows, columns, leading, of);
  (void)driver().memcpy_htod(address(pivots), exchanged.data(), exchanged.size() * sizeof(std::int64_t));
  write_info(info, found);
  return 0;
}
int solver_eigenvalues_bytes(abi::cusolver, abi::cusolver_options, abi::uint, abi::fill_mode, std::int64_t,
                             abi::data_type, const void*, std::int64_t, abi::data_type, const void*, abi::data_type,
                             std::size_t* on_device, std::size_t* on_host) {
  return solver_bytes("cusolverDnXsyevd_bufferSize", on_device, on_host);
}
int solver_eigenvalues(abi::cusolver handle, abi::cusolver_options, abi::uint vectors, abi::fill_mode triangle,
                       std::int64_t size, abi::data_type type, void* a, std::int64_t leading, abi::data_type real_type,
                       void* values, abi::data_type, void* on_device, std::size_t device_bytes, void* on_host,
                       std::size_t host_bytes, int* info) {
  if (const int code = solver_begin("cusolverDnXsyevd", handle, on_device, device_bytes, on_host, host_bytes);
      code != 0) {
    return code;
  }
  if (triangle != abi::fill_mode::lower || leading < size || vectors != abi::cusolver_with_vectors) {
    return abi::cusolver_invalid_value;
  }
  numbers of = read_matrix(a, type, size, size, leading);
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) of[i + j * n] = std::conj(of[j + i * n]);
  }
  const numbers v = rotate_to_diagonal(of, n);
  numbers sorted;
  numbers diagonal;
  for (const std::size_t k : ascending(of, n)) {
    diagonal.push_back(of[k + k * n]);
    sorted.insert(sorted.end(), v.begin() + static_cast<std::ptrdiff_t>(k * n),
                  v.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
  }
  write_matrix(a, type, size, size, leading, sorted);
  write_matrix(values, real_type, size, 1, size, diagonal);
  write_info(info, fake_math().solver_info);
  return 0;
}
int solver_singular_values_bytes(abi::cusolver, abi::cusolver_options, signed char, signed char, std::int64_t,
                                 std::int64_t, abi::data_type, const void*, std::int64_t, abi::data_type, const void*,
                                 abi::data_type, const void*, std::int64_t, abi::data_type, const void*, std::int64_t,
                                 abi::data_type, std::size_t* on_device, std::size_t* on_host) {
  return solver_bytes("cusolverDnXgesvd_bufferSize", on_device, on_host);
}
int solver_singular_values(abi::cusolver handle, abi::cusolver_options, signed char left_job, signed char right_job,
                           std::int64_t rows, std::int64_t columns, abi::data_type type, void* a, std::int64_t leading,
                           abi::data_type real_type, void* values, abi::data_type, void* left,
                           std::int64_t left_leading, abi::data_type, void* right, std::int64_t right_leading,
                           abi::data_type, void* on_device, std::size_t device_bytes, void* on_host,
                           std::size_t host_bytes, int* info) {
  if (const int code = solver_begin("cusolverDnXgesvd", handle, on_device, device_bytes, on_host, host_bytes);
      code != 0) {
    return code;
  }
  if (left_job != 'S' || right_job != 'S' || rows < columns || leading < rows || left_leading < rows ||
      right_leading < columns) {
    return abi::cusolver_invalid_value;
  }
  const auto m = static_cast<std::size_t>(rows);
  const auto n = static_cast<std::size_t>(columns);
  const numbers of = read_matrix(a, type, rows, columns, leading);
  numbers square(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < m; ++k) square[i + j * n] += std::conj(of[k + i * m]) * of[k + j * m];
    }
  }
  const numbers v = rotate_to_diagonal(square, n);
  std::vector<std::size_t> order = ascending(square, n);
  std::reverse(order.begin(), order.end());
  numbers u(m * n);
  numbers vh(n * n);
  numbers s;
  for (std::size_t c = 0; c < n; ++c) {
    s.emplace_back(std::sqrt(square[order[c] + order[c] * n].real()));
    for (std::size_t k = 0; k < n; ++k) vh[c + k * n] = std::conj(v[k + order[c] * n]);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < n; ++k) u[i + c * m] += of[i + k * m] * v[k + order[c] * n] / s.back();
    }
  }
  write_matrix(left, type, rows, columns, left_leading, u);
  write_matrix(right, type, columns, columns, right_leading, vh);
  write_matrix(values, real_type, columns, 1, columns, s);
  write_matrix(a, type, rows, columns, leading, numbers(m * n, number(-7)));
  write_info(info, fake_math().solver_info);
  return 0;
}

int solver_reflections_bytes(abi::cusolver, abi::cusolver_options, std::int64_t, std::int64_t, abi::data_type,
                             const void*, std::int64_t, abi::data_type, const void*, abi::data_type,
                             std::size_t* on_device, std::size_t* on_host) {
  return solver_bytes("cusolverDnXgeqrf_bufferSize", on_device, on_host);
}
/// Effects: subtracts `scale * v * v^H * x` from column `x`.
void reflect(number* x, const number* v, std::size_t size, number scale) {
  number sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::conj(v[i]) * x[i];
  for (std::size_t i = 0; i < size; ++i) x[i] -= scale * sum * v[i];
}
int solver_reflections(abi::cusolver handle, abi::cusolver_options, std::int64_t rows, std::int64_t columns,
                       abi::data_type type, void* a, std::int64_t leading, abi::data_type, void* factors,
                       abi::data_type, void* on_device, std::size_t device_bytes, void* on_host, std::size_t host_bytes,
                       int* info) {
  if (const int code = solver_begin("cusolverDnXgeqrf", handle, on_device, device_bytes, on_host, host_bytes);
      code != 0) {
    return code;
  }
  if (leading < rows) return abi::cusolver_invalid_value;
  numbers of = read_matrix(a, type, rows, columns, leading);
  const auto m = static_cast<std::size_t>(rows);
  const auto n = static_cast<std::size_t>(columns);
  numbers taus;
  for (std::size_t c = 0; c < std::min(m, n); ++c) {
    number* const x = of.data() + c + c * m;
    numbers v(x, x + (m - c));
    double squares = 0;
    for (const number& each : v) squares += std::norm(each);
    const number alpha = v[0];
    double rest = squares - std::norm(alpha);
    if (rest < 0) rest = 0;
    if (rest == 0 && alpha.imag() == 0) {
      taus.emplace_back(0);
      continue;
    }
    const double beta = -std::copysign(std::sqrt(squares), alpha.real());
    for (std::size_t i = 1; i < v.size(); ++i) v[i] /= alpha - beta;
    v[0] = 1;
    taus.emplace_back((beta - alpha) / beta);
    for (std::size_t j = c + 1; j < n; ++j) reflect(of.data() + c + j * m, v.data(), v.size(), std::conj(taus.back()));
    x[0] = beta;
    std::copy(v.begin() + 1, v.end(), x + 1);
  }
  write_matrix(a, type, rows, columns, leading, of);
  const auto count = static_cast<std::int64_t>(taus.size());
  write_matrix(factors, type, count, 1, count, taus);
  write_info(info, 0);
  return 0;
}
constexpr int columns_elements = 20;
int columns_bytes(const char* entry, int* elements) {
  *elements = columns_elements;
  return note(entry);
}
int columns_make(const char* entry, abi::data_type type, abi::cusolver handle, int rows, int columns, int count,
                 void* a, int leading, const void* factors, void* on_device, int elements, int* info) {
  if (const int code = note(entry); code != 0) return code;
  const std::byte last{1};
  if (elements != columns_elements || leading < rows || rows < columns || columns < count ||
      driver().memcpy_htod(address(on_device) + columns_elements * bytes_of(type) - 1, &last, 1) != abi::success) {
    return abi::cusolver_invalid_value;
  }
  if (driver().stream_synchronize(stream_of(handle)) != abi::success) return abi::cusolver_execution_failed;
  const auto m = static_cast<std::size_t>(rows);
  const numbers vectors = read_matrix(a, type, rows, count, leading);
  const numbers taus = read_matrix(factors, type, count, 1, count);
  numbers q(m * static_cast<std::size_t>(columns));
  for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) q[k + k * m] = 1;
  for (auto c = static_cast<std::size_t>(count); c-- > 0;) {
    numbers v(vectors.begin() + static_cast<std::ptrdiff_t>(c + c * m),
              vectors.begin() + static_cast<std::ptrdiff_t>((c + 1) * m));
    v[0] = 1;
    for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
      reflect(q.data() + c + j * m, v.data(), v.size(), taus[c]);
    }
  }
  write_matrix(a, type, rows, columns, leading, q);
  write_info(info, 0);
  return 0;
}
// The two entries of a type.
template <int Type>
constexpr const char* columns_name = Type == 0   ? "cusolverDnSorgqr"
                                     : Type == 1 ? "cusolverDnDorgqr"
                                     : Type == 4 ? "cusolverDnCungqr"
                                                 : "cusolverDnZungqr";
template <int Type>
constexpr const char* columns_bytes_name = Type == 0   ? "cusolverDnSorgqr_bufferSize"
                                           : Type == 1 ? "cusolverDnDorgqr_bufferSize"
                                           : Type == 4 ? "cusolverDnCungqr_bufferSize"
                                                       : "cusolverDnZungqr_bufferSize";
template <int Type>
int solver_columns_bytes(abi::cusolver, int, int, int, const void*, int, const void*, int* elements) {
  return columns_bytes(columns_bytes_name<Type>, elements);
}
template <int Type>
int solver_columns(abi::cusolver handle, int rows, int columns, int count, void* a, int leading, const void* factors,
                   void* on_device, int elements, int* info) {
  return columns_make(columns_name<Type>, static_cast<abi::data_type>(Type), handle, rows, columns, count, a, leading,
                      factors, on_device, elements, info);
}

}  // namespace

const abi::cusolver_functions fake_cusolver{solver_create,
                                            solver_destroy,
                                            solver_property,
                                            solver_set_stream,
                                            solver_create_options,
                                            solver_destroy_options,
                                            solver_cholesky_bytes,
                                            solver_cholesky,
                                            solver_lu_bytes,
                                            solver_lu,
                                            solver_eigenvalues_bytes,
                                            solver_eigenvalues,
                                            solver_singular_values_bytes,
                                            solver_singular_values,
                                            solver_reflections_bytes,
                                            solver_reflections,
                                            solver_columns_bytes<0>,
                                            solver_columns<0>,
                                            solver_columns_bytes<1>,
                                            solver_columns<1>,
                                            solver_columns_bytes<4>,
                                            solver_columns<4>,
                                            solver_columns_bytes<5>,
                                            solver_columns<5>};

}  // namespace yoke_test::fake_parts
