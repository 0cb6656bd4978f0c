// SPDX-License-Identifier: MIT
// Sparse products by a vendor's library against own kernels: types, layouts, and what the library does not get.
#include <linalg/library_rig.hpp>
#include <yoke/sparse.hpp>

using namespace yoke_test;
using namespace yoke_test::libraries;

namespace {

/// A matrix (5, 4) with an empty row, and columns out of order.
template <class T, class Index = int>
yoke::csr_matrix<T, Index> sparse_matrix(const library_rig& state) {
  const auto starts = yoke::to_device_array(std::vector<Index>{0, 2, 2, 5, 6, 8}, state.stream);
  const auto columns = yoke::to_device_array(std::vector<Index>{3, 0, 1, 2, 3, 0, 2, 1}, state.stream);
  const auto values = yoke::to_device_array(numbers<T>(8, 3), state.stream);
  return {starts, columns, values, {5, 4}};
}

template <class T, class Index = int>
void multiply_all(results& to, const library_rig& state) {
  const auto a = sparse_matrix<T, Index>(state);
  const auto x = yoke::to_device_array(numbers<T>(4, 1), state.stream);
  const auto dense = yoke::to_device_array(numbers<T>(4 * 3, 2), {4, 3}, state.stream);
  const auto turned = yoke::to_device_array(numbers<T>(3 * 4, 3), {3, 4}, state.stream);
  keep(to, yoke::matvec(a, x));
  keep(to, yoke::matmul(a, dense));
  keep(to, yoke::matmul(a, turned.transpose()));
  keep(to, yoke::matmul(a, dense(yoke::whole, yoke::slice(0, 2))));
  auto across = yoke::zeros<T>({3, 5}, state.stream);
  auto c = across.transpose();
  c = yoke::pass::matmul(a, dense);
  keep(to, across);
  const auto d = yoke::to_device_array(numbers<T>(5 * 3, 4), {5, 3}, state.stream);
  c = static_cast<T>(2) * yoke::pass::matmul(a, dense) + static_cast<T>(3) * d;
  keep(to, across);
  c += yoke::pass::matmul(a, dense);
  c -= static_cast<T>(2) * yoke::pass::matmul(a, dense);
  keep(to, across);
  auto y = yoke::to_device_array(numbers<T>(5, 5), state.stream);
  y = static_cast<T>(2) * yoke::pass::matvec(a, x) + y;
  keep(to, y);
  keep(to, yoke::matmul(a.with_values(yoke::to_device_array(numbers<T>(8, 6), state.stream)), x));
  // Own kernels': transposed, with gaps, at an address that is no multiple of 16.
  keep(to, yoke::matmul(a.transpose(), y));
  keep(to, yoke::matmul(y, a));
  keep(to, yoke::matmul(a, yoke::to_device_array(numbers<T>(8, 7), state.stream)(yoke::slice(0, 8, 2))));
  keep(to, yoke::matmul(a, yoke::to_device_array(numbers<T>(5, 8), state.stream)(yoke::slice(1, 5))));
  if constexpr (yoke::detail::complex_element<T>) {
    keep(to, yoke::matmul(a, conj(x)));
    y = T(1, 2) * yoke::pass::matvec(a, x) + T(0, -1) * y;
    keep(to, y);
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("a library multiplies sparse matrices as own kernels do", "[linalg][sparse]") {
  const yoke::device<> on = any_device_of(device);
  const library_rig own(on, {.libraries = "own"});
  const fake_libraries fake;
  const library_rig by_library(on);
  const auto check = [&]<class T, class Index>(T, Index) {
    results expected;
    results made;
    multiply_all<T, Index>(expected, own);
    const int vectors = fake_math().count("cusparseSpMV");
    const int dense = fake_math().count("cusparseSpMM");
    multiply_all<T, Index>(made, by_library);
    compare(made, expected, 0);
    // Elements of 16 bytes are aligned wherever they are.
    constexpr int more = sizeof(T) == 16 ? 1 : 0;
    CHECK(fake_math().count("cusparseSpMV") - vectors == 3 + more + (yoke::detail::complex_element<T> ? 1 : 0));
    CHECK(fake_math().count("cusparseSpMM") - dense == 7);
  };
  check(float{}, int{});
  check(double{}, std::int64_t{});
  check(yoke::half{}, int{});
  check(yoke::bfloat16{}, int{});
  check(complex{}, int{});
  check(std::complex<double>{}, int{});
  // Half precision with sums of float; whole numbers, and two types, are own kernels'.
  const int before = fake_math().count("cusparseSpMV");
  const auto halves = sparse_matrix<yoke::half>(by_library);
  const auto ones = yoke::ones<yoke::half>({4}, by_library.stream);
  CHECK(yoke::matmul<float>(halves, ones).to_host() ==
        yoke::matmul<float>(sparse_matrix<yoke::half>(own), yoke::ones<yoke::half>({4}, own.stream)).to_host());
  CHECK(fake_math().count("cusparseSpMV") == before + 1);
  (void)yoke::matmul(sparse_matrix<int>(by_library), yoke::ones<int>({4}, by_library.stream));
  (void)yoke::matmul(sparse_matrix<complex>(by_library), yoke::ones<float>({4}, by_library.stream));
  CHECK(fake_math().count("cusparseSpMV") == before + 1);
}

YOKE_CUDA_TEST_CASE("a library's sparse product takes memory for its call alone, and leaves no descriptor",
                    "[linalg][sparse]") {
  const fake_libraries fake;
  {
    const library_rig state(any_device_of(device));
    const auto a = sparse_matrix<float>(state);
    const auto x = yoke::ones<float>({4}, state.stream);
    for (const std::size_t bytes : {std::size_t{96}, std::size_t{0}}) {
      fake_math().sparse_bytes = bytes;
      (void)yoke::matvec(a, x).to_host();
    }
    CHECK(fake_math().count("cusparseCreate") == 1);
    CHECK(fake_math().count("cusparseSetStream") == 2);
    CHECK(fake_math().count("cusparseCreateConstCsr") == fake_math().count("cusparseDestroySpMat"));
    CHECK(fake_math().count("cusparseCreateDnVec") == fake_math().count("cusparseDestroyDnVec"));
    CHECK(fake_math().handles.size() == 1);
    CHECK(yoke::linalg_library(state.context).sparse.name == "cuSPARSE 12.6.3");
  }
  CHECK(fake_math().handles.empty());
}

YOKE_CUDA_TEST_CASE("small sparse products are own kernels', also where there is a library", "[linalg][sparse]") {
  const with_fake_math fake;
  const library_rig state(any_device_of(device));
  (void)yoke::matvec(sparse_matrix<float>(state), yoke::ones<float>({4}, state.stream)).to_host();
  CHECK(fake_math().count("cusparseSpMV") == 0);
}

YOKE_CUDA_TEST_CASE("a library does not get matrices with more elements than places, which it refuses",
                    "[linalg][sparse]") {
  const fake_libraries fake;
  const library_rig state(any_device_of(device));
  const auto repeated = [&](std::size_t extent) {
    return yoke::csr_matrix<float>{yoke::to_device_array({0, 3, 5}, state.stream),
                                   yoke::to_device_array({1, 1, 0, 1, 0}, state.stream),
                                   yoke::ones<float>({5}, state.stream),
                                   {2, extent}};
  };
  CHECK(yoke::matvec(repeated(2), yoke::ones<float>({2}, state.stream)).to_host() == std::vector<float>{3, 2});
  CHECK(fake_math().count("cusparseCreateConstCsr") == 0);
  CHECK(yoke::matvec(repeated(3), yoke::ones<float>({3}, state.stream)).to_host() == std::vector<float>{3, 2});
  CHECK(fake_math().count("cusparseCreateConstCsr") == 1);
}
