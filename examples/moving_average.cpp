// SPDX-License-Identifier: MIT
// A moving average by a scan: the sum up to each sample, less the sum up to one a window before.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/fmt.hpp>
#include <yoke/yoke.hpp>

namespace {

int moving_average() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  constexpr int samples = 100'000;
  constexpr int window = 25;
  const auto time = yoke::arange<double>(samples, stream);
  const auto signal = yoke::evaluate(sin(time / 400) + 0.2 * sin(time * 2));

  const auto sums = yoke::cumsum(signal);
  auto mean = yoke::zeros<double>({samples - window}, stream);
  mean = (sums(yoke::slice(window, yoke::none)) - sums(yoke::slice(0, -window))) / window;
  fmt::print("{:.4f}\n", mean);

  const std::vector<double> host = signal.to_host();
  const std::vector<double> found = mean.to_host();
  bool right = found.size() == samples - window;
  for (std::size_t i = 0; i < found.size(); i += 997) {
    double expected = 0;
    for (std::size_t k = i + 1; k <= i + window; ++k) expected += host[k];
    right = right && std::fabs(found[i] - expected / window) < 1e-9;
  }
  // What is left of the fast wave is small.
  right = right && yoke::max(abs(mean - sin((time(yoke::slice(window, yoke::none)) - window / 2) / 400))).get() < 0.02;
  fmt::print("{}\n", right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return moving_average();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
