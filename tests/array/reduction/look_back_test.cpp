// SPDX-License-Identifier: MIT
// Scans in one pass, where blocks may wait for those before, against those in three passes: the same bits.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/scan_kernel.hpp>

#include <complex>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// Turns looking back off while it lives.
struct in_three_passes {
  in_three_passes() { yoke::detail::look_back_allowed() = false; }
  ~in_three_passes() { yoke::detail::look_back_allowed() = true; }
  in_three_passes(const in_three_passes&) = delete;
  in_three_passes& operator=(const in_three_passes&) = delete;
};

/// Returns: numbers whose sums are rounded.
template <class T>
std::vector<T> random_reals(std::size_t size) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::uniform_real_distribution<double> dice(-1, 1);
  std::vector<T> values(size);
  for (T& each : values) each = static_cast<T>(dice(engine));
  return values;
}

template <class T>
bool same_bits(const std::vector<T>& one, const std::vector<T>& other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a scan in one pass has the bits of one in three, around tiles and batches of tiles",
                          "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  // A tile of 16-byte parts has 1024 elements, a batch 256 tiles.
  using complex = std::complex<double>;
  constexpr std::size_t tile = 1024;
  constexpr std::size_t batch = 256 * tile;
  std::vector<std::size_t> sizes = {1, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 3 * tile + 7, batch + 1};
  if (runs_whole()) {
    sizes.insert(sizes.end(), {batch - 1, batch, batch + tile, batch + tile + 1, 2 * batch + 3 * tile + 1});
  }
  for (const std::size_t size : sizes) {
    const auto parts = random_reals<double>(2 * size);
    std::vector<complex> host(size);
    for (std::size_t i = 0; i < size; ++i) host[i] = {parts[2 * i], parts[2 * i + 1]};
    const auto a = yoke::to_device_array(host, state.stream);
    const auto found = yoke::cumsum(a).to_host();
    INFO(size);
    {
      const in_three_passes other;
      CHECK(same_bits(yoke::cumsum(a).to_host(), found));
    }
    complex sum{};
    double off = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += host[i];
      off = std::max(off, std::abs(found[i] - sum));
    }
    CHECK(off < 1e-15 * static_cast<double>(size) + 1e-12);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("a scan looks back where blocks may wait for others, and nowhere else", "[array]") {
  if (!takes(device, "opencl")) return;
  counting_rig state(device);
  const auto a = yoke::to_device_array(random_reals<float>(10'000), state.stream);
  (void)yoke::cumsum(a);
  std::size_t mark = state.mark();
  const auto found = yoke::cumsum(a).to_host();
  const bool looks_back = state.context.port().language().blocks_progress;
  CHECK(looks_back == (std::string_view(device.backend_name()) == "cuda"));
  // Memory that is cleared, one launch, one copy to the host; else three launches and the copy.
  CHECK(state.enqueued(mark) == (looks_back ? 3 : 4));
  // What all elements make is known too late in one pass.
  const yoke::scan_kernel<float(const float*, float*)> shares(
      state.context, {"x", "y"},
      {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item / last_item"});
  auto y = yoke::empty_like(a);
  const auto b = yoke::ones<float>({10'000}, state.stream);
  mark = state.mark();
  shares(b, y);
  CHECK(state.enqueued(mark) == 3);
  CHECK((y(-1).value() == 1 && y(4999).value() == 0.5F));
}

YOKE_ANY_DEVICE_TEST_CASE("operators that do not commute, segments and rows in one pass", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto both = [&](const auto& scan) {
    const auto found = scan().to_host();
    const in_three_passes other;
    CHECK(same_bits(scan().to_host(), found));
    return found;
  };
  // Maps x -> m x + c of 16 bits each, one composed after the other.
  std::vector<std::uint32_t> host(40'000);
  std::mt19937 engine{std::random_device{}()};
  for (std::uint32_t& each : host) each = static_cast<std::uint32_t>(engine());
  const auto maps = yoke::to_device_array(host, state.stream);
  const auto composed = both([&] {
    return yoke::inclusive_scan<"((a >> 16) * (b >> 16)) << 16 | ((b >> 16) * (a & 0xffffu) + (b & 0xffffu) & 0xffffu)",
                                "65536u">(maps);
  });
  std::uint32_t all = 65536;
  bool right = true;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::uint32_t b = host[i];
    all = ((all >> 16) * (b >> 16)) << 16 | (((b >> 16) * (all & 0xffffU) + (b & 0xffffU)) & 0xffffU);
    right = right && composed[i] == all;
  }
  CHECK(right);
  // Segments that begin anywhere, of parts of 4, 8 and 16 bytes.
  const auto starts = yoke::to_device_array(host, state.stream) % 997U == 0U;
  const auto bytes = yoke::cast<std::int8_t>(maps);
  const auto least = both([&] { return yoke::exclusive_scan<"min(a, b)", "127">(bytes, yoke::segments(starts)); });
  std::int8_t before = 127;
  right = true;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (host[i] % 997 == 0) before = 127;
    right = right && least[i] == before;
    before = std::min(before, static_cast<std::int8_t>(host[i]));
  }
  CHECK(right);
  const auto reals = yoke::to_device_array(random_reals<double>(40'000), state.stream);
  (void)both([&] { return yoke::cumsum(reals, yoke::segments(starts)); });
  // Rows of several tiles; the last one of a row is not full.
  const auto table = yoke::to_device_array(random_reals<float>(5 * 9000), {5, 9000}, state.stream);
  (void)both([&] { return yoke::cumsum(table, yoke::along(1)); });
  const auto columns = both([&] { return yoke::cumsum(table.transpose(), yoke::along(0)); });
  const auto last = yoke::cumsum(table(4)).to_host();
  CHECK(columns[8999 * 5 + 4] == last[8999]);
}
