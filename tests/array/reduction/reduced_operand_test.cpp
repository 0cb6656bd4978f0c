// SPDX-License-Identifier: MIT
// Reductions inside of expressions have the bits of those that stand alone.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <yoke/algorithm.hpp>

#include <cmath>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;
using yoke::along;

namespace {

/// Returns: floats of a size from -4 to 4.
std::vector<float> small_values(std::size_t count) {
  std::vector<float> values = random_values<float>(count);
  for (float& each : values) each = std::fmod(each, 4.0F);
  return values;
}

/// Checks softmax in NumPy's words, mean and variance against arrays made one after the other.
template <class T, std::size_t Rank, class Axes>
void check_words(const yoke::device_array<T, Rank>& x, const Axes& axes) {
  const auto keep = axes.keep_dims();
  const auto most = yoke::max(x, keep);
  const auto powers = yoke::evaluate(exp(x - most));
  const auto sums = yoke::sum(powers, keep);
  const auto apart = yoke::evaluate(powers / sums);
  const auto e = exp(x - yoke::pass::max(x, keep));
  const yoke::device_array inside(e / yoke::pass::sum(e, keep));
  REQUIRE(inside.shape() == x.shape());
  CHECK(inside.to_host() == apart.to_host());

  const auto middle = yoke::mean(x, keep);
  const auto distances = yoke::evaluate(x - middle);
  const yoke::device_array near(x - yoke::pass::mean(x, keep));
  CHECK(near.to_host() == distances.to_host());
  const yoke::device_array score((x - yoke::pass::mean(x, keep)) / sqrt(yoke::pass::variance(x, keep, 1) + T(1)));
  CHECK(score.to_host() == yoke::evaluate(distances / sqrt(yoke::variance(x, keep, 1) + T(1))).to_host());
  // Results for each row, from two reductions.
  const yoke::device_array logs(log(yoke::pass::sum(e, keep)) + yoke::pass::max(x, keep));
  CHECK(logs.to_host() == yoke::evaluate(log(sums) + most).to_host());
  CHECK(yoke::sum(e, axes).to_host() == sums.to_host());
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("reductions inside of expressions have the bits of arrays made one after the other",
                          "[array]") {
  any_rig state(device);
  turns turn(device);
  const auto make = [&](auto... extents) {
    const yoke::shape<sizeof...(extents)> shape{static_cast<std::size_t>(extents)...};
    return yoke::to_device_array(small_values((static_cast<std::size_t>(extents) * ...)), shape, state.stream);
  };
  if (turn()) check_words(make(70, 300), along(1));
  if (turn()) check_words(make(70, 5000), along(1));
  if (turn()) check_words(make(70, 40), along(1));
  if (turn()) check_words(make(3, 20), along(1));
  if (turn()) check_words(make(300, 70), along(0));
  if (turn()) check_words(make(5, 17, 90), along(0, 2));
  if (turn()) check_words(make(64, 11, 90), along(1, 2));
  if (turn()) check_words(make(9000), along(0));
}
