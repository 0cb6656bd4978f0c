// SPDX-License-Identifier: MIT
// The heat equation by Fourier transforms, in one step of any length, with a picture.
#include "png.hpp"

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>
#include <yoke/array.hpp>
#include <yoke/fft.hpp>

namespace {

constexpr int side = 160;

int heat() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  // A plate whose edges meet, with a hot ring and a wave of which the answer is known.
  const auto place = yoke::linspace(-1.0F, 1.0F, side, stream);
  const auto across = place(yoke::newaxis, yoke::whole);
  const auto down = place(yoke::whole, yoke::newaxis);
  const auto distance = yoke::evaluate(sqrt(across * across + down * down));
  const auto ring = yoke::evaluate(where(distance > 0.4F && distance < 0.6F, 1.0F, 0.0F));
  constexpr auto turn = 2 * std::numbers::pi_v<float>;
  const auto wave =
      yoke::evaluate(sin(turn * 3 / side * yoke::arange<float>(side, stream)) + yoke::zeros<float>({side, 1}, stream));

  // In frequencies each wave fades by itself: exp(-t k^2).
  const auto column = turn * yoke::rfftfreq(side, stream)(yoke::newaxis, yoke::whole);
  const auto row = turn * yoke::fftfreq(side, stream)(yoke::whole, yoke::newaxis);
  const auto squares = yoke::evaluate(column * column + row * row);
  const auto after = [&](const yoke::device_array<float, 2>& of, float time) {
    auto spectrum = yoke::rfft(of, yoke::along(0, 1));
    spectrum = spectrum * exp(-time * squares);
    return yoke::irfft(spectrum, side, yoke::along(0, 1));
  };

  // The ring at four times, side by side.
  picture made(4 * side, side);
  float heat = yoke::sum(ring).get();
  float worst = 0;
  for (int k = 0; k < 4; ++k) {
    const auto plate = after(ring, k == 0 ? 0.0F : 5.0F * std::pow(4.0F, static_cast<float>(k)));
    worst = std::fmax(worst, std::fabs(yoke::sum(plate).get() - heat) / heat);  // heat is not lost
    const auto host = plate.to_host();
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double warm = host[static_cast<std::size_t>(y * side + x)];
        made.at(k * side + x,
                y) = {{static_cast<std::uint8_t>(byte_of(2 * warm)), static_cast<std::uint8_t>(byte_of(2 * warm - 0.6)),
                       static_cast<std::uint8_t>(byte_of(0.25 - warm / 2)), 255}};
      }
    }
  }
  made.save("spectral_heat.png");

  const float frequency = turn * 3 / side;
  const float left = std::exp(-200 * frequency * frequency);
  const float error = yoke::max(abs(after(wave, 200) - left * wave)).get();
  const float unchanged = yoke::max(abs(after(ring, 0) - ring)).get();
  const bool right = worst < 1e-4F && error < 1e-5F && unchanged < 1e-5F;
  fmt::print("spectral_heat.png; heat is kept to {:.1e}, the wave fades to {:.3f} with an error of {:.1e}: {}\n", worst,
             left, error, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return heat();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
