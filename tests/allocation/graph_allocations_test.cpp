// SPDX-License-Identifier: MIT
// Every allocation of graphs, their nodes and executables made to fail in turn.
#include <graph/graph_scenarios.hpp>
#include <support/faults/allocation_scenarios.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using graph_scenarios::kept;

namespace {

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { graph_scenarios::check(state); });
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of graphs fail cleanly", "[allocation][graph]") {
  loop("recording", device, [](auto& state) { graph_scenarios::record(state); });
  loop("launching", device, [](auto& state) { graph_scenarios::launch(state); });
  run_allocation_scenario(
      "images", device, [](const yoke::device<port>& on) { return graph_scenarios::kept_images<port>(on); },
      [](auto& state) { graph_scenarios::record_images(state); }, [](auto& state) { graph_scenarios::check(state); });
  loop("updating", device, [](auto& state) { graph_scenarios::update(state); });
}

YOKE_CUDA_TEST_CASE("allocations of events in graphs fail cleanly", "[allocation][graph]") {
  loop("events", device, [](auto& state) { graph_scenarios::record_events(state); });
}

YOKE_DEVICE_TEST_CASE("allocations of recorded arrays fail cleanly", "[allocation][graph][array]") {
  run_allocation_scenario(
      "recording and launching", device,
      [](const yoke::device<port>& on) { return graph_scenarios::kept_arrays<port>(on); },
      [](auto& state) { graph_scenarios::launch_arrays(state); }, [](auto& state) { graph_scenarios::check(state); });
}

YOKE_DEVICE_TEST_CASE("allocations of recorded algorithms fail cleanly", "[allocation][graph][algorithm]") {
  if (!takes(device, "cuda")) return;
  run_allocation_scenario(
      "recording and launching", device,
      [](const yoke::device<port>& on) { return graph_scenarios::kept_algorithms<port>(on); },
      [](auto& state) { graph_scenarios::launch_algorithms(state); },
      [](auto& state) { graph_scenarios::check(state); });
}

YOKE_DEVICE_TEST_CASE("allocations of conditional nodes fail cleanly", "[allocation][graph][conditions]") {
  if (graphs::lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  run_allocation_scenario(
      "recording and launching", device,
      [](const yoke::device<port>& on) { return graph_scenarios::kept_conditions<port>(on); },
      [](auto& state) { graph_scenarios::launch_conditions(state); },
      [](auto& state) { graph_scenarios::check(state); });
}
