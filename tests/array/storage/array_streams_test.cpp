// SPDX-License-Identifier: MIT
// Arrays of several streams: what waits and what does not, what that costs, frees, `bind`, threads and contexts.
#include <array/array_rig.hpp>
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/graph.hpp>

#include <atomic>
#include <optional>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using yoke::slice;

/// Returns: the calls since a mark that record events and wait for them in streams.
template <class Backend>
std::size_t ordering_calls(const rig<Backend>& on, std::size_t mark) {
  using calls = typename Backend::calls;
  return on.driver.count(calls::record, mark) + on.driver.count(calls::wait_in_stream, mark);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("readers in several streams do not wait for each other", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const backend::stream first(state.context);
  const backend::stream second(state.context);
  auto weights = yoke::arange<int>(100, state.stream);
  auto one = yoke::zeros<int>({100}, first);
  auto other = yoke::zeros<int>({100}, second);
  one = weights + 1;
  other = weights + 2;
  first.synchronize();
  second.synchronize();
  {
    gate<Backend> held(first);
    one = weights + 10;
    // These would never end behind the first reader.
    other = weights + 20;
    CHECK(other.to_host()[5] == 25);
    CHECK(weights.to_host()[5] == 5);
    CHECK(yoke::sum(weights).get() == 4950);
    held.open();
  }
  CHECK(one.to_host()[5] == 15);
  weights = 7;  // waits for both
  CHECK(weights.to_host()[99] == 7);
}

YOKE_DEVICE_TEST_CASE("operands of one stream cost no driver call, those of two streams three", "[array][order]") {
  rig state(device);
  const backend::stream other(state.context);
  auto a = yoke::arange<int>(1000, state.stream);
  const auto c = yoke::arange<int>(1000, state.stream);
  auto b = yoke::zeros<int>({1000}, state.stream);
  auto far = yoke::zeros<int>({1000}, other);
  const auto module = yoke::compile(state.context, R"(
      YOKE_KERNEL add(YOKE_GLOBAL const int* a, YOKE_GLOBAL int* to) { to[get_global_id(0)] += a[get_global_id(0)]; })");
  const auto add = yoke::get_kernel<void(const int*, int*)>(module, "add");
  const auto round = [&](auto& to) {
    to = a + c;
    to += a * a - c;
    add(to.stream(), yoke::launch_over(1000, 100), a, to);
  };
  round(b);
  round(far);  // compiles the kernels, and makes the events
  a = 2 * c;
  round(b);
  std::size_t mark = state.driver.mark();
  round(b);
  b.fill(1);
  b(slice(0, 10)) = a(slice(10, 20));
  (void)yoke::sum(b);
  CHECK(ordering_calls(state, mark) == 0);
  far.fill(0);
  mark = state.driver.mark();
  far = a + c;  // two of one stream
  CHECK(ordering_calls(state, mark) == 3);
  mark = state.driver.mark();
  far.assign(a);
  CHECK(ordering_calls(state, mark) == 3);
  mark = state.driver.mark();
  add(other, yoke::launch_over(1000, 100), a, far);
  CHECK(ordering_calls(state, mark) == 3);
  mark = state.driver.mark();
  far += 1;  // its own
  CHECK(ordering_calls(state, mark) == 0);
  mark = state.driver.mark();
  a = 2 * c;  // one more where somebody waits: for the last use there, as in the order of its stream
  CHECK(ordering_calls(state, mark) == 1);
  mark = state.driver.mark();
  a = 2 * c;
  CHECK(ordering_calls(state, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("bind orders nothing, costs no driver call, and ends memory behind its work", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const backend::stream other(state.context);
  auto b = yoke::zeros<int>({64}, other);
  {
    auto a = yoke::full(5, {64}, state.stream);
    state.stream.synchronize();
    b = a.bind(other) + 1;
    a = a + 1;  // loads the kernels, which CUDA does not do while another stream waits
    b += a.bind(other);
    a.fill(5);
    state.stream.synchronize();
    other.synchronize();
    auto bound = a.bind(other);
    {
      gate<Backend> held(other);
      const std::size_t mark = state.driver.mark();
      b = bound + 2;
      b = a.bind(other) + 3;
      bound.fill(6);
      b += bound;
      a = a + 1;  // at once
      CHECK(a.to_host()[3] == 6);
      CHECK(ordering_calls(state, mark) == 0);
      a.reset();
      held.open();
    }
    CHECK(b.to_host()[3] == (6 + 3) + 6);
  }
  for (int round = 0; round < 3; ++round) {
    auto a = yoke::full(5, {64}, state.stream);
    state.stream.synchronize();
    gate<Backend> held(other);
    b = a.bind(other) + 1;
    a.reset();
    auto next = yoke::full(-1, {64}, state.stream);  // not in the memory that is still read
    next.fill(-2);
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      held.open();
    });
    state.stream.flush();
    later.join();
    CHECK(b.to_host() == std::vector<int>(64, 6));
  }
}

YOKE_DEVICE_TEST_CASE("memory ends behind other streams' work", "[array][order][pool]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const backend::stream other(state.context);
  auto b = yoke::zeros<int>({64}, other);
  b = yoke::full(1, {64}, state.stream) + 0;  // compiles
  b.fill(0);
  other.synchronize();
  for (int round = 0; round < 5; ++round) {
    gate<Backend> held(other);
    {
      auto a = yoke::full(5, {64}, state.stream);
      b = a + 1;
    }
    auto next = yoke::full(-1, {64}, state.stream);
    next = -2 - next * 0;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      held.open();
    });
    CHECK(next.to_host()[0] == -2);
    later.join();
    CHECK(b.to_host() == std::vector<int>(64, 6));
    b.fill(0);
    other.synchronize();
  }
}

