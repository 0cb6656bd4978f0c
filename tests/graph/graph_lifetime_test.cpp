// SPDX-License-Identifier: MIT
// What graphs, executables and launches keep alive, and that they let go of it.
#include <graph/graph_rig.hpp>

#include <memory>
#include <optional>
#include <utility>

using namespace yoke_test;
using namespace yoke_test::graphs;

namespace {

/// A graph of a launch on memory that it was given, and a copy into page-locked memory; all other handles end here.
template <class Port>
yoke::graph<Port> graph_of_kept_things(const yoke::context<Port>& context, const int*& result) {
  const auto module = module_for(context);
  const auto add = yoke::get_kernel<void(int*, const int*, int)>(module, "add");
  yoke::graph graph{context};
  auto& x = graph.keep(yoke::device_allocation<int, Port>{context, size});
  yoke::pagelocked_array<int, Port> host{context, size};
  std::fill(host.begin(), host.end(), 20);
  result = host.data();
  auto record = graph.record();
  yoke::enqueue_copy(host, x, record);
  add(record, shape, x, x, 5);
  yoke::enqueue_copy(x, host, record);
  return graph;
}

/// Says when it is destroyed.
struct witness {
  explicit witness(bool& flag) : gone(&flag) {}
  witness(witness&& other) noexcept : gone(std::exchange(other.gone, nullptr)) {}
  witness& operator=(witness&&) = delete;
  ~witness() {
    if (gone != nullptr) *gone = true;
  }
  bool* gone;
};

}  // namespace

YOKE_DEVICE_TEST_CASE("an executable needs none of the handles that it was recorded with", "[graph]") {
  graph_rig on(device);
  const int* result = nullptr;
  auto graph = graph_of_kept_things(on.context, result);
  const auto executable = std::exchange(graph, {}).instantiate();
  CHECK_FALSE(graph);
  executable.launch(on.stream);
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(result[0] == 30);
  CHECK(result[size - 1] == 30);
}

YOKE_DEVICE_TEST_CASE("what a graph keeps ends with the last of graph, nodes and executables", "[graph]") {
  graph_rig on(device);
  bool gone = false;
  {
    std::optional<backend::kernel<void(int*, int)>> multiply;
    yoke::graph_node<port> node;
    std::optional<yoke::graph_executable<port>> executable;
    {
      parts with(on.context);
      yoke::graph graph{on.context};
      CHECK(graph.keep(witness(gone)).gone == &gone);
      auto record = graph.record();
      node = with.multiply(record, shape, with.x, 1);
      executable.emplace(graph.instantiate());
    }
    executable.reset();
    CHECK_FALSE(gone);
    CHECK(node.native_handle() != typename port::node_handle{});
  }
  CHECK(gone);
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("a launch on its way keeps what it uses when its executable ends", "[graph]") {
  graph_rig on(device);
  const int* result = nullptr;
  bool gone = false;
  std::optional<yoke::graph_executable<port>> executable;
  {
    const auto graph = graph_of_kept_things(on.context, result);
    (void)graph.keep(witness(gone));
    executable.emplace(graph.instantiate());
  }
  executable->launch(on.stream);
  on.stream.synchronize();
  CHECK(result[0] == 25);
  {
    gate held{on.stream};
    executable->launch(on.stream);
    executable.reset();
    CHECK_FALSE(gone);
    CHECK(result[0] == 25);
  }
  on.stream.synchronize();
  on.settle();
  CHECK(gone);
  CHECK(soon([&] { return on.live().empty(); }));
}

YOKE_DEVICE_TEST_CASE("a changed node keeps its memory, and lets go of the memory before", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto node = yoke::enqueue_copy(with.x, with.host, record);
  auto executable = graph.instantiate();
  yoke::fill(with.x, 6, on.stream);
  executable.launch(on.stream);
  on.stream.synchronize();
  // A page-locked block, and on OpenCL the command's own reference to the memory on the other side.
  const std::size_t expected = on.alive() + Backend::pagelocked_objects + (Backend::counts_references ? 1 : 0);
  const int* result = nullptr;
  for (int value = 1; value < 4; ++value) {
    backend::pagelocked_array<int> other{on.context, size};
    result = other.data();
    node.set(executable, with.x, other);
    yoke::fill(with.x, value, on.stream);
    executable.launch(on.stream);
    on.stream.synchronize();
    on.settle();
    CHECK(soon([&] { return on.alive() == expected; }));
  }
  CHECK(result[0] == 3);
  const auto moved = std::move(executable);
  CHECK_FALSE(executable);
  executable = {};
  CHECK(moved);
}
