// SPDX-License-Identifier: MIT
// Every allocation of contexts, streams, events and callbacks made to fail in turn.
#include <support/drivers/default_driver.hpp>
#include <support/faults/allocation_scenarios.hpp>

#include <optional>

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

namespace {

/// The drivers of all backends behind interposers, because neither may meet an allocation that fails.
template <class Port>
struct every_driver {
  using other_port = std::conditional_t<std::same_as<Port, yoke::opencl::port>, yoke::cuda::port, yoke::opencl::port>;
  using other_driver = typename backend_of<other_port>::interposer;

  explicit every_driver(const typename backend_of<Port>::interposer& driver) : mine(driver.table()) {
    if (!backend_of<other_port>::available()) return;
    other.emplace(default_driver<other_port>::real());
    theirs.emplace(other->table());
  }
  default_driver<Port> mine;
  std::optional<other_driver> other;
  std::optional<default_driver<other_port>> theirs;
};

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of choosing among the devices of all backends fail cleanly", "[allocation]") {
  const auto loop_over = [](const char* name, auto act) {
    run_allocation_loop<interposer>(
        name, default_driver<port>::real(), [](interposer& driver) { return every_driver<port>(driver); },
        [&](interposer&, auto&) { act(); },
        [](interposer&, auto&) { CHECK(yoke::select_devices(Backend::name).size() >= 1); });
  };
  loop_over("select_devices", [] { (void)yoke::select_devices(Backend::name); });
  loop_over("choose_device", [] { (void)yoke::choose_device(Backend::name); });
  loop_over("a device that is not there", [] {
    try {
      (void)yoke::choose_device("no such device");
    } catch (const yoke::unsupported_error&) {  // as it should; `bad_alloc` goes on
    }
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
