// SPDX-License-Identifier: MIT
// Launching: waits and events, times, many threads, handles that outlive others.
#include <program/kernel_bench.hpp>
#include <support/devices/background.hpp>
#include <support/devices/gate.hpp>

#include <mutex>
#include <thread>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::kernel<void(int)>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::kernel<void(int)>>);
static_assert(std::is_copy_constructible_v<ocl::module>);

YOKE_DEVICE_TEST_CASE("enqueue waits for none, one, several events, and returns one", "[program]") {
  bench on(device);
  const backend::stream second(on.context);
  const auto shape = yoke::launch_over(4, 4);
  backend::device_allocation<int> memory{on.context, 4};
  yoke::fill(memory, 1, on.stream);

  const backend::event none = on.axpb.enqueue(on.stream, shape, memory, 2, 0);
  const backend::event one = on.axpb.enqueue(second, shape, memory, 10, 1, {.after = none});
  const backend::event other = on.stream.record();
  const backend::event several = on.axpb.enqueue(on.stream, shape, memory, 10, 2, {.after = {one, other}});
  std::vector<backend::event> list;
  for (int i = 0; i < 8; ++i) list.push_back(on.stream.record());  // more than a wait list keeps in place
  const backend::event many = on.axpb.enqueue(second, shape, memory, 10, 3, {.after = list});
  many.wait();
  CHECK(several.is_done());
  CHECK(one.status() == yoke::event_status::complete);
  CHECK(download(memory, second) == std::vector<int>(4, ((2 * 10 + 1) * 10 + 2) * 10 + 3));

  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
    (void)on.axpb.enqueue(on.stream, shape, memory, 1, 0, {.after = backend::event{}});
  });
  const backend::context elsewhere = Backend::another_context(on.device);
  const backend::stream foreign(elsewhere);
  const backend::event stranger = foreign.record();
  const auto behind_stranger = [&] {
    (void)on.axpb.enqueue(on.stream, shape, memory, 1, 0, {.after = {many, stranger}});
  };
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    CHECK_NOTHROW(behind_stranger());
  } else {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, behind_stranger),
               ContainsSubstring("an event to wait for is of another context"));
  }
}

YOKE_DEVICE_TEST_CASE("a launch waits for an event of another stream", "[program]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  bench on(device);
  const backend::stream source(on.context);
  backend::device_allocation<int> memory{on.context, 4};
  yoke::fill(memory, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  on.axpb(on.stream, shape, memory, 1, 1);  // a first launch may wait for the device
  on.stream.synchronize();
  gate held{source};
  const backend::event launched = on.axpb.enqueue(on.stream, shape, memory, 5, 0, {.after = source.record()});
  on.stream.flush();
  CHECK_FALSE(launched.is_done());
  held.open();
  launched.wait();
  CHECK(download(memory, on.stream) == std::vector<int>(4, 10));
}

YOKE_DEVICE_TEST_CASE("eight threads launch one kernel at once", "[program][threads]") {
  YOKE_TEST_NEEDS_BACKGROUND();  // callers' threads meet in the driver there, and it is not made for that
  bench on(device);
  constexpr int threads = 8;
  constexpr int launches = 200;
  constexpr int size = 16;
  std::vector<std::vector<int>> results(threads);
  const std::size_t mark = on.driver.mark();
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        const backend::stream mine(on.context);
        backend::device_allocation<int> memory{on.context, size};
        yoke::fill(memory, 1, mine);
        // Distinct arguments each time: every launch of thread t leaves its own addend behind.
        for (int i = 0; i < launches; ++i) on.axpb(mine, {.grid = 1, .block = size}, memory, 1, i * (t + 1));
        results[static_cast<std::size_t>(t)] = download(memory, mine);
      });
    }
  }
  for (int t = 0; t < threads; ++t) {
    const int expected = 1 + (t + 1) * launches * (launches - 1) / 2;
    CHECK(results[static_cast<std::size_t>(t)] == std::vector<int>(size, expected));
  }
  CHECK(on.driver.count(calls::launch, mark) == threads * launches);
  if constexpr (std::same_as<Backend, opencl_backend>) {  // each thread holds at most one clone at a time
    CHECK(on.driver.count("clone_kernel", mark) + on.driver.count("create_kernel", mark) <= threads);
  }
}

