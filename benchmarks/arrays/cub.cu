// SPDX-License-Identifier: MIT
// CUB's transform, sum, scan and sort in the manner of arrays.cpp: nvcc -O3 -std=c++20 cub.cu
#include <cub/cub.cuh>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
template <class Act>
void row(const char* name, double bytes, int rounds, Act act) {
  double best = 1e9;
  for (int burst = 0; burst < 6; ++burst) {
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) act();
    cudaDeviceSynchronize();
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
    if (burst > 0 && time < best) best = time;
  }
  std::printf("CUB %-32s %10.1f us %9.1f GB/s\n", name, best * 1e6, bytes / best / 1e9);
}
int main(int count, char** arguments) {
  const std::size_t n = std::size_t{1} << (count > 1 ? std::atoi(arguments[1]) : 24);
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 20;
  float *x, *y, *scratch;
  cudaMalloc(&x, n * sizeof(float)), cudaMalloc(&y, n * sizeof(float));
  std::vector<float> numbers(n);
  for (float& each : numbers) each = static_cast<float>(std::rand()) / 1e9F;
  cudaMemcpy(x, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  auto* keys = reinterpret_cast<int*>(x);
  auto* places = reinterpret_cast<int*>(y);
  int *more, *last;
  cudaMalloc(&more, n * sizeof(int)), cudaMalloc(&last, n * sizeof(int));
  std::size_t for_sum = 0, for_scan = 0, for_sort = 0, for_pairs = 0;
  cub::DeviceReduce::Sum(nullptr, for_sum, x, y, n);
  cub::DeviceScan::InclusiveSum(nullptr, for_scan, x, y, n);
  cub::DeviceRadixSort::SortKeys(nullptr, for_sort, x, y, n);
  cub::DeviceRadixSort::SortPairs(nullptr, for_pairs, x, y, more, last, n);
  cudaMalloc(&scratch, for_sum + for_scan + for_sort + for_pairs);
  const double bytes = static_cast<double>(n) * sizeof(float);
  row("copy", 2 * bytes, rounds, [&] { cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice); });
  row("sum", bytes, rounds, [&] { cub::DeviceReduce::Sum(scratch, for_sum, x, y, n); });
  row("inclusive sum", 2 * bytes, rounds, [&] { cub::DeviceScan::InclusiveSum(scratch, for_scan, x, y, n); });
  row("sorted", 2 * bytes, rounds, [&] { cub::DeviceRadixSort::SortKeys(scratch, for_sort, x, y, n); });
  row("argsort, as pairs", 3 * bytes, rounds,
      [&] { cub::DeviceRadixSort::SortPairs(scratch, for_pairs, x, y, more, last, n); });
  row("sorted, n / 4 integers", bytes / 2, rounds,
      [&] { cub::DeviceRadixSort::SortKeys(scratch, for_sort, keys, places, n / 4); });
  row("100000 elements: sorted", 8e5, rounds,
      [&] { cub::DeviceRadixSort::SortKeys(scratch, for_sort, x, y, n < 100000 ? n : 100000); });
  return cudaGetLastError() == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
