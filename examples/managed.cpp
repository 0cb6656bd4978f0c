// SPDX-License-Identifier: MIT
// Managed memory: the host fills a rod, kernels let its heat flow, and the host reads it, all at one address.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>
#include <yoke/cuda.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int cells = 1 << 16;
constexpr int steps = 64;

constexpr const char* source = R"(
YOKE_KERNEL flow(YOKE_GLOBAL const float* from, YOKE_GLOBAL float* to, int n) {
  int i = (int)get_global_id(0);
  if (i >= n) return;
  if (i == 0 || i == n - 1) to[i] = from[i];
  else to[i] = 0.5f * (from[i - 1] + from[i + 1]);
})";

void heat(std::span<float> rod) {
  for (std::size_t i = 0; i < rod.size(); ++i) rod[i] = i % 1000 < 500 ? 1.0f : 0.0f;
}

// The same on the host alone, to compare with.
std::vector<float> expected() {
  std::vector<float> from(cells), to(cells);
  heat(from);
  for (int step = 0; step < steps; ++step) {
    to.front() = from.front();
    to.back() = from.back();
    for (std::size_t i = 1; i + 1 < from.size(); ++i) to[i] = 0.5f * (from[i - 1] + from[i + 1]);
    std::swap(from, to);
  }
  return from;
}

int managed() {
  if (const auto found = cu::available(); !found) {
    fmt::print("skipped: {}\n", found.reason);
    return skipped;
  }
  const cu::device device{0};
  fmt::print("device: {}\n", device.name());
  if (!cu::get(device, cu::info::concurrent_managed_access)) {
    fmt::print("skipped: the host would have to wait for the whole device\n");
    return skipped;
  }
  const cu::context ctx{device};
  const cu::stream stream{ctx};
  const auto module = yoke::compile(ctx, source);
  const auto flow = module.get_kernel<void(const float*, float*, int)>("flow");

  cu::managed_allocation<float> rod{ctx, cells}, next{ctx, cells};
  heat(rod.host(stream));  // plain stores: no copy, no second array
  rod.prefetch(stream);    // to the device, before the kernels ask for it page by page
  next.prefetch(stream);
  for (int step = 0; step < steps; ++step) {
    flow(stream, yoke::launch_over(cells, 256), rod, next, cells);
    std::swap(rod, next);
  }
  // Only what the host reads comes back, while it waits: a page here, the rest when it is asked for.
  rod.part(0, 1000).prefetch(cu::memory_location::host(), stream);
  const std::span<const float> result = std::as_const(rod).host(stream);
  fmt::print("cells 498 to 501: {:.4f} {:.4f} {:.4f} {:.4f}\n", result[498], result[499], result[500], result[501]);

  const std::vector<float> right = expected();
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == right[i]) continue;
    fmt::print(stderr, "cell {} is {}, not {}\n", i, result[i], right[i]);
    return EXIT_FAILURE;
  }
  fmt::print("all {} cells are right after {} steps\n", cells, steps);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return managed();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
