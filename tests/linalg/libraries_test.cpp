// SPDX-License-Identifier: MIT
// Products and transforms by the vendors' libraries: their calls, their failures, and results against own kernels.
#include <linalg/library_rig.hpp>
#include <yoke/fft.hpp>
#include <yoke/sparse.hpp>

#include <cmath>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::libraries;
namespace cuda_abi = yoke::cuda::abi;

namespace {

/// Products of small whole numbers, which are exact by any order of sums.
template <class T>
void multiply_all(results& to, const library_rig& state) {
  const auto a = yoke::to_device_array(numbers<T>(7 * 5, 1), {7, 5}, state.stream);
  const auto b = yoke::to_device_array(numbers<T>(5 * 6, 2), {5, 6}, state.stream);
  const auto at = yoke::to_device_array(numbers<T>(7 * 5, 3), {5, 7}, state.stream);
  const auto bt = yoke::to_device_array(numbers<T>(5 * 6, 4), {6, 5}, state.stream);
  keep(to, yoke::matmul(a, b));
  keep(to, yoke::matmul(at.transpose(), b));
  keep(to, yoke::matmul(a, bt.transpose()));
  keep(to, yoke::matmul(at.transpose(), bt.transpose()));
  keep(to, yoke::matmul(a(yoke::slice(1, 4), yoke::slice(1, 5)), b(yoke::slice(0, 4), yoke::slice(2, 5))));
  const auto x = yoke::to_device_array(numbers<T>(5, 5), {5}, state.stream);
  keep(to, yoke::matmul(a, x));
  keep(to, yoke::matmul(x, b));
  keep(to, yoke::matmul(x, x));
  keep(to, yoke::outer(x, x));
  // A result in the order of columns, and sums with factors.
  auto turned = yoke::zeros<T>({6, 7}, state.stream);
  auto c = turned.transpose();
  c = yoke::pass::matmul(a, b);
  keep(to, turned);
  const auto d = yoke::to_device_array(numbers<T>(7 * 6, 6), {7, 6}, state.stream);
  c = static_cast<T>(2) * yoke::pass::matmul(a, b) + static_cast<T>(3) * d;
  keep(to, turned);
  c += yoke::pass::matmul(a, b);
  c -= static_cast<T>(2) * yoke::pass::matmul(a, b);
  keep(to, turned);
  const auto batch = yoke::to_device_array(numbers<T>(3 * 4 * 5, 7), {3, 4, 5}, state.stream);
  keep(to, yoke::matmul(batch, b));
  keep(to, yoke::matmul(batch, batch.transpose({0, 2, 1})));
  const auto deep = yoke::to_device_array(numbers<T>(2 * 3 * 4 * 5, 8), {2, 3, 4, 5}, state.stream);
  keep(to, yoke::matmul(deep(yoke::whole, yoke::slice(0, 2)), b));
  if constexpr (yoke::detail::complex_element<T>) {
    keep(to, yoke::matmul(conj(a), b));  // no library conjugates without transposing
    keep(to, yoke::matmul(conj(at.transpose()), b));
    keep(to, yoke::matmul(a, conj(bt.transpose())));
    keep(to, yoke::matmul(a, conj(x)));
    keep(to, yoke::matmul(conj(at).transpose(), b));
    keep(to, yoke::vecmat(x, b));
    c = T(1, 2) * yoke::pass::matmul(a, b) + T(0, -1) * d;
    keep(to, turned);
  }
}

void transform_all(results& to, const library_rig& state) {
  const auto line = yoke::to_device_array(numbers<complex>(12, 1), {12}, state.stream);
  const auto grid = yoke::to_device_array(numbers<complex>(3 * 4 * 5, 2), {3, 4, 5}, state.stream);
  const auto real = yoke::to_device_array(numbers<float>(4 * 6, 3), {4, 6}, state.stream);
  const auto odd = yoke::to_device_array(numbers<float>(4 * 7, 4), {4, 7}, state.stream);
  keep(to, yoke::fft(line));
  keep(to, yoke::ifft(line));
  keep(to, yoke::fft(line, yoke::fft_norm::ortho));
  for (const int axis : {0, 1, 2}) keep(to, yoke::fft(grid, yoke::along(axis)));
  keep(to, yoke::fft(grid, yoke::along(0, 1, 2)));
  keep(to, yoke::ifft(grid, yoke::along(1, 2)));
  keep(to, yoke::fft(grid, yoke::along(0, 2)));
  keep(to, yoke::fft(grid.transpose({2, 0, 1}), yoke::along(0, 1)));
  keep(to, yoke::fft(grid(yoke::whole, yoke::slice(1, 3), yoke::slice(0, 4)), yoke::along(1, 2)));
  keep(to, yoke::fft(line(yoke::slice(0, 12, 3))));
  keep(to, yoke::rfft(real));
  keep(to, yoke::rfft(real, yoke::along(0, 1)));
  keep(to, yoke::rfft(real, yoke::along(0)));
  keep(to, yoke::rfft(odd));
  keep(to, yoke::rfft(odd(yoke::whole, yoke::slice(1, 7))));
  const auto spectrum = yoke::rfft(real);
  keep(to, yoke::irfft(spectrum));
  keep(to, spectrum);  // is as it was
  keep(to, yoke::irfft(yoke::rfft(odd), 7));
  keep(to, yoke::irfft(yoke::rfft(real, yoke::along(0, 1)), yoke::along(0, 1)));
  // These are own kernels' also where there is a library.
  keep(to, yoke::fft(real));
  keep(to, yoke::fft(line, 9));
  keep(to, yoke::fft(line, 20));
  keep(to, yoke::fft(line(yoke::slice(yoke::none, yoke::none, -1))));
  auto own = line.copy();
  own = yoke::pass::fft(own);
  keep(to, own);
}

}  // namespace

