// SPDX-License-Identifier: MIT
// When shared virtual memory is freed: behind all that uses it, never waiting, or at once if asked.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>
#include <support/drivers/platform_name.hpp>
#include <support/soon.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;

namespace {

constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";

/// A context behind the interposer, streams, a kernel; the events of all enqueued frees of shared memory.
struct fixture : svm_fixture {
  ocl::stream other{context};
  ocl::kernel<void(int*)> twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  ocl::device_allocation<int> buffer{context, 4};
  std::vector<abi::event> frees;

  explicit fixture(const opencl_device& device) : svm_fixture(device) {
    driver.replace<&abi::functions::enqueue_svm_free>([this](abi::queue queue, abi::uint count, void** pointers,
                                                             abi::svm_free_callback call, void* with, abi::uint events,
                                                             const abi::event* list, abi::event* done) {
      abi::event own = nullptr;
      const abi::status status = driver.real().enqueue_svm_free(queue, count, pointers, call, with, events, list, &own);
      if (status != 0) return status;
      frees.push_back(own);
      if (done == nullptr) return status;
      *done = own;
      return driver.real().retain_event(own);
    });
  }
  fixture(const fixture&) = delete;
  fixture& operator=(const fixture&) = delete;
  ~fixture() {
    for (const abi::event each : frees) (void)driver.real().release_event(each);
  }
  /// Whether the one free is over. A free that waits for nothing is over after a moment.
  [[nodiscard]] bool is_freed() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return frees.size() == 1 && ocl::port{}.status(frees.front(), {}) == yoke::event_status::complete;
  }
};

struct use {
  const char* name;
  std::function<void(fixture&, coarse&)> enqueue;  // in `in.other`, which waits
};

}  // namespace

YOKE_OPENCL_TEST_CASE("shared memory bound to no stream is freed behind every use, and its end does not wait",
                      "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  const use uses[] = {
      {"a launch", [](fixture& in, coarse& v) { in.twice(in.other, {.grid = 1, .block = 4}, v); }},
      {"a launch with an event",
       [](fixture& in, coarse& v) { (void)in.twice.enqueue(in.other, {.grid = 1, .block = 4}, v); }},
      {"a launch of a span", [](fixture& in, coarse& v) { in.twice(in.other, {.grid = 1, .block = 2}, v.span()); }},
      {"a fill", [](fixture& in, coarse& v) { yoke::fill(v, 1, in.other); }},
      {"a fill of a part", [](fixture& in, coarse& v) { yoke::fill(v.subspan(1, 2), 1, in.other); }},
      {"a fill of a box", [](fixture& in, coarse& v) { yoke::fill(yoke::strided(v, {.width = 2}), 1, in.other); }},
      {"a copy to a buffer", [](fixture& in, coarse& v) { yoke::enqueue_copy(v, in.buffer, in.other); }},
      {"a copy from a buffer", [](fixture& in, coarse& v) { yoke::enqueue_copy(in.buffer, v, in.other); }},
      {"a map that nobody waits for", [](fixture& in, coarse& v) { (void)v.map_async(in.other, ocl::map_read); }},
      {"an unmapping in another stream",
       [](fixture& in, coarse& v) { (void)v.map(in.stream, ocl::map_read).unmap(in.other); }},
      {"a migration", [](fixture& in, coarse& v) { (void)ocl::migrate({v}, in.other); }},
      {"a buffer over it",
       [](fixture& in, coarse& v) {
         auto over = ocl::as_buffer(v, in.other);
         yoke::fill(over, 1, in.other);
       }},
      {"a native call", [](fixture& in, coarse& v) { v.record_use(in.other); }},
      {"the stream that it was bound to",
       [](fixture& in, coarse& v) {
         v.bind(in.other);
         v.unbind();
       }},
      {"a stream that has ended meanwhile",
       [](fixture& in, coarse& v) {
         const ocl::stream brief{in.context};
         brief.wait(in.other.record());
         yoke::fill(v, 1, brief);
       }},
      {"several streams",
       [](fixture& in, coarse& v) {
         yoke::fill(v, 1, in.other);
         yoke::fill(v, 2, in.stream);
       }},
  };
  for (const use& each : uses) {
    INFO(each.name);
    fixture in(device);
    ocl::user_event gate{in.context};
    in.other.wait(gate.as_event());
    std::optional<coarse> memory(std::in_place, in.context, 4);
    each.enqueue(in, *memory);
    const std::size_t mark = in.driver.mark();
    memory.reset();
    CHECK(in.driver.count("svm_free", mark) == 0);
    CHECK(in.driver.count("finish", mark) == 0);
    CHECK(in.driver.count("wait_for_events", mark) == 0);
    CHECK(in.frees.size() == 1);
    for (const auto* const stream : {&in.other, &in.stream}) stream->flush();
    CHECK_FALSE(in.is_freed());
    gate.complete();
    ocl::port{}.wait(in.frees.at(0), {});
    CHECK(in.is_freed());
    CHECK(in.driver.bad_releases().empty());
  }
}