YOKE_DEVICE_TEST_CASE("many threads launch one kernel with host ranges at once", "[program][threads]") {
  YOKE_TEST_NEEDS_BACKGROUND();  // callers' threads meet in the driver there, and it is not made for that
  bench on(device);
  std::mutex mutex;
  std::vector<std::string> problems;
  const auto work = [&](int start) {
    const backend::stream mine{on.context};
    std::vector<int> values(64, start);
    for (int i = 1; i <= 50; ++i) {
      on.axpb(mine, yoke::launch_over(64, 64), yoke::in_out(values), 1, 1);
      const auto wrong = std::find_if(values.begin(), values.end(), [&](int each) { return each != start + i; });
      if (wrong == values.end()) continue;
      const std::lock_guard lock(mutex);
      problems.push_back("launch " + std::to_string(i) + ", element " + std::to_string(wrong - values.begin()) +
                         " is " + std::to_string(*wrong) + ", not " + std::to_string(start + i));
      return;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      try {
        work(1000 * t);
      } catch (const std::exception& e) {
        const std::lock_guard lock(mutex);
        problems.emplace_back(e.what());
      }
    });
  }
  for (auto& each : threads) each.join();
  for (const std::string& each : problems) FAIL_CHECK(each);
  CHECK(problems.empty());
}

YOKE_DEVICE_TEST_CASE("a kernel outlives the handles of its module, context and stream", "[program]") {
  interposer driver(Backend::driver());
  {
    backend::kernel<void(int*, int, int)> kernel;
    backend::stream stream;
    {
      const backend::context context(through(driver, device));
      stream = backend::stream(context);
      kernel = yoke::get_kernel<void(int*, int, int)>(yoke::compile(context, bench_kernels), "axpb");
    }
    std::vector<int> values = counting(4);
    kernel(stream, yoke::launch_over(4, 4), yoke::in_out(values), 2, 0);
    CHECK(values == std::vector<int>{2, 4, 6, 8});
    kernel = backend::kernel<void(int*, int, int)>{};
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a kernel tells what it needs", "[program]") {
  bench on(device);
  const yoke::kernel_limits limits = on.axpb.limits();
  CHECK(limits.max_block > 0);
  CHECK(limits.max_block <= on.stream.limits().max_block);
  CHECK(limits.preferred_multiple > 0);
  CHECK(limits.required_block == std::array<std::size_t, 3>{});
  CHECK(on.axpb.limits(on.device).max_block == limits.max_block);
}

YOKE_DEVICE_TEST_CASE("a kernel of another context is enqueued nowhere", "[program]") {
  bench on(device);
  const backend::context elsewhere = Backend::another_context(on.device);
  const backend::stream foreign(elsewhere, {.timing = true});
  backend::device_allocation<int> memory{elsewhere, 4};
  const auto shape = yoke::launch_over(4, 4);
  const std::size_t mark = on.driver.mark();
  const auto refused = [](auto launch) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, launch),
               ContainsSubstring("the kernel is of another context than the stream"));
  };
  refused([&] { on.axpb(foreign, shape, memory, 1, 0); });
  refused([&] { (void)on.axpb.enqueue(foreign, shape, memory, 1, 0); });
  refused([&] { (void)on.axpb.enqueue_timed(foreign, shape, memory, 1, 0); });
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("time passes between timed launches", "[program]") {
  bench on(device);
  const backend::stream timed(on.context, {.timing = true});
  backend::device_allocation<int> memory{on.context, 64};
  const auto slow = yoke::get_kernel<void(int*, int, int)>(on.module, "slow_store");
  const auto shape = yoke::launch_over(64, 64);
  const backend::timed_event first = slow.enqueue_timed(timed, shape, memory, 20000, 1);
  const backend::timed_event second = slow.enqueue_timed(timed, shape, memory, 20000, 2, {.after = first});
  CHECK(second.time_since(first) > std::chrono::nanoseconds{0});
  CHECK(download(memory, timed) == std::vector<int>(64, 2));
}
