// SPDX-License-Identifier: MIT
// Selections of arrays against the standard's algorithms.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>
#include <yoke/struct.hpp>

namespace select_structs {
struct point {
  float x;
  int id;
};
}  // namespace select_structs
YOKE_STRUCT(select_structs::point, x, id);

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

YOKE_ANY_DEVICE_TEST_CASE("selects elements where a mask holds, and where not", "[algorithm]") {
  sort_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 33, 5119, 5120, 5121, 40'000}) {
    const auto host = random_values<int>(size);
    const auto a = yoke::to_device_array(host, state.stream);
    INFO(size);
    const auto is_kept = [](int each) { return each % 3 == 0; };
    std::vector<int> kept;
    std::vector<int> dropped;
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < size; ++i) {
      (is_kept(host[i]) ? kept : dropped).push_back(host[i]);
      if (is_kept(host[i])) places.push_back(static_cast<std::int64_t>(i));
    }
    turns turn(device);
    if (turn()) {
      const auto found = yoke::copy_if(a, a % 3 == 0);
      CHECK(found.to_host() == kept);
      CHECK(found.count().get() == static_cast<std::int64_t>(kept.size()));
      CHECK(found.elements().size() == size);
    }
    if (turn()) {
      auto both = yoke::partition(a, a % 3 == 0);
      CHECK(both.size() == kept.size());
      CHECK(both.view().to_host() == kept);
      CHECK(both.rest().to_host() == dropped);
    }
    if (turn()) CHECK(yoke::remove_if(a, a % 3 == 0).to_host() == dropped);
    if (turn()) CHECK(yoke::indices_where(a % 3 == 0).to_host() == places);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("selects all, none, and by a mask of its own memory", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const auto a = yoke::arange<float>(6000, state.stream);
  const auto all = yoke::ones<std::uint8_t>({6000}, state.stream);
  CHECK(yoke::copy_if(a, all).to_host() == a.to_host());
  CHECK(yoke::remove_if(a, all).size() == 0);
  auto mask = yoke::zeros<std::uint8_t>({6000}, state.stream);
  CHECK(yoke::remove_if(a, mask).to_host() == a.to_host());
  mask(5999) = std::uint8_t{7};
  mask(0) = std::uint8_t{1};
  CHECK(yoke::remove_if(a, mask).size() == 5998);
  mask(yoke::slice(1, 5998)) = std::uint8_t{255};
  CHECK(yoke::remove_if(a, mask).to_host() == std::vector<float>{5998});
}

YOKE_ANY_DEVICE_TEST_CASE("what is unique differs from the element before", "[algorithm]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 5120, 5121, 30'000}) {
    INFO(size);
    auto host = random_bits<std::uint16_t>(size, 0x3);
    const auto a = yoke::to_device_array(host, state.stream);
    auto expected = host;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    CHECK((yoke::unique(a).to_host() == expected));
    if (size == 0) continue;
    CHECK(yoke::unique(yoke::sorted(a)).size() == (size == 1 ? 1U : 4U));
  }
  const auto b = yoke::to_device_array(std::vector<float>{1, 1, 2, 2, 1, 1}, {2, 3}, state.stream);
  CHECK(yoke::unique(b).to_host() == std::vector<float>{1, 2, 1});
  CHECK(yoke::unique(b.transpose()).to_host() == std::vector<float>{1, 2, 1, 2, 1});
  CHECK(yoke::unique(b * 0).to_host() == std::vector<float>{0});
}

YOKE_ANY_DEVICE_TEST_CASE("selects of any layout, of expressions and of structs", "[algorithm]") {
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const std::vector<float> host{3, 1, 2, 6, 5, 4};
  const auto a = yoke::to_device_array(host, {2, 3}, state.stream);
  CHECK(yoke::copy_if(a.transpose(), a.transpose() > 2).to_host() == std::vector<float>{3, 6, 5, 4});
  CHECK(yoke::copy_if(a, a > 2).to_host() == std::vector<float>{3, 6, 5, 4});
  CHECK(yoke::indices_where(a.transpose() > 2).to_host() == std::vector<std::int64_t>{0, 1, 3, 5});
  CHECK(yoke::copy_if(2 * a(yoke::whole, 1), a(yoke::whole, 0) < 4).to_host() == std::vector<float>{2});
  std::vector<select_structs::point> points;
  for (int i = 0; i < 300; ++i) points.push_back({static_cast<float>(i % 7), i});
  const auto p = yoke::to_device_array(points, state.stream);
  const auto found = yoke::copy_if(p, p.member<&select_structs::point::x>() == 3.0F).to_host();
  CHECK(found.size() == 43);
  CHECK(std::all_of(found.begin(), found.end(), [](const auto& each) { return each.id % 7 == 3; }));
  CHECK(std::is_sorted(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.id < y.id; }));
}

YOKE_ANY_DEVICE_TEST_CASE("counts of more than 32 bits select as others do", "[algorithm]") {
  struct wide_places {
    wide_places() { yoke::detail::narrow_limit() = 0; }
    ~wide_places() { yoke::detail::narrow_limit() = std::int64_t{1} << 31; }
  };
  if (!takes(device, "opencl")) return;
  sort_rig state(device);
  const wide_places all;
  const auto a = yoke::arange<int>(9000, state.stream);
  CHECK(yoke::copy_if(a, a % 1000 == 999).to_host() ==
        std::vector<int>{999, 1999, 2999, 3999, 4999, 5999, 6999, 7999, 8999});
  CHECK(yoke::partition(a, a >= 4500).elements()(0).value() == 4500);
}

YOKE_ANY_DEVICE_TEST_CASE("selections refuse masks of another shape", "[algorithm]") {
  sort_rig state(device);
  const auto a = yoke::zeros<float>({3}, state.stream);
  const auto b = yoke::zeros<float>({4}, state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)yoke::copy_if(a, b); }),
             Catch::Matchers::ContainsSubstring("cannot broadcast (3,) with (4,): axis 0"));
  const yoke::device_array<float, 1> empty;
  CHECK_THROWS_AS(yoke::copy_if(empty, a), yoke::logic_error);
  CHECK_THROWS_AS(yoke::indices_where(empty), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("a selection compiles one program, and waits for nothing", "[algorithm]") {
  counting_rig state(device);
  const auto compiled = [&] { return yoke::array_programs(state.context).counters().compiled; };
  const auto a = yoke::to_device_array(random_values<float>(20'000), state.stream);
  (void)yoke::copy_if(a, a > 3);
  CHECK(compiled() == 1);
  const std::size_t mark = state.mark();
  const auto found = yoke::copy_if(a, a > 5);
  // Where blocks wait for others: memory that is cleared and one launch; else three launches.
  CHECK(state.enqueued(mark) == (state.context.port().language().blocks_progress ? 2 : 3));
  CHECK(compiled() == 1);
  CHECK(found.size() <= 20'000);
}
