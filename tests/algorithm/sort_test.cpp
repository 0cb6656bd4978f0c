// SPDX-License-Identifier: MIT
// Sorts of arrays against the host's stable sort.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/algorithm.hpp>

#include <algorithm>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

template <class T>
std::vector<T> random_bits(std::size_t size, std::uint64_t mask = ~std::uint64_t{0}) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::vector<T> values(size);
  for (T& each : values) {
    const std::uint64_t bits = engine() & mask;
    std::memcpy(&each, &bits, sizeof(T));
  }
  return values;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("sorts arrays of every size around a tile", "[algorithm]") {
  any_rig state(device);
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 2, 31, 32, 33, 255, 256, 257, 6143, 6144, 6145, 16'385, 200'000}) {
    INFO(size);
    auto host = random_bits<std::uint32_t>(size);
    auto a = yoke::to_device_array(host, state.stream);
    yoke::sort(a);
    std::stable_sort(host.begin(), host.end());
    CHECK((a.to_host() == host));
  }
  std::vector<float> reals = random_values<float>(20'000);
  auto b = yoke::to_device_array(reals, state.stream);
  yoke::sort(b);
  std::stable_sort(reals.begin(), reals.end());
  CHECK((b.to_host() == reals));
}
