// SPDX-License-Identifier: MIT
// Scans: inclusive, exclusive, along axes, by segments, by operators of the program and from text.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/scan_kernel.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {
int drawn(int below) {
  static std::mt19937 engine{std::random_device{}()};
  return std::uniform_int_distribution<int>(0, below - 1)(engine);
}
}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("sums up to each element, of every size around a tile", "[array]") {
  any_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 15, 16, 17, 255, 256, 2047, 2048, 2049,
                                                                   4096, 4097, 70'001, 600'000}) {
    const auto host = random_values<int>(size);
    const auto a = yoke::to_device_array(host, state.stream);
    std::vector<std::int64_t> sums(size);
    std::vector<int> before(size);
    std::int64_t sum = 0;
    int bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
      before[i] = bits;
      bits ^= host[i];
      sums[i] = sum += host[i];
    }
    INFO(size);
    turns turn(device);
    if (turn()) CHECK((yoke::cumsum(a).to_host() == sums));
    if (turn()) CHECK((yoke::exclusive_scan<"a ^ b", "0">(a).to_host() == before));
    if (turn()) CHECK((yoke::cumsum(2 * a(yoke::reversed)).size() == size));
  }
  if (!takes(device, "cuda")) return;
  const auto ones = yoke::full(yoke::half(1.0F), {5000}, state.stream);
  const auto counted = yoke::cumsum(ones);
  static_assert(std::is_same_v<decltype(counted), const yoke::device_array<float, 1>>);
  CHECK(counted(-1).value() == 5000);
  CHECK(yoke::cumsum(yoke::full(std::int8_t{100}, {9}, state.stream))(8).value() == 900);
  CHECK(yoke::cumprod(yoke::to_device_array({1.5, 2.0, -3.0}, state.stream)).to_host() ==
        std::vector<double>{1.5, 3, -9});
}

YOKE_ANY_DEVICE_TEST_CASE("a scan's operator need not commute", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  // Maps of 0 .. 3, one composed after the other: 2 bits for each image.
  const std::size_t size = 5000;
  std::vector<int> host(size);
  for (int& each : host) each = drawn(256);
  std::vector<int> composed(size);
  int all = 0b11100100;
  for (std::size_t i = 0; i < size; ++i) {
    int next = 0;
    for (int x = 0; x < 4; ++x) next |= (host[i] >> 2 * (all >> 2 * x & 3) & 3) << 2 * x;
    composed[i] = all = next;
  }
  const auto a = yoke::to_device_array(host, state.stream);
  const auto scanned = yoke::inclusive_scan<
      "((b >> 2 * (a & 3)) & 3) | ((b >> 2 * (a >> 2 & 3)) & 3) << 2 | "
      "((b >> 2 * (a >> 4 & 3)) & 3) << 4 | ((b >> 2 * (a >> 6 & 3)) & 3) << 6",
      "228">(a);
  CHECK((scanned.to_host() == composed));
}

YOKE_ANY_DEVICE_TEST_CASE("scans along an axis, of any layout", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  for (const std::size_t columns : std::initializer_list<std::size_t>{1, 5, 32, 33, 3000}) {
    const std::size_t rows = 7;
    const auto host = random_values<int>(rows * columns);
    const auto c = yoke::to_device_array(host, {rows, columns}, state.stream);
    const auto f = yoke::to_device_array(host, {rows, columns}, state.stream, yoke::array_order::f);
    std::vector<std::int64_t> across(host.begin(), host.end());
    std::vector<std::int64_t> down(host.begin(), host.end());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k) {
        if (k > 0) across[r * columns + k] += across[r * columns + k - 1];
        if (r > 0) down[r * columns + k] += down[(r - 1) * columns + k];
      }
    }
    std::vector<int> highest(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      highest[i] = i % columns == 0 ? -host[i] : std::max(highest[i - 1], -host[i]);
    }
    INFO(columns);
    CHECK((yoke::inclusive_scan<"max(a, b)", "-2147483647 - 1">(-c, yoke::along(1)).to_host() == highest));
    for (const auto& view : {c.view(), f.view()}) {
      CHECK((yoke::cumsum(view, yoke::along(1)).to_host() == across));
      CHECK((yoke::cumsum(view, yoke::along(0)).to_host() == down));
      CHECK((yoke::cumsum(view.transpose(), yoke::along(0)).transpose().to_host() == across));
      CHECK((yoke::cumsum(view).to_host() == yoke::cumsum(c.ravel()).to_host()));
    }
  }
  const auto a = yoke::zeros<int>({2, 3}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)yoke::cumsum(a, yoke::along(2)); }),
             Catch::Matchers::ContainsSubstring("axis 2 is outside -2 .. 1"));
}

