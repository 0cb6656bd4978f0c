// SPDX-License-Identifier: MIT
// Bodies of support/drivers/fake_math_libraries.hpp.
#include <support/drivers/fake_math_libraries.hpp>
#include <support/drivers/fake_math_parts.hpp>

#include <numbers>

namespace yoke_test {

namespace cu = yoke::cuda;
namespace abi = yoke::cuda::abi;
using namespace fake_parts;

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

int blas_create(abi::cublas* to) { return make_handle("cublasCreate", to); }
int blas_destroy(abi::cublas handle) { return end_handle("cublasDestroy", handle); }
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
  return do_in(stream_of(handle), abi::cublas_execution_failed, [=] {
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
  });
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
  return do_in(stream_of(key_of(plan)), abi::cufft_exec_failed, [=] {
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
            turn +=
                static_cast<double>(at[axis] * to_at[axis] % of.points[axis]) / static_cast<double>(of.points[axis]);
          }
          sum += values[static_cast<std::size_t>(q)] *
                 std::polar(1.0, static_cast<double>(direction) * 2 * std::numbers::pi * turn);
        }
        output.set(batch * of.to_batch + place(to_at, of.to_embed, of.to_stride), sum);
      }
    }
  });
}

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
  state.sparse_bytes = 96;
  state.solver_info = 0;
  state.failing_captures = 0;
  state.captured.clear();
  cu::detail::libraries_of_tests() = {&fake_cublas, &fake_cufft, &fake_cusolver, &fake_cusparse};
}
with_fake_math::~with_fake_math() { cu::detail::libraries_of_tests() = {}; }

}  // namespace yoke_test
