// SPDX-License-Identifier: MIT
// Filters a PNG image by Fourier transforms: a blur of any radius costs the same, and what it leaves are the edges.
#include "png.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <yoke/array.hpp>
#include <yoke/fft.hpp>

namespace {

/// Returns: the picture blurred by its definition at one place of one channel; its edges meet.
double expected(const picture& from, int x, int y, int channel, double radius) {
  const auto weights = [radius](int extent) {
    std::vector<double> made(static_cast<std::size_t>(extent));
    double all = 0;
    for (int k = 0; k < extent; ++k) {
      // The weights of all pictures that lie beside each other.
      for (int turn = -3; turn <= 3; ++turn) {
        const double at = (k + turn * extent) / radius;
        made[static_cast<std::size_t>(k)] += std::exp(-at * at / 2);
      }
      all += made[static_cast<std::size_t>(k)];
    }
    for (double& each : made) each /= all;
    return made;
  };
  const auto across = weights(from.width);
  const auto down = weights(from.height);
  double sum = 0;
  for (int row = 0; row < from.height; ++row) {
    for (int column = 0; column < from.width; ++column) {
      sum += from.at(column, row).channels[static_cast<std::size_t>(channel)] / 255.0 *
             across[static_cast<std::size_t>(std::abs(column - x))] * down[static_cast<std::size_t>(std::abs(row - y))];
    }
  }
  return sum;
}

}  // namespace

// usage: fft_filter [input.png]
int main(int count, char** arguments) {
  try {
    const picture original = given_picture(count, arguments, "fft_filter_input.png");
    const yoke::context context;
    const yoke::stream stream{context};
    fmt::print("device: {}\n", stream.device_of().name());

    // Three planes of numbers from 0 to 1.
    const auto height = static_cast<std::size_t>(original.height);
    const auto width = static_cast<std::size_t>(original.width);
    std::vector<float> host(3 * height * width);
    for (std::size_t at = 0; at < height * width; ++at) {
      for (std::size_t k = 0; k < 3; ++k) {
        host[k * height * width + at] = static_cast<float>(original.pixels[at].channels[k]) / 255.0F;
      }
    }
    const auto planes = yoke::to_device_array(host, {3, height, width}, stream);

    // A Gaussian is a Gaussian of the frequencies; three transforms of two axes are one call.
    constexpr float radius = 4;
    constexpr float steepness = 2 * std::numbers::pi_v<float> * std::numbers::pi_v<float> * radius * radius;
    const auto across = yoke::rfftfreq(width, stream);
    const auto down = yoke::fftfreq(height, stream)(yoke::whole, yoke::newaxis);
    auto spectrum = yoke::rfft(planes, yoke::along(1, 2));
    spectrum = spectrum * exp(-steepness * (across * across + down * down));
    const auto soft = yoke::irfft(spectrum, width, yoke::along(1, 2));
    const auto edges = yoke::evaluate(0.5F + planes - soft);

    const auto blurred = soft.to_host();
    const auto sharp = edges.to_host();
    picture result(original.width, 2 * original.height);
    for (int y = 0; y < original.height; ++y) {
      for (int x = 0; x < original.width; ++x) {
        const std::size_t at = static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
        result.at(x, y).channels[3] = result.at(x, y + original.height).channels[3] = 255;
        for (std::size_t k = 0; k < 3; ++k) {
          result.at(x, y).channels[k] = static_cast<std::uint8_t>(byte_of(blurred[k * height * width + at]));
          result.at(x, y + original.height).channels[k] =
              static_cast<std::uint8_t>(byte_of(sharp[k * height * width + at]));
        }
      }
    }
    result.save("fft_filter_output.png");

    double worst = 0;
    for (int k = 0; k < 60; ++k) {
      const int x = k * 37 % original.width;
      const int y = k * 53 % original.height;
      const std::size_t at = (static_cast<std::size_t>(k % 3) * height + static_cast<std::size_t>(y)) * width;
      worst = std::max(worst, std::abs(static_cast<double>(blurred[at + static_cast<std::size_t>(x)]) -
                                       expected(original, x, y, k % 3, radius)));
    }
    fmt::print("{} x {}, at most {:.1e} from the double result\n", original.width, original.height, worst);
    return worst < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