YOKE_DEVICE_TEST_CASE("streams may end, move, and come again while arrays know of them", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  auto a = yoke::arange<int>(500, state.stream);
  for (int round = 0; round < 20; ++round) {
    auto sum = [&] {
      const backend::stream gone(state.context);
      auto b = yoke::zeros<int>({500}, gone);
      b = a + round;
      const backend::stream again(state.context);
      auto c = yoke::zeros<int>({500}, again);
      c = a + b;
      return yoke::sum(c);
    }();
    a += 1;
    CHECK(sum.get() == 2 * (124'750 + 500 * round) + 500 * round);
  }
  backend::stream moved(state.context);
  auto b = yoke::zeros<int>({500}, moved);
  const backend::stream here(std::move(moved));
  b.assign(a);
  b = b + a;
  a = b + 1;
  CHECK(a.to_host()[0] == 41);
}

YOKE_DEVICE_TEST_CASE("what an array knows of other streams stays small", "[array][order]") {
  rig state(device);
  auto a = yoke::arange<int>(100, state.stream);
  std::vector<backend::stream> streams;
  std::vector<yoke::device_array<int, 1, port>> results;
  for (int i = 0; i < 12; ++i) {
    streams.emplace_back(state.context);
    results.push_back(yoke::zeros<int>({100}, streams.back()));
    results.back() = a + 1;
    streams.back().synchronize();
  }
  const std::size_t before = state.driver.live().size();
  for (int round = 0; round < 30; ++round) {
    for (auto& each : results) {
      each = a + round;
      each.stream().synchronize();
    }
  }
  CHECK(state.driver.live().size() <= before + 24);
  a = 1;
  CHECK(results[3].to_host()[1] == 30);
}

YOKE_DEVICE_TEST_CASE("arrays of several contexts are refused as before", "[array][order]") {
  rig state(device);
  const auto context = Backend::another_context(state.device);
  const backend::stream elsewhere(context);
  auto a = yoke::arange<int>(12, state.stream);
  auto b = yoke::arange<int>(12, elsewhere);
  const std::size_t mark = state.driver.mark();
  for (const std::string& said :
       {refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { b = a + 1; }),
        refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { b.assign(a); }),
        refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { (void)yoke::to_host(a, elsewhere); }),
        refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { yoke::fill(a, 1, elsewhere); })}) {
    CHECK_THAT(said, Catch::Matchers::ContainsSubstring("is of another context than the stream"));
  }
  CHECK(ordering_calls(state, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("eight threads over the same arrays, each in its own stream", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig state(device);
  const auto a = yoke::arange<int>(1000, state.stream);
  const auto c = yoke::full(3, {1000}, state.stream);
  const auto module = yoke::compile(state.context, R"(
      YOKE_KERNEL add(YOKE_GLOBAL const int* a, YOKE_GLOBAL int* to) { to[get_global_id(0)] += a[get_global_id(0)]; })");
  const auto add = yoke::get_kernel<void(const int*, int*)>(module, "add");
  auto shared = yoke::zeros<int>({8, 128}, state.stream);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t, row = shared(t)]() mutable {
      const backend::stream own(state.context);
      auto copied = yoke::zeros<int>({128}, own);
      auto b = yoke::zeros<int>({1000}, own);
      for (int round = 0; round < 20; ++round) {
        b = a * c + t;
        add(own, yoke::launch_over(1000, 100), a, b);
        const auto bound = a.bind(own);
        b = b - bound;
        if (b.to_host()[999] != 999 * 3 + t) ++wrong;
        if (yoke::sum(b(slice(0, 2)) + a(slice(0, 2))).get() != 2 * t + 4) ++wrong;
        row = row + 1;                             // in the stream that they share
        yoke::copy(row, copied, own);              // behind it
        yoke::fill(row(slice(0, 1)), round, own);  // and before the next
        copied = copied + row;
        if (copied.to_host()[0] != (round == 0 ? 1 : round) + round) ++wrong;
        if (copied.to_host()[127] != 2 * round + 2) ++wrong;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(wrong == 0);
  CHECK(a.to_host()[999] == 999);
  CHECK(shared.to_host()[1023] == 20);
  CHECK(shared.to_host()[0] == 19);
}

YOKE_DEVICE_TEST_CASE("an array may be used and written at once by one operation", "[array][order]") {
  rig state(device);
  const backend::stream other(state.context);
  auto a = yoke::arange<int>(64, state.stream);
  auto b = yoke::arange<int>(64, other);
  for (int i = 0; i < 10; ++i) {
    b = b + a + a(yoke::reversed);
    a = a + b * 0 + 1;
    yoke::copy(a(slice(0, 32)), a(slice(32, 64)), other);
    yoke::copy(b(slice(0, 32)), b(slice(32, 64)), state.stream);
  }
  CHECK(a.to_host()[33] == 11);
  CHECK(b.to_host()[40] == b.to_host()[8]);
}

YOKE_OPENCL_TEST_CASE("launches out of order keep the order of arrays", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  rig<opencl_backend> state(device);
  const ocl::out_of_order_stream free(state.context);
  const auto module = yoke::compile(state.context, R"(
      YOKE_KERNEL add(YOKE_GLOBAL const int* a, YOKE_GLOBAL int* to) { to[get_global_id(0)] += a[get_global_id(0)]; })");
  const auto add = yoke::get_kernel<void(const int*, int*)>(module, "add");
  auto a = yoke::full(1, {128}, state.stream);
  auto b = yoke::zeros<int>({128}, state.stream);
  (void)add.enqueue(free, yoke::launch_over(128, 32), a, b);
  CHECK(b.to_host()[7] == 1);
  {
    gate<opencl_backend> held(state.stream);
    a = a + 1;
    (void)add.enqueue(free, yoke::launch_over(128, 32), a, b);  // behind the gate
    (void)add.enqueue(free, yoke::launch_over(128, 32), a, b);  // and behind that
    b = b * 2;
    free.flush();
    held.open();
  }
  CHECK(b.to_host()[7] == 10);
  a.reset();
  CHECK(b.to_host()[100] == 10);
}

YOKE_CUDA_TEST_CASE("an array of a thread's default stream is that thread's", "[array][order]") {
  rig<cuda_backend> state(device);
  const yoke::cuda::stream& mine = yoke::cuda::per_thread_stream(state.context);
  auto a = yoke::arange<int>(12, mine);
  auto b = yoke::zeros<int>({12}, state.stream);
  b = a + 1;
  a = b + 1;
  CHECK(a.to_host()[3] == 5);
  std::string said;
  std::thread([&] {
    said = refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { b = a + 1; });
    b = a.bind(state.stream) + 1;
    const yoke::cuda::stream& theirs = yoke::cuda::per_thread_stream(state.context);
    auto c = yoke::zeros<int>({12}, theirs);
    c = b + 1;
    if (c.to_host()[3] != 7) said = "wrong";
    c.reset();
    theirs.synchronize();
  }).join();
  CHECK_THAT(said, Catch::Matchers::ContainsSubstring("bind"));
  b = 1;
  CHECK(b.to_host()[3] == 1);
}
