// SPDX-License-Identifier: MIT
// One struct of the host, OpenCL C and CUDA C++: registered once, defined and checked by each compiler.
#include <fmt/core.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

namespace sim {

struct charge {
  std::complex<float> phase;
  yoke::half weights[4];
};
struct body {
  yoke::float4 position;
  charge charges[2];
  std::int64_t id;
  std::uint8_t flags[4];
  float mass;
};
struct step {
  yoke::float4 by;
  std::int32_t count;
  float factor;
  std::int32_t unused[2];
};

}  // namespace sim

// The host's compiler checks here that kernels' compilers would use the same layout.
YOKE_STRUCT(sim::charge, phase, weights);
YOKE_STRUCT(sim::body, position, charges, id, flags, mass);
YOKE_STRUCT_AS(sim::step, "step_parameters", by, count, factor, unused);

namespace {

constexpr const char* source = R"(
YOKE_KERNEL move(YOKE_GLOBAL body* all, YOKE_GLOBAL float* weights, step_parameters with) {
  int i = (int)get_global_id(0);
  if (i >= with.count) return;
  all[i].position += with.by * with.factor;
  all[i].charges[1].phase = make_float2(-all[i].charges[1].phase.y, all[i].charges[1].phase.x);
  all[i].id += all[i].flags[2];
  all[i].mass *= 2.0f;
  weights[i] = yoke_load_half(3, all[i].charges[0].weights);
})";

sim::body body_of(int number) {
  const auto value = static_cast<float>(number);
  sim::body made{};
  made.position = {value, 0, 1, 2};
  made.charges[0].weights[3] = yoke::half{value / 4};
  made.charges[1].phase = {value, 1};
  made.id = std::int64_t{1} << 40;
  made.flags[2] = static_cast<std::uint8_t>(number % 100);
  made.mass = 1 + value;
  return made;
}

int run() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // `.types` puts their definitions before the source; this device's compiler checks each size and offset.
  const auto module = yoke::compile(
      context, source, {.types = {yoke::describe_struct<sim::body>(), yoke::describe_struct<sim::step>()}});
  const auto move = module.get_kernel<void(sim::body*, float*, sim::step)>("move");

  constexpr int n = 1000;
  std::vector<sim::body> all;
  for (int i = 0; i < n; ++i) all.push_back(body_of(i));
  std::vector<float> weights(n);
  const sim::step step{{1, 2, 3, 4}, n, 0.5F, {}};
  move(stream, yoke::launch_over(n), yoke::in_out(all), yoke::out(weights), step);

  for (int i = 0; i < n; ++i) {
    const sim::body& body = all[static_cast<std::size_t>(i)];
    const sim::body before = body_of(i);
    const yoke::float4 moved{before.position.x + 0.5F, 1, 2.5F, 4};
    const bool right = body.position == moved &&
                       body.charges[1].phase == std::complex<float>{-1, static_cast<float>(i)} &&
                       body.id == before.id + before.flags[2] && body.mass == 2 * before.mass &&
                       weights[static_cast<std::size_t>(i)] == static_cast<float>(before.charges[0].weights[3]);
    if (!right) {
      fmt::print(stderr, "body {} is wrong\n", i);
      return EXIT_FAILURE;
    }
  }
  fmt::print("{} bodies of {} bytes are right\n", n, sizeof(sim::body));
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
