// SPDX-License-Identifier: MIT
// An allocation that grows where it is: numbers that pass a sieve are appended, and no copy is ever made.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <vector>
#include <yoke/cuda.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int rounds = 8;
constexpr int candidates = 1 << 20;  // of a round

// Appends what is left of the candidates; `count` is how many numbers there are by now.
constexpr const char* source = R"(
YOKE_KERNEL sift(YOKE_GLOBAL int* kept, YOKE_GLOBAL int* count, int first, int n) {
  int i = (int)get_global_id(0);
  if (i >= n) return;
  int number = first + i;
  if (number % 2 != 0 && number % 3 != 0) kept[yoke_atomic_add(count, 1)] = number;
})";

int growing() {
  if (const auto found = cu::available(); !found) {
    fmt::print("skipped: {}\n", found.reason);
    return skipped;
  }
  const cu::device device{0};
  if (!cu::get(device, cu::info::virtual_memory_management_supported)) {
    fmt::print("skipped: {} has no virtual memory\n", device.name());
    return skipped;
  }
  const cu::context ctx{device};
  const cu::stream stream{ctx};
  const auto module = yoke::compile(ctx, source);
  const auto sift = module.get_kernel<void(int*, int*, int, int)>("sift");

  // Addresses for all that could ever be: they cost no memory.
  cu::growing_allocation<int> kept{ctx, std::size_t{rounds} * candidates};
  std::vector<int> count(1, 0);
  auto count_there = yoke::to_device(count, stream);
  const auto address = kept.native_handle();
  for (int round = 0; round < rounds; ++round) {
    // Room for the worst case. What is there stays there, also for kernels that are running.
    kept.resize(static_cast<std::size_t>(count[0]) + candidates);
    sift(stream, yoke::launch_over(candidates, 256), kept, count_there, round * candidates, candidates);
    yoke::copy(count_there, count, stream);
  }
  kept.resize(count[0]);
  kept.shrink_to_fit();
  fmt::print("{} numbers in {} MiB, of {} MiB of addresses\n", kept.size(), kept.capacity() * sizeof(int) >> 20,
             kept.max_size() * sizeof(int) >> 20);

  auto result = yoke::to_host(kept, stream);
  std::sort(result.begin(), result.end());
  std::vector<int> right;
  for (int number = 0; number < rounds * candidates; ++number) {
    if (number % 2 != 0 && number % 3 != 0) right.push_back(number);
  }
  if (result != right || kept.native_handle() != address) {
    fmt::print(stderr, "{} numbers, not {}, or they have moved\n", result.size(), right.size());
    return EXIT_FAILURE;
  }
  fmt::print("all of them are right, and none has moved\n");
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return growing();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
