// SPDX-License-Identifier: MIT
// Arrays of a backend as arrays of any backend: one memory, whose uses are ordered by whichever it is used.
#include <array/array_rig.hpp>
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

#include <yoke/algorithm.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using yoke::slice;

// A library that is compiled once: it knows no backend.
yoke::device_array<float, 1> doubled(const yoke::device_view<const float, 1>& of) { return 2 * of; }
void add_one(const yoke::device_view<int, 1>& to) { to += 1; }
std::int64_t total(const yoke::device_view<const int, 1>& of) { return yoke::sum(of).get(); }

}  // namespace

YOKE_DEVICE_TEST_CASE("a backend's arrays serve a library over arrays of any backend", "[array][any]") {
  rig state(device);
  auto a = yoke::arange<float>(5, state.stream);
  const auto twice = doubled(yoke::as_any(a));
  CHECK(twice.to_host() == std::vector<float>{0, 2, 4, 6, 8});
  CHECK(twice.stream().native_handle() == yoke::as_any(state.stream).native_handle());
  const auto& constant = a;
  CHECK(doubled(yoke::as_any(constant)).to_host()[4] == 8);
  CHECK(doubled(yoke::as_any(a(slice(1, 4)))).to_host() == std::vector<float>{2, 4, 6});
  CHECK(doubled(yoke::as_any(a(yoke::reversed))).to_host() == std::vector<float>{8, 6, 4, 2, 0});
  yoke::as_any(a)(slice(0, 2)) = 7;
  CHECK(a.to_host() == std::vector<float>{7, 7, 2, 3, 4});
  CHECK(yoke::as_any(yoke::as_any(a)).to_host()[0] == 7);  // one of any backend is itself
}

YOKE_DEVICE_TEST_CASE("an array becomes one of any backend, which ends its memory", "[array][any]") {
  rig state(device);
  auto a = yoke::arange<int>(6, state.stream);
  const auto part = a(slice(2, 4));
  yoke::device_array<int, 1> any = yoke::as_any(std::move(a));
  CHECK_FALSE(static_cast<bool>(a));  // NOLINT: taken
  CHECK(any.to_host() == std::vector<int>{0, 1, 2, 3, 4, 5});
  any = any + 1;
  CHECK(part.to_host() == std::vector<int>{3, 4});
  any.reset();
  CHECK(part.to_host() == std::vector<int>{3, 4});
  yoke::device_array<int, 1> kept;
  {
    const backend::context context{device};
    kept = yoke::as_any(yoke::full(9, {3}, backend::stream(context)));
  }
  CHECK(kept.to_host() == std::vector<int>{9, 9, 9});
  CHECK_THROWS_WITH(yoke::as_any(a), ContainsSubstring("this device array is empty"));
}

YOKE_DEVICE_TEST_CASE("work of other streams is ordered across an array and the same of any backend",
                      "[array][any][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const backend::stream own(state.context);
  const yoke::stream<> any_own(yoke::as_any(state.context));
  auto a = yoke::full(1, {200}, state.stream);
  auto b = yoke::zeros<int>({200}, own);
  auto c = yoke::zeros<int>({200}, any_own);
  std::optional<yoke::device_view<int, 1>> kept = yoke::as_any(a);
  auto& any = *kept;
  const auto warm = [&] {
    b = a + 1;
    c = any + 1;
    b.bind(own) = 2 * b;
    c = 2 * c;
    a = a + 1;
    any = any + 1;
    add_one(any);
    any.bind(any_own) = 0;
    own.synchronize();
    any_own.synchronize();
    a.fill(1);
    state.stream.synchronize();
  };
  warm();
  SECTION("a reader of one, a writer of the other") {
    gate<Backend> held(own);
    b = a + 1;       // behind the gate
    any = any + 10;  // in the home stream: behind that
    held.open();
    CHECK(b.to_host()[7] == 2);
    CHECK(a.to_host()[7] == 11);
  }
  SECTION("the other way round") {
    gate<Backend> held(own);
    any_own.wait(yoke::as_any(own).record());
    c = any + 1;
    a = a + 10;
    held.open();
    CHECK(c.to_host()[7] == 2);
    CHECK(any.to_host()[7] == 11);
  }
  SECTION("a kernel that writes one, in its own stream, and a reader of the other") {
    const auto module = yoke::compile(state.context, R"(
        YOKE_KERNEL set(YOKE_GLOBAL int* to, int value) { to[get_global_id(0)] = value; })");
    const auto set = yoke::get_kernel<void(int*, int)>(module, "set");
    set(own, yoke::launch_over(200, 100), a, 3);
    own.synchronize();
    gate<Backend> held(own);
    set(own, yoke::launch_over(200, 100), a, 4);
    c = any + 1;
    held.open();
    CHECK(c.to_host()[7] == 5);
    CHECK(total(any) == 800);
  }
  SECTION("an end") {
    gate<Backend> held(own);
    any_own.wait(yoke::as_any(own).record());
    c = any + 1;
    kept.reset();
    a.reset();
    auto next = yoke::full(-1, {200}, state.stream);  // in other memory, or behind the reader
    next.fill(-2);
    held.open();
    CHECK(c.to_host()[199] == 2);
  }
  SECTION("bound") {
    {
      gate<Backend> held(own);
      any_own.wait(yoke::as_any(own).record());
      c = any.bind(any_own) + 1;
      a = a + 5;
      CHECK(a.to_host()[3] == 6);  // at once
      held.open();
    }
    CHECK(c.to_host()[3] == 7);
    CHECK(total(yoke::as_any(a.bind(own))) == 1200);
  }
}
