// SPDX-License-Identifier: MIT
// Bodies of support/drivers/fake_math_libraries.hpp.
#include <support/drivers/fake_math_libraries.hpp>

#include <yoke/core/half.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <type_traits>

namespace yoke_test {

namespace cu = yoke::cuda;
namespace abi = yoke::cuda::abi;

fake_math_state& fake_math() {
  static fake_math_state state;
  return state;
}
int fake_math_state::count(const std::string& entry) {
  const std::lock_guard lock(mutex);
  int found = 0;
  for (const std::string& each : calls) found += each == entry ? 1 : 0;
  return found;
}

namespace {

using real = double;
using number = std::complex<double>;

const abi::functions& driver() { return *cu::detail::default_functions({}); }

/// Effects: notes a call. Returns: the code that it returns.
int note(const char* entry) {
  fake_math_state& state = fake_math();
  const std::lock_guard lock(state.mutex);
  state.calls.emplace_back(entry);
  const auto found = state.answers.find(entry);
  return found == state.answers.end() ? 0 : found->second;
}
/// Notes that a handle is in a call.
struct in_use {
  explicit in_use(void* handle) : handle_(handle) {
    fake_math_state& state = fake_math();
    const std::lock_guard lock(state.mutex);
    if (!state.busy.insert(handle).second) ++state.overlaps;
  }
  ~in_use() {
    fake_math_state& state = fake_math();
    const std::lock_guard lock(state.mutex);
    state.busy.erase(handle_);
  }
  in_use(const in_use&) = delete;
  in_use& operator=(const in_use&) = delete;
  void* handle_;
};

std::map<void*, abi::stream>& streams() {
  static std::map<void*, abi::stream> all;
  return all;
}
void set_stream_of(void* of, abi::stream stream) {
  const std::lock_guard lock(fake_math().mutex);
  streams()[of] = stream;
}
abi::stream stream_of(void* of) {
  const std::lock_guard lock(fake_math().mutex);
  return streams().at(of);
}

std::size_t bytes_of(abi::data_type type) {
  switch (type) {
    case abi::data_type::real_half:
    case abi::data_type::real_bfloat16: return 2;
    case abi::data_type::real_float: return 4;
    case abi::data_type::complex_double: return 16;
    default: return 8;
  }
}
template <class T>
T loaded(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
number load(const std::byte* at, abi::data_type type) {
  switch (type) {
    case abi::data_type::real_half: return static_cast<double>(static_cast<float>(loaded<yoke::half>(at)));
    case abi::data_type::real_bfloat16: return static_cast<double>(static_cast<float>(loaded<yoke::bfloat16>(at)));
    case abi::data_type::real_float: return static_cast<double>(loaded<float>(at));
    case abi::data_type::real_double: return loaded<double>(at);
    case abi::data_type::complex_float: return number(loaded<std::complex<float>>(at));
    case abi::data_type::complex_double: break;
  }
  return loaded<number>(at);
}
void store(std::byte* at, abi::data_type type, number value) {
  const auto put = [&](auto made) { std::memcpy(at, &made, sizeof made); };
  switch (type) {
    case abi::data_type::real_half: return put(yoke::half(static_cast<float>(value.real())));
    case abi::data_type::real_bfloat16: return put(yoke::bfloat16(static_cast<float>(value.real())));
    case abi::data_type::real_float: return put(static_cast<float>(value.real()));
    case abi::data_type::real_double: return put(value.real());
    case abi::data_type::complex_float: return put(std::complex<float>(value));
    case abi::data_type::complex_double: break;
  }
  put(value);
}

/// A piece of device memory on the host: elements are read from the device where they are used.
struct piece {
  abi::device_pointer first;
  abi::data_type type;
  [[nodiscard]] number get(std::int64_t at) const {
    std::byte bytes[16];
    const std::size_t size = bytes_of(type);
    (void)driver().memcpy_dtoh(bytes, first + static_cast<abi::device_pointer>(at) * size, size);
    return load(bytes, type);
  }
  void set(std::int64_t at, number value) const {
    std::byte bytes[16];
    const std::size_t size = bytes_of(type);
    store(bytes, type, value);
    (void)driver().memcpy_htod(first + static_cast<abi::device_pointer>(at) * size, bytes, size);
  }
};
abi::device_pointer address(const void* pointer) { return reinterpret_cast<abi::device_pointer>(pointer); }

int blas_create(abi::cublas* to) {
  if (const int code = note("cublasCreate"); code != 0) return code;
  *to = reinterpret_cast<abi::cublas>(new int(0));
  const std::lock_guard lock(fake_math().mutex);
  fake_math().handles.insert(*to);
  return 0;
}
int blas_destroy(abi::cublas handle) {
  (void)note("cublasDestroy");
  const std::lock_guard lock(fake_math().mutex);
  streams().erase(handle);
  if (fake_math().handles.erase(handle) != 0) delete reinterpret_cast<int*>(handle);
  return 0;
}
int blas_property(abi::library_property which, int* to) {
  constexpr int version[]{13, 0, 7};
  *to = version[static_cast<int>(which)];
  return 0;
}
int blas_set_stream(abi::cublas handle, abi::stream stream) {
  set_stream_of(handle, stream);
  return note("cublasSetStream");
}
int blas_set_workspace(abi::cublas, void* memory, std::size_t bytes) {
  if (memory != nullptr && bytes != 0) {
    // It must be memory of the device, to its last byte.
    std::byte last{1};
    if (driver().memcpy_htod(address(memory) + bytes - 1, &last, 1) != abi::success) return abi::cublas_invalid_value;
  }
  return note("cublasSetWorkspace");
}
int blas_set_math_mode(abi::cublas, abi::uint mode) {
  const int code = note("cublasSetMathMode");
  return code != 0 || mode == abi::cublas_math_exact_sums ? code : abi::cublas_invalid_value;
}
int blas_gemm_batched(abi::cublas handle, abi::cublas_operation left_op, abi::cublas_operation right_op, std::int64_t m,
                      std::int64_t n, std::int64_t k, const void* alpha, const void* left, abi::data_type left_type,
                      std::int64_t left_leading, long long left_batch, const void* right, abi::data_type right_type,
                      std::int64_t right_leading, long long right_batch, const void* beta, void* to,
                      abi::data_type to_type, std::int64_t to_leading, long long to_batch, std::int64_t batches,
                      abi::cublas_compute compute, int algorithm) {
  const char* const entry = batches == 1 && to_batch == 0 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx";
  if (const int code = note(entry); code != 0) return code;
  const in_use now(handle);
  const auto plain = abi::cublas_operation::none;
  const bool fits = m > 0 && n > 0 && k > 0 && batches > 0 && algorithm == abi::cublas_gemm_default &&
                    left_leading >= (left_op == plain ? m : k) && right_leading >= (right_op == plain ? k : n) &&
                    to_leading >= m && left_type == right_type && left_batch >= 0 && right_batch >= 0;
  if (!fits) return abi::cublas_invalid_value;
  {
    const std::lock_guard lock(fake_math().mutex);
    fake_math().compute = compute;
  }
  const bool in_double = compute == abi::cublas_compute::float64;
  const bool complex = left_type == abi::data_type::complex_float || left_type == abi::data_type::complex_double;
  const abi::data_type scalar = in_double ? (complex ? abi::data_type::complex_double : abi::data_type::real_double)
                                          : (complex ? abi::data_type::complex_float : abi::data_type::real_float);
  const number scale = load(static_cast<const std::byte*>(alpha), scalar);
  const number keep = load(static_cast<const std::byte*>(beta), scalar);
  if (driver().stream_synchronize(stream_of(handle)) != abi::success) return abi::cublas_execution_failed;
  const auto element = [&](const piece& of, abi::cublas_operation op, std::int64_t leading, std::int64_t row,
                           std::int64_t column) {
    const number value = of.get(op == plain ? row + column * leading : column + row * leading);
    return op == abi::cublas_operation::conjugate_transposed ? std::conj(value) : value;
  };
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const auto moved = [&](const void* memory, long long by, abi::data_type type) {
      return piece{address(memory) + static_cast<abi::device_pointer>(batch * by) * bytes_of(type), type};
    };
    const piece a = moved(left, left_batch, left_type);
    const piece b = moved(right, right_batch, right_type);
    const piece c = moved(to, to_batch, to_type);
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < m; ++i) {
        number sum = 0;
        for (std::int64_t q = 0; q < k; ++q) {
          sum += element(a, left_op, left_leading, i, q) * element(b, right_op, right_leading, q, j);
        }
        sum *= scale;
        if (keep != number(0)) sum += keep * c.get(i + j * to_leading);
        c.set(i + j * to_leading, sum);
      }
    }
  }
  return 0;
}
int blas_gemm(abi::cublas handle, abi::cublas_operation left_op, abi::cublas_operation right_op, std::int64_t m,
              std::int64_t n, std::int64_t k, const void* alpha, const void* left, abi::data_type left_type,
              std::int64_t left_leading, const void* right, abi::data_type right_type, std::int64_t right_leading,
              const void* beta, void* to, abi::data_type to_type, std::int64_t to_leading, abi::cublas_compute compute,
              int algorithm) {
  return blas_gemm_batched(handle, left_op, right_op, m, n, k, alpha, left, left_type, left_leading, 0, right,
                           right_type, right_leading, 0, beta, to, to_type, to_leading, 0, 1, compute, algorithm);
}

