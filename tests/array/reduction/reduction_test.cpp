// SPDX-License-Identifier: MIT
// Reductions of arrays and expressions: values, bits that no layout changes, launches, refusals.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/reduction.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_ANY_DEVICE_TEST_CASE("sum, product, least and greatest, any, all, count, mean", "[array]") {
  any_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 3, 255, 4096, 4097, 100'003}) {
    const auto host = random_values<int>(size);
    auto a = yoke::to_device_array(host, state.stream);
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    std::int64_t above = 0;
    for (const int each : host) {
      sum += each;
      squares += std::int64_t{each} * each;
      above += each > 3 ? 1 : 0;
    }
    auto on_device = yoke::sum(a);
    static_assert(std::is_same_v<decltype(on_device), yoke::device_value<std::int64_t>>);
    turns turn(device);
    CHECK(on_device.get() == sum);
    if (turn()) CHECK(yoke::sum(a * a).get() == squares);
    if (turn()) CHECK(yoke::dot(a, a).get() == squares);
    if (turn()) CHECK(yoke::min(a).get() == *std::min_element(host.begin(), host.end()));
    if (turn()) CHECK(yoke::max(-a).get() == -*std::min_element(host.begin(), host.end()));
    if (turn()) CHECK(yoke::count(a > 3).get() == above);
    if (turn()) CHECK(yoke::count_nonzero(a > 3).get() == above);
    if (turn()) CHECK(yoke::vdot(a, a).get() == squares);
    if (turn()) CHECK(yoke::any(a > 3).get() == (above != 0));
    if (turn()) CHECK(yoke::all(a > 3).get() == (above == static_cast<std::int64_t>(size)));
    if (turn()) CHECK(yoke::mean(a).get() == static_cast<double>(sum) / static_cast<double>(size));
    if (turn()) CHECK(yoke::sum(a == a).get() == static_cast<std::int64_t>(size));
  }
  const auto factors = yoke::to_device_array({1, -2, 3, 4}, state.stream);
  CHECK(yoke::prod(factors).get() == -24);
}

YOKE_ANY_DEVICE_TEST_CASE("a sum of floats has the same bits each time and for each layout, near the host's double",
                          "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  static std::mt19937 engine{std::random_device{}()};
  std::uniform_real_distribution<float> dice(-1, 1);
  std::vector<float> host(37 * 41 * 53);
  for (float& each : host) each = dice(engine);
  double sum = 0;
  double size = 0;
  double squares = 0;
  for (const float each : host) {
    sum += each;
    size += std::fabs(each);
    squares += double{each} * each;
  }
  const auto c = yoke::to_device_array(host, {37, 41, 53}, state.stream);
  const auto f = yoke::to_device_array(host, {37, 41, 53}, state.stream, yoke::array_order::f);
  const float first = yoke::sum(c).get();
  // 16 additions in a thread, 8 in a block, and the same again for the partial results.
  CHECK(std::fabs(first - sum) <= 48 * size / 8388608);
  CHECK(yoke::sum(c).get() == first);
  CHECK(yoke::sum(f).get() == first);
  CHECK(yoke::sum(c.transpose().transpose()).get() == first);
  const float product = yoke::dot(c, f).get();
  CHECK(std::fabs(product - squares) <= 48 * squares / 8388608);
  CHECK(yoke::sum(c * c).get() == product);
  // The same tree on the host, where a product is rounded before it is added.
  std::vector<float> level;
  for (const float each : host) level.push_back(each * each);
  do {
    std::vector<float> next;
    for (std::size_t tile = 0; tile < level.size(); tile += 4096) {
      float part[256] = {};
      for (std::size_t i = tile; i < std::min(tile + 4096, level.size()); ++i) part[(i - tile) % 256] += level[i];
      for (std::size_t apart = 128; apart > 0; apart /= 2) {
        for (std::size_t i = 0; i < apart; ++i) part[i] += part[i + apart];
      }
      next.push_back(part[0]);
    }
    level = std::move(next);
  } while (level.size() > 1);
  CHECK(product == level[0]);
  CHECK(yoke::max(f).get() == *std::max_element(host.begin(), host.end()));
  CHECK(yoke::mean(f).get() == yoke::mean(c).get());
}

