// SPDX-License-Identifier: MIT
// An image blurred by expressions: shifted views of one array, weighed and added by one kernel.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr std::size_t height = 60;
constexpr std::size_t width = 90;
constexpr std::array<float, 5> weights{0.0625F, 0.25F, 0.375F, 0.25F, 0.0625F};
constexpr std::size_t edge = weights.size() - 1;

/// The weighed sum of 5 neighbours along an axis, where there are so many.
template <std::size_t... K>
auto blurred(const auto& image, int axis, std::index_sequence<K...>) {
  const auto part = [&](std::size_t from) {
    const std::size_t count = image.extent(static_cast<std::size_t>(axis)) - edge;
    const yoke::slice along(from, from + count);
    return axis == 0 ? image(along, yoke::whole) : image(yoke::whole, along);
  };
  return yoke::evaluate((... + (weights[K] * part(K))));
}

int blur() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // Bright bars on a dark ground, as bytes.
  std::vector<std::uint8_t> host(height * width);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = (i % width / 15 + i / width / 15) % 2 == 0 ? 230 : 10;
  const auto image = yoke::to_device_array(host, {height, width}, stream);

  constexpr std::make_index_sequence<weights.size()> taps;
  const auto across = blurred(image, 1, taps);
  const auto both = blurred(across, 0, taps);
  const auto bytes = both.astype<std::uint8_t>();

  const std::vector<float> found = both.to_host();
  bool right = bytes.extent(0) == height - edge && bytes.extent(1) == width - edge;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double expected = 0;
    for (std::size_t y = 0; y < weights.size(); ++y) {
      for (std::size_t x = 0; x < weights.size(); ++x) {
        const std::size_t at = (i / (width - edge) + y) * width + i % (width - edge) + x;
        expected += static_cast<double>(weights[y]) * static_cast<double>(weights[x]) * host[at];
      }
    }
    right = right && std::fabs(found[i] - expected) < 1e-3;
  }
  const auto shades = bytes(yoke::slice(0, yoke::none, 4), yoke::slice(0, 80, 2)).to_host();
  for (std::size_t i = 0; i < shades.size(); ++i)
    fmt::print("{}{}", " .:-=+*#%@"[shades[i] / 26], i % 40 == 39 ? "\n" : "");
  fmt::print("{}\n", right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return blur();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
