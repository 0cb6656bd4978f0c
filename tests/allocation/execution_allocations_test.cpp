// SPDX-License-Identifier: MIT
// Every allocation of contexts, streams, events and callbacks made to fail in turn.
#include <support/allocation_scenarios.hpp>

using namespace yoke_test;

namespace {

/// What is kept from before.
template <class Port>
struct kept {
  explicit kept(const yoke::device<Port>& on) : context(on), stream(context) {}
  yoke::context<Port> context;
  yoke::stream<Port> stream;
};

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { state.stream.record().wait(); });
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of contexts and streams fail cleanly", "[allocation]") {
  run_allocation_scenario("context and stream", device, [](const auto& on) {
    const yoke::context context(on);
    const backend::stream stream(context);
    const backend::stream timed(context, {.timing = true});
    const auto event = stream.record();
    stream.wait(event);
    event.wait();
  });
  run_allocation_scenario("devices", device, [](const auto& on) {
    const auto all = yoke::detail::select_from(on.port(), "", {});
    const auto summary = all.front().summary();
    const yoke::context own(all.front());
    const auto borrowed = yoke::context<port>::borrow(all.front().port(), own.native_handle());
  });
}

YOKE_DEVICE_TEST_CASE("allocations of events and callbacks fail cleanly", "[allocation]") {
  loop("wait lists", device, [](auto& state) {
    std::vector<backend::event> events;
    for (int i = 0; i < 8; ++i) events.push_back(state.stream.record());
    state.stream.wait(events);
  });
  loop("callbacks", device, [](auto& state) {
    const auto event = state.stream.record();
    event.on_complete([data = std::vector<int>(100)](yoke::event_status) {});
    event.wait();
  });
}
