// SPDX-License-Identifier: MIT
// Memory of arrays in Thrust, CUB and cuBLAS, in yoke's stream. nvcc compiles it: it needs a GPU, and links with -lcublas.
#include <cublas_v2.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <cub/device/device_reduce.cuh>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

namespace cu = yoke::cuda;

namespace {

/// Returns: a @ b by cuBLAS, whose matrices are in columns: in rows it is b' @ a'.
yoke::device_array<float, 2, cu::port> product(const yoke::device_array<float, 2, cu::port>& a,
                                               const yoke::device_array<float, 2, cu::port>& b,
                                               const cu::stream& stream) {
  const auto [rows, inner] = std::pair(static_cast<int>(a.extent(0)), static_cast<int>(a.extent(1)));
  const int columns = static_cast<int>(b.extent(1));
  yoke::device_array<float, 2, cu::port> to(stream, {a.extent(0), b.extent(1)});
  const auto floats = [](const auto& of) { return reinterpret_cast<float*>(of.native_handle()); };
  cublasHandle_t handle = nullptr;
  const float one = 1, none = 0;
  const bool done =
      cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS &&
      cublasSetStream(handle, reinterpret_cast<cudaStream_t>(stream.native_handle())) == CUBLAS_STATUS_SUCCESS &&
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, inner, &one, floats(b), columns, floats(a), inner,
                  &none, floats(to), columns) == CUBLAS_STATUS_SUCCESS;
  if (handle != nullptr) cublasDestroy(handle);
  if (!done) throw std::runtime_error("cuBLAS failed");
  return to;
}

}  // namespace

int main() {
  try {
    const cu::context context{cu::device{0}};
    const cu::stream stream{context};
    const auto native = reinterpret_cast<cudaStream_t>(stream.native_handle());

    // Numbers in a jumble, made by an expression.
    const auto number = yoke::arange<int>(10'000, stream);
    yoke::device_array jumble(number * 7919 % 10'007);
    auto* const first = reinterpret_cast<int*>(jumble.native_handle());

    // Thrust sorts in place; CUB writes its sum into an array of rank 0.
    thrust::sort(thrust::cuda::par.on(native), first, first + jumble.size());
    yoke::device_value<int, cu::port> total(stream);
    auto* const to = reinterpret_cast<int*>(total.array().native_handle());
    std::size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, first, to, static_cast<int>(jumble.size()), native);
    yoke::device_array<std::uint8_t, 1, cu::port> scratch(stream, {bytes});
    cub::DeviceReduce::Sum(reinterpret_cast<void*>(scratch.native_handle()), bytes, first, to,
                           static_cast<int>(jumble.size()), native);

    const bool sorted = yoke::all(jumble(yoke::slice(1, yoke::none)) >= jumble(yoke::slice(0, -1))).get();
    const bool same = total.get() == yoke::sum(jumble).get();

    // Small whole numbers, whose products are exact in float: each row times the matrix of ones is the row's sum.
    const auto table = yoke::arange<float>(30, stream).reshape({6, 5}).copy();
    const auto ones = yoke::ones<float>({5, 4}, stream);
    const auto by_cublas = product(table, ones, stream);
    const auto sums = yoke::sum(table, yoke::along(1));
    const bool multiplied = yoke::all(by_cublas == sums(yoke::whole, yoke::newaxis)).get();

    const auto word = [](bool right) { return right ? "right" : "WRONG"; };
    std::printf("sorted by Thrust: %s; summed by CUB: %s; multiplied by cuBLAS: %s\n", word(sorted), word(same),
                word(multiplied));
    return sorted && same && multiplied ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