YOKE_OPENCL_TEST_CASE("shared memory that an out-of-order stream uses is freed behind all that runs there",
                      "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  std::optional<ocl::out_of_order_stream> loose;
  try {
    loose.emplace(in.context);
  } catch (const yoke::unsupported_error&) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  ocl::user_event gate{in.context};
  coarse memory{in.context, 4};
  const ocl::event launched = in.twice.enqueue(*loose, {.grid = 1, .block = 4}, memory, {.after = gate.as_event()});
  memory.reset();
  loose->flush();
  CHECK(in.driver.count("svm_free") == 0);
  CHECK_FALSE(in.is_freed());
  gate.complete();
  ocl::port{}.wait(in.frees.at(0), {});
  // NVIDIA's driver tells of the launch a moment later.
  CHECK((is_pocl(device) ? launched.is_done() : soon([&] { return launched.is_done(); })));
  loose->synchronize();  // Intel's CPU runtime hangs when such a stream ends before its commands
}

YOKE_OPENCL_TEST_CASE("shared memory is freed at once where that is asked for", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  for (const bool ordered : {false, true}) {
    coarse memory = ordered ? coarse{in.context, 4, in.stream} : coarse{in.context, 4};
    yoke::fill(memory, 1, in.stream);
    in.stream.synchronize();
    const std::size_t mark = in.driver.mark();
    memory.free_now();
    CHECK(in.driver.count("svm_free", mark) == 1);
    CHECK(in.frees.empty());
    CHECK_FALSE(memory);
    CHECK_THROWS_WITH(memory.free_now(), ContainsSubstring("this SVM allocation is empty"));
  }
  coarse memory{in.context, 4};
  {
    const auto view = memory.map(in.stream, ocl::map_read);
    CHECK_THROWS_WITH(memory.free_now(), ContainsSubstring("still uses this shared virtual memory"));
  }
  in.stream.synchronize();
  coarse borrowed = coarse::borrow(in.context, memory.native_handle(), 4);
  CHECK_THROWS_WITH(borrowed.free_now(), ContainsSubstring("borrowed shared virtual memory is not freed"));
  const yoke::memory_pool pool{in.context, ocl::svm::coarse{}};
  coarse pooled{pool, 4, in.stream};
  CHECK_THROWS_WITH(pooled.free_now(), ContainsSubstring("memory of a pool goes back to it in a stream's order"));
  CHECK(pooled.size() == 4);
  coarse nothing{in.context, 0};
  nothing.free_now();
}

YOKE_OPENCL_TEST_CASE("shared memory bound to a stream is freed behind every other that has used it", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  for (const bool later : {false, true}) {
    fixture in(device);
    ocl::user_event gate{in.context};
    in.other.wait(gate.as_event());
    coarse memory = later ? coarse{in.context, 4} : coarse{in.context, 4, in.stream};
    if (later) memory.bind(in.stream);
    yoke::fill(memory, 1, in.stream);
    in.twice(in.other, {.grid = 1, .block = 4}, memory);
    const std::size_t mark = in.driver.mark();
    memory.reset();
    in.stream.flush();
    CHECK(in.driver.count("enqueue_marker", mark) == 1);
    CHECK(in.driver.count("finish", mark) == 0);
    CHECK_FALSE(in.is_freed());
    gate.complete();
    ocl::port{}.wait(in.frees.at(0), {});
  }
}

