// SPDX-License-Identifier: MIT
// Two devices and a halo between them: each smooths its half of a row, and reads the other's edge where the devices are
// connected; where they are not, the edges are copied. One device says what it refuses, and takes two contexts.
#include <fmt/core.h>

#include <cstdlib>
#include <utility>
#include <vector>
#include <yoke/cuda.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int half = 1 << 16;

// The mean of three neighbours; beyond the edges there is zero. `beside` is the other half's element at the common edge.
constexpr const char* source = R"(
YOKE_KERNEL smooth(YOKE_GLOBAL const float* in, YOKE_GLOBAL const float* beside, YOKE_GLOBAL float* out, int n, int is_left) {
  int i = (int)get_global_id(0);
  if (i >= n) return;
  float before = i > 0 ? in[i - 1] : (is_left ? 0.0f : beside[0]);
  float after = i + 1 < n ? in[i + 1] : (is_left ? beside[0] : 0.0f);
  out[i] = (before + in[i] + after) / 3;
})";

/// One half, with all that its device needs.
struct side {
  side(cu::context on, const std::vector<float>& values)
      : ctx(std::move(on)),
        stream(ctx),
        smooth(yoke::compile(ctx, source).get_kernel<void(const float*, const float*, float*, int, int)>("smooth")),
        in(ctx, half),
        out(ctx, half),
        edge(ctx, 1) {
    yoke::copy(values, in, stream);
  }
  cu::context ctx;
  cu::stream stream;
  cu::kernel<void(const float*, const float*, float*, int, int)> smooth;
  cu::device_allocation<float> in, out, edge;
};

/// The device of a side works on `beside`, an element of the other side.
void run(side& on, const cu::device_span<const float>& beside, bool is_left) {
  on.smooth(on.stream, yoke::launch_over(half), on.in, beside, on.out, half, is_left ? 1 : 0);
}

int peer() {
  if (const auto found = cu::available(); !found) return fmt::print("skipped: {}\n", found.reason), skipped;
  const std::vector<cu::device> devices = cu::devices();
  const bool has_two = devices.size() > 1;
  std::vector<float> left(half), right(half);
  for (int i = 0; i < half; ++i) {
    left[static_cast<std::size_t>(i)] = static_cast<float>(i % 10);
    right[static_cast<std::size_t>(i)] = static_cast<float>(i % 7);
  }
  side a{cu::context{devices[0]}, left};
  side b{has_two ? cu::context{devices[1]} : cu::create_context(devices[0]), right};
  try {
    const cu::peer_access from_a{a.ctx, b.ctx}, from_b{b.ctx, a.ctx};
    run(a, from_a.view(b.in).subspan(0, 1), true);
    run(b, from_b.view(a.in).subspan(half - 1, 1), false);
    a.stream.synchronize();  // before the access ends
    b.stream.synchronize();
    fmt::print("each device reads the other's edge\n");
  } catch (const yoke::unsupported_error& e) {  // copies need no access
    fmt::print("{}\n", e.what());
    yoke::copy(b.in.subspan(0, 1), a.edge, a.stream);
    yoke::copy(a.in.subspan(half - 1, 1), b.edge, b.stream);
    run(a, a.edge.subspan(0, 1), true);
    run(b, b.edge.subspan(0, 1), false);
    fmt::print("the edges were copied\n");
  }

  std::vector<float> row = left, result = yoke::to_host(a.out, a.stream);
  const std::vector<float> second = yoke::to_host(b.out, b.stream);
  row.insert(row.end(), right.begin(), right.end());
  result.insert(result.end(), second.begin(), second.end());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float before = i > 0 ? row[i - 1] : 0, after = i + 1 < row.size() ? row[i + 1] : 0;
    const float error = result[i] - (before + row[i] + after) / 3;
    if (error > 1e-6F || error < -1e-6F) return fmt::print(stderr, "element {} is wrong\n", i), EXIT_FAILURE;
  }
  fmt::print("all {} elements are right\n", row.size());
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return peer();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
