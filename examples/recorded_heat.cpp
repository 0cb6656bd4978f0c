// SPDX-License-Identifier: MIT
// Heat spreads along a rod: two steps are recorded once as a graph, launched a thousand times, and changed in between.
#include <yoke/yoke.hpp>

#include <yoke/graph.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr std::size_t cells = 4096;

// The same step on the host; both ends keep their heat.
void step_on_host(const std::vector<float>& from, std::vector<float>& to, float rate) {
  to = from;
  for (std::size_t i = 1; i + 1 < cells; ++i) to[i] = from[i] + rate * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

float distance(const std::vector<float>& left, const yoke::pagelocked_array<float>& right) {
  float most = 0;
  for (std::size_t i = 0; i < cells; ++i) most = std::max(most, std::abs(left[i] - right[i]));
  return most;
}

}  // namespace

int main() {
  const yoke::context ctx;
  const yoke::stream stream{ctx};
  const auto module = yoke::compile(ctx, R"(
    YOKE_KERNEL spread(YOKE_GLOBAL float* to, YOKE_GLOBAL const float* from, float rate, int n) {
      int i = (int)get_global_id(0);
      if (i >= n) return;
      bool inside = i > 0 && i + 1 < n;
      to[i] = inside ? from[i] + rate * (from[i - 1] - 2 * from[i] + from[i + 1]) : from[i];
    })");
  const auto spread = module.get_kernel<void(float*, const float*, float, int)>("spread");

  std::vector<float> rod(cells, 0.0f), next;
  rod.front() = 100;
  rod[cells / 2] = 50;
  yoke::device_allocation<float> a = yoke::to_device(rod, stream);
  yoke::device_allocation<float> b{ctx, cells};
  yoke::pagelocked_array<float> result{ctx, cells};

  // Two steps, there and back; the copy to the host comes behind the second one.
  const yoke::graph graph{ctx};
  auto record = graph.record();
  const auto shape = yoke::launch_over(cells);
  const auto there = spread(record, shape, b, a, 0.25f, cells);
  const auto back = spread(record, shape, a, b, 0.25f, cells);
  const auto copied = yoke::enqueue_copy(a, result, record);

  auto exec = graph.instantiate();
  exec.disable(copied);  // only the last launch needs it
  const auto run = [&](int launches, float rate) {
    there.set(exec, b, a, rate, cells);
    back.set(exec, a, b, rate, cells);
    for (int i = 0; i < launches; ++i) {
      exec.launch(stream);
      step_on_host(rod, next, rate);
      step_on_host(next, rod, rate);
    }
  };
  run(500, 0.25f);
  run(499, 0.1f);
  exec.enable(copied);
  run(1, 0.1f);
  stream.synchronize();

  const float wrong = distance(rod, result);
  fmt::print("{} cells, 2000 steps in 1000 launches: the largest difference from the host is {:.2e}\n", cells, wrong);
  return wrong < 1e-3f ? 0 : 1;
}
