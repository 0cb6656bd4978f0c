// SPDX-License-Identifier: MIT
// A histogram of bytes: each group counts in local memory, then adds its counts to the result.
#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define BINS 256
YOKE_KERNEL histogram(YOKE_GLOBAL uint* counts, YOKE_GLOBAL const uchar* values, int n) {
  YOKE_LOCAL uint mine[BINS];
  for (int bin = (int)get_local_id(0); bin < BINS; bin += (int)get_local_size(0)) mine[bin] = 0;
  YOKE_BARRIER_LOCAL();
  for (int i = (int)get_global_id(0); i < n; i += (int)get_global_size(0)) yoke_atomic_add(mine + values[i], 1u);
  YOKE_BARRIER_LOCAL();
  for (int bin = (int)get_local_id(0); bin < BINS; bin += (int)get_local_size(0)) {
    if (mine[bin] != 0) yoke_atomic_add(counts + bin, mine[bin]);
  }
}
)";

int histogram() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto histogram = module.get_kernel<void(std::uint32_t*, const std::uint8_t*, int)>("histogram");

  constexpr std::size_t n = 300'007;
  std::vector<std::uint8_t> values(n);
  std::vector<std::uint32_t> expected(256);
  std::uint32_t state = 1;
  for (std::uint8_t& each : values) {
    state = state * 1664525U + 1013904223U;
    each = static_cast<std::uint8_t>((state >> 24) & (state >> 16));  // not even: some bins are hit often
    ++expected[each];
  }
  std::vector<std::uint32_t> counts(256);
  histogram(stream, {.grid = 16, .block = 128}, yoke::in_out(counts), yoke::in(values), n);
  if (counts != expected) {
    fmt::print(stderr, "the counts differ from the host's\n");
    return EXIT_FAILURE;
  }
  fmt::print("{} values are counted, {} of them 0\n", n, counts[0]);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return histogram();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
