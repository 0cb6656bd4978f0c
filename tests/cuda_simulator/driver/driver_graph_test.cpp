// SPDX-License-Identifier: MIT
// Graphs in the simulated driver: order, executables, updates, captures, and what is refused.
#include <array>
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;
using type = cuda_abi::graph_node_type;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;

class test_graph {
 public:
  test_graph() { ok(driver().graph_create(&handle, 0)); }
  ~test_graph() { driver().graph_destroy(handle); }
  test_graph(const test_graph&) = delete;
  test_graph& operator=(const test_graph&) = delete;
  operator cuda_abi::graph() const { return handle; }

  cuda_abi::graph handle = nullptr;
};

class test_executable {
 public:
  explicit test_executable(cuda_abi::graph of) { ok(driver().graph_instantiate(&handle, of, 0)); }
  ~test_executable() { driver().graph_exec_destroy(handle); }
  test_executable(const test_executable&) = delete;
  test_executable& operator=(const test_executable&) = delete;
  operator cuda_abi::graph_exec() const { return handle; }

  cuda_abi::graph_exec handle = nullptr;
};

cuda_abi::graph_node add_set(cuda_abi::graph to, cuda_abi::context in, cuda_abi::device_pointer at, unsigned value,
                             std::vector<cuda_abi::graph_node> after = {}) {
  const cuda_abi::memset_node_params params{at, 0, value, 4, 1, 1};
  cuda_abi::graph_node node = nullptr;
  ok(driver().graph_add_memset_node(&node, to, after.data(), after.size(), &params, in));
  return node;
}

cuda_abi::copy_3d row(cuda_abi::device_pointer from, cuda_abi::device_pointer to, std::size_t bytes) {
  cuda_abi::copy_3d copy{};
  copy.source_type = copy.destination_type = cuda_abi::memory_type::device;
  copy.source_device = from;
  copy.destination_device = to;
  copy.width_bytes = bytes;
  copy.height = copy.depth = 1;
  return copy;
}

unsigned value_at(cuda_abi::device_pointer at) {
  unsigned value = 0;
  ok(driver().memcpy_dtoh(&value, at, sizeof value));
  return value;
}

void launch(cuda_abi::graph_exec what, cuda_abi::stream on) {
  ok(driver().graph_launch(what, on));
  ok(driver().stream_synchronize(on));
}

}  // namespace

TEST_CASE("nodes that nothing orders run last one first") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{16};
  const test_graph graph;
  const auto first = add_set(graph, context.handle, memory, 1);
  add_set(graph, context.handle, memory, 2);
  {
    const test_executable executable{graph};
    launch(executable, stream);
    CHECK(value_at(memory) == 1);
  }
  add_set(graph, context.handle, memory, 3, {first});
  const test_executable executable{graph};
  launch(executable, stream);
  CHECK(value_at(memory) == 3);
  std::size_t count = 0;
  CHECK(driver().graph_get_nodes(graph, nullptr, &count) == cuda_abi::success);
  CHECK(count == 3);
  std::array<cuda_abi::graph_node, 4> nodes{}, from{}, to{};
  count = nodes.size();
  CHECK(driver().graph_get_nodes(graph, nodes.data(), &count) == cuda_abi::success);
  CHECK(count == 3);
  CHECK(nodes[0] == first);
  CHECK(nodes[3] == nullptr);
  count = from.size();
  CHECK(driver().graph_get_edges(graph, from.data(), to.data(), &count) == cuda_abi::success);
  CHECK(count == 1);
  CHECK(from[0] == first);
  CHECK(to[0] == nodes[2]);
  count = 1;
  CHECK(driver().graph_node_get_dependencies(nodes[2], from.data() + 1, &count) == cuda_abi::success);
  CHECK(from[1] == first);
  CHECK(driver().graph_destroy_node(first) == cuda_abi::success);
  CHECK(driver().graph_get_edges(graph, nullptr, nullptr, &count) == cuda_abi::success);
  CHECK(count == 0);
  CHECK(driver().graph_destroy_node(first) == invalid);
}