YOKE_CUDA_TEST_CASE("a library of products gives what own kernels give, for every type and layout", "[linalg]") {
  const yoke::device<> on = any_device_of(device);
  const library_rig own(on, {.libraries = "own"});
  const fake_libraries fake;
  const library_rig by_library(on);
  const auto check = [&]<class T>(T, double within) {
    results expected;
    results made;
    multiply_all<T>(expected, own);
    const int before = fake_math().count("cublasGemmEx") + fake_math().count("cublasGemmStridedBatchedEx");
    multiply_all<T>(made, by_library);
    compare(made, expected, within);
    const int calls = fake_math().count("cublasGemmEx") + fake_math().count("cublasGemmStridedBatchedEx") - before;
    // All but conj(a) without transposition; a batch of two kinds of strides takes two calls.
    CHECK(calls == (yoke::detail::complex_element<T> ? 23 : 17));
  };
  check(float{}, 0);
  check(double{}, 0);
  check(yoke::half{}, 0);
  check(yoke::bfloat16{}, 0);
  check(complex{}, 0);
  check(std::complex<double>{}, 0);
  CHECK(fake_math().compute == cuda_abi::cublas_compute::float64);
  // Whole numbers, and a complex matrix by a real one, are own kernels'.
  const int before = fake_math().count("cublasGemmEx");
  const auto whole = yoke::arange<int>(4, by_library.stream).reshape({2, 2});
  CHECK(yoke::matmul(whole, whole).to_host() == std::vector<int>{2, 3, 6, 11});
  const auto real = yoke::ones<float>({2, 2}, by_library.stream);
  const auto pairs = yoke::ones<complex>({2, 2}, by_library.stream);
  CHECK(yoke::matmul(pairs, real).to_host() == std::vector<complex>(4, complex(2, 0)));
  CHECK(fake_math().count("cublasGemmEx") == before);
  CHECK(yoke::matmul<float>(yoke::ones<yoke::half>({2, 2}, by_library.stream),
                            yoke::ones<yoke::half>({2, 2}, by_library.stream))
            .to_host() == std::vector<float>(4, 2.0F));
  CHECK(fake_math().count("cublasGemmEx") == before + 1);
}