void* key_of(int plan) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(plan) + 1); }

int fft_create(int* to) {
  if (const int code = note("cufftCreate"); code != 0) return code;
  const std::lock_guard lock(fake_math().mutex);
  *to = fake_math().plans_made++;
  fake_math().plans[*to] = {};
  return 0;
}
int fft_destroy(int plan) {
  (void)note("cufftDestroy");
  const std::lock_guard lock(fake_math().mutex);
  streams().erase(key_of(plan));
  fake_math().work_areas.erase(plan);
  return fake_math().plans.erase(plan) != 0 ? 0 : abi::cufft_invalid_plan;
}
int fft_property(abi::library_property which, int* to) {
  constexpr int version[]{12, 0, 1};
  *to = version[static_cast<int>(which)];
  return 0;
}
int fft_set_auto_allocation(int, int on) {
  const int code = note("cufftSetAutoAllocation");
  return code != 0 || on == 0 ? code : abi::cufft_invalid_value;
}
int fft_make_plan(int plan, int rank, long long* points, long long* from_embed, long long from_stride,
                  long long from_batch, abi::data_type from, long long* to_embed, long long to_stride,
                  long long to_batch, abi::data_type to, long long batches, std::size_t* bytes,
                  abi::data_type execution) {
  if (const int code = note("cufftXtMakePlanMany"); code != 0) return code;
  yoke::detail::library_transform of;
  of.in_double = execution == abi::data_type::complex_double;
  of.real_in = from == abi::data_type::real_float || from == abi::data_type::real_double;
  of.real_out = to == abi::data_type::real_float || to == abi::data_type::real_double;
  of.rank = rank;
  for (int k = 0; k < rank; ++k) {
    of.points[k] = points[k];
    of.from_embed[k] = from_embed[k];
    of.to_embed[k] = to_embed[k];
  }
  of.from_stride = from_stride;
  of.to_stride = to_stride;
  of.from_batch = from_batch;
  of.to_batch = to_batch;
  of.batches = batches;
  const std::lock_guard lock(fake_math().mutex);
  fake_math().plans[plan] = of;
  *bytes = fake_math().workspace_bytes;
  return 0;
}
int fft_set_work_area(int plan, void* memory) {
  {
    const std::lock_guard lock(fake_math().mutex);
    fake_math().work_areas[plan] = memory;
  }
  return note("cufftSetWorkArea");
}
int fft_set_stream(int plan, abi::stream stream) {
  set_stream_of(key_of(plan), stream);
  return note("cufftSetStream");
}
int fft_execute(int plan, void* from, void* to, int direction) {
  if (const int code = note("cufftXtExec"); code != 0) return code;
  const in_use now(key_of(plan));
  yoke::detail::library_transform of;
  void* area = nullptr;
  {
    const std::lock_guard lock(fake_math().mutex);
    of = fake_math().plans.at(plan);
    area = fake_math().work_areas[plan];
  }
  if ((area == nullptr) != (fake_math().workspace_bytes == 0)) return abi::cufft_no_workspace;
  if (of.real_in != of.real_out && (of.real_in != (direction == abi::cufft_forward))) return abi::cufft_invalid_value;
  if (driver().stream_synchronize(stream_of(key_of(plan))) != abi::success) return abi::cufft_exec_failed;
  const abi::data_type pair = of.in_double ? abi::data_type::complex_double : abi::data_type::complex_float;
  const abi::data_type single = of.in_double ? abi::data_type::real_double : abi::data_type::real_float;
  const piece input{address(from), of.real_in ? single : pair};
  const piece output{address(to), of.real_out ? single : pair};
  std::int64_t all = 1;
  for (int k = 0; k < of.rank; ++k) all *= of.points[k];
  const std::int64_t last = of.points[of.rank - 1];
  const auto place = [&](const std::int64_t* at, const std::int64_t* embed, std::int64_t stride) {
    std::int64_t index = 0;
    for (int k = 0; k < of.rank; ++k) index = index * (k == 0 ? 1 : embed[k]) + at[k];
    return index * stride;
  };
  const auto split = [&](std::int64_t index, std::int64_t* at) {
    for (int k = of.rank - 1; k >= 0; --k) {
      at[k] = index % of.points[k];
      index /= of.points[k];
    }
  };
  for (std::int64_t batch = 0; batch < of.batches; ++batch) {
    std::vector<number> values(static_cast<std::size_t>(all));
    std::int64_t at[3];
    for (std::int64_t k = 0; k < all; ++k) {
      split(k, at);
      bool mirrored = false;
      if (of.real_out && at[of.rank - 1] > last / 2) {
        mirrored = true;
        for (int axis = 0; axis < of.rank; ++axis) at[axis] = (of.points[axis] - at[axis]) % of.points[axis];
      }
      const number value = input.get(batch * of.from_batch + place(at, of.from_embed, of.from_stride));
      values[static_cast<std::size_t>(k)] = mirrored ? std::conj(value) : value;
    }
    if (of.real_out) {  // as the library does
      for (std::int64_t k = 0; k < last / 2 + 1; ++k) input.set(batch * of.from_batch + k * of.from_stride, -1);
    }
    for (std::int64_t k = 0; k < all; ++k) {
      std::int64_t to_at[3];
      split(k, to_at);
      if (of.real_in && to_at[of.rank - 1] > last / 2) continue;
      number sum = 0;
      for (std::int64_t q = 0; q < all; ++q) {
        split(q, at);
        double turn = 0;
        for (int axis = 0; axis < of.rank; ++axis) {
          turn += static_cast<double>(at[axis] * to_at[axis] % of.points[axis]) / static_cast<double>(of.points[axis]);
        }
        sum += values[static_cast<std::size_t>(q)] *
               std::polar(1.0, static_cast<double>(direction) * 2 * std::numbers::pi * turn);
      }
      output.set(batch * of.to_batch + place(to_at, of.to_embed, of.to_stride), sum);
    }
  }
  return 0;
}