TEST_CASE("graphs, nodes and executables that are none are refused") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{16};
  const test_graph graph, other;
  const auto mine = add_set(graph, context.handle, memory, 1);
  const auto theirs = add_set(other, context.handle, memory, 2);
  cuda_abi::graph_node node = nullptr;
  const cuda_abi::graph_node twice[] = {mine, mine};
  CHECK(driver().graph_add_empty_node(&node, graph, &theirs, 1) == invalid);
  CHECK(driver().graph_add_empty_node(&node, graph, twice, 2) == invalid);
  CHECK(driver().graph_add_empty_node(&node, graph, nullptr, 1) == invalid);
  CHECK(driver().graph_add_empty_node(nullptr, graph, nullptr, 0) == invalid);
  CHECK(driver().graph_add_empty_node(&node, nullptr, nullptr, 0) == invalid);
  CHECK(driver().graph_add_child_node(&node, graph, nullptr, 0, nullptr) == invalid);
  const cuda_abi::host_node_params nothing{nullptr, nullptr};
  CHECK(driver().graph_add_host_node(&node, graph, nullptr, 0, &nothing) == invalid);
  const cuda_abi::memset_node_params wide{memory, 0, 0, 8, 1, 1};
  CHECK(driver().graph_add_memset_node(&node, graph, nullptr, 0, &wide, context.handle) == invalid);
  const cuda_abi::memset_node_params beyond{memory, 0, 0, 4, 5, 1};
  CHECK(driver().graph_add_memset_node(&node, graph, nullptr, 0, &beyond, context.handle) == invalid);
  const auto none = row(memory, memory + 8, 0);
  CHECK(driver().graph_add_memcpy_node(&node, graph, nullptr, 0, &none, context.handle) == invalid);
  const auto good = row(memory, memory + 8, 4);
  CHECK(driver().graph_add_memcpy_node(&node, graph, nullptr, 0, &good, nullptr) == cuda_abi::error_invalid_context);
  const cuda_abi::kernel_node_params empty{};
  CHECK(driver().graph_add_kernel_node(&node, graph, nullptr, 0, &empty) != cuda_abi::success);
  CHECK(driver().graph_instantiate(nullptr, graph, 0) == invalid);
  cuda_abi::graph_exec made = nullptr;
  CHECK(driver().graph_instantiate(&made, nullptr, 0) == invalid);
  CHECK(driver().graph_launch(nullptr, stream) == invalid);
  const test_executable executable{graph};
  CHECK(driver().graph_node_set_enabled(executable, theirs, 0) == invalid);
  CHECK(driver().graph_exec_destroy(nullptr) == invalid);
  CHECK(driver().graph_destroy(nullptr) == invalid);
}

TEST_CASE("executables change within what a driver takes") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{64};
  const test_pagelocked<unsigned> host{4};
  const test_graph graph;
  const auto set = add_set(graph, context.handle, memory, 5);
  cuda_abi::graph_node copy = nullptr, empty = nullptr;
  const auto to_next = row(memory, memory + 4, 4);
  REQUIRE(driver().graph_add_memcpy_node(&copy, graph, &set, 1, &to_next, context.handle) == cuda_abi::success);
  REQUIRE(driver().graph_add_empty_node(&empty, graph, &copy, 1) == cuda_abi::success);
  const test_executable executable{graph};
  const cuda_abi::memset_node_params other{memory + 8, 0, 9, 4, 1, 1};
  CHECK(driver().graph_exec_set_memset_node(executable, set, &other, context.handle) == cuda_abi::success);
  CHECK(driver().graph_exec_set_memset_node(executable, copy, &other, context.handle) == invalid);
  const cuda_abi::memset_node_params wider{memory, 0, 9, 4, 2, 1};
  CHECK(driver().graph_exec_set_memset_node(executable, set, &wider, context.handle) == invalid);
  const auto from_there = row(memory + 8, memory + 12, 4);
  CHECK(driver().graph_exec_set_memcpy_node(executable, copy, &from_there, context.handle) == cuda_abi::success);
  auto to_host = from_there;
  to_host.destination_type = cuda_abi::memory_type::host;
  to_host.destination_host = host.data();
  CHECK(driver().graph_exec_set_memcpy_node(executable, copy, &to_host, context.handle) == invalid);
  auto rows = from_there;
  rows.height = 2;
  rows.source_pitch = rows.destination_pitch = 8;
  CHECK(driver().graph_exec_set_memcpy_node(executable, copy, &rows, context.handle) == invalid);
  CHECK(driver().graph_node_set_enabled(executable, empty, 0) == invalid);
  launch(executable, stream);
  CHECK(value_at(memory + 12) == 9);

  cuda_abi::graph_update_info told{};
  CHECK(driver().graph_exec_update(executable, graph, &told) == cuda_abi::success);
  launch(executable, stream);
  CHECK(value_at(memory + 4) == 5);
  const test_graph shorter;
  add_set(shorter, context.handle, memory, 1);
  CHECK(driver().graph_exec_update(executable, shorter, &told) == cuda_abi::error_graph_exec_update_failure);
  CHECK(told.result == cuda_abi::graph_update_result::topology_changed);
  const test_graph unordered;
  add_set(unordered, context.handle, memory, 1);
  cuda_abi::graph_node node = nullptr;
  REQUIRE(driver().graph_add_memcpy_node(&node, unordered, nullptr, 0, &to_next, context.handle) == cuda_abi::success);
  REQUIRE(driver().graph_add_empty_node(&node, unordered, &node, 1) == cuda_abi::success);
  CHECK(driver().graph_exec_update(executable, unordered, &told) == cuda_abi::error_graph_exec_update_failure);
  CHECK(told.result == cuda_abi::graph_update_result::topology_changed);
  CHECK(told.node != nullptr);
}