YOKE_CUDA_TEST_CASE("a library of transforms gives what own kernels give, and leaves its input", "[linalg][fft]") {
  const yoke::device<> on = any_device_of(device);
  const library_rig own(on, {.libraries = "own"});
  results expected;
  transform_all(expected, own);
  const fake_libraries fake;
  for (const std::size_t bytes : {256U, 0U}) {
    fake_math().workspace_bytes = bytes;
    const library_rig by_library(on);
    const int before = fake_math().count("cufftXtExec");
    results made;
    transform_all(made, by_library);
    compare(made, expected, 1e-6);
    CHECK(fake_math().count("cufftXtExec") - before == 27);
  }
}

YOKE_CUDA_TEST_CASE("a library of factorisations gives factors that multiply to the matrix", "[linalg]") {
  const fake_libraries fake;
  const library_rig state(any_device_of(device));
  const auto check = [&]<class T>(T) {
    const auto a = yoke::to_device_array(numbers<T>(9 * 6, 1), {9, 6}, state.stream);
    const auto h = yoke::matmul(conj(a.transpose()), a);
    const auto near = [](const auto& made, const auto& expected) {
      return is_close(made.to_host(), expected.to_host(), 2e-4);
    };
    const int before = fake_math().count("cusolverDnXpotrf");
    const auto l = yoke::cholesky(h);
    CHECK(near(yoke::matmul(l, conj(l.transpose())), h));
    CHECK(fake_math().count("cusolverDnXpotrf") == before + 1);
    // Of square, tall and wide matrices, one at a time and in batches.
    const int triangles = fake_math().count("cusolverDnXgetrf");
    const auto b = yoke::to_device_array(numbers<T>(6 * 2, 2), {6, 2}, state.stream);
    CHECK(near(yoke::matmul(h, yoke::solve(h, b)), b));
    const auto twice = yoke::to_device_array(numbers<T>(2 * 5 * 5, 3), {2, 5, 5}, state.stream);
    const auto right = yoke::to_device_array(numbers<T>(2 * 5, 4), {2, 5, 1}, state.stream);
    CHECK(near(yoke::matmul(twice, yoke::solve(twice, right)), right));
    const auto both = yoke::lu(twice);
    CHECK(fake_math().count("cusolverDnXgetrf") == triangles + 5);
    {
      const library_rig own(any_device_of(device), {.libraries = "own"});
      for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{9, 6}, {6, 9}, {1, 4}, {5, 1}}) {
        const auto made = yoke::lu(a.reshape({54})(yoke::slice(0, rows * columns)).reshape({rows, columns}));
        const std::vector<T> all = numbers<T>(54, 1);
        const std::vector<T> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rows * columns));
        const auto expected = yoke::lu(yoke::to_device_array(first, {rows, columns}, own.stream));
        CHECK(near(made.packed(), expected.packed()));
        CHECK(made.pivots().to_host() == expected.pivots().to_host());
        CHECK(made.infos().to_host() == expected.infos().to_host());
      }
      const auto expected = yoke::lu(yoke::to_device_array(numbers<T>(2 * 5 * 5, 3), {2, 5, 5}, own.stream));
      CHECK(both.pivots().to_host() == expected.pivots().to_host());
      CHECK(near(both.packed(), expected.packed()));
      CHECK(near(both.det(), expected.det()));
    }
    const auto [values, vectors] = yoke::eigh(h);
    CHECK(near(yoke::matmul(h, vectors), yoke::device_array(vectors * values)));
    CHECK(fake_math().count("cusolverDnXsyevd") == before + 1);
    const int singular = fake_math().count("cusolverDnXgesvd");
    const auto [u, s, vh] = yoke::svd(a);
    CHECK(near(yoke::matmul(yoke::device_array(u * s), vh), a));
    const auto [tall, same, wide] = yoke::svd(a.transpose());
    CHECK(near(yoke::matmul(yoke::device_array(tall * same), wide), yoke::device_array(a.transpose())));
    CHECK(near(same, s));
    CHECK(fake_math().count("cusolverDnXgesvd") == singular + 2);
    // QR of tall and wide matrices and of batches.
    const int reflections = fake_math().count("cusolverDnXgeqrf");
    const auto check_qr = [&](const auto& of, const yoke::qr_options& options) {
      const auto [q, r] = yoke::qr(of, options);
      CHECK(near(yoke::matmul(q, r), of.copy()));
      const auto lines = q.transpose({0, 2, 1});
      CHECK(near(yoke::matmul(conj(lines), q),
                 yoke::device_array(
                     yoke::eye<T>(q.shape()[2], state.stream) +
                     yoke::zeros<T>(q.shape(), state.stream)(yoke::whole, yoke::slice(0, q.shape()[2]), yoke::whole))));
    };
    const auto one = a.reshape({1, 9, 6});
    check_qr(one, {});
    check_qr(one, {.complete = true});
    check_qr(one.transpose({0, 2, 1}), {});
    check_qr(twice, {});
    CHECK(fake_math().count("cusolverDnXgeqrf") == reflections + 5);
  };
  check(float{});
  check(double{});
  check(complex{});
  check(std::complex<double>{});
  // Bad matrices are errors as by own kernels.
  const auto bad = yoke::to_device_array(std::vector<float>{1, 2, 2, 1}, {2, 2}, state.stream);
  CHECK_THROWS_AS(yoke::cholesky(bad), yoke::numeric_error);
  const auto singular = yoke::to_device_array(std::vector<float>{1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3}, state.stream);
  CHECK_THROWS_AS(yoke::solve(singular, yoke::ones<float>({3}, state.stream)), yoke::numeric_error);
  CHECK(yoke::lu(singular).infos().value() == 3);
  CHECK(yoke::det(singular).value() == 0);
  const auto nan = yoke::full(std::numeric_limits<float>::quiet_NaN(), {3, 3}, state.stream);
  const int before = fake_math().count("cusolverDnXsyevd");
  CHECK_THROWS_AS(yoke::eigh(nan), yoke::numeric_error);
  CHECK(fake_math().count("cusolverDnXsyevd") == before);  // it could turn without end
  fake_math().solver_info = 3;
  CHECK_THROWS_AS(yoke::eigh(bad), yoke::numeric_error);
  CHECK_THROWS_AS(yoke::svd(bad), yoke::numeric_error);
  fake_math().solver_info = 0;
  // Own kernels do what the library lacks, and its faults are errors.
  for (const char* const entry : {"cusolverDnXgetrf", "cusolverDnXgetrf_bufferSize"}) {
    fake_math().answers[entry] = cuda_abi::cusolver_not_supported;
    CHECK(is_close({yoke::det(bad).value()}, std::vector<float>{-3}, 1e-5));
    fake_math().answers[entry] = cuda_abi::cusolver_internal_error;
    CHECK_THROWS_AS(yoke::det(bad), yoke::runtime_error);
    fake_math().answers.clear();
    CHECK(is_close({yoke::det(bad).value()}, std::vector<float>{-3}, 1e-5));
  }
  for (const char* const entry : {"cusolverDnXsyevd", "cusolverDnXsyevd_bufferSize"}) {
    fake_math().answers[entry] = cuda_abi::cusolver_not_supported;
    CHECK(is_close(yoke::eigh(bad).values.to_host(), std::vector<float>{-1, 3}, 1e-5));
    fake_math().answers[entry] = cuda_abi::cusolver_internal_error;
    CHECK_THROWS_AS(yoke::eigh(bad), yoke::runtime_error);
    fake_math().answers.clear();
    CHECK(is_close(yoke::eigh(bad).values.to_host(), std::vector<float>{-1, 3}, 1e-5));
  }
  for (const char* const entry : {"cusolverDnXgeqrf", "cusolverDnXgeqrf_bufferSize", "cusolverDnSorgqr_bufferSize"}) {
    fake_math().answers[entry] = cuda_abi::cusolver_not_supported;
    const auto [q, r] = yoke::qr(bad);
    CHECK(is_close(yoke::matmul(q, r).to_host(), bad.to_host(), 1e-5));
    fake_math().answers.clear();
  }
  for (const char* const entry : {"cusolverDnCreate", "cusolverDnCreateParams", "cusolverDnSetStream"}) {
    const library_rig fresh(any_device_of(device));
    const auto b = yoke::to_device_array(std::vector<float>{1, 2, 2, 1}, {2, 2}, fresh.stream);
    fake_math().answers[entry] = cuda_abi::cusolver_alloc_failed;
    CHECK_THROWS_AS(yoke::eigh(b), yoke::memory_error);
    fake_math().answers.clear();
    CHECK(is_close(yoke::eigh(b).values.to_host(), std::vector<float>{-1, 3}, 1e-5));
  }
}

