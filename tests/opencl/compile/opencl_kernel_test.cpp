// SPDX-License-Identifier: MIT
// Launches as OpenCL makes them: which calls, clones, out of order, behind events that failed or are not flushed.
#include <program/kernel_bench.hpp>
#include <support/devices/background.hpp>
#include <thread>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("chains of events keep order on a stream that does not", "[program]") {
  bench on(device);
  constexpr std::uint64_t out_of_order = 1;
  if ((ocl::get(on.device, ocl::info::queue_on_host_properties) & out_of_order) == 0) {
    YOKE_SKIP("this device has no out-of-order streams");
  }
  const ocl::out_of_order_stream disorder(on.context);
  const auto slow = on.module.get_kernel<void(int*, int, int)>("slow_store");
  const auto shape = yoke::launch_over(64, 64);
  ocl::device_allocation<int> left{on.context, 64};
  ocl::device_allocation<int> right{on.context, 64};
  yoke::fill(left, -1, on.stream);
  yoke::fill(right, -1, on.stream);
  ocl::event last_left = on.stream.record();
  ocl::event last_right = on.stream.record();
  // Each step gives the right result only behind the one before it; the two chains know nothing of each other.
  int expected = 3;
  last_left = slow.enqueue(disorder, shape, left, 20000, 3, {.after = last_left});
  last_right = slow.enqueue(disorder, shape, right, 10, 3, {.after = last_right});
  for (int step = 0; step < 12; ++step) {
    last_left = on.axpb.enqueue(disorder, shape, left, 3, step, {.after = last_left});
    last_right = on.axpb.enqueue(disorder, shape, right, 3, step, {.after = last_right});
    expected = expected * 3 + step;
  }
  const ocl::event joined = on.module.get_kernel<void(int*, const int*)>("pick").enqueue(
      disorder, shape, left, right, {.after = {last_left, last_right}});
  on.stream.wait(joined);
  CHECK(download(left, on.stream) == std::vector<int>(64, expected));
  CHECK(download(right, on.stream) == std::vector<int>(64, expected));
}

YOKE_OPENCL_TEST_CASE("a warm launch sets its arguments and enqueues, nothing else", "[program]") {
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 64};
  const auto shape = yoke::launch_over(64, 64);
  const auto calls = [&](auto act) {
    const std::size_t mark = on.driver.mark();
    act();
    return on.driver.calls(mark);
  };
  on.axpb(on.stream, shape, memory, 1, 0);
  using names = std::vector<std::string>;
  const names launch{"set_kernel_arg", "set_kernel_arg", "set_kernel_arg", "enqueue_kernel"};
  CHECK(calls([&] { on.axpb(on.stream, shape, memory, 2, 1); }) == launch);
  CHECK(calls([&] { (void)on.axpb.enqueue(on.stream, shape, memory.span(), 2, 1); }) ==
        names{"set_kernel_arg", "set_kernel_arg", "set_kernel_arg", "enqueue_kernel", "release_event"});
  std::size_t mark = on.driver.mark();
  for (int i = 0; i < 100; ++i) on.axpb(on.stream, shape, memory, i + 1, i);
  CHECK(on.driver.count_all(mark) == 400);
  CHECK(on.driver.count("clone_kernel") + on.driver.count("create_kernel") <= 2);
  on.stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("the first thread has a clone to itself, the others share one while they take turns",
                      "[program][threads]") {
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 16};
  yoke::fill(memory, 0, on.stream);
  const auto shape = yoke::launch_over(16, 16);
  const auto clones = [&] { return on.driver.count("clone_kernel") + on.driver.count("create_kernel"); };
  const auto launch = [&] { on.axpb(on.stream, shape, memory, 1, 1); };
  const auto elsewhere = [&] { std::thread([&] { launch(), launch(); }).join(); };
  launch();
  const std::size_t first = clones();
  launch();
  CHECK(clones() == first);
  elsewhere();
  CHECK(clones() == first + 1);
  elsewhere();
  launch();
  elsewhere();
  CHECK(clones() == first + 1);
  // What the others take turns with costs them no more calls than the first thread's.
  const std::size_t mark = on.driver.mark();
  elsewhere();
  CHECK(on.driver.count_all(mark) == 4);  // the values are the same again
  CHECK(download(memory, on.stream) == std::vector<int>(16, 11));
}