YOKE_OPENCL_TEST_CASE("shared memory keeps each other stream that uses it once; borrowed and pooled memory none",
                      "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  coarse owner{in.context, 4};
  const yoke::memory_pool pool{in.context, ocl::svm::coarse{}};
  coarse bound{in.context, 4, in.stream};
  coarse borrowed = coarse::borrow(in.context, owner.native_handle(), 4);
  coarse pooled{pool, 4, in.other};
  const std::size_t mark = in.driver.mark();
  for (coarse* const each : {&bound, &borrowed, &pooled}) yoke::fill(*each, 1, in.stream);
  CHECK(in.driver.count("retain_queue", mark) == 0);
  pooled.record_use(in.stream);
  CHECK(in.driver.count("retain_queue", mark) == 1);
  for (int i = 0; i < 3; ++i) {
    yoke::fill(owner, 1, in.other);
    yoke::fill(owner, 1, in.stream);
    yoke::fill(bound, 1, in.other);
  }
  CHECK(in.driver.count("retain_queue", mark) == 4);
  in.other.synchronize();
  in.stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("shared memory that lives long keeps few of many streams that do not", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  {
    coarse memory{in.context, 4};
    for (int i = 0; i < 200; ++i) {
      const ocl::stream brief{in.context};
      yoke::fill(memory, i, brief);
      brief.synchronize();
    }
    CHECK(in.driver.live().size() < 60);
    CHECK(yoke::to_host(memory, in.stream) == std::vector<int>(4, 199));
    // Work of streams that have ended still counts, also where pending commands are no references of a queue.
    abi::queue ended = nullptr;
    in.driver.replace<&abi::functions::get_queue_info>(
        [&](abi::queue of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
          const abi::status status = in.driver.real().get_queue_info(of, what, bytes, out, size);
          if (of == ended && what == abi::queue_reference_count) *static_cast<abi::uint*>(out) = 1;
          return status;
        });
    ocl::user_event gate{in.context};
    {
      const ocl::stream brief{in.context};
      ended = brief.native_handle();
      brief.wait(gate.as_event());
      yoke::fill(memory, 1, brief);
    }
    for (int i = 0; i < 40; ++i) {
      const ocl::stream brief{in.context};
      ocl::migrate({memory}, brief).wait();
    }
    memory.reset();
    in.stream.flush();
    if (runs_in_background(device)) CHECK_FALSE(in.is_freed());
    gate.complete();
    ocl::port{}.wait(in.frees.at(0), {});
  }
  CHECK(in.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("threads use shared memory that is bound to no stream at once", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  coarse memory{in.context, 64};
  yoke::fill(memory, 7, in.stream);
  in.stream.synchronize();
  std::vector<std::vector<int>> got(4, std::vector<int>(64));
  {
    std::vector<std::jthread> threads;
    for (auto& into : got) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const ocl::stream own{in.context};
          yoke::copy(std::as_const(memory), into, own);
        }
      });
    }
  }
  for (const auto& each : got) CHECK(each == std::vector<int>(64, 7));
  memory.reset();
  CHECK(in.frees.size() == 1);
}

YOKE_OPENCL_TEST_CASE("commands of shared memory take turns where the driver is NVIDIA's", "[opencl][pains]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  opencl_interposer driver(raw_opencl());
  name_platform(driver, "NVIDIA CUDA");
  const ocl::context context(through(driver, device));
  std::atomic<int> inside{0};
  std::atomic<int> calls{0};
  std::atomic<int> blocking{0};
  std::atomic<bool> together{false};
  const auto alone = [&](auto&& act) {
    if (inside.fetch_add(1) != 0) together = true;
    ++calls;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    struct leaving {
      std::atomic<int>& of;
      ~leaving() { --of; }
    } const left{inside};
    return act();
  };
  const auto watch = [&]<auto Entry>() {
    driver.replace<Entry>([&](auto... given) { return alone([&] { return (driver.real().*Entry)(given...); }); });
  };
  watch.template operator()<&abi::functions::svm_alloc>();
  watch.template operator()<&abi::functions::svm_free>();
  watch.template operator()<&abi::functions::enqueue_svm_free>();
  watch.template operator()<&abi::functions::enqueue_svm_fill>();
  driver.replace<&abi::functions::enqueue_svm_copy>([&](abi::queue queue, abi::boolean waits, auto... given) {
    if (waits != abi::no) ++blocking;
    return alone([&] { return driver.real().enqueue_svm_copy(queue, waits, given...); });
  });
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        const ocl::stream own{context};
        for (int turn = 0; turn < 5; ++turn) {
          {
            const coarse loose{context, 60};
          }
          coarse later{context, 60, own};
          yoke::fill(later, i, own);
          right += yoke::to_host(later, own) == std::vector<int>(60, i) ? 1 : 0;
          later.free_async(own).wait();
        }
      });
    }
  }
  CHECK(right == 20);
  CHECK(calls == 4 * 5 * 6);
  CHECK_FALSE(together);
  CHECK(blocking == 0);
}