YOKE_CUDA_TEST_CASE("small products are own kernels', also where there is a library", "[linalg]") {
  const with_fake_math fake;
  const library_rig state(any_device_of(device));
  const auto multiply = [&](std::size_t side) {
    const auto a = yoke::ones<float>({side, 32}, state.stream);
    const auto b = yoke::ones<float>({32, 32}, state.stream);
    CHECK(yoke::matmul(a, b)(0, 0).value() == 32);
    return fake_math().count("cublasGemmEx");
  };
  CHECK(multiply(32) == 0);
  CHECK(multiply(33) == 1);
}

YOKE_CUDA_TEST_CASE("TF32 is used only where it is named, and only for floats", "[linalg]") {
  const fake_libraries fake;
  const yoke::device<> on = any_device_of(device);
  const library_rig plain(on);
  const library_rig loose(on, {.tf32 = true});
  const auto multiply = [](const library_rig& state, auto value) {
    const auto a = yoke::full(value, {2, 2}, state.stream);
    (void)yoke::matmul(a, a).to_host();
    return fake_math().compute;
  };
  CHECK(multiply(plain, 1.0F) == cuda_abi::cublas_compute::float32);
  CHECK(multiply(loose, 1.0F) == cuda_abi::cublas_compute::float32_fast_tf32);
  CHECK(multiply(loose, complex(1, 0)) == cuda_abi::cublas_compute::float32_fast_tf32);
  CHECK(multiply(loose, 1.0) == cuda_abi::cublas_compute::float64);
  CHECK(multiply(loose, yoke::half(1.0F)) == cuda_abi::cublas_compute::float32);
}

