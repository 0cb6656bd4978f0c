// SPDX-License-Identifier: MIT
// The time of enqueued work, known when it is done.
#include <support/devices/gate.hpp>
#include <support/rig.hpp>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;

YOKE_DEVICE_TEST_CASE("the time of enqueued work is that between two events around it", "[execution]") {
  using backend = Backend;
  const typename backend::context context{device};
  const typename backend::stream stream{context, {.timing = true}};
  typename backend::template device_allocation<int> x{context, 1 << 20};
  int runs = 0;
  const auto took = yoke::timed(stream, [&] {
    ++runs;
    for (int value = 0; value < 10; ++value) yoke::fill(x, value, stream);
  });
  CHECK(runs == 1);
  const std::chrono::nanoseconds time = took.get();
  CHECK(time.count() > 0);
  CHECK(took.is_done());
  took.wait();
  CHECK(time == took.stop().time_since(took.start()));
  CHECK(yoke::to_host(x, stream)[5] == 9);

  auto moved = yoke::timed(stream, [] {});
  const auto kept = std::move(moved);
  CHECK_NOTHROW(kept.wait());
  const yoke::timed_work<typename backend::port> none;
  CHECK_THROWS_WITH(none.get(), ContainsSubstring("this timed event is empty"));
}

YOKE_DEVICE_TEST_CASE("what the work throws passes, and a stream without timing is refused before the work",
                      "[execution]") {
  using backend = Backend;
  const typename backend::context context{device};
  const typename backend::stream stream{context, {.timing = true}};
  CHECK_THROWS_AS(yoke::timed(stream, [] { throw std::runtime_error("no"); }), std::runtime_error);
  stream.synchronize();
  const typename backend::stream plain{context};
  if (plain.has_timing()) return;  // every stream of CUDA's own port
  int runs = 0;
  CHECK_THROWS_WITH(yoke::timed(plain, [&] { ++runs; }), ContainsSubstring("made without .timing"));
  CHECK(runs == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("work is timed on the backend chosen at run time", "[execution]") {
  const yoke::context context{device};
  const yoke::stream stream{context, {.timing = true}};
  yoke::device_allocation<int> x{context, 1 << 20};
  CHECK(yoke::timed(stream, [&] { yoke::fill(x, 3, stream); }).get().count() > 0);
}
