// SPDX-License-Identifier: MIT
// Conditional nodes in the simulated driver: which body runs, what is refused, and what ends with a node.
#include <cuda_simulator/driver.hpp>
#include <utility>

using namespace yoke_test;
using condition = cuda_abi::condition_type;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;

struct condition_graph {
  condition_graph() { ok(driver().graph_create(&handle, 0)); }
  ~condition_graph() { driver().graph_destroy(handle); }
  condition_graph(const condition_graph&) = delete;
  condition_graph& operator=(const condition_graph&) = delete;
  operator cuda_abi::graph() const { return handle; }

  cuda_abi::graph handle = nullptr;
};

std::uint64_t make_condition(cuda_abi::graph of, cuda_abi::context in, unsigned initial,
                             unsigned flags = cuda_abi::graph_condition_default) {
  std::uint64_t made = 0;
  ok(driver().graph_condition_create(&made, of, in, initial, flags));
  return made;
}

cuda_abi::graph_node_params params_of(std::uint64_t number, condition type, unsigned size, cuda_abi::context in) {
  cuda_abi::graph_node_params params{};
  params.type = cuda_abi::graph_node_type::conditional;
  params.condition = {number, type, size, nullptr, in};
  return params;
}
cuda_abi::status add(cuda_abi::graph_node& node, cuda_abi::graph to, cuda_abi::graph_node_params& params) {
  return driver().graph_add_node(&node, to, nullptr, nullptr, 0, &params);
}

cuda_abi::status add_set(cuda_abi::graph to, cuda_abi::context in, cuda_abi::device_pointer at, unsigned value) {
  const cuda_abi::memset_node_params params{at, 0, value, 4, 1, 1};
  cuda_abi::graph_node node = nullptr;
  return driver().graph_add_memset_node(&node, to, nullptr, 0, &params, in);
}

/// Returns: what the bodies of a node leave in memory that was 0: the number of the body that ran, counted from 1.
unsigned ran(cuda_abi::context in, condition type, unsigned size, unsigned initial) {
  const test_stream stream;
  const test_memory memory{16};
  const condition_graph graph;
  auto params = params_of(make_condition(graph, in, initial), type, size, in);
  cuda_abi::graph_node node = nullptr;
  ok(add(node, graph, params));
  for (unsigned each = 0; each < size; ++each) ok(add_set(params.condition.bodies[each], in, memory, each + 1));
  cuda_abi::graph_exec executable = nullptr;
  ok(driver().graph_instantiate(&executable, graph, 0));
  unsigned value = 0;
  ok(driver().memcpy_htod(memory, &value, sizeof value));
  ok(driver().graph_launch(executable, stream));
  ok(driver().stream_synchronize(stream));
  ok(driver().memcpy_dtoh(&value, memory, sizeof value));
  ok(driver().graph_exec_destroy(executable));
  return value;
}

}  // namespace

TEST_CASE("a conditional node runs the body that its condition names") {
  const primary_context context;
  CHECK(ran(context.handle, condition::if_, 1, 0) == 0);
  CHECK(ran(context.handle, condition::if_, 1, 7) == 1);
  CHECK(ran(context.handle, condition::if_, 2, 0) == 2);
  CHECK(ran(context.handle, condition::if_, 2, 1) == 1);
  CHECK(ran(context.handle, condition::while_, 1, 0) == 0);
  CHECK(ran(context.handle, condition::switch_, 3, 0) == 1);
  CHECK(ran(context.handle, condition::switch_, 3, 2) == 3);
  CHECK(ran(context.handle, condition::switch_, 3, 3) == 0);
}

TEST_CASE("conditional nodes that cannot be are refused") {
  const primary_context context;
  const condition_graph graph;
  const std::uint64_t number = make_condition(graph, context.handle, 0, 0);
  cuda_abi::graph_node node = nullptr;
  const auto refused = [&](cuda_abi::graph_node_params params) { return add(node, graph, params); };
  CHECK(refused(params_of(number + 1, condition::if_, 1, context.handle)) == invalid);
  CHECK(refused(params_of(number, condition::if_, 0, context.handle)) == invalid);
  CHECK(refused(params_of(number, condition::if_, 3, context.handle)) == invalid);
  CHECK(refused(params_of(number, condition::while_, 2, context.handle)) == invalid);
  CHECK(refused(params_of(number, static_cast<condition>(3), 1, context.handle)) == invalid);
  cuda_abi::graph_node_params other = params_of(number, condition::if_, 1, context.handle);
  other.type = cuda_abi::graph_node_type::host;
  CHECK(refused(other) == cuda_abi::error_not_supported);
  std::uint64_t made = 0;
  CHECK(driver().graph_condition_create(&made, graph, context.handle, 0, 2) == invalid);
  CHECK(driver().graph_condition_create(nullptr, graph, context.handle, 0, 0) == invalid);
  cuda_abi::graph_exec executable = nullptr;
  CHECK(driver().graph_instantiate(&executable, graph, 0) == invalid);  // no node uses the condition
  CHECK(refused(params_of(number, condition::if_, 1, context.handle)) == cuda_abi::success);
  CHECK(refused(params_of(number, condition::if_, 1, context.handle)) == invalid);
}