YOKE_CUDA_TEST_CASE("a context keeps a handle for each call at a time, and its plans, until it ends", "[linalg]") {
  const fake_libraries fake;
  {
    const library_rig state(any_device_of(device));
    const auto a = yoke::ones<float>({3, 3}, state.stream);
    const auto c = yoke::ones<complex>({4, 8}, state.stream);
    for (int k = 0; k < 3; ++k) {
      (void)yoke::matmul(a, a).to_host();
      (void)yoke::fft(c).to_host();
    }
    CHECK(fake_math().count("cublasCreate") == 1);
    CHECK(fake_math().count("cufftXtMakePlanMany") == 1);
    CHECK(fake_math().count("cublasSetStream") == 1);
    CHECK(fake_math().count("cublasSetWorkspace") == 1);
    {
      const yoke::stream<> other{state.context};
      const auto b = yoke::ones<float>({3, 3}, other);
      (void)yoke::matmul(b, b).to_host();
      CHECK(fake_math().count("cublasCreate") == 1);
      CHECK(fake_math().count("cublasSetStream") == 2);
      CHECK(fake_math().count("cublasSetWorkspace") == 2);
    }
    CHECK(fake_math().count("cufftSetWorkArea") == 3);
    // The workspace comes behind the stream, which resets it.
    const std::vector<std::string> first(fake_math().calls.begin(), fake_math().calls.begin() + 5);
    CHECK(first == std::vector<std::string>{"cublasCreate", "cublasSetMathMode", "cublasSetStream",
                                            "cublasSetWorkspace", "cublasGemmEx"});
    for (std::int64_t n = 2; n < 42; ++n) (void)yoke::fft(yoke::ones<complex>({n}, state.stream));
    CHECK(fake_math().plans.size() == 32);
    CHECK(fake_math().count("cufftXtMakePlanMany") == 41);
    (void)yoke::fft(c);  // the least recently used plan had to go
    CHECK(fake_math().count("cufftXtMakePlanMany") == 42);
    (void)yoke::fft(yoke::ones<complex>({41}, state.stream));
    CHECK(fake_math().count("cufftXtMakePlanMany") == 42);
  }
  CHECK(fake_math().handles.empty());
  CHECK(fake_math().plans.empty());
}

