// SPDX-License-Identifier: MIT
// The heat equation by expressions of arrays: a hot disc on a plate, with a picture of letters.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr int size = 96;

/// The middle of the plate, moved by some rows and columns.
auto moved(const yoke::device_array<float, 2>& plate, int down, int right) {
  return plate(yoke::slice(1 + down, size - 1 + down), yoke::slice(1 + right, size - 1 + right));
}

int heat() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  const auto place = yoke::linspace(-1.0F, 1.0F, size, stream);
  const auto down = place(yoke::whole, yoke::newaxis);
  auto plate = yoke::evaluate(where(place * place + down * down < 0.1F, 100.0F, 0.0F));
  auto next = plate.copy();
  const float before = yoke::sum(plate).get();

  // One kernel a step: the neighbours' mean, into the middle of the other array.
  for (int step = 0; step < 400; ++step) {
    next(yoke::slice(1, -1), yoke::slice(1, -1)) =
        moved(plate, 0, 0) + 0.2F * (moved(plate, -1, 0) + moved(plate, 1, 0) + moved(plate, 0, -1) +
                                     moved(plate, 0, 1) - 4 * moved(plate, 0, 0));
    plate.swap(next);
  }

  const auto rows = plate(yoke::slice(3, yoke::none, 8), yoke::slice(2, yoke::none, 3)).to_host();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto shade = static_cast<std::size_t>(std::fmin(rows[i] / 4, 9.0F));
    fmt::print("{}{}", " .:-=+*#%@"[shade], (i + 1) % 32 == 0 ? "\n" : "");
  }

  // Heat flows and is not lost; it is even on all sides, and the middle is the warmest.
  auto [after, most, place_of_most] =
      yoke::in_one_pass(yoke::pass::sum(plate), yoke::pass::max(plate), yoke::pass::argmax(plate));
  const auto mirrored = yoke::max(abs(plate - plate(yoke::whole, yoke::reversed))).get();
  const std::int64_t warmest = place_of_most.get();
  const bool right = std::fabs(after.get() - before) < 0.02F * before && most.get() < 100 && mirrored < 1e-3F &&
                     std::abs(warmest / size - size / 2) <= 1 && std::abs(warmest % size - size / 2) <= 1;
  fmt::print("heat before {:.0f}, after {:.0f}, warmest {:.1f}: {}\n", before, after.get(), most.get(),
             right ? "right" : "WRONG");
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
