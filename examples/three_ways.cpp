// SPDX-License-Identifier: MIT
// The same sums by a kernel, an elementwise kernel and an expression of arrays, each with the time that the device took.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int count = 1 << 18;

constexpr const char* source = R"(
YOKE_KERNEL waves(YOKE_GLOBAL const float* x, YOKE_GLOBAL float* y, int n) {
  int i = (int)get_global_id(0);
  if (i < n) y[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]) * x[i];
})";

double expected(double x) { return std::sin(x) * std::sin(x) + std::cos(x) * std::cos(x) * x; }

int run() {
  const yoke::context context;
  const yoke::stream stream{context, {.timing = true}};
  fmt::print("device: {}\n", stream.device_of().name());

  std::vector<float> host;
  for (int i = 0; i < count; ++i) host.push_back(static_cast<float>(i % 1000) / 100);
  const auto x = yoke::to_device_array(host, stream);
  bool right = true;

  // Runs twice: the first run compiles.
  const auto report = [&](std::string_view name, yoke::device_array<float, 1>& y, const auto& fill) {
    fill(y);
    const yoke::timed_event start = stream.record_timed();
    fill(y);
    const yoke::timed_event stop = stream.record_timed();
    const std::vector<float> found = y.to_host();
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(found[i]) - expected(static_cast<double>(host[i]))));
    }
    const std::chrono::duration<double, std::micro> time = stop.time_since(start);
    fmt::print("{:>18}: {:8.1f} us, at most {:.7f} from the double result\n", name, time.count(), worst);
    right = right && worst < 1e-4;
  };

  const auto waves = yoke::compile(context, source).get_kernel<void(const float*, float*, int)>("waves");
  auto y = yoke::zeros<float>({count}, stream);
  report("a kernel", y, [&](auto& to) { waves(stream, yoke::launch_over(count), x, to, count); });

  const yoke::elementwise_kernel<void(float*, const float*)> each(
      context, {"y", "x"}, "y[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]) * x[i]");
  auto z = yoke::zeros<float>({count}, stream);
  report("elementwise kernel", z, [&](auto& to) { each(to, x); });

  auto w = yoke::zeros<float>({count}, stream);
  report("an expression", w, [&](auto& to) { to = sin(x) * sin(x) + cos(x) * cos(x) * x; });
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
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