YOKE_CUDA_TEST_CASE("handles and plans go when the arrays' memory is trimmed, and come again", "[linalg][fft]") {
  const fake_libraries fake;
  const library_rig state(any_device_of(device));
  const auto a = yoke::ones<float>({3, 3}, state.stream);
  const auto c = yoke::ones<complex>({8}, state.stream);
  for (int round = 1; round < 3; ++round) {
    CHECK(yoke::matmul(a, a).to_host() == std::vector<float>(9, 3.0F));
    CHECK(is_close({yoke::fft(c).to_host()[0]}, std::vector{complex(8, 0)}, 1e-6));
    CHECK(yoke::cholesky(yoke::eye<float>(3, state.stream)).to_host()[0] == 1);
    CHECK(fake_math().count("cublasCreate") == round);
    CHECK(fake_math().count("cufftCreate") == round);
    CHECK(fake_math().count("cusolverDnCreate") == round);
    yoke::trim_array_pool(state.context, std::size_t{1} << 40U);
    CHECK(fake_math().handles.size() == 3);
    yoke::trim_array_pool(state.context);
    CHECK(fake_math().handles.empty());
    CHECK(fake_math().plans.empty());
  }
}

YOKE_CUDA_TEST_CASE("threads share a context's libraries, and no handle or plan is used twice at once", "[linalg]") {
  const fake_libraries fake;
  const library_rig state(any_device_of(device));
  const auto work = [&] {
    const yoke::stream<> own{state.context};
    const auto a = yoke::ones<float>({4, 4}, own);
    const auto c = yoke::ones<complex>({8}, own);
    const yoke::csr_matrix<float> sparse{yoke::to_device_array({0, 1, 2}, own),
                                         yoke::to_device_array({1, 0}, own),
                                         yoke::to_device_array({2.0F, 3.0F}, own),
                                         {2, 2}};
    const auto square = yoke::to_device_array(std::vector<float>{4, 2, 2, 5}, {2, 2}, own);
    bool right = true;
    for (int k = 0; k < 5; ++k) {
      right = right && yoke::matmul(a, a).to_host() == std::vector<float>(16, 4.0F);
      right = right && yoke::fft(c).to_host()[0] == complex(8, 0);
      right = right && yoke::matmul(sparse, square).to_host() == std::vector<float>{4, 10, 12, 6};
      right = right && yoke::cholesky(square).to_host() == std::vector<float>{2, 0, 1, 2};
      if (k == 2) yoke::trim_array_pool(state.context);  // while others call
    }
    return right;
  };
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int k = 0; k < 8; ++k) threads.emplace_back([&] { right += work() ? 1 : 0; });
  for (std::thread& each : threads) each.join();
  CHECK(right == 8);
  CHECK(fake_math().overlaps == 0);
  CHECK(fake_math().handles.size() <= 4 * 8);  // cuSOLVER's have options
}

