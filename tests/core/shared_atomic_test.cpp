// SPDX-License-Identifier: MIT
// The umbrella's own atomics do what the C++ library's do, from several threads at once.
#include <support/catch.hpp>

#include <yoke/core/shared.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

using yoke::detail::atomic;
using yoke::detail::order;

static_assert(sizeof(atomic<bool>) == sizeof(std::atomic<bool>) && sizeof(atomic<void*>) == sizeof(std::atomic<void*>));
static_assert(!std::is_copy_constructible_v<atomic<int>> && !std::is_copy_assignable_v<atomic<int>>);
static_assert(!std::is_convertible_v<atomic<int>, int>, "a load says so");

namespace {

constinit atomic<bool> constant{true};  // before anything runs

template <class T>
void check_values(T one, T other) {
  atomic<T> value{one};
  CHECK(value.load() == one);
  CHECK(value.exchange(other) == one);
  CHECK(value.load(order::relaxed) == other);
  T expected = one;
  CHECK_FALSE(value.compare_exchange_strong(expected, one));
  CHECK(expected == other);
  CHECK(value.load(order::acquire) == other);
  CHECK(value.compare_exchange_strong(expected, one));
  CHECK(value.load() == one);
  expected = other;
  CHECK_FALSE(value.compare_exchange_weak(expected, other, order::relaxed));
  CHECK(expected == one);
  while (!value.compare_exchange_weak(expected, other, order::acq_rel)) CHECK(expected == one);
  CHECK(value.load() == other);
  value.store(one, order::release);
  CHECK(value.load() == one);
}

}  // namespace

TEST_CASE("an atomic of the umbrella loads, stores and exchanges", "[core]") {
  check_values<bool>(true, false);
  check_values<int>(-7, 8);
  check_values<std::uint32_t>(1, 0xffffffff);
  check_values<std::size_t>(1, ~std::size_t{0});
  int left = 0, right = 0;
  check_values<int*>(&left, &right);
  check_values<const int*>(&left, nullptr);
  CHECK(constant.load());
  CHECK(atomic<int>{}.load() == 0);
  CHECK(atomic<int*>{}.load() == nullptr);
}

TEST_CASE("an atomic of the umbrella adds and subtracts, and tells what was before", "[core]") {
  atomic<std::uint32_t> count{5};
  CHECK(count.fetch_add(3) == 5);
  CHECK(count.fetch_sub(9, order::acq_rel) == 8);
  CHECK(count.load() == 0xffffffff);
}

TEST_CASE("threads that count with an atomic of the umbrella lose nothing, and see what was done before", "[core]") {
  constexpr std::size_t threads = 4, rounds = 20000;
  atomic<std::size_t> count{0}, chosen{0}, ready{0};
  std::vector<int> written(threads, 0);
  {
    std::vector<std::jthread> all;
    for (std::size_t own = 0; own < threads; ++own) {
      all.emplace_back([&, own] {
        for (std::size_t i = 0; i < rounds; ++i) {
          count.fetch_add(1, order::relaxed);
          std::size_t now = chosen.load(order::relaxed);
          while (!chosen.compare_exchange_weak(now, now + 2, order::relaxed)) {
          }
        }
        written[own] = 1;
        ready.fetch_add(1, order::release);
      });
    }
    while (ready.load(order::acquire) != threads) std::this_thread::yield();
    for (const int each : written) CHECK(each == 1);
  }
  CHECK(count.load() == threads * rounds);
  CHECK(chosen.load() == 2 * threads * rounds);
}
