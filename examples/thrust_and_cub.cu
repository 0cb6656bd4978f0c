// SPDX-License-Identifier: MIT
// Memory of arrays in Thrust and CUB, in yoke's stream. nvcc compiles it: it needs a GPU.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <cub/device/device_reduce.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

namespace cu = yoke::cuda;

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
    std::printf("sorted by Thrust: %s; summed by CUB: %s\n", sorted ? "right" : "WRONG", same ? "right" : "WRONG");
    return sorted && same ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