int solver_create(abi::cusolver* to) {
  if (const int code = note("cusolverDnCreate"); code != 0) return code;
  *to = reinterpret_cast<abi::cusolver>(new int(0));
  const std::lock_guard lock(fake_math().mutex);
  fake_math().handles.insert(*to);
  return 0;
}
int solver_destroy(abi::cusolver handle) {
  (void)note("cusolverDnDestroy");
  const std::lock_guard lock(fake_math().mutex);
  streams().erase(handle);
  if (fake_math().handles.erase(handle) != 0) delete reinterpret_cast<int*>(handle);
  return 0;
}
int solver_property(abi::library_property which, int* to) {
  constexpr int version[]{12, 1, 0};
  *to = version[static_cast<int>(which)];
  return 0;
}
int solver_set_stream(abi::cusolver handle, abi::stream stream) {
  set_stream_of(handle, stream);
  return note("cusolverDnSetStream");
}
int solver_create_options(abi::cusolver_options* to) {
  if (const int code = note("cusolverDnCreateParams"); code != 0) return code;
  *to = reinterpret_cast<abi::cusolver_options>(new int(0));
  const std::lock_guard lock(fake_math().mutex);
  fake_math().handles.insert(*to);
  return 0;
}
int solver_destroy_options(abi::cusolver_options options) {
  (void)note("cusolverDnDestroyParams");
  const std::lock_guard lock(fake_math().mutex);
  if (fake_math().handles.erase(options) != 0) delete reinterpret_cast<int*>(options);
  return 0;
}
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
using numbers = std::vector<number>;  // a matrix by columns
numbers read_matrix(const void* from, abi::data_type type, std::int64_t rows, std::int64_t columns,
                    std::int64_t leading) {
  numbers made;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) made.push_back(piece{address(from), type}.get(i + j * leading));
  }
  return made;
}
void write_matrix(void* to, abi::data_type type, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                  const numbers& from) {
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) {
      piece{address(to), type}.set(i + j * leading, from[static_cast<std::size_t>(i + j * rows)]);
    }
  }
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
                                            solver_singular_values};
const abi::cublas_functions fake_cublas{blas_create,        blas_destroy,       blas_property, blas_set_stream,
                                        blas_set_workspace, blas_set_math_mode, blas_gemm,     blas_gemm_batched};
const abi::cufft_functions fake_cufft{fft_create,    fft_destroy,       fft_property,   fft_set_auto_allocation,
                                      fft_make_plan, fft_set_work_area, fft_set_stream, fft_execute};

}  // namespace

with_fake_math::with_fake_math() {
  fake_math_state& state = fake_math();
  state.calls.clear();
  state.answers.clear();
  state.overlaps = 0;
  state.workspace_bytes = 256;
  state.solver_info = 0;
  cu::detail::libraries_of_tests() = {&fake_cublas, &fake_cufft, &fake_cusolver};
}
with_fake_math::~with_fake_math() { cu::detail::libraries_of_tests() = {}; }

}  // namespace yoke_test
