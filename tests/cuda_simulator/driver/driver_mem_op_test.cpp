// SPDX-License-Identifier: MIT
// Operations on words of memory in the simulated driver: what it refuses, and what it does in turn.
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>
#include <vector>

using namespace yoke_test;
using type = cuda_abi::mem_op_type;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;

cuda_abi::mem_op_params operation(type what, cuda_abi::device_pointer at, std::uint64_t value = 0, unsigned flags = 0) {
  return {what, 0, at, value, flags, 0, 0};
}
cuda_abi::status run(std::vector<cuda_abi::mem_op_params> operations, unsigned flags = 0) {
  return driver().stream_batch_mem_op(nullptr, static_cast<unsigned>(operations.size()), operations.data(), flags);
}

}  // namespace

TEST_CASE("the driver refuses memory operations that no device has") {
  const primary_context context;
  const test_memory allocated{64};
  const cuda_abi::device_pointer memory = allocated;
  CHECK(run({}) == invalid);
  CHECK(run({operation(type::write_value_32, memory)}, 1) == invalid);
  CHECK(run({operation(type{0}, memory)}) == invalid);
  CHECK(run({operation(type{7}, memory)}) == invalid);
  CHECK(run({operation(type::flush_remote_writes, 0)}) == cuda_abi::error_not_supported);
  CHECK(run({operation(type::write_value_32, memory + 2)}) == invalid);
  CHECK(run({operation(type::write_value_64, memory + 4)}) == invalid);
  CHECK(run({operation(type::write_value_32, 0)}) == invalid);
  CHECK(run({operation(type::write_value_32, memory + 64)}) == invalid);
  CHECK(run({operation(type::write_value_32, memory, 1, 1)}) == invalid);
  CHECK(run({operation(type::wait_value_32, memory, 1, 4)}) == invalid);
  CHECK(run(std::vector(256, operation(type::write_value_32, memory))) == invalid);
  CHECK(run(std::vector(255, operation(type::write_value_32, memory, 5))) == cuda_abi::success);
  unsigned value = 0;
  ok(driver().memcpy_dtoh(&value, memory, sizeof value));
  CHECK(value == 5);
}

TEST_CASE("another stream ends a wait") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{16};
  ok(driver().memset_d32(memory, 0, 4));
  auto wait = operation(type::wait_value_32, memory, 1, 1);
  ok(driver().stream_batch_mem_op(stream, 1, &wait, 0));
  CHECK(driver().stream_query(stream) == cuda_abi::error_not_ready);
  auto write = operation(type::write_value_32, memory, 1);
  const test_stream other;
  ok(driver().stream_batch_mem_op(other, 1, &write, 0));
  ok(driver().stream_synchronize(stream));
}

TEST_CASE("an update changes addresses and values of memory operations, not their number or types") {
  const primary_context context;
  const test_memory memory{16};
  const test_stream stream;
  const auto graph_of = [&](std::vector<cuda_abi::mem_op_params> operations) {
    cuda_abi::graph graph = nullptr;
    ok(driver().graph_create(&graph, 0));
    const cuda_abi::mem_op_node_params params{context.handle, static_cast<unsigned>(operations.size()),
                                              operations.data(), 0};
    cuda_abi::graph_node node = nullptr;
    ok(driver().graph_add_batch_mem_op_node(&node, graph, nullptr, 0, &params));
    return graph;
  };
  const auto write = operation(type::write_value_32, memory, 7);
  const cuda_abi::graph graphs[]{graph_of({write}), graph_of({operation(type::write_value_32, memory + 4, 8)}),
                                 graph_of({write, write}), graph_of({operation(type::wait_value_32, memory, 8)})};
  cuda_abi::graph_exec executable = nullptr;
  ok(driver().graph_instantiate(&executable, graphs[0], 0));
  cuda_abi::graph_update_info told{};
  ok(driver().graph_exec_update(executable, graphs[1], &told));
  for (const std::size_t other : {2U, 3U}) {
    CHECK(driver().graph_exec_update(executable, graphs[other], &told) == cuda_abi::error_graph_exec_update_failure);
    CHECK(told.result == cuda_abi::graph_update_result::parameters_changed);
  }
  ok(driver().graph_launch(executable, stream));
  ok(driver().stream_synchronize(stream));
  unsigned value = 0;
  ok(driver().memcpy_dtoh(&value, memory + 4, sizeof value));
  CHECK(value == 8);
  driver().graph_exec_destroy(executable);
  for (const cuda_abi::graph each : graphs) driver().graph_destroy(each);
}

TEST_CASE("a context that breaks ends a wait, and nothing behind it runs") {
  if (is_child("a context that breaks ends a wait, and nothing behind it runs")) {
    const primary_context context;
    const test_pagelocked<unsigned> words{2};
    words[0] = words[1] = 0;
    const auto at = [&](std::size_t i) { return reinterpret_cast<cuda_abi::device_pointer>(&words[i]); };
    const test_stream stream;
    std::vector<cuda_abi::mem_op_params> operations{operation(type::wait_value_32, at(0), 1, 1),
                                                    operation(type::write_value_32, at(1), 1)};
    ok(driver().stream_batch_mem_op(stream, 2, operations.data(), 0));
    const test_library library{R"(extern "C" __global__ void trap() { __trap(); })"};
    const test_stream other{cuda_abi::stream_non_blocking};
    ok(driver().launch_kernel(library.function("trap"), 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr));
    CHECK(driver().stream_synchronize(other) == cuda_abi::error_launch_failed);
    CHECK(driver().context_synchronize() == cuda_abi::error_launch_failed);
    CHECK(words[1] == 0);
    return;
  }
  const child_result child = run_child("a context that breaks ends a wait, and nothing behind it runs", {});
  INFO(child.output);
  CHECK(child.status == 0);
}
