// SPDX-License-Identifier: MIT
// Reductions, scans and expressions of every size up to some thousands, and of random parts of every rank.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/scan.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_ANY_DEVICE_TEST_CASE("every size from 0 to 2200", "[array]") {
  any_rig state(device);
  const auto host = random_values<int>(2201);
  const auto a = yoke::to_device_array(host, state.stream);
  auto to = yoke::full(-1, {2202}, state.stream);
  auto sums = yoke::full(std::int64_t{-1}, {2202}, state.stream);
  auto lasts = sums.copy();
  // A sample has all small ones.
  const auto next = [](int size) { return size + (size < 70 || runs_whole() ? 1 : 10); };
  for (int size = 0; size <= 2200; size = next(size)) {
    const auto part = a(yoke::slice(0, size));
    sums(size) = yoke::sum(part).array() + 0;
    if (size > 0) lasts(size) = yoke::cumsum(part)(-1);
    if (size % 97 < 3) {
      to.fill(-1);
      to(yoke::slice(0, size)) = 3 * part;
      const auto back = to.to_host();
      for (std::size_t i = 0; i < back.size(); ++i) {
        if (back[i] != (i < static_cast<std::size_t>(size) ? 3 * host[i] : -1)) FAIL(size << " at " << i);
      }
    }
  }
  const auto found = sums.to_host();
  const auto scanned = lasts.to_host();
  std::int64_t sum = 0;
  int seen = 0;
  for (int size = 0; size <= 2200; ++size) {
    const auto at = static_cast<std::size_t>(size);
    if (size == seen) {
      if (found[at] != sum || (size > 0 && scanned[at] != sum)) FAIL(size);
      seen = next(seen);
    }
    sum += host[at];
  }
}

namespace {

template <std::size_t Rank>
void random_parts(const auto& stream, array_model::dice& random) {
  yoke::shape<Rank> shape;
  for (std::size_t axis = 0; axis < Rank; ++axis) shape[axis] = random.extent() + (axis == random.below(Rank) ? 60 : 0);
  const std::size_t count = yoke::detail::volume(shape.begin(), Rank);
  const auto array = yoke::to_device_array(random_values<int>(count), shape, stream,
                                           random.below(2) == 0 ? yoke::array_order::c : yoke::array_order::f);
  const auto part = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return array.view()(random.slice(static_cast<std::ptrdiff_t>(shape[I]))...);
  }(std::make_index_sequence<Rank>());
  const auto turned = part.transpose();
  const auto axis = static_cast<std::size_t>(random.below(Rank));
  const auto host = turned.to_host();
  std::size_t inner = 1;
  for (std::size_t k = axis + 1; k < Rank; ++k) inner *= turned.extent(k);
  const std::size_t length = turned.extent(axis);
  const std::size_t outer = length * inner == 0 ? 0 : host.size() / (length * inner);
  std::vector<std::int64_t> sums(yoke::sum(turned, yoke::along(axis)).size());
  std::vector<std::int64_t> running(host.size());
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < length; ++k) {
        const std::size_t at = (o * length + k) * inner + i;
        running[at] = sum += host[at];
      }
      sums[o * inner + i] = sum;
    }
  }
  std::int64_t total = 0;
  for (const int each : host) total += each;
  INFO("rank " << Rank << ", shape " << yoke::detail::shape_text(turned.shape()) << ", axis " << axis << ", seed "
               << random.seed());
  CHECK((yoke::sum(turned, yoke::along(axis)).to_host() == sums));
  CHECK((yoke::cumsum(turned, yoke::along(axis)).to_host() == running));
  CHECK(yoke::sum(turned).get() == total);
  CHECK((yoke::evaluate(turned + 1).to_host().size() == host.size()));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("random parts of ranks 1 to 5 are reduced and scanned along each axis", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  array_model::dice random(std::random_device{}());
  for (int round = 0; round < 6; ++round) {
    random_parts<1>(state.stream, random);
    random_parts<2>(state.stream, random);
    random_parts<3>(state.stream, random);
    random_parts<4>(state.stream, random);
    random_parts<5>(state.stream, random);
  }
}

YOKE_OPENCL_TEST_CASE("more elements than a launch has threads", "[array][opencl]") {
  rig state(device);
  constexpr std::size_t count = (std::size_t{1} << 24) + 5;
  const auto a = yoke::full(std::int8_t{3}, {count}, state.stream);
  auto b = yoke::full(std::int8_t{1}, {count + 1}, state.stream);
  b(yoke::slice(0, -1)) = 2 * a;
  CHECK(yoke::sum(b).get() == 6 * static_cast<std::int64_t>(count) + 1);
  CHECK(b(-2).value() == 6);
  CHECK(yoke::cumsum(a)(-1).value() == 3 * static_cast<std::int64_t>(count));
}
