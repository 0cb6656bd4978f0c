// SPDX-License-Identifier: MIT
// Reductions along axes, several in one pass, places, variances and operators of the program's own.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/reduction.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// The sums of a table in C order over the axes of a mask.
template <class T, std::size_t Rank>
std::vector<std::int64_t> sums_of(const std::vector<T>& host, const std::array<std::size_t, Rank>& extents,
                                  unsigned mask) {
  std::size_t results = 1;
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if ((mask >> axis & 1U) == 0) results *= extents[axis];
  }
  std::vector<std::int64_t> sums(results);
  for (std::size_t i = 0; i < host.size(); ++i) {
    std::size_t rest = i;
    std::size_t at = 0;
    std::size_t stride = 1;
    for (std::size_t axis = Rank; axis-- > 0;) {
      const std::size_t index = rest % extents[axis];
      rest /= extents[axis];
      if ((mask >> axis & 1U) != 0) continue;
      at += index * stride;
      stride *= extents[axis];
    }
    sums[at] += host[i];
  }
  return sums;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("sums along each choice of axes, of any layout", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const std::array<std::size_t, 3> extents{5, 70, 37};
  const auto host = random_values<int>(5 * 70 * 37);
  const yoke::shape<3> shape{5, 70, 37};
  const auto c = yoke::to_device_array(host, shape, state.stream);
  const auto f = yoke::to_device_array(host, shape, state.stream, yoke::array_order::f);
  const auto turned = c.transpose({2, 0, 1});
  for (const auto& view : {c.view(), f.view(), turned.transpose({1, 2, 0})}) {
    CHECK(yoke::sum(view, yoke::along(0)).to_host() == sums_of(host, extents, 1));
    CHECK(yoke::sum(view, yoke::along(1)).to_host() == sums_of(host, extents, 2));
    CHECK(yoke::sum(view, yoke::along(-1)).to_host() == sums_of(host, extents, 4));
    CHECK(yoke::sum(view, yoke::along(0, 1)).to_host() == sums_of(host, extents, 3));
    CHECK(yoke::sum(view, yoke::along(2, 0)).to_host() == sums_of(host, extents, 5));
    CHECK(yoke::sum(view, yoke::along(1, 2)).to_host() == sums_of(host, extents, 6));
    CHECK(yoke::sum(view, yoke::along(0, 1, 2)).to_host() == sums_of(host, extents, 7));
  }
  const auto kept = yoke::sum(c, yoke::along(1).keep_dims());
  static_assert(std::is_same_v<decltype(kept), const yoke::device_array<std::int64_t, 3>>);
  CHECK((kept.shape() == yoke::shape{5, 1, 37}));
  CHECK(kept.to_host() == sums_of(host, extents, 2));
  const auto centred = yoke::sum(c - yoke::mean(c, yoke::along(0, 1).keep_dims()), yoke::along(0, 1)).to_host();
  for (const double each : centred) CHECK(std::fabs(each) < 1e-6);
}

