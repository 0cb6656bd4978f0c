// SPDX-License-Identifier: MIT
// Bodies that attract each other: every pair, with tiles of bodies in local memory.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define TILE 64
// A body is its place and, in w, its mass.
YOKE_KERNEL accelerate(YOKE_GLOBAL float4* accelerations, YOKE_GLOBAL const float4* bodies, int n) {
  YOKE_LOCAL float4 tile[TILE];
  int i = (int)get_global_id(0);
  float4 own = bodies[min(i, n - 1)];
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int from = 0; from < n; from += TILE) {
    int here = (int)get_local_id(0);
    tile[here] = bodies[min(from + here, n - 1)];
    if (from + here >= n) tile[here].w = 0.0f;  // no mass, no pull
    YOKE_BARRIER_LOCAL();
    for (int k = 0; k < TILE; ++k) {
      float4 to = tile[k] - own;
      to.w = 0.0f;
      float closeness = rsqrt(dot(to, to) + 0.01f);
      sum += to * (tile[k].w * closeness * closeness * closeness);
    }
    YOKE_BARRIER_LOCAL();
  }
  if (i < n) accelerations[i] = sum;
}
)";

int nbody() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto accelerate = module.get_kernel<void(yoke::float4*, const yoke::float4*, int)>("accelerate");

  constexpr std::size_t n = 300;
  std::vector<yoke::float4> bodies(n);
  std::uint32_t state = 1;
  const auto random = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 8) / 16777216.0F;
  };
  for (yoke::float4& each : bodies) each = {random(), random(), random(), 0.5F + random()};
  std::vector<yoke::float4> result(n);
  accelerate(stream, yoke::launch_over(n, 64), yoke::out(result), yoke::in(bodies), n);

  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> sum{};
    for (const yoke::float4& other : bodies) {
      const std::array<double, 3> to{double{other.x} - double{bodies[i].x}, double{other.y} - double{bodies[i].y},
                                     double{other.z} - double{bodies[i].z}};
      const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + 0.01;
      const double pull = double{other.w} / (square * std::sqrt(square));
      for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += to[axis] * pull;
    }
    const std::array<double, 3> found{double{result[i].x}, double{result[i].y}, double{result[i].z}};
    for (std::size_t axis = 0; axis < 3; ++axis) worst = std::max(worst, std::abs(found[axis] - sum[axis]));
  }
  if (!(worst < 0.01)) {  // the sums are some hundreds
    fmt::print(stderr, "an acceleration is off by {}\n", worst);
    return EXIT_FAILURE;
  }
  fmt::print("{} accelerations are right within {}\n", n, worst);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return nbody();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
