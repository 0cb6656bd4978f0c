// SPDX-License-Identifier: MIT
// Which driver calls operations make where nothing about them is unusual: what raw code makes, and what is named here.
#include <support/devices/any_context.hpp>
#include <support/drivers/blocking_commands.hpp>
#include <support/rig.hpp>

#include <yoke/yoke.hpp>

#include <span>

using namespace yoke_test;

namespace {
using names = std::vector<std::string>;

/// Returns: the calls that `act` has made.
template <class Rig, class Act>
names calls_of(const Rig& on, Act&& act) {
  const std::size_t mark = on.driver.mark();
  act();
  return on.driver.calls(mark);
}

/// Effects: checks what all operations on memory call, given as what each is besides the copy itself.
template <class Rig, class Context>
void check_memory(const Rig& on, const Context& context, const names& waited, const char* write, const char* read,
                  const char* within, const names& waited_within, const names& allocated, const names& freed,
                  const names& allocated_in_order, const names& freed_in_order, const names& marked,
                  const names& ended) {
  using port = typename Context::port_type;
  const yoke::stream<port> stream(context);
  std::vector<int> host = counting(60);
  yoke::pagelocked_array<int, port> locked{context, 60};
  std::ranges::copy(host, locked.begin());
  yoke::device_allocation<int, port> memory{context, 60}, other{context, 60};
  const blocking_commands taken_at_its_word(false, false,
                                            false);  // behind the contexts, which note whose their devices are
  const auto first = [](const char* call, names more) {
    more.insert(more.begin(), call);
    return more;
  };
  CHECK(calls_of(on, [&] { yoke::copy(host, memory, stream); }) == first(write, waited));
  CHECK(calls_of(on, [&] { yoke::copy(memory, host, stream); }) == first(read, waited));
  CHECK(calls_of(on, [&] { yoke::copy(memory, other, stream); }) == first(within, waited_within));
  CHECK(calls_of(on, [&] { yoke::copy(locked, memory, stream); }) == first(write, waited));
  CHECK(calls_of(on, [&] { yoke::copy(memory, locked, stream); }) == first(read, waited));
  CHECK(calls_of(on, [&] { yoke::copy(memory.span(), std::span(host), stream); }) == first(read, waited));
  CHECK(host == counting(60));
  CHECK(calls_of(on, [&] { yoke::enqueue_copy(locked, memory, stream); }) == names{write});
  CHECK(calls_of(on, [&] { yoke::enqueue_copy(memory, locked, stream); }) == names{read});
  CHECK(calls_of(on, [&] { yoke::enqueue_copy(memory, other, stream); }) == names{within});
  (void)stream.record();  // on CUDA the context then has an idle event
  yoke::transfer<port> started;
  CHECK(calls_of(on, [&] { started = yoke::copy_async(locked, memory, stream); }) == first(write, marked));
  CHECK(calls_of(on, [&] { started.wait(); }) == ended);
  CHECK(calls_of(on, [&] { started = yoke::copy_async(memory, locked, stream); }) == first(read, marked));
  CHECK(calls_of(on, [&] { started = {}; }) == ended);
  CHECK(calls_of(on, [&] { started = yoke::copy_async(memory, other.span(), stream); }) == first(within, marked));
  CHECK(calls_of(on, [&] { started.wait(); }) == ended);
  stream.synchronize();
  yoke::device_allocation<int, port> made;
  CHECK(calls_of(on, [&] { made = yoke::device_allocation<int, port>(context, 60); }) == allocated);
  CHECK(calls_of(on, [&] { made.reset(); }) == freed);
  CHECK(calls_of(on, [&] { made = yoke::device_allocation<int, port>(context, 60, stream); }) == allocated_in_order);
  CHECK(calls_of(on, [&] { made.reset(); }) == freed_in_order);
  CHECK(calls_of(on, [&] { yoke::device_allocation<int, port>(context, 0, stream).reset(); }).empty());
}
}  // namespace

YOKE_OPENCL_TEST_CASE("memory costs the driver calls that it has to", "[memory]") {
  rig on(device);
  const names nothing, waited{"wait_for_events", "release_event"}, made{"create_buffer"}, gone{"release_memory"},
      ended{"wait_for_events", "get_event_info", "release_event"};
  check_memory(on, on.context, nothing, "enqueue_write_buffer", "enqueue_read_buffer", "enqueue_copy_buffer", waited,
               made, gone, made, gone, nothing, ended);
  INFO("chosen at run time");
  check_memory(on, any_context(on), nothing, "enqueue_write_buffer", "enqueue_read_buffer", "enqueue_copy_buffer",
               waited, made, gone, made, gone, nothing, ended);
}

YOKE_CUDA_TEST_CASE("CUDA's memory costs the driver calls that it has to", "[memory]") {
  rig on(device);
  const auto current = on.context.activate();
  const names waited{"stream_synchronize"};
  // Others may have ended the context: asked where its number is needed.
  const names made{"context_get_id", "context_get_current", "mem_alloc"}, gone{"mem_free"},
      made_in_order{"mem_alloc_async"}, gone_in_order{"mem_free_async"}, marked{"event_record"},
      ended{"event_synchronize"};
  check_memory(on, on.context, waited, "memcpy_htod_async", "memcpy_dtoh_async", "memcpy_dtod_async", waited, made,
               gone, made_in_order, gone_in_order, marked, ended);
  INFO("chosen at run time");
  check_memory(on, any_context(on), waited, "memcpy_htod_async", "memcpy_dtoh_async", "memcpy_dtod_async", waited, made,
               gone, made_in_order, gone_in_order, marked, ended);
}

YOKE_OPENCL_TEST_CASE("points cost the driver calls that they have to", "[memory]") {
  rig on(device);
  const blocking_commands taken_at_its_word(false, false, false);
  ocl::event point;
  CHECK(calls_of(on, [&] { point = on.stream.record(); }) == names{"enqueue_marker"});
  CHECK(calls_of(on, [&] { on.stream.record_into(point); }) == names{"enqueue_marker", "release_event"});
  CHECK(calls_of(on, [&] { on.stream.wait(point); }) == names{"enqueue_barrier"});
  CHECK(calls_of(on, [&] { point.reset(); }) == names{"release_event"});
}

YOKE_CUDA_TEST_CASE("CUDA's points cost the driver calls that they have to", "[memory]") {
  rig on(device);
  const auto check = [&](const auto& stream, const names& recorded) {
    auto point = stream.record();
    std::vector<decltype(point)> held;
    names made;
    do {  // until no idle events are left
      made = calls_of(on, [&] { held.push_back(stream.record()); });
    } while (made == names{"event_record"});
    CHECK(made == recorded);
    CHECK(calls_of(on, [&] { held.clear(); }).empty());
    CHECK(calls_of(on, [&] { point = stream.record(); }) == names{"event_record"});
    CHECK(calls_of(on, [&] { stream.record_into(point); }) == names{"event_record"});
    CHECK(calls_of(on, [&] { stream.wait(point); }) == names{"stream_wait_event"});
    CHECK(calls_of(on, [&] { point.reset(); }).empty());
  };
  const yoke::stream<yoke::any_port> any(any_context(on));
  {
    const auto current = on.context.activate();
    check(on.stream, {"context_get_current", "event_create", "event_record"});
    check(any, {"context_get_current", "event_create", "event_record"});
  }
  // Without a current context an event is made in the stream's, and what was current is put back.
  const names elsewhere{"context_get_current", "context_get_id", "context_push",
                        "event_create",        "context_pop",    "event_record"};
  check(on.stream, elsewhere);
  check(any, elsewhere);
}