TEST_CASE("a graph with conditional nodes has one executable, and is no child; its bodies are the driver's") {
  const primary_context context;
  const test_memory memory{16};
  const condition_graph graph;
  auto params = params_of(make_condition(graph, context.handle, 1), condition::if_, 1, context.handle);
  cuda_abi::graph_node node = nullptr;
  ok(add(node, graph, params));
  cuda_abi::graph_node_type type{};
  ok(driver().graph_node_get_type(node, &type));
  CHECK(type == cuda_abi::graph_node_type::conditional);
  const cuda_abi::graph body = params.condition.bodies[0];
  const cuda_abi::host_node_params host{[](void*) {}, nullptr};
  cuda_abi::graph_node within = nullptr;
  CHECK(driver().graph_add_host_node(&within, body, nullptr, 0, &host) == invalid);
  {
    const condition_graph child;
    CHECK(driver().graph_add_host_node(&within, child, nullptr, 0, &host) == cuda_abi::success);
    CHECK(driver().graph_add_child_node(&within, body, nullptr, 0, child) == invalid);
    const cuda_abi::array_descriptor shape{16, 0, 0, cuda_abi::array_format::unsigned_int8, 1, 0};
    cuda_abi::array array = nullptr;
    ok(driver().array_create(&array, &shape));
    cuda_abi::copy_3d copy{};
    copy.source_type = cuda_abi::memory_type::device;
    copy.source_device = memory;
    copy.destination_type = cuda_abi::memory_type::array;
    copy.destination_array = array;
    copy.width_bytes = 16;
    copy.height = copy.depth = 1;
    CHECK(driver().graph_add_memcpy_node(&within, body, nullptr, 0, &copy, context.handle) == invalid);
    CHECK(driver().graph_add_memcpy_node(&within, child, nullptr, 0, &copy, context.handle) == cuda_abi::success);
    ok(driver().array_destroy(array));
  }
  CHECK(driver().graph_destroy(body) == invalid);
  cuda_abi::graph_exec first = nullptr, second = nullptr;
  CHECK(driver().graph_instantiate(&first, body, 0) == invalid);
  const condition_graph outer;
  CHECK(driver().graph_add_child_node(&within, outer, nullptr, 0, graph) == invalid);
  ok(driver().graph_instantiate(&first, graph, 0));
  CHECK(driver().graph_instantiate(&second, graph, 0) == invalid);
  ok(driver().graph_exec_destroy(first));
  ok(driver().graph_instantiate(&second, graph, 0));
  ok(driver().graph_exec_destroy(second));
  ok(driver().graph_destroy_node(node));
  CHECK(add_set(body, context.handle, memory, 1) == invalid);
}

TEST_CASE("an update changes bodies, but no condition, and no kind of a conditional node") {
  const primary_context context;
  const test_memory memory{16};
  const condition_graph graph, other, choice;
  const auto fill = [&](cuda_abi::graph to, std::uint64_t number, condition type, unsigned value) {
    auto params = params_of(number, type, 1, context.handle);
    cuda_abi::graph_node node = nullptr;
    ok(add(node, to, params));
    ok(add_set(params.condition.bodies[0], context.handle, memory, value));
  };
  fill(graph, make_condition(graph, context.handle, 1), condition::if_, 5);
  fill(other, make_condition(other, context.handle, 1), condition::if_, 5);
  fill(choice, make_condition(choice, context.handle, 1), condition::switch_, 5);
  cuda_abi::graph_exec executable = nullptr;
  ok(driver().graph_instantiate(&executable, graph, 0));
  cuda_abi::graph_update_info told{};
  CHECK(driver().graph_exec_update(executable, graph, &told) == cuda_abi::success);
  for (const cuda_abi::graph next : {other.handle, choice.handle}) {
    CHECK(driver().graph_exec_update(executable, next, &told) == cuda_abi::error_graph_exec_update_failure);
    CHECK(told.result == cuda_abi::graph_update_result::parameters_changed);
    CHECK(told.node != nullptr);
  }
  ok(driver().graph_exec_destroy(executable));
}
