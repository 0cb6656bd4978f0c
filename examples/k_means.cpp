// SPDX-License-Identifier: MIT
// k-means by expressions: distances by broadcasting, the nearest centre by argmin, new centres by sums along an axis.
#include <fmt/core.h>

#include <cstdlib>
#include <random>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int points = 6000;
constexpr int clusters = 3;

int k_means() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // Clouds around three places.
  constexpr float places[clusters][2]{{0, 0}, {6, 1}, {2, 7}};
  std::mt19937 engine{7};
  std::normal_distribution<float> spread(0, 0.8F);
  std::vector<float> host;
  for (int i = 0; i < points; ++i) {
    for (const float place : places[i % clusters]) host.push_back(place + spread(engine));
  }
  const auto data = yoke::to_device_array(host, {points, 2}, stream);
  auto centres = data(yoke::slice(0, clusters)).copy();
  const auto number = yoke::arange<std::int64_t>(clusters, stream);

  for (int round = 0; round < 10; ++round) {
    // (points, 1, 2) - (clusters, 2): the squared distance of each point from each centre.
    const auto apart = data(yoke::whole, yoke::newaxis) - centres;
    const auto nearest = yoke::argmin(yoke::sum(apart * apart, yoke::along(2)), yoke::along(1));
    // 1 where a point belongs to a cluster, for (points, clusters).
    const auto belongs = yoke::evaluate(yoke::cast<float>(nearest(yoke::whole, yoke::newaxis) == number));
    const auto sums =
        yoke::sum(belongs(yoke::whole, yoke::whole, yoke::newaxis) * data(yoke::whole, yoke::newaxis), yoke::along(0));
    centres = sums / max(yoke::sum(belongs, yoke::along(0).keep_dims()).transpose(), 1.0F);
  }

  const std::vector<float> found = centres.to_host();
  bool right = true;
  for (const auto& place : places) {
    bool near = false;
    for (std::size_t k = 0; k < clusters; ++k) {
      const float x = found[2 * k] - place[0];
      const float y = found[2 * k + 1] - place[1];
      near = near || x * x + y * y < 0.05F;
    }
    right = right && near;
  }
  for (std::size_t k = 0; k < clusters; ++k) fmt::print("centre {:.2f} {:.2f}\n", found[2 * k], found[2 * k + 1]);
  fmt::print("{}\n", right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return k_means();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