YOKE_ANY_DEVICE_TEST_CASE("sums along long axes have several passes, and the same bits for each layout", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  static std::mt19937 engine{std::random_device{}()};
  std::uniform_real_distribution<float> dice(-1, 1);
  std::vector<float> host(10'007 * 7);
  for (float& each : host) each = dice(engine);
  const auto tall = yoke::to_device_array(host, {10'007, 7}, state.stream);
  const auto tall_f = yoke::to_device_array(host, {10'007, 7}, state.stream, yoke::array_order::f);
  const auto first = yoke::sum(tall, yoke::along(0)).to_host();
  CHECK(yoke::sum(tall_f, yoke::along(0)).to_host() == first);
  CHECK(yoke::sum(tall.transpose(), yoke::along(1)).to_host() == first);
  for (std::size_t column = 0; column < 7; ++column) {
    double sum = 0;
    double size = 0;
    for (std::size_t row = 0; row < 10'007; ++row) {
      sum += static_cast<double>(host[row * 7 + column]);
      size += std::fabs(static_cast<double>(host[row * 7 + column]));
    }
    CHECK(std::fabs(static_cast<double>(first[column]) - sum) <= 200 * size / 8388608);
    CHECK(yoke::sum(tall(yoke::whole, column), yoke::along(0)).value() == yoke::sum(tall(yoke::whole, column)).get());
  }
  // The same tree on the host: 32 lanes in tiles of 4096, and 16 elements of a lane joined before the others.
  std::vector<float> level;
  for (std::size_t row = 0; row < 10'007; ++row) level.push_back(host[row * 7 + 3]);
  const auto joined = [](const std::vector<float>& of, std::size_t lanes) {
    std::vector<float> next;
    for (std::size_t tile = 0; tile < of.size(); tile += 4096) {
      std::vector<float> part(lanes);
      const std::size_t step = lanes == 1 ? 4096 : 16 * lanes;
      for (std::size_t at = tile; at < std::min(tile + 4096, of.size()); at += step) {
        std::vector<float> piece(lanes);
        for (std::size_t i = at; i < std::min(at + step, of.size()); ++i) piece[(i - at) % lanes] += of[i];
        for (std::size_t i = 0; i < lanes; ++i) part[i] += piece[i];
      }
      for (std::size_t apart = lanes / 2; apart > 0; apart /= 2) {
        for (std::size_t i = 0; i < apart; ++i) part[i] += part[i + apart];
      }
      next.push_back(part[0]);
    }
    return next;
  };
  CHECK(joined(joined(level, 32), 1)[0] == first[3]);
}

YOKE_ANY_DEVICE_TEST_CASE("every small number of elements, results and axes", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  for (const std::size_t rows : std::initializer_list<std::size_t>{0, 1, 2, 31, 32, 33, 64, 255, 300}) {
    for (const std::size_t columns : std::initializer_list<std::size_t>{0, 1, 3, 8, 33, 256, 257}) {
      const auto host = random_values<int>(rows * columns);
      const auto a = yoke::to_device_array(host, {rows, columns}, state.stream);
      const std::array<std::size_t, 2> extents{rows, columns};
      INFO(rows << " x " << columns);
      CHECK(yoke::sum(a, yoke::along(0)).to_host() == sums_of(host, extents, 1));
      CHECK(yoke::sum(a, yoke::along(1)).to_host() == sums_of(host, extents, 2));
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("places of the least and greatest: the first of equal ones, or the first NaN", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 5, 256, 4097, 20'000}) {
    auto host = random_values<int>(size);
    for (int& each : host) each %= 50;
    const auto a = yoke::to_device_array(host, state.stream);
    auto least = yoke::argmin(a);
    static_assert(std::is_same_v<decltype(least), yoke::device_value<std::int64_t>>);
    CHECK(least.get() == std::min_element(host.begin(), host.end()) - host.begin());
    CHECK(yoke::argmax(a).get() == std::max_element(host.begin(), host.end()) - host.begin());
    CHECK(yoke::argmin(-a).get() == std::max_element(host.begin(), host.end()) - host.begin());
  }
  const auto t = yoke::to_device_array({{3, 1, 2}, {0, 5, 5}}, state.stream);
  CHECK(yoke::argmin(t, yoke::along(1)).to_host() == std::vector<std::int64_t>{1, 0});
  CHECK(yoke::argmax(t, yoke::along(1)).to_host() == std::vector<std::int64_t>{0, 1});
  CHECK(yoke::argmax(t, yoke::along(0)).to_host() == std::vector<std::int64_t>{0, 1, 1});
  CHECK(yoke::argmax(t.transpose()).get() == 3);
  const float nan = std::nanf("");
  const auto d = yoke::to_device_array({1.0F, nan, -2.0F, nan}, state.stream);
  CHECK(yoke::argmin(d).get() == 1);
  CHECK(yoke::argmax(d).get() == 1);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::argmin(yoke::zeros<int>({0}, state.stream)); }),
             Catch::Matchers::ContainsSubstring("the place of the least of no elements"));
}

YOKE_ANY_DEVICE_TEST_CASE("the other reductions along axes, and of nothing", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto a = yoke::to_device_array({{3.0F, -4.0F}, {0.0F, 1.0F}, {1.0F, 7.0F}}, state.stream);
  CHECK(yoke::min(a, yoke::along(0)).to_host() == std::vector<float>{0, -4});
  CHECK(yoke::max(a, yoke::along(1)).to_host() == std::vector<float>{3, 1, 7});
  CHECK(yoke::prod(a, yoke::along(1)).to_host() == std::vector<float>{-12, 0, 7});
  CHECK(yoke::count(a, yoke::along(0)).to_host() == std::vector<std::int64_t>{2, 3});
  CHECK(yoke::mean(a, yoke::along(1)).to_host() == std::vector<float>{-0.5F, 0.5F, 4});
  CHECK(yoke::norm(a, yoke::along(1))(0).value() == 5);
  CHECK(yoke::norm(a(0)).get() == 5);
  CHECK(yoke::variance(a, yoke::along(1)).to_host() == std::vector<float>{12.25F, 0.25F, 9});
  CHECK(yoke::variance(a, yoke::along(1), 1).to_host() == std::vector<float>{24.5F, 0.5F, 18});
  const auto n = yoke::to_device_array({1, 2, 3, 4}, state.stream);
  CHECK(yoke::variance(n).get() == 1.25);
  CHECK(yoke::variance(n, 1).get() == 5.0 / 3);
  // No negative squares where more are left out than there are.
  CHECK(yoke::variance(n, 4).get() == std::numeric_limits<double>::infinity());
  CHECK(yoke::variance(n, 9).get() == std::numeric_limits<double>::infinity());
  CHECK(yoke::variance(a, yoke::along(1), 7).to_host() ==
        std::vector<float>(3, std::numeric_limits<float>::infinity()));
  bool flags[3];
  yoke::any(a > 4, yoke::along(1)).copy_to(flags);
  CHECK((!flags[0] && !flags[1] && flags[2]));
  yoke::all(a, yoke::along(1)).copy_to(flags);
  CHECK((flags[0] && !flags[1] && flags[2]));
  const auto h = yoke::full(yoke::half(0.5F), {40, 3}, state.stream);
  CHECK(yoke::sum(h, yoke::along(0)).to_host() == std::vector<float>{20, 20, 20});
  const auto none = yoke::zeros<float>({0, 3}, state.stream);
  CHECK(yoke::sum(none, yoke::along(0)).to_host() == std::vector<float>{0, 0, 0});
  CHECK(yoke::sum(none, yoke::along(1)).size() == 0);
  CHECK(yoke::min(none, yoke::along(1)).size() == 0);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::min(none, yoke::along(0)); }),
             Catch::Matchers::ContainsSubstring("the least of no elements"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::sum(a, yoke::along(2)); }),
             Catch::Matchers::ContainsSubstring("axis 2 is outside -2 .. 1"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::sum(a, yoke::along(0, -2)); }),
             Catch::Matchers::ContainsSubstring("axis 0 is given twice"));
}

