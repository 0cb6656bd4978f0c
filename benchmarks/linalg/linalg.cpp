// SPDX-License-Identifier: MIT
// Products and transforms by own kernels and by the vendor's library beside its own calls: yoke_bench_linalg [LOG2 OF SIDE] [ROUNDS]
#include <yoke/array.hpp>
#include <yoke/fft.hpp>
#include <yoke/linalg.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#if defined(YOKE_BENCH_VENDOR)
#include <cublas_v2.h>
#include <cufft.h>
#endif

namespace {

using complex = std::complex<float>;
using action = std::function<void()>;

/// Returns: the best times of a round of each action, in seconds, of bursts that alternate. The first burst warms up.
std::vector<double> best_times(const std::function<void()>& wait, const std::vector<action>& actions, int rounds) {
  std::vector<double> best(actions.size(), 1e9);
  for (int burst = 0; burst < 6; ++burst) {
    for (std::size_t k = 0; k < actions.size(); ++k) {
      wait();
      const auto begin = std::chrono::steady_clock::now();
      for (int round = 0; round < rounds; ++round) actions[k]();
      wait();
      const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
      if (burst > 0) best[k] = (std::min)(best[k], time);
    }
  }
  return best;
}

/// A context that uses the libraries, one that has only own kernels, and the vendor's own handle.
struct machine {
  yoke::context<> context{};
  yoke::context<> own_context{context.devices().front()};
  yoke::stream<> stream{context};
  yoke::stream<> own_stream{own_context};
  int rounds = 20;
#if defined(YOKE_BENCH_VENDOR)
  cublasHandle_t blas = nullptr;
  std::optional<yoke::device_array<unsigned char, 1>> workspace{};
#endif

