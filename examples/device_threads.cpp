// SPDX-License-Identifier: MIT
// One host thread for each part of the work: the threads share a context and a program, and each has a stream of its own.
#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr int threads = 4;
constexpr int count = 10000;

constexpr const char* source = R"(
YOKE_KERNEL collatz(YOKE_GLOBAL int* steps, int first, int n) {
  int i = (int)get_global_id(0);
  if (i >= n) return;
  uint value = (uint)(first + i);
  int made = 0;
  for (; value != 1u; ++made) value = (value & 1u) != 0u ? 3u * value + 1u : value / 2u;
  steps[i] = made;
})";

int steps_of(unsigned value) {
  int made = 0;
  for (; value != 1; ++made) value = value % 2 != 0 ? 3 * value + 1 : value / 2;
  return made;
}

// A part of the numbers, and what became of it.
struct part {
  std::vector<int> steps = std::vector<int>(count);
  std::exception_ptr failure;
};

void work(const yoke::context<>& context, const yoke::kernel<void(int*, int, int)>& collatz, int first, part& on) {
  try {
    const yoke::stream stream{context};
    yoke::device_allocation<int> steps{context, count};
    collatz(stream, yoke::launch_over(count), steps, first, count);
    yoke::copy(steps, on.steps, stream);
  } catch (...) {
    on.failure = std::current_exception();
  }
}

int run() {
  const yoke::context context;
  fmt::print("device: {}\n", context.devices().front().name());
  const auto collatz = yoke::compile(context, source).get_kernel<void(int*, int, int)>("collatz");

  std::vector<part> parts(threads);
  std::vector<std::thread> running;
  for (int k = 0; k < threads; ++k) {
    running.emplace_back(work, std::cref(context), std::cref(collatz), 1 + k * count,
                         std::ref(parts[static_cast<std::size_t>(k)]));
  }
  for (std::thread& each : running) each.join();

  unsigned value = 1;
  for (const part& each : parts) {
    if (each.failure) std::rethrow_exception(each.failure);
    for (const int steps : each.steps) {
      if (steps != steps_of(value))
        return fmt::print(stderr, "{} takes {} steps, not {}\n", value, steps_of(value), steps), EXIT_FAILURE;
      ++value;
    }
  }
  fmt::print("{} threads counted the steps of {} numbers\n", threads, value - 1);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
