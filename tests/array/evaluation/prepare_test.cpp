// SPDX-License-Identifier: MIT
// Work done ahead on several threads: what it leaves to compile, what it throws, and when it has ended.
#include <array/array_rig.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/cache.hpp>
#include <yoke/prepare.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

using namespace yoke_test;
using namespace yoke_test::arrays;
using stream_type = yoke::stream<>;

YOKE_ANY_DEVICE_TEST_CASE("what was prepared is not compiled again", "[array]") {
  const yoke::context<> context(device);
  const stream_type stream(context);
  const yoke::program_cache cache{{}, {}};
  yoke::use_array_programs(context, cache);
  const auto expression = [](const stream_type& s) { return (2 * yoke::arange<int>(1000, s) + 1).to_host()[999]; };
  const auto total = [](const stream_type& s) { return yoke::sum(yoke::arange<int>(1000, s)).get(); };
  const auto scanned = [](const stream_type& s) { return yoke::cumsum(yoke::arange<int>(1000, s)).to_host()[3]; };
  yoke::preparation ahead = yoke::prepare(context, expression, total, scanned);
  ahead.wait();
  CHECK(ahead.is_ready());
  const auto compiled = cache.counters().compiled;
  CHECK(compiled >= 3);
  CHECK(expression(stream) == 1999);
  CHECK(total(stream) == 499'500);
  CHECK(scanned(stream) == 6);
  CHECK(cache.counters().compiled == compiled);
  (void)yoke::sorted(yoke::arange<int>(1000, stream)).to_host();  // was not prepared
  CHECK(cache.counters().compiled > compiled);
}

YOKE_ANY_DEVICE_TEST_CASE("jobs of a preparation run at once, each in a stream of its own", "[array]") {
  any_rig state(device);
  std::atomic<int> here{0};
  std::atomic<int> together{0};
  std::atomic<int> right{0};
  const auto job = [&](const stream_type& s) {
    ++here;
    const auto begin = std::chrono::steady_clock::now();
    while (here < 2 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)) std::this_thread::yield();
    if (here >= 2) ++together;
    right += yoke::sum(yoke::ones<int>({100}, s)).get() == 100;
  };
  yoke::preparation ahead = yoke::prepare(state.context, job, job, job, job, job, job, job, job, job);
  yoke::preparation moved = std::move(ahead);
  CHECK(ahead.is_ready());  // NOLINT(bugprone-use-after-move): it has no jobs
  moved.wait();
  CHECK(here == 9);
  CHECK(right == 9);
  if (std::thread::hardware_concurrency() > 1) CHECK(together == 9);
  yoke::preparation none = yoke::prepare(state.context);
  CHECK(none.is_ready());
  none.wait();
  yoke::preparation().wait();
}

YOKE_ANY_DEVICE_TEST_CASE("a preparation throws what its first failing job threw, and runs the others", "[array]") {
  any_rig state(device);
  std::atomic<int> ended{0};
  const auto fails = [&](const stream_type&) {
    ++ended;
    throw std::domain_error("a job's own error");
  };
  const auto works = [&](const stream_type&) { ++ended; };
  yoke::preparation ahead = yoke::prepare(state.context, fails, works, works);
  CHECK_THROWS_AS(ahead.wait(), std::domain_error);
  CHECK(ended == 3);
  ahead.wait();  // it has been thrown
  { const yoke::preparation dropped = yoke::prepare(state.context, works, fails); }
  CHECK(ended == 5);
  {
    yoke::preparation replaced = yoke::prepare(state.context, works);
    replaced = yoke::prepare(state.context, works);
  }
  CHECK(ended == 7);
  yoke::context<> gone(device);
  const yoke::context<> kept = std::move(gone);
  CHECK_THROWS_AS(yoke::prepare(gone, works), yoke::logic_error);  // NOLINT(bugprone-use-after-move)
}
