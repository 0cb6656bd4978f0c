// SPDX-License-Identifier: MIT
// Every driver call of allocations, copies and fills made to fail in turn.
#include <memory/memory_faults.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
const fault_loop_options waits_in_cleanup = absorbing({{"finish", "page-locked memory waits for its unmapping"}});
}  // namespace

YOKE_DEVICE_TEST_CASE("faults in allocations", "[memory][faults]") {
  loop("plain and ordered allocations", device, [](auto& state) {
    backend::device_allocation<int> plain{state.context, 8};
    backend::device_allocation<int> ordered{state.context, 8, state.stream};
    plain = std::move(ordered);
  });
  const char* const why = "in a destructor: reported, and the other stream is waited for instead";
  loop(
      "freeing behind another stream", device,
      [](auto& state) {
        const backend::stream second(state.context);
        backend::device_allocation<int> ordered{state.context, 8, state.stream};
        ordered.record_use(second);
      },
      absorbing({{"stream_get_context", why},
                 {"context_get_current", why},
                 {"context_push", why},
                 {"event_create", why},
                 {"event_record", why},
                 {"stream_wait_event", why},
                 {"stream_synchronize", why}}));
  loop("adopted memory", device, [](auto& state) {
    const auto borrowed = backend::device_allocation<int>::borrow(state.context, state.memory.native_handle(), 60);
    CHECK(borrowed.size() == 60);
  });
  loop(
      "page-locked memory", device,
      [](auto& state) {
        backend::pagelocked_array<int> array{state.context, 60};
        std::ranges::fill(array, 3);
        yoke::copy(array, state.memory, state.stream);
      },
      waits_in_cleanup);
}

YOKE_DEVICE_TEST_CASE("faults in copies of ranges", "[memory][faults]") {
  loop("host and allocation", device, [](auto& state) {
    std::vector<int> host = counting(60);
    yoke::copy(host, state.memory, state.stream);
    yoke::copy(state.memory, host, state.stream);
    yoke::copy(state.memory.subspan(0, 30), state.memory.subspan(30, 30), state.stream);
    const auto up = yoke::to_device(host, state.stream);
    CHECK(up.size() == 60);
  });
  loop(
      "asynchronous", device,
      [](auto& state) {
        backend::pagelocked_array<int> array{state.context, 60};
        auto down = yoke::copy_async(state.memory, array, state.stream);
        auto within = yoke::copy_async(state.memory.subspan(0, 30), state.memory.subspan(30, 30), state.stream);
        down.wait();
        within.wait();
      },
      waits_in_cleanup);
  loop(
      "enqueued", device,
      [](auto& state) {
        backend::pagelocked_array<int> array{state.context, 60};
        yoke::enqueue_copy(state.memory, array, state.stream);
        yoke::enqueue_copy(state.memory.subspan(0, 30), state.memory.subspan(30, 30), state.stream);
        yoke::enqueue_copy(yoke::strided(array, odd), yoke::strided(state.memory, odd), state.stream);
        state.stream.synchronize();
      },
      waits_in_cleanup);
  loop(
      "waited for by the destructor", device,
      [](auto& state) {
        backend::pagelocked_array<int> array{state.context, 60};
        const auto down = yoke::copy_async(state.memory, array, state.stream);
      },
      absorbing({{"finish", "page-locked memory waits for its unmapping"},
                 {"wait_for_events", "the transfer's destructor waits"},
                 {"event_synchronize", "the same on CUDA"},
                 {"get_event_info", "the transfer's destructor asks how the copy ended"}}));
  loop(
      "detached", device,
      [](auto& state) {
        backend::pagelocked_array<int> array{state.context, 60};
        auto down = yoke::copy_async(state.memory, array, state.stream);
        down.detach();
        // What is kept ends on the callback thread, unless the fault left it here.
      },
      absorbing({{"finish", "page-locked memory waits for its unmapping"},
                 {"wait_for_events", "the transfer's destructor waits when detaching failed"},
                 {"event_synchronize", "the same on CUDA"}}));
}

YOKE_DEVICE_TEST_CASE("faults in copies of boxes", "[memory][faults]") {
  const auto boxes = [&](const char* name, yoke::box_layout box) {
    loop(
        name, device,
        [box](auto& state) {
          std::vector<int> host = counting(60);
          backend::device_allocation<int> other{state.context, 60};
          yoke::copy(yoke::strided(host, box), yoke::strided(state.memory, box), state.stream);
          yoke::copy(yoke::strided(state.memory, box), yoke::strided(host, box), state.stream);
          yoke::copy(yoke::strided(state.memory, box), yoke::strided(other, box), state.stream);
          backend::pagelocked_array<int> array{state.context, 60};
          yoke::copy_async(yoke::strided(state.memory, box), yoke::strided(array, box), state.stream).wait();
        },
        waits_in_cleanup);
  };
  boxes("slices of whole rows", whole_rows);
  boxes("odd slice pitches", odd);
}

YOKE_DEVICE_TEST_CASE("faults in fills", "[memory][faults]") {
  loop("buffers", device, [](auto& state) {
    backend::device_allocation<std::array<int, 3>> triples{state.context, 8};
    yoke::fill(state.memory, 1, state.stream);
    yoke::fill(yoke::strided(state.memory, odd), 2, state.stream);
    yoke::fill(triples, {1, 2, 3}, state.stream);
    const auto now = download(triples, state.stream);  // outside of an assertion, which would catch
    CHECK(now[7] == std::array{1, 2, 3});
  });
}