YOKE_ANY_DEVICE_TEST_CASE("scans by segments begin anew where they start", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 100, 4096, 30'000}) {
    const auto host = random_values<int>(size);
    std::vector<int> starts(size);
    for (int& each : starts) each = drawn(size < 1000 ? 5 : 900) == 0 ? 1 : 0;
    std::vector<std::int64_t> sums(size);
    std::vector<int> before(size);
    for (std::size_t i = 0; i < size; ++i) {
      const bool first = i == 0 || starts[i] != 0;
      sums[i] = host[i] + (first ? 0 : sums[i - 1]);
      before[i] = first ? 0 : before[i - 1] + host[i - 1];
    }
    const auto a = yoke::to_device_array(host, state.stream);
    const auto s = yoke::to_device_array(starts, state.stream);
    INFO(size);
    CHECK((yoke::cumsum(a, yoke::segments(s)).to_host() == sums));
    CHECK((yoke::exclusive_scan<"a + b", "0">(a, yoke::segments(s != 0)).to_host() == before));
  }
  const auto a = yoke::zeros<int>({3}, state.stream);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                 [&] { (void)yoke::cumsum(a, yoke::segments(yoke::zeros<int>({2}, state.stream))); }),
      Catch::Matchers::ContainsSubstring("cannot broadcast (3,) with (2,): axis 0"));
}

YOKE_ANY_DEVICE_TEST_CASE("a scan of floats has the same bits each time and for each layout", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  std::vector<float> host(40'000);
  for (float& each : host) each = static_cast<float>(drawn(1'000'000)) / 1e6F - 0.5F;
  const auto c = yoke::to_device_array(host, {200, 200}, state.stream);
  const auto f = yoke::to_device_array(host, {200, 200}, state.stream, yoke::array_order::f);
  const auto first = yoke::cumsum(c).to_host();
  CHECK((yoke::cumsum(c).to_host() == first));
  CHECK((yoke::cumsum(f).to_host() == first));
  double sum = 0;
  double size = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    sum += static_cast<double>(host[i]);
    size += std::fabs(static_cast<double>(host[i]));
    if (std::fabs(static_cast<double>(first[i]) - sum) > 64 * size / 8388608) FAIL(i);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("scan kernels from text", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const yoke::scan_kernel<int(const int*, int*, int)> kept(
      state.context, {"x", "y", "least"},
      {.input = "keeps(x[i], least)",
       .join = "a + b",
       .neutral = "0",
       .output = "if (prev_item != item) y[item - 1] = x[i]; if (i + 1 == N) y[N - 1] = last_item",
       .preamble = "int keeps(int x, int least) { return x > least ? 1 : 0; }"});
  const yoke::scan_kernel<float(const float*, const int*, float*)> in_segments(state.context, {"x", "count", "first"},
                                                                               {.input = "x[i]",
                                                                                .join = "a + b",
                                                                                .neutral = "0.0f",
                                                                                .output = "first[i] = prev_item + item",
                                                                                .segment_start = "count[i] == 0"});
  {
    const auto x = yoke::ones<float>({3000}, state.stream);
    const auto count = yoke::evaluate(yoke::arange<int>(3000, state.stream) % 7);
    auto both = yoke::zeros<float>({3000}, state.stream);
    in_segments(x, count, both);
    CHECK((both.to_host() == (yoke::cast<float>(2 * count + 1)).to_host()));
    in_segments(both, count, both);
    CHECK(both(7 * 100 + 6).value() == 85);
  }
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 50, 20'000}) {
    const auto host = random_values<int>(size);
    const auto x = yoke::to_device_array(host, state.stream);
    auto y = yoke::zeros<int>({size}, state.stream);
    kept(x, y, 0);
    std::vector<int> expected;
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), [](int each) { return each > 0; });
    auto back = y.to_host();
    if (expected.size() + 1 < size) CHECK(back.back() == static_cast<int>(expected.size()));
    back.resize(std::min(expected.size(), size - 1));
    expected.resize(std::min(expected.size(), size - 1));
    CHECK((back == expected));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a scan kernel refuses texts that are empty", "[array]") {
  any_rig state(device);
  using kernel = yoke::scan_kernel<int(const int*, int*)>;
  const auto check = [&](const char* part, const yoke::scan_text& of) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] {
                                            kernel(state.context, {"x", "y"}, of);
                                          }),
               Catch::Matchers::ContainsSubstring(std::string("the ") + part + " of a scan kernel is empty"));
  };
  check("input", {.join = "a + b", .neutral = "0", .output = "y[i] = item"});
  check("join", {.input = "x[i]", .neutral = "0", .output = "y[i] = item"});
  check("neutral element", {.input = "x[i]", .join = "a + b", .output = "y[i] = item"});
  check("output", {.input = "x[i]", .join = "a + b", .neutral = "0"});
}

YOKE_ANY_DEVICE_TEST_CASE("a scan kernel needs an array, which has a shape", "[array]") {
  any_rig state(device);
  const yoke::scan_kernel<int(const int*, int*)> sums(
      state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"});
  auto memory = yoke::to_device(counting(3), state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { sums(memory, memory); }),
             Catch::Matchers::ContainsSubstring("no argument is an array"));
  auto y = yoke::zeros<int>({3}, state.stream);
  sums(memory, y);  // the array's shape is that of all
  CHECK(y.to_host() == std::vector<int>{1, 3, 6});
}
