// SPDX-License-Identifier: MIT
// Graphs, with each driver call made to fail in turn: nothing is lost, and what is thrown is of the right class.
#include <graph/graph_scenarios.hpp>
#include <support/faults/fault_scenarios.hpp>
#include <support/sample.hpp>
#include <yoke/cuda/mem_op.hpp>

using namespace yoke_test;
using namespace yoke_test::graphs;
using graph_scenarios::kept;

namespace {

/// Effects: runs the loop; afterwards the graph that was there before is what it was.
template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act, const fault_loop_options& options = {}) {
  run_fault_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { graph_scenarios::check(state); }, options);
}

constexpr const char* late = "the end of an executable waits for its launches otherwise, or reports it";
constexpr const char* other_way = "a copy that drivers refuse takes another way";
const fault_loop_options ends_anyway = absorbing({{"event_create", late},
                                                  {"event_record", late},
                                                  {"event_query", late},
                                                  {"enqueue_marker", late},
                                                  {"get_event_info", late},
                                                  {"flush", late},
                                                  {"context_get_current", late},
                                                  {"context_push", late},
                                                  {"stream_get_context", late},
                                                  {"stream_synchronize", late},
                                                  {"finish", late},
                                                  {"enqueue_copy_image", other_way},
                                                  {"enqueue_copy_image_to_buffer", other_way},
                                                  {"enqueue_copy_buffer_to_image", other_way}});

}  // namespace

YOKE_DEVICE_TEST_CASE("faults while a graph is recorded", "[graph][faults]") {
  loop("recording", device, [](auto& state) { graph_scenarios::record(state); });
}

YOKE_DEVICE_TEST_CASE("a command that fails while it is recorded leaves nothing in the graph", "[graph][faults]") {
  loop("recording into a graph that stays", device, [](auto& state) {
    yoke::graph graph{state.context};
    auto record = graph.record();
    yoke::fill(state.y, 1, record);
    try {
      const yoke::box_layout box{.width = 4, .height = 3, .row_pitch = 8};
      yoke::fill(yoke::strided(state.y, box), 100, record);
    } catch (...) {
      CHECK(graph.node_count() <= 1);
      throw;
    }
  });
}

YOKE_DEVICE_TEST_CASE("faults while an executable is launched and changed", "[graph][faults]") {
  loop(
      "launching", device, [](auto& state) { graph_scenarios::launch(state); }, ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults while an executable is updated", "[graph][faults]") {
  loop(
      "updating", device, [](auto& state) { graph_scenarios::update(state); }, ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults while launches are recorded", "[graph][faults]") {
  const auto binary = module_for(typename Backend::context(device)).export_binary();
  run_fault_scenario(
      "recorded launches", device,
      [&](const yoke::device<port>& on) {
        struct state : kept<port> {
          state(const yoke::device<port>& at, const std::vector<std::byte>& bytes)
              : kept<port>(at),
                multiply(yoke::get_kernel<void(int*, int)>(yoke::load(this->context, bytes), "multiply")) {}
          yoke::kernel<void(int*, int), port> multiply;
        };
        return state(on, binary);
      },
      [](auto& state) {
        yoke::graph graph{state.context};
        auto record = graph.record();
        const auto node = state.multiply(record, shape, state.x, 3);
        auto executable = graph.instantiate();
        node.set(executable, state.y, 4);
      },
      [](auto& state) { CHECK(launched(state.graph.instantiate(), state.y, state.stream) == all(4)); }, ends_anyway);
}

YOKE_CUDA_TEST_CASE("faults while events are recorded in graphs", "[graph][faults]") {
  loop(
      "events of graphs", device, [](auto& state) { graph_scenarios::record_events(state); }, ends_anyway);
}

YOKE_CUDA_TEST_CASE("faults in memory operations, and while they are recorded", "[graph][mem_op][faults]") {
  fault_loop_options options = ends_anyway;
  options.absorbed.push_back({"pointer_get_attribute", "only memory that is known to be unfit is refused"});
  loop(
      "memory operations", device,
      [](auto& state) {
        yoke::device_allocation<std::uint32_t, yoke::cuda::port> words{state.context, 2};
        yoke::cuda::write_value(words.subspan(0, 1), 1U, state.stream);
        yoke::cuda::wait_value(words.subspan(0, 1), yoke::cuda::value_test::equal, 1U, state.stream);
        yoke::graph graph{state.context};
        auto record = graph.record();
        yoke::cuda::write_value(words.subspan(1, 1), 1U, record);
        graph.instantiate().launch(state.stream);
        state.stream.synchronize();
      },
      options);
}

YOKE_DEVICE_TEST_CASE("faults while conditional nodes are recorded and launched", "[graph][conditions][faults]") {
  if (lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  run_fault_scenario(
      "conditional nodes", device,
      [](const yoke::device<port>& on) { return graph_scenarios::kept_conditions<port>(on); },
      [](auto& state) { graph_scenarios::launch_conditions(state); },
      [](auto& state) { graph_scenarios::check(state); }, ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults while images are recorded and launched", "[graph][image][faults]") {
  run_fault_scenario(
      "recorded images", device, [](const yoke::device<port>& on) { return graph_scenarios::kept_images<port>(on); },
      [](auto& state) { graph_scenarios::record_images(state); }, [](auto& state) { graph_scenarios::check(state); },
      ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults while arrays are recorded and launched", "[graph][array][faults]") {
  run_fault_scenario(
      "recorded arrays", device, [](const yoke::device<port>& on) { return graph_scenarios::kept_arrays<port>(on); },
      [](auto& state) { graph_scenarios::launch_arrays(state); }, [](auto& state) { graph_scenarios::check(state); },
      ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults while algorithms are recorded and launched", "[graph][algorithm][faults]") {
  if (!takes(device, "cuda")) return;
  fault_loop_options options = ends_anyway;
  options.step = rare_fault_step();
  for (const char* function : {"create_buffer", "mem_alloc"})
    options.absorbed.push_back({function, "the pool of arrays frees idle blocks and asks again"});
  run_fault_scenario(
      "recorded algorithms", device,
      [](const yoke::device<port>& on) { return graph_scenarios::kept_algorithms<port>(on); },
      [](auto& state) { graph_scenarios::launch_algorithms(state); },
      [](auto& state) { graph_scenarios::check(state); }, options);
}