YOKE_DEVICE_TEST_CASE("several reductions are one pass", "[array]") {
  rig state(device);
  const auto host = random_values<int>(10'000);
  const auto a = yoke::to_device_array(host, {100, 100}, state.stream);
  const auto all = [&] {
    return yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::min(a), yoke::pass::argmax(a * 2),
                             yoke::pass::count(a > 0), yoke::pass::mean(a), yoke::pass::any(a == 20'000));
  };
  (void)all();
  const std::size_t mark = state.driver.calls().size();
  auto [sum, least, place, positive, mean, any] = all();
  const auto calls = state.driver.calls(mark);
  CHECK(std::count_if(calls.begin(), calls.end(), [](const std::string& each) {
          return each.find("launch_kernel") != std::string::npos || each.find("enqueue_kernel") != std::string::npos;
        }) == 2);
  std::int64_t expected = 0;
  for (const int each : host) expected += each;
  CHECK(sum.get() == expected);
  CHECK(least.get() == *std::min_element(host.begin(), host.end()));
  CHECK(place.get() == std::max_element(host.begin(), host.end()) - host.begin());
  CHECK(positive.get() == std::count_if(host.begin(), host.end(), [](int each) { return each > 0; }));
  CHECK(mean.get() == static_cast<double>(expected) / 10'000);
  CHECK_FALSE(any.get());
  auto [low, high] = yoke::in_one_pass(yoke::along(1), yoke::pass::min(a), yoke::pass::max(a));
  CHECK(low(3).value() == *std::min_element(host.begin() + 300, host.begin() + 400));
  CHECK(high(99).value() == *std::max_element(host.begin() + 9900, host.end()));
  const auto other = yoke::zeros<int>({100, 1}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { (void)yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::sum(other)); }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (100, 100) with (100, 1): axis 1"));
}

YOKE_ANY_DEVICE_TEST_CASE("reductions by the program's own operator", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto host = random_values<int>(5000);
  const auto a = yoke::to_device_array(host, state.stream);
  int bits = 0;
  for (const int each : host) bits ^= each;
  CHECK(yoke::reduce<"a ^ b", "0">(a).get() == bits);
  CHECK(yoke::reduce<"a + b", "0", double>(a).get() == static_cast<double>(yoke::sum(a).get()));
  const auto t = a.reshape({50, 100});
  const auto rows = yoke::reduce<"max(a, b)", "-2147483647 - 1">(t, yoke::along(1)).to_host();
  CHECK(rows == yoke::max(t, yoke::along(1)).to_host());
}
