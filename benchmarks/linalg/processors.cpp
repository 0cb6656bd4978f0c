// SPDX-License-Identifier: MIT
// Own kernels on a processor beside OpenBLAS, FFTW and LAPACK, in processor time: yoke_bench_processors [LOG2 OF SIDE] [ROUNDS]
#include <yoke/array.hpp>
#include <yoke/fft.hpp>
#include <yoke/linalg.hpp>
#include <yoke/random.hpp>
#include <yoke/sparse.hpp>
#include <yoke/yoke.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

using complex = std::complex<float>;
using action = std::function<void()>;

/// Returns: a function of a shared library; null where there is none. Libraries stay open.
template <class Function>
Function* function_of(const char* library, const char* name) {
  std::string why;
  void* const open = yoke::detail::open_library(library, why);
  return open == nullptr ? nullptr : reinterpret_cast<Function*>(yoke::detail::library_symbol(open, name));
}

/// Processor time of all threads, and time, in seconds.
struct cost {
  double processor, time;
};
cost now() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return {static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec),
          std::chrono::duration<double>(since).count()};
}
cost cost_of(const action& act, int repeats) {
  const cost begin = now();
  for (int k = 0; k < repeats; ++k) act();
  const cost end = now();
  return {(end.processor - begin.processor) / repeats, (end.time - begin.time) / repeats};
}
double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

/// Prints the rates for each second of a processor, and the median of the rounds' ratios: the two take turns.
void compare(const char* name, double work, int rounds, const action& own, const char* peer_name, const action& peer) {
  const double first = cost_of(own, 1).time;  // compiles
  const int repeats = static_cast<int>(std::clamp(0.02 / (std::min)(first, cost_of(own, 1).time), 1.0, 1000.0));
  if (peer) peer();
  std::vector<double> ours, ours_time, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    const cost mine = cost_of(own, repeats);
    ours.push_back(mine.processor);
    ours_time.push_back(mine.time);
    if (!peer) continue;
    theirs.push_back(cost_of(peer, repeats).processor);
    ratios.push_back(theirs.back() / mine.processor);
  }
  std::printf("%-28s own %7.2f GFLOP/s of a processor, %7.2f in all", name, work / median(ours) / 1e9,
              work / median(ours_time) / 1e9);
  if (peer) std::printf("   %-8s %7.2f   ratio %.2f", peer_name, work / median(theirs) / 1e9, median(ratios));
  std::printf("\n");
  std::fflush(stdout);
}

struct machine {
  yoke::context<> context{};
  yoke::stream<> stream{context};
  int rounds = 15;
};

template <class T>
yoke::device_array<T, 2> matrix(const machine& on, std::size_t rows, std::size_t columns) {
  const auto made = yoke::random_generator(7).uniform<float>({rows, columns}, on.stream, -1, 1);
  return yoke::device_array<T, 2>(yoke::cast<T>(made));
}

template <class T>
void multiply(const machine& on, const char* name, std::size_t m, std::size_t n, std::size_t k) {
  using gemm = void(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
  auto* const product = function_of<gemm>("libopenblas.so.0", std::is_same_v<T, float> ? "cblas_sgemm" : "cblas_dgemm");
  const auto a = matrix<T>(on, m, k);
  const auto b = matrix<T>(on, k, n);
  auto c = yoke::zeros<T>({m, n}, on.stream);
  const auto x = a.to_host();
  const auto y = b.to_host();
  std::vector<T> z(m * n);
  const int rows = static_cast<int>(m);
  const int columns = static_cast<int>(n);
  const int terms = static_cast<int>(k);
  action peer;
  if (product != nullptr) {
    peer = [&] {
      product(101, 111, 111, rows, columns, terms, 1, x.data(), terms, y.data(), columns, 0, z.data(), columns);
    };
  }
  compare(
      name, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k), on.rounds,
      [&] {
        c = yoke::pass::matmul(a, b);
        on.stream.synchronize();
      },
      "OpenBLAS", peer);
}

void transform(const machine& on, const char* name, std::size_t rows, std::size_t n) {
  using planner =
      void*(int, const int*, int, complex*, const int*, int, int, complex*, const int*, int, int, int, unsigned);
  constexpr const char* library = "libfftw3f.so.3";
  auto* const make = function_of<planner>(library, "fftwf_plan_many_dft");
  auto* const execute = function_of<void(void*)>(library, "fftwf_execute");
  auto* const destroy = function_of<void(void*)>(library, "fftwf_destroy_plan");
  const auto a = yoke::evaluate(yoke::cast<complex>(matrix<float>(on, rows, n)));
  auto f = yoke::zeros<complex>({rows, n}, on.stream);
  std::vector<complex> from(rows * n), to(rows * n);
  void* plan = nullptr;
  const int points = static_cast<int>(n);
  constexpr unsigned measure = 0;
  if (make != nullptr) {
    plan = make(1, &points, static_cast<int>(rows), from.data(), nullptr, 1, points, to.data(), nullptr, 1, points, -1,
                measure);
  }
  const auto host = a.to_host();
  std::copy(host.begin(), host.end(), from.begin());  // the plan knows where they are
  action peer;
  if (plan != nullptr) peer = [&] { execute(plan); };
  compare(
      name, 5 * static_cast<double>(rows * n) * std::log2(static_cast<double>(n)), on.rounds,
      [&] {
        f = yoke::pass::fft(a);
        on.stream.synchronize();
      },
      "FFTW", peer);
  if (plan != nullptr) destroy(plan);
}