YOKE_CUDA_TEST_CASE("no library is used beside the simulator or a named driver, and the reason says so", "[linalg]") {
  const library_rig state(any_device_of(device));
  const yoke::linalg_libraries all = yoke::linalg_library(state.context);
  if (yoke::cuda::detail::driver_if_loaded()->named) {
    CHECK(all.products.name.empty());
    CHECK(all.transforms.name.empty());
    CHECK(all.sparse.name.empty());
    CHECK_THAT(all.products.reason, ContainsSubstring("simulator") || ContainsSubstring("YOKE_CUDA_DRIVER"));
    const however_small all_products;
    const library_rig named(any_device_of(device), {.libraries = "cublas"});
    const auto a = yoke::ones<float>({3, 3}, named.stream);
    CHECK_THROWS_AS(yoke::matmul(a, a), yoke::unsupported_error);
    CHECK_THROWS_WITH(yoke::matmul(a, a), StartsWith("the libraries that may be used name cublas: "));
    CHECK(yoke::fft(yoke::ones<complex>({4}, named.stream)).to_host()[0] == complex(4, 0));
  } else {
    CHECK(all.products.name.empty() == !all.products.reason.empty());
    CHECK(all.products.name.empty() == all.products.path.empty());
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a context's libraries are chosen once, by names that are known", "[linalg]") {
  const library_rig state(device);
  CHECK_THROWS_AS(yoke::use_linalg(state.context, {.libraries = "mkl"}), yoke::logic_error);
  CHECK_THROWS_WITH(
      yoke::use_linalg(state.context, {.libraries = "cublas,mkl"}),
      StartsWith("libraries \"cublas,mkl\": \"mkl\" is not known: write own, or a list of cublas, cufft, cusolver and "
                 "cusparse"));
  CHECK_THROWS_AS(yoke::use_linalg(state.context, {.libraries = "cublas,"}), yoke::logic_error);
  yoke::use_linalg(state.context, {.libraries = "own"});
  CHECK_THROWS_WITH(yoke::use_linalg(state.context, {}), StartsWith("this context has used its libraries already"));
  const yoke::linalg_libraries all = yoke::linalg_library(state.context);
  CHECK(all.products.name.empty());
  CHECK_FALSE(all.products.reason.empty());
  CHECK_FALSE(all.transforms.reason.empty());
  CHECK_FALSE(all.sparse.reason.empty());
  const auto a = yoke::ones<float>({3, 3}, state.stream);
  CHECK(yoke::matmul(a, a).to_host() == std::vector<float>(9, 3.0F));
}

YOKE_CUDA_TEST_CASE("a machine's libraries agree with own kernels", "[linalg][fft]") {
  const yoke::device<> on = any_device_of(device);
  const library_rig by_library(on);
  const yoke::linalg_libraries all = yoke::linalg_library(by_library.context);
  if (all.products.name.empty()) YOKE_SKIP("no cuBLAS: " + all.products.reason);
  const however_small all_products;
  if (all.transforms.name.empty()) YOKE_SKIP("no cuFFT: " + all.transforms.reason);
  const library_rig own(on, {.libraries = "own"});
  results expected;
  results made;
  multiply_all<float>(expected, own);
  multiply_all<float>(made, by_library);
  multiply_all<double>(expected, own);
  multiply_all<double>(made, by_library);
  multiply_all<yoke::half>(expected, own);
  multiply_all<yoke::half>(made, by_library);
  multiply_all<yoke::bfloat16>(expected, own);
  multiply_all<yoke::bfloat16>(made, by_library);
  multiply_all<complex>(expected, own);
  multiply_all<complex>(made, by_library);
  multiply_all<std::complex<double>>(expected, own);
  multiply_all<std::complex<double>>(made, by_library);
  compare(made, expected, 0);
  results own_transforms;
  results transforms;
  transform_all(own_transforms, own);
  transform_all(transforms, by_library);
  compare(transforms, own_transforms, 1e-6);
  if (all.factorisations.name.empty()) YOKE_SKIP("no cuSOLVER: " + all.factorisations.reason);
  const auto factor = [&]<class T>(T, double within) {
    const auto a = yoke::to_device_array(numbers<T>(150 * 100, 1), {150, 100}, by_library.stream);
    const auto h = yoke::matmul(conj(a.transpose()), a);
    const auto l = yoke::cholesky(h);
    CHECK(is_close(yoke::matmul(l, conj(l.transpose())).to_host(), h.to_host(), within));
    const auto [values, vectors] = yoke::eigh(h);
    CHECK(is_close(yoke::matmul(h, vectors).to_host(), yoke::device_array(vectors * values).to_host(), within));
    const auto [u, s, vh] = yoke::svd(a);
    CHECK(is_close(yoke::matmul(yoke::device_array(u * s), vh).to_host(), a.to_host(), within));
  };
  factor(float{}, 1e-4);
  factor(double{}, 1e-12);
  factor(complex{}, 1e-4);
  factor(std::complex<double>{}, 1e-12);
}
