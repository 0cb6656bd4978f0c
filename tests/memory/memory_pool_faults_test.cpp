// SPDX-License-Identifier: MIT
// Every driver call of pools made to fail in turn.
#include <memory/counting_resource.hpp>
#include <support/faults/fault_scenarios.hpp>

using namespace yoke_test;

YOKE_DEVICE_TEST_CASE("faults in pools", "[memory][pool][faults]") {
  struct kept {
    explicit kept(const yoke::device<port>& on) : context(on), stream(context), second(context), pool(context) {}
    backend::context context;
    backend::stream stream, second;
    pool_of<Backend> pool;
  };
  const char* const why = "in a destructor: the thread waits instead, or the memory is reported lost";
  run_fault_scenario(
      "a pool over two streams", device, [](const yoke::device<port>& on) { return kept(on); },
      [](kept& state) {
        const backend::stream brief(state.context);
        backend::device_allocation<int> a{state.pool, 100, state.stream};
        a.record_use(state.second);
        a.reset();
        a = {state.pool, 100, state.second};
        backend::device_allocation<int> b{state.pool, 1000, brief};
        b.reset();
        b = {state.pool, 1000, state.stream};
        a.reset();
        b.reset();
        state.pool.trim(1000);
      },
      [](kept& state) {
        backend::device_allocation<int> a{state.pool, 60, state.stream};
        yoke::copy(counting(60), a, state.stream);
        CHECK(download(a, state.stream) == counting(60));
        const auto now = state.pool.statistics();
        CHECK(now.active_blocks == 1);
        CHECK(now.active_bytes == 240);
      },
      absorbing({{"enqueue_marker", why},
                 {"enqueue_barrier", "the point had passed"},
                 {"get_event_info", why},
                 {"flush", why},
                 {"finish", why},
                 {"context_get_current", why},
                 {"context_push", why},
                 {"event_create", why},
                 {"event_record", why},
                 {"event_query", why},
                 {"stream_wait_event", "the point had passed"},
                 {"stream_synchronize", why},
                 {"create_buffer", "the pool frees idle blocks and asks again"},
                 {"mem_alloc", "the pool frees idle blocks and asks again"}}));
}