YOKE_OPENCL_TEST_CASE("a launch out of a function that a launch of the same kernel has called", "[program]") {
  opencl_interposer driver(raw_opencl());
  const bool elsewhere = GENERATE(false, true);
  CAPTURE(elsewhere);
  {
    const ocl::context context(through(driver, device));
    const ocl::stream stream(context);
    const auto axpb = yoke::compile(context, bench_kernels).get_kernel<void(int*, int, int)>("axpb");
    ocl::device_allocation<int> outer{context, 4};
    ocl::device_allocation<int> inner{context, 4};
    yoke::fill(outer, 1, stream);
    yoke::fill(inner, 1, stream);
    const auto shape = yoke::launch_over(4, 4);
    const auto work = [&] {
      axpb(stream, shape, outer, 1, 0);
      int depth = 0;
      driver.on_call("enqueue_kernel", [&] {
        if (depth++ < 3) axpb(stream, shape, inner, 1, 10);
      });
      axpb(stream, shape, outer, 1, 5);  // its arguments are not those of the launches within
      driver.on_call("enqueue_kernel", nullptr);
      const std::size_t mark = driver.mark();
      for (int i = 0; i < 3; ++i) axpb(stream, shape, outer, 1, 1);
      CHECK(driver.count("clone_kernel", mark) + driver.count("create_kernel", mark) == 0);
    };
    axpb(stream, shape, outer, 1, 0);  // this thread is the first
    if (elsewhere) {
      std::thread(work).join();
    } else {
      work();
    }
    CHECK(download(outer, stream) == std::vector<int>(4, 9));
    CHECK(download(inner, stream) == std::vector<int>(4, 31));
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("a kernel without clones of its driver's making works the same", "[program]") {
  opencl_interposer driver(raw_opencl());
  driver.remove("clone_kernel");
  {
    const ocl::context context(through(driver, device));
    const ocl::stream stream(context);
    const auto axpb = yoke::compile(context, bench_kernels).get_kernel<void(int*, int, int)>("axpb");
    std::vector<int> values = counting(8);
    axpb(stream, yoke::launch_over(8, 8), yoke::in_out(values), 2, 1);
    CHECK(values == std::vector<int>{3, 5, 7, 9, 11, 13, 15, 17});
    const std::size_t mark = driver.mark();
    axpb(stream, yoke::launch_over(8, 8), yoke::in_out(values), 1, 0);
    CHECK(driver.count("create_kernel", mark) == 0);
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("a launch behind an event that failed already is refused before it is enqueued", "[program]") {
  // PoCL 3.1 never ends a command that is given one.
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 4};
  ocl::user_event failed{on.context};
  failed.fail(-7);
  const std::size_t mark = on.driver.mark();
  try {
    (void)on.axpb.enqueue(on.stream, yoke::launch_over(4, 4), memory, 1, 0, {.after = failed.as_event()});
    FAIL_CHECK("an event that had failed was enqueued");
  } catch (const yoke::runtime_error& e) {
    CHECK(e.code().value() == -7);
    CHECK_THAT(e.what(), ContainsSubstring("belongs to a command that failed"));
  }
  CHECK(on.driver.count("enqueue_kernel", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("a launch flushes the stream whose event it waits for first", "[program]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  bench on(device);
  const ocl::stream source(on.context);
  ocl::device_allocation<int> memory{on.context, 4};
  ocl::user_event gate(on.context);  // so that the source's command is not done yet
  source.wait(gate.as_event());
  const ocl::event point = source.record();
  const std::size_t mark = on.driver.mark();
  const ocl::event launched = on.axpb.enqueue(on.stream, yoke::launch_over(4, 4), memory, 1, 0, {.after = point});
  const auto calls = on.driver.calls(mark);
  const auto flush = std::find(calls.begin(), calls.end(), "flush");
  const auto enqueue = std::find(calls.begin(), calls.end(), "enqueue_kernel");
  REQUIRE(flush != calls.end());
  REQUIRE(enqueue != calls.end());
  CHECK(flush < enqueue);
  CHECK(on.driver.count("flush", mark) == 1);
  gate.complete();
  launched.wait();
}

YOKE_OPENCL_TEST_CASE("a timed launch tells when it ran", "[program]") {
  bench on(device);
  const ocl::stream timed(on.context, {.timing = true});
  ocl::device_allocation<int> memory{on.context, 64};
  const auto slow = on.module.get_kernel<void(int*, int, int)>("slow_store");
  const ocl::timed_event first = slow.enqueue_timed(timed, yoke::launch_over(64, 64), memory, 20000, 1);
  const ocl::timed_event second =
      slow.enqueue_timed(timed, yoke::launch_over(64, 64), memory, 20000, 2, {.after = first});
  const yoke::event_times times = second.times();
  CHECK(times.queued <= times.submitted);
  CHECK(times.submitted <= times.started);
  CHECK(times.started <= times.ended);
  CHECK(first.times().ended <= times.started);
  CHECK(second.time_since(first) > std::chrono::nanoseconds{0});
  CHECK(download(memory, timed) == std::vector<int>(64, 2));

  const std::size_t mark = on.driver.mark();
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                 [&] { (void)slow.enqueue_timed(on.stream, yoke::launch_over(64, 64), memory, 1, 1); }),
      ContainsSubstring("this stream was made without .timing"));
  CHECK(on.driver.count_all(mark) == 0);
}
