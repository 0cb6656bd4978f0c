// SPDX-License-Identifier: MIT
// The pool of a context's arrays: what it spares, in which order blocks go round, and how they come back to the driver.
#include <array/array_rig.hpp>
#include <support/devices/gate.hpp>
#include <support/process/in_child.hpp>
#include <yoke/image.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// Returns: the calls since a mark that make or free memory, or order streams.
template <class Backend>
std::size_t memory_calls(const rig<Backend>& on, std::size_t mark) {
  using calls = typename Backend::calls;
  std::size_t sum = 0;
  for (const char* const name : {calls::allocate, calls::free, calls::record, calls::wait_in_stream}) {
    sum += on.driver.count(name, mark);
  }
  if (std::string_view(calls::allocate) == calls::allocate_ordered) return sum;
  return sum + on.driver.count("mem_alloc_async", mark) + on.driver.count("mem_free_async", mark);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("temporaries of a loop ask the driver for memory in its first round only", "[array][pool]") {
  rig state(device);
  auto a = yoke::to_device_array(counting<float>(5000), {2, 2500}, state.stream);
  const auto b = yoke::ones_like(a);
  const auto round = [&] {
    const yoke::device_array c(a + b);
    a = a(yoke::reversed) + c;  // through a temporary
    auto total = yoke::sum(c);  // passes, and a value
    auto rows = yoke::max(c, yoke::along(1));
    auto up_to_here = yoke::cumsum(rows);  // what tiles leave
    auto half = c(yoke::whole, yoke::slice(0, yoke::none, 2)).copy();
    half(0, yoke::slice(0, yoke::none, 3)).fill(1);  // a value that is repeated
    return total.get() + static_cast<float>(up_to_here.size());
  };
  (void)round();
  const yoke::pool_statistics first = yoke::array_pool_statistics(state.context);
  CHECK(first.active_blocks == 2);
  CHECK(first.held_blocks > 3);
  const std::size_t mark = state.driver.mark();
  for (int i = 0; i < 5; ++i) (void)round();
  CHECK(memory_calls(state, mark) == 0);
  CHECK(yoke::array_pool_statistics(state.context) == first);
}

YOKE_DEVICE_TEST_CASE("a context takes its arrays' memory along, and no longer", "[array][pool]") {
  rig state(device);
  const std::size_t before = state.driver.live().size();
  {
    std::optional<yoke::device_value<std::int64_t, port>> total;
    std::optional<yoke::device_array<int, 1, port>> last;
    {
      const auto context = Backend::another_context(state.device);
      const backend::stream stream(context);
      const auto a = yoke::to_device_array(counting(1000), stream);
      total.emplace(yoke::sum(a));
      last.emplace(2 * a);
      { const yoke::device_array gone(a + a); }
      CHECK(yoke::array_pool_statistics(context).held_blocks > 0);
    }
    CHECK(total->get() == 500'500);  // after the stream's and the context's handles
    const yoke::device_array more(*last + 1);
    CHECK(more.to_host()[999] == 2001);
    total.reset();
    CHECK(last->to_host()[0] == 2);
    CHECK(state.driver.live().size() > before);
  }
  CHECK(state.driver.live().size() == before);
}

YOKE_DEVICE_TEST_CASE("streams of arrays do not wait for each other while there is memory", "[array][pool]") {
  rig state(device);
  const backend::stream second(state.context);
  using array = yoke::device_array<int, 1, port>;
  const auto block = array(state.stream, {1000}).native_handle();
  std::size_t mark = state.driver.mark();
  {
    const array other(second, {1000});
    CHECK_FALSE(other.native_handle() == block);
    CHECK(state.driver.count(calls::wait_in_stream, mark) == 0);
    CHECK(array(state.stream, {1000}).native_handle() == block);
  }
  // Tasks with streams of their own share what ended streams have left.
  const std::size_t made = yoke::array_pool_statistics(state.context).made_blocks;
  for (int i = 0; i < 5; ++i) {
    const backend::stream task(state.context);
    yoke::full(i, {500'000}, task).reset();
  }
  CHECK(yoke::array_pool_statistics(state.context).made_blocks == made + 1);
}

YOKE_DEVICE_TEST_CASE("an array of another stream comes behind the work with its block", "[array][pool]") {
  rig state(device);
  yoke::use_array_pool(state.context, {.limit_bytes = 150'000});
  const backend::stream second(state.context);
  auto seen = yoke::zeros<int>({5000}, state.stream);
  const yoke::device_array warm(seen + 0);  // the first launch of a kernel waits
  auto a = yoke::full(1, {15'000}, state.stream);
  seen.assign(a(yoke::slice(0, 15'000, 3)));
  state.stream.synchronize();
  const auto block = a.native_handle();
  {
    const gate<Backend> held(state.stream);
    seen.assign(a(yoke::slice(0, 15'000, 3)));
    a.reset();
    const std::size_t mark = state.driver.mark();
    const auto b = yoke::full(2, {15'000}, second);  // there is room for one
    CHECK(b.native_handle() == block);
    CHECK(state.driver.count(calls::wait_in_stream, mark) == 1);
    CHECK(state.driver.count(calls::allocate, mark) == 0);
    state.stream.flush();
    second.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(seen.to_host() == std::vector<int>(5000, 1));
}

YOKE_DEVICE_TEST_CASE("a block of a pool comes behind what an array does after its stream's handle", "[array][pool]") {
  rig state(device);
  const yoke::memory_pool<port> pool(state.context);
  const auto make = [&] {
    const backend::stream stream(state.context);
    yoke::device_array<int, 1, port> made(pool, {15'000}, stream);
    made.fill(1);
    return made;
  };
  auto a = make();
  auto seen = yoke::zeros<int>({5000}, a.stream());
  seen.assign(a(yoke::slice(0, 15'000, 3)));
  seen.fill(0);
  a.stream().synchronize();
  const auto block = a.native_handle();
  {
    const gate<Backend> held(seen.stream());
    seen.assign(a(yoke::slice(0, 15'000, 3)));
    a.reset();
    yoke::device_array<int, 1, port> b(pool, {15'000}, state.stream);
    CHECK(b.native_handle() == block);
    b.fill(2);
    seen.stream().flush();
    state.stream.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(seen.to_host() == std::vector<int>(5000, 1));
}

YOKE_DEVICE_TEST_CASE("what another stream does with an array is done before the next one", "[array][pool]") {
  rig state(device);
  const backend::stream second(state.context);
  auto a = yoke::full(1, {1000}, state.stream);
  const auto block = a.native_handle();
  a.record_use(a.stream());  // says nothing new
  a.record_use(second);
  std::size_t mark = state.driver.mark();
  a.reset();
  CHECK(state.driver.count(calls::record, mark) == 1);
  mark = state.driver.mark();
  const auto b = yoke::full(2, {1000}, state.stream);
  CHECK(b.native_handle() == block);
  CHECK(state.driver.count(calls::wait_in_stream, mark) == 1);
}

YOKE_DEVICE_TEST_CASE("a full device gets back what the arrays of a context have kept", "[array][pool]") {
  rig state(device);
  const auto keep = [&] {
    using array = yoke::device_array<int, 1, port>;
    const array one(state.stream, {3000});
    const array two(state.stream, {70'000});
  };
  const auto refuse = [&](const char* call) {
    state.driver.fail_function(call, 1, fault_mode::once, codes::out_of_memory);
  };
  const auto held = [&] { return yoke::array_pool_statistics(state.context).held_blocks; };
  keep();
  CHECK(held() == 2);
  refuse(calls::allocate);
  const auto a = yoke::full(3, {5000}, state.stream);  // one block is enough
  CHECK(held() == 1);
  CHECK(a.to_host()[4999] == 3);

  keep();
  refuse(calls::allocate);
  const backend::device_allocation<int> plain(state.context, 100);
  CHECK(held() == 0);
  keep();
  refuse(calls::allocate_ordered);
  const backend::device_allocation<int> ordered(state.context, 100, state.stream);
  CHECK(held() == 0);
  keep();
  refuse(Backend::name == std::string_view("opencl") ? "create_image" : "array_create");
  const yoke::image<yoke::float4, 2, port> image(state.context, {8, 8});
  CHECK(held() == 0);
  keep();
  refuse(calls::allocate);
  const yoke::memory_pool<port> pool(state.context);
  const backend::device_allocation<int> pooled(pool, 100, state.stream);
  CHECK(held() == 0);

  // Nothing is kept: it is the device that is full.
  refuse(calls::allocate);
  CHECK_THROWS_AS((backend::device_allocation<int>(state.context, 100)), yoke::memory_error);
  refuse(calls::allocate_ordered);
  CHECK_THROWS_AS((backend::device_allocation<int>(state.context, 100, state.stream)), yoke::memory_error);
}

YOKE_DEVICE_TEST_CASE("a large array takes no more memory than its elements need", "[array][pool]") {
  rig state(device);
  const yoke::device_array<char, 1, port> large(state.stream, {std::size_t{1} << 25});
  CHECK(yoke::array_pool_statistics(state.context).managed_bytes == std::size_t{1} << 25);
}

YOKE_DEVICE_TEST_CASE("what a context keeps of its arrays is seen, given back, limited and switched off",
                      "[array][pool]") {
  rig state(device);
  using array = yoke::device_array<int, 1, port>;
  CHECK(yoke::array_pool_statistics(state.context) == yoke::pool_statistics{});
  yoke::trim_array_pool(state.context);
  { const array a(state.stream, {1000}), b(state.stream, {9000}); }
  CHECK(yoke::array_pool_statistics(state.context).held_blocks == 2);
  CHECK(yoke::array_pool_statistics(state.context).managed_bytes >= 40'000);
  yoke::trim_array_pool(state.context, 10'000);
  CHECK(yoke::array_pool_statistics(state.context).held_blocks == 1);
  yoke::trim_array_pool(state.context);
  CHECK(yoke::array_pool_statistics(state.context).managed_bytes == 0);
  CHECK(state.live().empty());
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { yoke::use_array_pool(state.context, {.enabled = false}); }),
             ContainsSubstring("the arrays of this context have a pool already"));

  const auto off = Backend::another_context(state.device);
  yoke::use_array_pool(off, {.enabled = false});
  CHECK_THROWS_AS(yoke::use_array_pool(off, {}), yoke::logic_error);
  {
    const backend::stream stream(off);
    CHECK(yoke::full(7, {100}, stream).to_host() == std::vector<int>(100, 7));
  }
  CHECK(yoke::array_pool_statistics(off) == yoke::pool_statistics{});
  yoke::trim_array_pool(off);
  CHECK(state.live().empty());

  const auto limited = Backend::another_context(state.device);
  yoke::use_array_pool(limited, {.limit_bytes = 5000});
  const backend::stream stream(limited);
  const array fits(stream, {1000});
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { array(stream, {1000}); }),
             ContainsSubstring("its limit is 5000 bytes"));

  const auto empty = [&] {
    auto moved = Backend::another_context(state.device);
    moved.reset();
    return moved;
  }();
  CHECK_THROWS_AS(yoke::use_array_pool(empty, {}), yoke::logic_error);
  CHECK_THROWS_AS(yoke::trim_array_pool(empty), yoke::logic_error);
  CHECK_THROWS_AS(yoke::array_pool_statistics(empty), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("threads share the pool of arrays, by one stream and by many", "[array][pool]") {
  rig state(device);
  (void)yoke::sum(yoke::device_array(yoke::ones<int>({5000}, state.stream) + 1)).get();  // compiled
  const auto work = [](const backend::stream& stream, int own) {
    std::size_t right = 0;
    for (int i = 0; i < 20; ++i) {
      const auto a = yoke::full(own + i, {5000}, stream);
      const yoke::device_array b(a + 1);
      right += yoke::sum(b).get() == 5000 * (own + i + 1) ? 1 : 0;
    }
    return right;
  };
  std::array<std::size_t, 4> right{};
  {
    std::vector<std::jthread> all;
    for (std::size_t i = 0; i < right.size(); ++i) {
      all.emplace_back([&, i] {
        if (i < 2) {
          right[i] = work(state.stream, static_cast<int>(100 * i));
        } else {
          right[i] = work(backend::stream(state.context), static_cast<int>(100 * i));
        }
      });
    }
  }
  CHECK(right == std::array<std::size_t, 4>{20, 20, 20, 20});
  const yoke::pool_statistics now = yoke::array_pool_statistics(state.context);
  CHECK(now.active_blocks == 0);
  CHECK(now.made_blocks == now.held_blocks);
}

YOKE_ANY_DEVICE_TEST_CASE("the environment turns the pool of arrays off", "[array][pool]") {
  if (!in_child({{"YOKE_ARRAY_POOL", "off"}})) return;
  const any_rig state(device);
  CHECK(yoke::full(7, {100}, state.stream).to_host() == std::vector<int>(100, 7));
  CHECK(yoke::array_pool_statistics(state.context) == yoke::pool_statistics{});
}

YOKE_CUDA_TEST_CASE("arrays in the default streams", "[array][pool]") {
  rig state(device);
  {
    const auto of_thread = yoke::cuda::per_thread_stream(state.context);
    CHECK(yoke::full(7, {100}, of_thread).to_host() == std::vector<int>(100, 7));
    CHECK(yoke::array_pool_statistics(state.context).made_blocks == 0);  // no pool can order that stream
  }
  const auto legacy = yoke::cuda::legacy_stream(state.context);
  for (int i = 0; i < 2; ++i) CHECK(yoke::full(i, {100}, legacy).to_host() == std::vector<int>(100, i));
  CHECK(yoke::array_pool_statistics(state.context).made_blocks == 1);
}

YOKE_CUDA_TEST_CASE("a forked process gets no memory that its parent has kept", "[array][pool]") {
  if (!in_child({{"YOKE_SIMULATOR_LEAKS", "fail"}})) return;
  const cuda_backend::context context(device);
  const cuda_backend::stream stream(context);
  using array = yoke::device_array<int, 1, yoke::cuda::port>;
  (void)array(stream, {100});
  std::fflush(nullptr);
  const pid_t forked = ::fork();
  if (forked == 0) {
    try {
      (void)array(stream, {100});
    } catch (const yoke::unsupported_error& e) {
      ::_exit(std::string_view(e.what()).find("forked") == std::string_view::npos ? 2 : 0);
    }
    ::_exit(1);
  }
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
}