void factor(const machine& on, std::size_t side) {
  using cholesky = void(const char*, const int*, float*, const int*, int*, std::size_t);
  using lu = void(const int*, const int*, float*, const int*, int*, int*);
  using solve = void(const int*, const int*, float*, const int*, int*, float*, const int*, int*);
  constexpr const char* library = "liblapack.so.3";
  auto* const potrf = function_of<cholesky>(library, "spotrf_");
  auto* const getrf = function_of<lu>(library, "sgetrf_");
  auto* const gesv = function_of<solve>(library, "sgesv_");
  auto a = matrix<float>(on, side, side);
  a = yoke::matmul(a, a.transpose());
  a.diagonal() += 0.01F * static_cast<float>(side);
  const auto b = yoke::ones<float>({side}, on.stream);
  const auto host = a.to_host();
  auto work = host;
  std::vector<float> right(side);
  std::vector<int> pivots(side);
  const int n = static_cast<int>(side);
  const int one = 1;
  int info = 0;
  const auto peer = [&](bool there, const action& act) {
    return !there ? action() : action([&, act] {
      std::copy(host.begin(), host.end(), work.begin());
      act();
    });
  };
  const double cube = std::pow(static_cast<double>(side), 3);
  compare(
      "cholesky", cube / 3, on.rounds, [&] { (void)yoke::cholesky(a); }, "LAPACK",
      peer(potrf != nullptr, [&] { potrf("L", &n, work.data(), &n, &info, 1); }));
  compare(
      "lu", 2 * cube / 3, on.rounds,
      [&] {
        (void)yoke::lu(a);
        on.stream.synchronize();
      },
      "LAPACK", peer(getrf != nullptr, [&] { getrf(&n, &n, work.data(), &n, pivots.data(), &info); }));
  compare(
      "solve of one column", 2 * cube / 3, on.rounds, [&] { (void)yoke::solve(a, b); }, "LAPACK",
      peer(gesv != nullptr, [&] {
        std::fill(right.begin(), right.end(), 1.0F);
        gesv(&n, &one, work.data(), &n, pivots.data(), right.data(), &n, &info);
      }));
}

/// A row has `count` elements, at columns that are drawn. python_rows.py has the same of SciPy's.
void multiply_sparse(const machine& on, const char* name, std::size_t rows, std::size_t count) {
  std::vector<int> starts, columns;
  std::uint32_t state = 1;
  for (std::size_t row = 0; row <= rows; ++row) starts.push_back(static_cast<int>(row * count));
  for (std::size_t k = 0; k < rows * count; ++k) {
    state = state * 1664525U + 1013904223U;
    columns.push_back(static_cast<int>((state >> 8U) % rows));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::sort(columns.begin() + static_cast<std::ptrdiff_t>(row * count),
              columns.begin() + static_cast<std::ptrdiff_t>((row + 1) * count));
  }
  const yoke::csr_matrix<float> a(yoke::to_device_array(starts, on.stream), yoke::to_device_array(columns, on.stream),
                                  yoke::ones<float>({rows * count}, on.stream), {rows, rows});
  const auto x = yoke::ones<float>({rows}, on.stream);
  auto y = yoke::zeros<float>({rows}, on.stream);
  compare(name, 2 * static_cast<double>(rows * count), on.rounds,
          [&] {
            y = yoke::pass::matmul(a, x);
            on.stream.synchronize();
          },
          "", {});
}

}  // namespace

int main(int count, char** arguments) {
  setenv("OPENBLAS_NUM_THREADS", "1", 0);  // each has one thread
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
  const int power = count > 1 ? std::atoi(arguments[1]) : 10;
  machine on;
  if (count > 2) on.rounds = std::atoi(arguments[2]);
  yoke::use_linalg(on.context, {.libraries = "own"});
  const std::size_t side = std::size_t{1} << power;
  const std::size_t all = side * side;
  auto* const core = function_of<const char*()>("libopenblas.so.0", "openblas_get_corename");
  std::printf("%s; side %zu, medians of %d rounds; OpenBLAS: %s\n", on.stream.device_of().name().c_str(), side,
              on.rounds, core == nullptr ? "none" : core());
  multiply<float>(on, "float", side, side, side);
  multiply<double>(on, "double", side, side, side);
  multiply<float>(on, "float, a sixteenth of the side", side / 16, side / 16, side / 16);
  multiply<float>(on, "float, a quarter of the side", side / 4, side / 4, side / 4);
  transform(on, "fft of rows of 64", all / 64, 64);
  transform(on, "fft of rows of the side", side, side);
  transform(on, "fft of rows of 4096", (std::max)(all / 4096, std::size_t{1}), 4096);
  transform(on, "fft of 16 rows", 16, all / 16);
  transform(on, "fft of all elements", 1, all);
  factor(on, side);
  multiply_sparse(on, "csr of 8 elements a row", all / 16, 8);
  multiply_sparse(on, "csr of 64 elements a row", all / 64, 64);
}
