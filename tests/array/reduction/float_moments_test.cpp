// SPDX-License-Identifier: MIT
// Means, variances and norms of floats whose sums leave the range of float: finite results come out finite and right.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array.hpp>

#include <cmath>
#include <complex>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Returns: the root of the sum of squares.
float norm_of(const std::vector<float>& values) {
  double sum = 0;
  for (const double each : values) sum += each * each;
  return static_cast<float>(std::sqrt(sum));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("norms of large and tiny floats are finite and not 0", "[array][moments]") {
  any_rig state(device);
  const auto norm_is_right = [&](std::vector<float> values) {
    const auto a = yoke::to_device_array(values, state.stream);
    INFO(values[0]);
    CHECK(yoke::norm(a).get() == norm_of(values));
    CHECK(yoke::norm(a.reshape({1, values.size()}), yoke::along(1)).to_host()[0] == norm_of(values));
    CHECK(std::get<0>(yoke::in_one_pass(yoke::pass::norm(a), yoke::pass::max(a))).get() == norm_of(values));
  };
  norm_is_right({3e30F, 4e30F});
  CHECK(norm_of({3e30F, 4e30F}) == 5e30F);
  norm_is_right({3e38F});
  norm_is_right({-2e38F, 1e38F, -2e38F});
  norm_is_right({1e-30F});
  norm_is_right({3e-30F, -4e-30F});
  norm_is_right({1e-45F});
  norm_is_right(std::vector<float>(300'000, 1e30F));
  CHECK(yoke::norm(yoke::to_device_array({3e38F, 3e38F}, state.stream)).get() == infinite);  // it is no float
  CHECK(yoke::norm(yoke::to_device_array({1.0F, infinite}, state.stream)).get() == infinite);
  CHECK(std::isnan(yoke::norm(yoke::to_device_array({1.0F, std::nanf("")}, state.stream)).get()));
  const auto z = yoke::to_device_array(std::vector<std::complex<float>>{{3e30F, -4e30F}, {0, 0}}, state.stream);
  CHECK(yoke::norm(z).get() == 5e30F);
}

YOKE_ANY_DEVICE_TEST_CASE("means of large floats are finite", "[array][moments]") {
  any_rig state(device);
  const auto a = yoke::to_device_array({{3e38F, 3e38F, 3e38F}, {3e38F, -3e38F, 3e38F}}, state.stream);
  CHECK(yoke::mean(a).get() == static_cast<float>(4 * double{3e38F} / 6));
  CHECK(yoke::mean(a, yoke::along(0)).to_host() == std::vector<float>{3e38F, 0, 3e38F});
  CHECK(yoke::mean(a, yoke::along(1)).to_host() == std::vector<float>{3e38F, static_cast<float>(double{3e38F} / 3)});
  CHECK(yoke::mean(yoke::full(3e38F, {300'000}, state.stream)).get() == 3e38F);
  CHECK(yoke::mean(yoke::full(1e-45F, {7}, state.stream)).get() == 1e-45F);
  CHECK(yoke::mean(yoke::full(1.0F, {(std::size_t{1} << 24) + 7}, state.stream)).get() == 1);
  auto kept = yoke::zeros<float>({2}, state.stream);
  kept = yoke::pass::mean(a, yoke::along(1));
  CHECK(kept.to_host()[0] == 3e38F);
  const auto z = yoke::full(std::complex<float>(3e38F, -3e38F), {5}, state.stream);
  CHECK(yoke::mean(z).get() == std::complex<float>(3e38F, -3e38F));
}

YOKE_ANY_DEVICE_TEST_CASE("variances are finite where they are floats", "[array][moments]") {
  any_rig state(device);
  const auto a = yoke::to_device_array({1e19F, -1e19F, 1e19F, -1e19F, 1e19F, -1e19F}, state.stream);
  const double square = double{1e19F} * 1e19F;
  CHECK(yoke::variance(a).get() == static_cast<float>(square));
  CHECK(yoke::variance(a, 1).get() == static_cast<float>(square * 6 / 5));
  CHECK(yoke::variance(a.reshape({1, 6}), yoke::along(1)).to_host()[0] == static_cast<float>(square));
  CHECK(yoke::variance(yoke::full(3e38F, {1000}, state.stream)).get() == 0);  // the mean is finite, too
  CHECK(yoke::variance(yoke::to_device_array({1e30F, -1e30F}, state.stream)).get() == infinite);
  CHECK(yoke::variance(yoke::to_device_array({1e-20F, -1e-20F}, state.stream)).get() ==
        static_cast<float>(double{1e-20F} * 1e-20F));
  const auto z =
      yoke::to_device_array(std::vector<std::complex<float>>{{1e19F, 1e19F}, {-1e19F, -1e19F}}, state.stream);
  CHECK(yoke::variance(z).get() == static_cast<float>(2 * square));
}

YOKE_ANY_DEVICE_TEST_CASE(
    "means, norms and variances of floats are near those of double, with the same bits for each layout",
    "[array][moments]") {
  any_rig state(device);
  const auto host = random_values<float>(37 * 41 * 53);
  double sum = 0;
  for (const float each : host) sum += each;
  const double middle = sum / static_cast<double>(host.size());
  double spread = 0;
  for (const float each : host) spread += (each - middle) * (each - middle);
  spread /= static_cast<double>(host.size());
  const auto c = yoke::to_device_array(host, {37, 41, 53}, state.stream);
  const auto f = yoke::to_device_array(host, {37, 41, 53}, state.stream, yoke::array_order::f);
  const auto is_near = [](double found, double exact, double units) {
    return std::fabs(found - exact) <= std::fabs(exact) * units * 0x1.0001p-24;
  };
  CHECK(is_near(yoke::mean(c).get(), middle, 1));
  CHECK(is_near(yoke::norm(c).get(), norm_of(host), 2));
  CHECK(is_near(yoke::variance(c).get(), spread, 4));  // distances are rounded to float
  CHECK(yoke::mean(f).get() == yoke::mean(c).get());
  CHECK(yoke::norm(f).get() == yoke::norm(c).get());
  CHECK(yoke::variance(f).get() == yoke::variance(c).get());
}

YOKE_ANY_DEVICE_TEST_CASE("variances of all floats are those of double, far from 0 and behind an outlier, too",
                          "[array][moments]") {
  counting_rig state(device);
  turns turn(device);
  const auto check = [&](std::vector<float> host) {
    long double middle = 0;
    for (const float each : host) middle += each;
    middle /= static_cast<long double>(host.size());
    long double spread = 0;
    for (const float each : host) spread += (each - middle) * (each - middle);
    const auto a = yoke::to_device_array(host, state.stream);
    for (const std::size_t fewer : {0U, 1U}) {
      CAPTURE(host.size(), fewer);
      const auto exact = static_cast<float>(spread / static_cast<long double>(host.size() - fewer));
      const float found = yoke::variance(a, fewer).get();
      CHECK(found >= std::nextafter(exact, 0.0F));
      CHECK(found <= std::nextafter(exact, infinite));
      CHECK(yoke::variance(a, yoke::along(0), fewer).to_host() == std::vector<float>{found});
      CHECK(yoke::evaluate(a * yoke::pass::variance(a, fewer)).to_host() == yoke::evaluate(a * found).to_host());
    }
  };
  const auto noise = random_values<float>(100'003);
  for (const std::size_t count : {2U, 3U, 17U, 255U, 256U, 257U, 4095U, 4096U, 4097U, 100'003U}) {
    if (!turn()) continue;
    std::vector<float> host(noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(count));
    for (float& each : host) each = 1e6F + each / 10000;
    check(host);
    host.front() = -3e12F;
    check(host);
  }
  if (!turn()) return;
  // One kernel for a tile, two for more; the parts of tiles are joined in the second.
  const auto count = [&](std::size_t elements) {
    const auto a = yoke::ones<float>({elements}, state.stream);
    (void)yoke::variance(a);
    const std::size_t mark = state.mark();
    (void)yoke::variance(a);
    return state.enqueued(mark);
  };
  CHECK(count(4096) == 1);
  CHECK(count(100'000) == 2);
}