YOKE_ANY_DEVICE_TEST_CASE("reductions go over parts, broadcasts, ranks and small types", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto a = yoke::to_device_array(counting<std::int8_t>(100, 0), {10, 10}, state.stream);
  CHECK(yoke::sum(a(yoke::slice(yoke::none, yoke::none, 2), yoke::reversed)).get() == 2225);
  CHECK(yoke::sum(a + a(0)).get() == 4950 + 450);
  CHECK(yoke::max(a(3)).get() == 39);
  static_assert(std::is_same_v<decltype(yoke::max(a).get()), std::int8_t>);
  static_assert(std::is_same_v<decltype(yoke::max(a + a).get()), int>);
  CHECK(yoke::sum(a(3, 4)).get() == 34);
  const auto u = yoke::full(std::uint32_t{4'000'000'000}, {5}, state.stream);
  CHECK(yoke::sum(u).get() == 20'000'000'000U);
  const auto h = yoke::full(yoke::half(1.5F), {4097}, state.stream);
  CHECK(yoke::sum(h).get() == 6145.5F);
  const yoke::device_array flags(a > 50);
  CHECK(yoke::sum(flags).get() == 49);
  CHECK(yoke::max(flags).get());
  CHECK_FALSE(yoke::min(flags).get());
  const auto d = yoke::to_device_array({1.5, std::nan(""), 2.5}, state.stream);
  CHECK(std::isnan(yoke::min(d).get()));
  CHECK(std::isnan(yoke::max(d).get()));
  CHECK(yoke::prod(d(yoke::slice(yoke::none, yoke::none, 2))).get() == 3.75);
}

YOKE_ANY_DEVICE_TEST_CASE("the least and greatest of numbers near the ends of every type", "[array]") {
  any_rig state(device);
  const auto check = [&]<class T>(T) {
    using limits = std::numeric_limits<T>;
    const T near_most = static_cast<T>(limits::max() - T{1});
    const T near_least = static_cast<T>(limits::lowest() + T{1});
    const auto high = yoke::to_device_array(std::vector<T>{limits::max(), near_most, limits::max()}, state.stream);
    const auto low =
        yoke::to_device_array(std::vector<T>{limits::lowest(), near_least, limits::lowest()}, state.stream);
    INFO(sizeof(T) << " bytes, signed " << std::is_signed_v<T>);
    CHECK(yoke::min(high).get() == near_most);
    CHECK(yoke::max(low).get() == near_least);
    CHECK(yoke::argmin(high).get() == (near_most == limits::max() ? 0 : 1));
    CHECK(yoke::argmax(low).get() == (near_least == limits::lowest() ? 0 : 1));
    // Alone, nothing but the neutral element is beside it.
    CHECK(yoke::min(high(yoke::slice(0, 1))).get() == limits::max());
    CHECK(yoke::max(low(yoke::slice(0, 1))).get() == limits::lowest());
  };
  turns turn(device);
  if (turn()) check(std::int8_t{});
  if (turn()) check(std::uint8_t{});
  if (turn()) check(std::uint16_t{});
  if (turn()) check(std::int16_t{});
  if (turn()) check(std::int32_t{});
  if (turn()) check(std::uint32_t{});
  if (turn()) check(std::uint64_t{});
  if (turn()) check(std::int64_t{});
  if (turn()) check(float{});
  if (turn()) check(double{});
}

YOKE_ANY_DEVICE_TEST_CASE("reductions of nothing, and of several shapes", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto none = yoke::zeros<float>({0, 3}, state.stream);
  CHECK(yoke::sum(none).get() == 0);
  CHECK(yoke::prod(none).get() == 1);
  CHECK_FALSE(yoke::any(none).get());
  CHECK(yoke::all(none).get());
  CHECK(yoke::count(none).get() == 0);
  CHECK(std::isnan(yoke::mean(none).get()));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::min(none); }),
             Catch::Matchers::ContainsSubstring("the least of no elements: the shape is (0, 3)"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::max(2 * none); }),
             Catch::Matchers::ContainsSubstring("the greatest of no elements"));
  const auto one = yoke::zeros<float>({1}, state.stream);
  const auto two = yoke::zeros<float>({2}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::dot(one, two); }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (1,) with (2,): axis 0"));
}

YOKE_DEVICE_TEST_CASE("a reduction is a launch for each 4096-fold, and stays on the device", "[array]") {
  rig state(device);
  const auto a = yoke::ones<float>({4097}, state.stream);
  (void)yoke::sum(2 * a);
  std::size_t mark = state.driver.calls().size();
  auto sum = yoke::sum(2 * a);
  auto calls = state.driver.calls(mark);
  const auto launches = [](const std::vector<std::string>& of) {
    return std::count_if(of.begin(), of.end(), [](const std::string& each) {
      return each.find("launch_kernel") != std::string::npos || each.find("enqueue_kernel") != std::string::npos;
    });
  };
  CHECK(launches(calls) == 2);
  for (const std::string& call : calls) CHECK(call.find("program") == std::string::npos);
  auto b = yoke::zeros<float>({4097}, state.stream);
  mark = state.driver.calls().size();
  b = a / sum.array();
  CHECK(launches(state.driver.calls(mark)) == 1);
  CHECK(yoke::sum(b * 8194).get() == 4097);
}