  explicit machine(int rounds_of_each) : rounds(rounds_of_each) {
    yoke::use_linalg(own_context, {.libraries = "own"});
    const auto used = yoke::linalg_library(context);
    std::printf(
        "%s; products: %s; transforms: %s; factorisations: %s; sparse: %s\n", stream.device_of().name().c_str(),
        used.products.name.empty() ? used.products.reason.c_str() : used.products.name.c_str(),
        used.transforms.name.empty() ? used.transforms.reason.c_str() : used.transforms.name.c_str(),
        used.factorisations.name.empty() ? used.factorisations.reason.c_str() : used.factorisations.name.c_str(),
        used.sparse.name.empty() ? used.sparse.reason.c_str() : used.sparse.name.c_str());
#if defined(YOKE_BENCH_VENDOR)
    if (!used.products.name.empty()) {
      (void)yoke::ones<float>({1}, stream);
      if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) std::abort();
      workspace.emplace(yoke::zeros<unsigned char>({std::size_t{32} << 20U}, stream));
      (void)cublasSetStream(blas, native());
      (void)cublasSetWorkspace(blas, address(*workspace), std::size_t{32} << 20U);
      (void)cublasSetMathMode(blas, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    }
#endif
  }
  void wait() const {
    stream.synchronize();
    own_stream.synchronize();
  }
#if defined(YOKE_BENCH_VENDOR)
  [[nodiscard]] cudaStream_t native() const {
    return reinterpret_cast<cudaStream_t>(yoke::detail::number_of_handle(stream.native_handle()));
  }
  template <class Array>
  [[nodiscard]] static void* address(const Array& of) {
    return reinterpret_cast<void*>(yoke::detail::number_of_handle(of.view().memory().memory));
  }
#endif
};

/// Prints the rates of own kernels, of a library, and the time of a library's call beside the vendor's own call.
void print(const char* name, double work, const char* unit, const std::vector<double>& times) {
  std::printf("%-34s own %9.1f us %8.1f %s", name, times[0] * 1e6, work / times[0] / 1e9, unit);
  if (times.size() > 1) std::printf("   library %9.1f us %8.1f %s", times[1] * 1e6, work / times[1] / 1e9, unit);
  if (times.size() > 2) std::printf("   of the vendor's call %.3f", times[1] / times[2]);
  std::printf("\n");
  std::fflush(stdout);
}

template <class T>
yoke::device_array<T, 2> matrix(const yoke::stream<>& stream, std::size_t rows, std::size_t columns) {
  const auto made = yoke::random_generator(7).uniform<float>({rows, columns}, stream, -1, 1);
  return yoke::device_array<T, 2>(yoke::cast<T>(made));
}
#if defined(YOKE_BENCH_VENDOR)
template <class T>
constexpr cudaDataType vendor_type() {
  if constexpr (std::is_same_v<T, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<T, yoke::half>) return CUDA_R_16F;
  if constexpr (std::is_same_v<T, yoke::bfloat16>) return CUDA_R_16BF;
  return CUDA_R_32F;
}
#endif

template <class T>
void multiply(const machine& on, const char* name, std::size_t side, bool left_turned = false,
              bool right_turned = false, bool has_own = true) {
  const auto a = matrix<T>(on.stream, side, side);
  const auto b = matrix<T>(on.stream, side, side);
  auto c = matrix<T>(on.stream, side, side);
  const auto own_a = matrix<T>(on.own_stream, side, side);
  const auto own_b = matrix<T>(on.own_stream, side, side);
  auto own_c = matrix<T>(on.own_stream, side, side);
  const auto act = [=](auto& to, const auto& left, const auto& right) {
    if (left_turned && right_turned) {
      to = yoke::pass::matmul(left.transpose(), right.transpose());
    } else if (left_turned) {
      to = yoke::pass::matmul(left.transpose(), right);
    } else if (right_turned) {
      to = yoke::pass::matmul(left, right.transpose());
    } else {
      to = yoke::pass::matmul(left, right);
    }
  };
  std::vector<action> actions{[&] {
                                if (has_own) act(own_c, own_a, own_b);
                              },
                              [&] { act(c, a, b); }};
#if defined(YOKE_BENCH_VENDOR)
  if (on.blas != nullptr) {
    actions.emplace_back([&] {
      const double one = 1, zero = 0;
      const float one_float = 1, zero_float = 0;
      const bool in_double = std::is_same_v<T, double>;
      const auto n = static_cast<std::int64_t>(side);
      (void)cublasGemmEx_64(on.blas, right_turned ? CUBLAS_OP_T : CUBLAS_OP_N, left_turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                            n, n, n, in_double ? static_cast<const void*>(&one) : &one_float, machine::address(b),
                            vendor_type<T>(), n, machine::address(a), vendor_type<T>(), n,
                            in_double ? static_cast<const void*>(&zero) : &zero_float, machine::address(c),
                            vendor_type<T>(), n, in_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT);
    });
  }
#endif
  const double n = static_cast<double>(side);
  print(name, 2 * n * n * n / 1e3, "TFLOP/s", best_times([&] { on.wait(); }, actions, on.rounds));
}

#if defined(YOKE_BENCH_VENDOR)
/// The vendor's plan, with a work area of its own.
struct vendor_plan {
  vendor_plan(const machine& on, std::vector<int> points, int batches, cufftType type) {
    const int rank = static_cast<int>(points.size());
    if (cufftPlanMany(&plan, rank, points.data(), nullptr, 1, 0, nullptr, 1, 0, type, batches) != CUFFT_SUCCESS)
      std::abort();
    (void)cufftSetStream(plan, on.native());
  }
  vendor_plan(const vendor_plan&) = delete;
  vendor_plan& operator=(const vendor_plan&) = delete;
  ~vendor_plan() { (void)cufftDestroy(plan); }
  cufftHandle plan = 0;
};
#endif

/// `function`: 0 for fft, 1 for ifft, 2 for rfft, 3 for irfft, of rows, or of all axes of a cube.
template <std::size_t Rank>
void transform(const machine& on, const char* name, const yoke::shape<Rank>& extents, int function, bool cube = false) {
  double points = 1;
  for (const std::size_t each : extents) points *= static_cast<double>(each);
  const double along = cube ? points : static_cast<double>(extents[Rank - 1]);
  yoke::shape<Rank> half;
  half = extents;
  half[Rank - 1] = extents[Rank - 1] / 2 + 1;
  const auto act = [&](auto& pairs, auto& other, auto& reals, auto& halves) {
    if (cube) {
      if constexpr (Rank == 3) other = yoke::pass::fft(pairs, yoke::along(0, 1, 2));
    } else if (function == 0) {
      other = yoke::pass::fft(pairs);
    } else if (function == 1) {
      other = yoke::pass::ifft(pairs);
    } else if (function == 2) {
      halves = yoke::pass::rfft(reals);
    } else {
      reals = yoke::pass::irfft(halves);
    }
  };
  auto pairs = yoke::zeros<complex>(extents, on.stream), other = yoke::zeros<complex>(extents, on.stream);
  auto reals = yoke::zeros<float>(extents, on.stream);
  auto halves = yoke::zeros<complex>(half, on.stream);
  auto own_pairs = yoke::zeros<complex>(extents, on.own_stream),
       own_other = yoke::zeros<complex>(extents, on.own_stream);
  auto own_reals = yoke::zeros<float>(extents, on.own_stream);
  auto own_halves = yoke::zeros<complex>(half, on.own_stream);
  std::vector<action> actions{[&] { act(own_pairs, own_other, own_reals, own_halves); },
                              [&] { act(pairs, other, reals, halves); }};
#if defined(YOKE_BENCH_VENDOR)
  std::optional<vendor_plan> plan;
  if (on.blas != nullptr) {
    std::vector<int> lengths;
    for (std::size_t k = cube ? 0 : Rank - 1; k < Rank; ++k) lengths.push_back(static_cast<int>(extents[k]));
    plan.emplace(on, lengths, static_cast<int>(points / along),
                 function < 2    ? CUFFT_C2C
                 : function == 2 ? CUFFT_R2C
                                 : CUFFT_C2R);
    actions.emplace_back([&] {
      auto* const in = static_cast<cufftComplex*>(machine::address(pairs));
      auto* const out = static_cast<cufftComplex*>(machine::address(other));
      if (function < 2) (void)cufftExecC2C(plan->plan, in, out, function == 1 ? CUFFT_INVERSE : CUFFT_FORWARD);
      auto* const real = static_cast<cufftReal*>(machine::address(reals));
      auto* const part = static_cast<cufftComplex*>(machine::address(halves));
      if (function == 2) (void)cufftExecR2C(plan->plan, real, part);
      if (function == 3) (void)cufftExecC2R(plan->plan, part, real);
    });
  }
#endif
  const double work = 5 * points * std::log2(along) * (function < 2 ? 1 : 0.5);
  print(name, work, "GFLOP/s", best_times([&] { on.wait(); }, actions, on.rounds));
}

/// Prints the times of a factorisation by own kernels and by a library.
template <class Act>
void factor(const machine& on, const char* name, std::size_t side, double work, const Act& act) {
  const auto positive = [&](const yoke::stream<>& stream) {
    const auto a = matrix<float>(stream, side, side);
    auto made = yoke::matmul(a, a.transpose());
    made.diagonal() += 0.01F * static_cast<float>(side);
    return made;
  };
  const auto a = positive(on.stream);
  const auto own_a = positive(on.own_stream);
  const std::vector<action> actions{[&] { act(own_a); }, [&] { act(a); }};
  print(name, work, "GFLOP/s", best_times([&] { on.wait(); }, actions, 1));
}

/// Prints the host's time of a small product in a busy stream.
void call(const machine& on, std::size_t side) {
  const auto a = matrix<float>(on.stream, side, side);
  auto c = matrix<float>(on.stream, side, side);
  const auto own_a = matrix<float>(on.own_stream, side, side);
  auto own_c = matrix<float>(on.own_stream, side, side);
  std::vector<action> actions{[&] { own_c = yoke::pass::matmul(own_a, own_a); }, [&] { c = yoke::pass::matmul(a, a); }};
#if defined(YOKE_BENCH_VENDOR)
  if (on.blas != nullptr) {
    actions.emplace_back([&] {
      const float one = 1, zero = 0;
      const auto n = static_cast<std::int64_t>(side);
      (void)cublasGemmEx_64(on.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, machine::address(a), CUDA_R_32F, n,
                            machine::address(a), CUDA_R_32F, n, &zero, machine::address(c), CUDA_R_32F, n,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    });
  }
#endif
  const std::vector<double> times = best_times([&] { on.wait(); }, actions, 20 * on.rounds);
  std::printf("a call of %3zu^3 %20s own %9.2f us   library %9.2f us", side, "", times[0] * 1e6, times[1] * 1e6);
  if (times.size() > 2) std::printf("   the vendor's call %.2f us", times[2] * 1e6);
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  const int power = count > 1 ? std::atoi(arguments[1]) : 10;
  machine on(count > 2 ? std::atoi(arguments[2]) : 10);
  const std::size_t side = std::size_t{1} << power;
  const bool large = power >= 12;
  std::printf("side %zu, best of 5 bursts of %d\n", side, on.rounds);
  for (const std::size_t each : {16U, 32U, 64U, 128U, 256U}) call(on, each);
  multiply<float>(on, "float", side);
  multiply<float>(on, "float, a^T b", side, true, false);
  multiply<float>(on, "float, a b^T", side, false, true);
  multiply<float>(on, "float, a^T b^T", side, true, true);
  multiply<double>(on, "double", side);
  multiply<yoke::half>(on, "half", side);
  multiply<yoke::bfloat16>(on, "bfloat16", side);
  multiply<float>(on, "float, a quarter of the side", side / 4);
  const std::size_t all = side * side;
  transform<2>(on, "fft of rows of 64", {all / 64, 64}, 0);
  transform<2>(on, "fft of rows of 1024", {(std::max)(all / 1024, std::size_t{1}), 1024}, 0);
  transform<2>(on, "ifft of rows of 1024", {(std::max)(all / 1024, std::size_t{1}), 1024}, 1);
  transform<2>(on, "rfft of rows of 1024", {(std::max)(all / 1024, std::size_t{1}), 1024}, 2);
  transform<2>(on, "irfft of rows of 1024", {(std::max)(all / 1024, std::size_t{1}), 1024}, 3);
  transform<2>(on, "fft of rows of 4096", {(std::max)(all / 4096, std::size_t{1}), 4096}, 0);
  transform<2>(on, "fft of 16 rows", {16, all / 16}, 0);
  transform<1>(on, "fft of all elements", {all}, 0);
  transform<1>(on, "fft of 2^20", {std::size_t{1} << (large ? 20 : power)}, 0);
  const std::size_t edge = std::size_t{1} << (2 * power / 3);
  transform<3>(on, "fft of a cube", {edge, edge, edge}, 0, true);
  const double n = static_cast<double>(side) / 4;
  const double cube = n * n * n;
  factor(on, "cholesky, a quarter of the side", side / 4, cube / 3, [](const auto& a) { (void)yoke::cholesky(a); });
  factor(on, "solve of one column", side / 4, 2 * cube / 3, [](const auto& a) { (void)yoke::solve(a, a(0)); });
  factor(on, "qr", side / 4, 4 * cube / 3, [](const auto& a) { (void)yoke::qr(a); });
  factor(on, "eigh, an eighth of the side", side / 8, 4 * cube / 3 / 8, [](const auto& a) { (void)yoke::eigh(a); });
  factor(on, "svd, an eighth of the side", side / 8, 8 * cube / 3 / 8, [](const auto& a) { (void)yoke::svd(a); });
#if defined(YOKE_BENCH_VENDOR)
  if (on.blas != nullptr) (void)cublasDestroy(on.blas);
#endif
}