TEST_CASE("a graph's node that meets freed memory breaks the context") {
  const std::string name = "a graph's node that meets freed memory breaks the context";
  if (is_child(name)) {
    const primary_context context;
    const test_stream stream;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc(&memory, 16));
    const test_graph graph;
    add_set(graph, context.handle, memory, 1);
    const test_executable executable{graph};
    ok(driver().mem_free(memory));
    CHECK(driver().graph_launch(executable, stream) == cuda_abi::error_illegal_address);
    return;
  }
  const child_result child = run_child(name, {});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK_THAT(child.output, ContainsSubstring("a graph's node uses memory that was freed"));
}

TEST_CASE("captures follow the rules of streams and threads") {
  const primary_context context;
  const test_stream stream, side{cuda_abi::stream_non_blocking};
  const test_memory memory{16};
  cuda_abi::graph graph = nullptr;
  auto status = cuda_abi::capture_status::active;
  const auto begin = [&] { ok(driver().stream_begin_capture(stream, cuda_abi::capture_mode::thread_local_)); };
  CHECK(driver().stream_begin_capture(nullptr, cuda_abi::capture_mode::global) ==
        cuda_abi::error_stream_capture_unsupported);
  CHECK(driver().stream_end_capture(stream, &graph) == cuda_abi::error_illegal_state);
  begin();
  CHECK(driver().stream_begin_capture(stream, cuda_abi::capture_mode::global) == cuda_abi::error_illegal_state);
  CHECK(driver().stream_is_capturing(stream, &status) == cuda_abi::success);
  CHECK(status == cuda_abi::capture_status::active);
  CHECK(driver().memset_d32_async(memory, 7, 1, stream) == cuda_abi::success);
  REQUIRE(driver().stream_end_capture(stream, &graph) == cuda_abi::success);
  std::size_t count = 0;
  ok(driver().graph_get_nodes(graph, nullptr, &count));
  CHECK(count == 1);
  {
    const test_executable executable{graph};
    begin();
    CHECK(driver().graph_launch(executable, stream) == cuda_abi::success);
    cuda_abi::graph outer = nullptr;
    REQUIRE(driver().stream_end_capture(stream, &outer) == cuda_abi::success);
    cuda_abi::graph_node node = nullptr;
    count = 1;
    ok(driver().graph_get_nodes(outer, &node, &count));
    type kind{};
    ok(driver().graph_node_get_type(node, &kind));
    CHECK(kind == type::graph_);
    const test_executable nested{outer};
    launch(nested, stream);
    CHECK(value_at(memory) == 7);
    ok(driver().graph_destroy(outer));
  }
  ok(driver().graph_destroy(graph));

  begin();  // a question invalidates it
  CHECK(driver().stream_query(stream) == cuda_abi::error_stream_capture_unsupported);
  CHECK(driver().stream_is_capturing(stream, &status) == cuda_abi::success);
  CHECK(status == cuda_abi::capture_status::invalidated);
  CHECK(driver().memset_d32_async(memory, 7, 1, stream) == cuda_abi::error_stream_capture_invalidated);
  CHECK(driver().stream_end_capture(stream, &graph) == cuda_abi::error_stream_capture_invalidated);
  CHECK(graph == nullptr);

  begin();  // the legacy stream would wait for it
  CHECK(driver().memset_d32_async(memory, 7, 1, nullptr) == cuda_abi::error_stream_capture_implicit);
  CHECK(driver().stream_end_capture(stream, &graph) == cuda_abi::error_stream_capture_invalidated);

  cuda_abi::event event = nullptr;
  ok(driver().event_create(&event, 0));
  ok(driver().event_record(event, side));
  begin();  // a wait for what is outside
  CHECK(driver().stream_wait_event(stream, event, 0) == cuda_abi::error_stream_capture_isolation);
  CHECK(driver().stream_end_capture(stream, &graph) == cuda_abi::error_stream_capture_invalidated);

  begin();  // a fork that is not joined
  ok(driver().event_record(event, stream));
  CHECK(driver().event_query(event) == cuda_abi::error_captured_event);
  ok(driver().stream_wait_event(side, event, 0));
  CHECK(driver().memset_d32_async(memory, 7, 1, side) == cuda_abi::success);
  CHECK(driver().stream_end_capture(side, &graph) == cuda_abi::error_stream_capture_unmatched);
  CHECK(driver().stream_end_capture(stream, &graph) == cuda_abi::error_stream_capture_unjoined);
  CHECK(driver().stream_wait_event(side, event, 0) == cuda_abi::error_captured_event);
  ok(driver().event_record(event, side));
  CHECK(driver().event_synchronize(event) == cuda_abi::success);
  ok(driver().event_destroy(event));
  CHECK(driver().stream_query(side) == cuda_abi::success);
}
