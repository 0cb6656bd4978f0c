// SPDX-License-Identifier: MIT
// What only CUDA's graphs have: host functions, captures, launch attributes, and what the driver tells.
#include <cuda/cuda_rig.hpp>
#include <graph/graph_rig.hpp>
#include <support/process/temporary_folder.hpp>

#include <atomic>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::graphs;
namespace cu = yoke::cuda;
using type = cu::graph_node_type;

namespace {

/// Orders streams as other code does, which may be in a capture: by calls of the driver alone.
class fork_event {
 public:
  explicit fork_event(const cu::context& in) {
    const auto active = in.activate();
    if (cuda_backend::driver().event_create(&event_, cuda_abi::event_disable_timing) != 0) {
      throw std::runtime_error("an event was refused");
    }
  }
  ~fork_event() { cuda_backend::driver().event_destroy(event_); }
  fork_event(const fork_event&) = delete;
  fork_event& operator=(const fork_event&) = delete;
  void order(const cu::stream& first, const cu::stream& next) const {
    CHECK(cuda_backend::driver().event_record(event_, first.native_handle()) == 0);
    CHECK(cuda_backend::driver().stream_wait_event(next.native_handle(), event_, 0) == 0);
  }

 private:
  cuda_abi::event event_ = nullptr;
};

}  // namespace

YOKE_CUDA_TEST_CASE("a graph calls host functions, and keeps them", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  std::atomic<int> calls{0};
  const auto token = std::make_shared<int>(0);
  std::optional<cu::graph_executable> executable;
  {
    cu::graph graph{on.context};
    auto record = graph.record();
    yoke::enqueue_copy(with.x, with.host, record);
    const auto called = record.call([&calls, token, data = with.host.data()] { calls += data[3]; });
    with.multiply(record, shape, with.x, 2);
    CHECK(cu::type_of(called) == type::host);
    executable.emplace(graph.instantiate());
    refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { executable->disable(called); });
  }
  yoke::fill(with.x, 5, on.stream);
  executable->launch(on.stream);
  executable->launch(on.stream);
  on.stream.synchronize();
  CHECK(calls == 15);
  CHECK(token.use_count() == 2);
  executable.reset();
  on.settle();
  CHECK(soon([&] { return token.use_count() == 1; }));
}

YOKE_CUDA_TEST_CASE("exceptions of a graph's host functions go to the cleanup handler", "[graph]") {
  const cleanup_recorder recorder;
  graph_rig on(device);
  cu::graph graph{on.context};
  auto record = graph.record();
  record.call([] { throw std::runtime_error("no luck"); });
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  on.stream.synchronize();
  const auto failures = cleanup_recorder::take();
  REQUIRE(failures.size() == 1);
  CHECK_THAT(failures.front().message, ContainsSubstring("no luck"));
}

YOKE_CUDA_TEST_CASE("executables are launched in default streams, which end before them", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  cu::graph graph{on.context}, other{on.context};
  auto record = graph.record();
  with.add(record, shape, with.x, with.x, 1);
  auto next = other.record();
  with.multiply(next, shape, with.x, 3);
  next.mark();
  auto executable = graph.instantiate();
  yoke::fill(with.x, 0, on.stream);
  on.stream.synchronize();
  {
    const auto legacy = cu::legacy_stream(on.context);
    executable.launch(legacy);
    executable.launch(legacy);
  }
  CHECK_FALSE(executable.update(other).in_place);
  executable.launch(on.stream);
  CHECK(download(with.x, on.stream) == all(6));
  {
    const auto own = cu::per_thread_stream(on.context);
    executable.launch(own);
    own.synchronize();
  }
  executable.reset();
  CHECK(download(with.x, on.stream) == all(18));
}

YOKE_CUDA_TEST_CASE("the driver tells of nodes, edges and kinds, and draws the graph", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  cu::graph inner{on.context};
  auto inside = inner.record();
  inside.mark();
  cu::graph graph{on.context};
  auto record = graph.record();
  CHECK(cu::type_of(yoke::fill(with.x, 3, record)) == type::memset);
  auto line = record.fork();
  CHECK(cu::type_of(with.multiply(record, shape, with.x, 2)) == type::kernel_);
  CHECK(cu::type_of(yoke::enqueue_copy(with.x, with.y, line)) == type::memcpy);
  record.join(line);
  CHECK(cu::type_of(record.mark()) == type::empty);
  CHECK(cu::type_of(record.add(inner)) == type::graph_);
  CHECK(cu::node_count(graph) == 5);
  CHECK(cu::edge_count(graph) == 5);
  // Three words that differ, and the node that joins them.
  cu::device_allocation<std::array<int, 3>> triples{on.context, 4};
  const auto wide = yoke::fill(triples, {1, 2, 3}, record);
  CHECK(cu::type_of(wide) == type::empty);
  CHECK(cu::node_count(graph) == 9);
  CHECK(cu::edge_count(graph) == 11);
  CHECK(graph.node_count() == 6);
  auto executable = graph.instantiate();
  refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { executable.disable(wide); });
  refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { wide.set(executable, triples, {4, 4, 4}); });
  executable.launch(on.stream);
  CHECK(download(triples, on.stream) == std::vector<std::array<int, 3>>(4, {1, 2, 3}));

  const temporary_folder folder;
  const std::string path = (folder.path() / "graph.dot").string();
  cu::write_dot(graph, path);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CHECK_THAT(text, StartsWith("digraph"));
  CHECK_THAT(text, ContainsSubstring("multiply") && ContainsSubstring("->"));
  CHECK_THROWS_AS(cu::write_dot(graph, (folder.path() / "none" / "graph.dot").string()), yoke::error);
}

YOKE_CUDA_TEST_CASE("a fill that fails halfway leaves no node with the driver", "[graph]") {
  graph_rig on(device);
  cu::device_allocation<std::array<int, 3>> triples{on.context, 4};
  cu::graph graph{on.context};
  auto record = graph.record();
  const auto first = record.mark();
  const yoke::box_layout box{.width = 1, .height = 2, .row_pitch = 2};
  for (std::size_t call = 1; call <= 6; ++call) {
    on.driver.fail_function("graph_add_memset_node", call, fault_mode::once, 2);
    refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
      yoke::fill(yoke::strided(triples, box), {1, 2, 3}, record);
    });
    CHECK(cu::node_count(graph) == 1);
  }
  on.driver.fail_function("graph_add_empty_node", 3, fault_mode::once, 2);
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    yoke::fill(yoke::strided(triples, box), {1, 2, 3}, record);
  });
  CHECK(cu::node_count(graph) == 1);
  CHECK(graph.record().after({first}).mark());
}

YOKE_CUDA_TEST_CASE("an executable keeps what it runs when a node is not enabled behind an update", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const auto token = std::make_shared<int>(0);
  std::optional<cu::graph_executable> executable;
  yoke::graph_node<cu::port> left_out;
  const auto record_with = [&](const cu::graph& graph, int value) {
    auto& x = graph.keep(cu::device_allocation<int>{on.context, size});
    auto record = graph.record();
    yoke::fill(x, value, record);
    const auto node = with.multiply(record, shape, x, 4);
    yoke::enqueue_copy(x, with.host, record);
    return node;
  };
  {
    cu::graph first{on.context}, second{on.context};
    const auto disabled = record_with(first, 1);
    left_out = record_with(second, 3);
    (void)second.keep(std::shared_ptr<int>(token));
    executable.emplace(first.instantiate());
    executable->disable(disabled);
    on.driver.fail_function("graph_node_set_enabled", 1, fault_mode::once, 2);
    refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { (void)executable->update(second); });
    on.driver.disarm();
    left_out = {};
  }
  CHECK(token.use_count() == 2);
  executable->launch(on.stream);
  on.stream.synchronize();
  CHECK(with.host[0] == 3);
  CHECK(with.host[size - 1] == 3);
  // What takes its place lets go of it.
  {
    cu::graph third{on.context};
    left_out = record_with(third, 5);
    CHECK(executable->update(third).in_place);
  }
  CHECK(executable->is_enabled(left_out));
  on.stream.synchronize();
  on.settle();
  CHECK(soon([&] { return token.use_count() == 1; }));
  executable->launch(on.stream);
  on.stream.synchronize();
  CHECK(with.host[7] == 20);
}

YOKE_CUDA_TEST_CASE("recorded launches have dynamic memory and attributes", "[graph]") {
  graph_rig on(device);
  const auto module = cu::compile(on.context, R"(
extern "C" __global__ void reverse(int* data) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}
)");
  const auto reverse = module.get_kernel<void(int*)>("reverse");
  auto x = yoke::to_device(counting(64), on.stream);
  cu::graph graph{on.context};
  auto record = graph.record();
  cu::launch_shape wide{.grid = 1, .block = 64, .local_bytes = 60 * 1024};
  const auto node = reverse(record, wide, x);
  wide.cooperative = true;
  wide.priority = 0;
  wide.local_bytes = 256;
  reverse(record, wide, x);
  wide.cooperative = false;
  reverse(record, wide, x);
  auto exec = graph.instantiate();
  exec.launch(on.stream);
  auto expected = counting(64);
  std::reverse(expected.begin(), expected.end());
  CHECK(download(x, on.stream) == expected);
  node.set(exec, {.grid = 1, .block = 32, .local_bytes = 62 * 1024}, x);
  exec.launch(on.stream);
  std::reverse(expected.begin(), expected.begin() + 32);
  CHECK(download(x, on.stream) == expected);

  wide.local_bytes = std::size_t{1} << 24;
  const auto said = refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { reverse(record, wide, x); });
  CHECK_THAT(said, ContainsSubstring("local memory of 16777216 bytes"));
  wide.local_bytes = 0;
  wide.cluster = {3, 1, 1};
  wide.grid = 4;
  const auto cluster = refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { reverse(record, wide, x); });
  CHECK_THAT(cluster, ContainsSubstring("cluster {3, 1, 1}"));
  CHECK(graph.node_count() == 3);
  CHECK(cu::node_count(graph) == 3);
}

YOKE_CUDA_TEST_CASE("recorded launches that the driver refuses leave no node", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  cu::graph graph{on.context};
  auto record = graph.record();
  const auto refused = [&](const cu::launch_shape& wish) {
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { with.multiply(record, wish, with.x, 2); });
  };
  CHECK_THAT(refused({.grid = 4, .block = 16, .cluster = {2, 0, 1}}), ContainsSubstring("cluster {2, 0, 1}"));
  CHECK_THAT(refused({.grid = std::size_t{1} << 31, .block = 16}), ContainsSubstring("2147483648"));
  CHECK_THAT(refused({.grid = {4, std::size_t{1} << 33}, .block = 16}), ContainsSubstring("8589934592"));
  // An attribute that is refused once the node is there takes the node away.
  for (const int code : {1, 801}) {
    on.driver.fail_function("graph_kernel_node_set_attribute", 1, fault_mode::once, code);
    try {
      with.multiply(record, {.grid = 4, .block = 16, .priority = 0}, with.x, 2);
      FAIL_CHECK("the attribute was refused");
    } catch (const yoke::error& e) {
      CHECK(e.call() == std::string_view("cuGraphKernelNodeSetAttribute"));
    }
    on.driver.disarm();
  }
  CHECK(graph.node_count() == 0);
  CHECK(cu::node_count(graph) == 0);
  if (!cu::get(device, cu::info::cluster_launch)) return;
  with.multiply(record, {.grid = 4, .block = 16, .cluster = 2}, with.x, 2);
  yoke::fill(with.x, 3, on.stream);
  CHECK(launched(graph.instantiate(), with.x, on.stream) == all(6));
}

YOKE_CUDA_TEST_CASE("an update that the driver cannot follow says why", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::fill(with.x, 1, on.stream);
  yoke::fill(with.y, 2, on.stream);
  on.stream.synchronize();
  const auto graph_of = [&](auto add) {
    cu::graph graph{on.context};
    auto record = graph.record();
    add(record);
    return graph;
  };
  const auto filled = graph_of([&](auto& record) { yoke::fill(with.x, 7, record); });
  const auto shorter = graph_of([&](auto& record) { yoke::fill(with.x.subspan(0, 9), 8, record); });
  const auto copied = graph_of([&](auto& record) { yoke::enqueue_copy(with.y, with.x, record); });
  const auto read = graph_of([&](auto& record) { yoke::enqueue_copy(with.y, with.host, record); });
  const auto plain = graph_of([&](auto& record) { with.multiply(record, shape, with.x, 3); });
  const auto together =
      graph_of([&](auto& record) { with.multiply(record, {.grid = 4, .block = 16, .cooperative = true}, with.x, 5); });
  const auto called = graph_of([&](auto& record) { record.call([] {}); });
  const auto reason = [&](const cu::graph& from, const cu::graph& to) {
    const auto executable = from.instantiate();
    const yoke::graph_update done = executable.update(to);
    CHECK(done.in_place == done.reason.empty());
    executable.launch(on.stream);
    on.stream.synchronize();
    return done.reason;
  };
  const auto of_one = graph_of([&](auto& record) { record.add(filled); });
  const auto of_two = graph_of([&](auto& record) {
    record.add(graph_of([&](auto& inner) {
      yoke::fill(with.x, 5, inner);
      yoke::enqueue_copy(with.x, with.y, inner);
    }));
  });
  CHECK(reason(of_one, of_two) == "the graphs have other nodes or dependencies");
  CHECK(download(with.y, on.stream) == all(5));
  yoke::fill(with.y, 2, on.stream);
  CHECK(reason(filled, copied) == "a node is of another kind");
  CHECK(reason(copied, called) == "a node is of another kind");
  CHECK(download(with.x, on.stream) == all(2));
  // A driver may follow these; if it does not, it says so.
  CHECK_THAT(reason(filled, shorter),
             Catch::Matchers::StartsWith("parameters of a node changed") || Catch::Matchers::Equals(""));
  CHECK_THAT(reason(copied, read),
             Catch::Matchers::StartsWith("parameters of a node changed") || Catch::Matchers::Equals(""));
  auto expected = all(2);
  std::fill_n(expected.begin(), 9, 8);
  CHECK(download(with.x, on.stream) == expected);
  CHECK(with.host[size - 1] == 2);
  CHECK_THAT(reason(plain, together),
             Catch::Matchers::StartsWith("attributes of a launch changed") || Catch::Matchers::Equals(""));
  for (int& each : expected) each *= 5;
  CHECK(download(with.x, on.stream) == expected);
}

YOKE_CUDA_TEST_CASE("each of the driver's reasons against an update has words, and the executable is made anew",
                    "[graph]") {
  using result = cuda_abi::graph_update_result;
  static result told{};
  auto table = cuda_backend::driver();
  table.graph_exec_update = [](cuda_abi::graph_exec, cuda_abi::graph, cuda_abi::graph_update_info* info) {
    info->result = told;
    return cuda_abi::error_graph_exec_update_failure;
  };
  const cu::context context{cu::device::borrow(cu::port{&table}, device.native_handle())};
  const cu::stream stream{context};
  cu::device_allocation<int> x{context, size};
  cu::graph first{context}, second{context};
  auto record = first.record();
  yoke::fill(x, 0, record);
  auto next_record = second.record();
  yoke::fill(x, 1, next_record);
  const std::pair<result, const char*> reasons[]{
      {result::error, "the driver gives no reason"},
      {result::topology_changed, "the graphs have other nodes or dependencies"},
      {result::node_type_changed, "a node is of another kind"},
      {result::function_changed, "a node launches another kernel"},
      {result::parameters_changed, "parameters of a node changed in a way that the driver cannot follow"},
      {result::not_supported, "the driver updates no such node"},
      {result::unsupported_function_change, "a node launches a kernel that needs more of the executable"},
      {result::attributes_changed, "attributes of a launch changed in a way that the driver cannot follow"}};
  for (const auto& [why, words] : reasons) {
    INFO(words);
    told = why;
    const auto executable = first.instantiate();
    CHECK(launched(executable, x, stream) == all(0));
    const yoke::graph_update done = executable.update(second);
    CHECK_FALSE(done.in_place);
    CHECK(done.reason == words);
    CHECK(launched(executable, x, stream) == all(1));
  }
  settle(stream);  // what launches kept may keep the context, which uses the table
}

YOKE_CUDA_TEST_CASE("a capture makes a graph of what other code enqueues", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const cu::stream side{on.context};
  const fork_event there(on.context), back(on.context);
  cu::device_allocation<int> other{on.context, size};
  yoke::fill(with.x, 1, on.stream);
  on.stream.synchronize();
  const auto captured = yoke::capture(on.stream, [&] {
    with.multiply(on.stream, shape, with.x, 3);
    there.order(on.stream, side);
    yoke::enqueue_copy(with.x, with.y, side);
    with.add(on.stream, shape, other, with.x, 1);
    back.order(side, on.stream);
    yoke::enqueue_copy(other, with.host, on.stream);
  });
  CHECK(download(with.x, on.stream) == all(1));  // nothing has run
  CHECK(cu::node_count(captured) == 4);
  CHECK(cu::edge_count(captured) == 4);

  cu::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(with.x, 5, record);
  record.add(captured);
  with.multiply(record, shape, with.x, 2);
  const auto executable = graph.instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(30));
  CHECK(download(with.y, on.stream) == all(15));
  CHECK(with.host[0] == 16);

  // Captured again with other arguments, an executable follows.
  const auto one = [&](int factor) {
    return yoke::capture(on.stream, [&] { with.multiply(on.stream, shape, with.x, factor); });
  };
  const auto exec = one(2).instantiate();
  CHECK(launched(exec, with.x, on.stream) == all(60));
  CHECK(exec.update(one(3)).in_place);
  CHECK(launched(exec, with.x, on.stream) == all(180));
  const auto refused = exec.update(captured);
  CHECK_FALSE(refused.in_place);
  CHECK(refused.reason == "the graphs have other nodes or dependencies");
}

YOKE_CUDA_TEST_CASE("a capture ends, and the stream works on, whatever happens in it", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const cu::stream side{on.context};
  const fork_event there(on.context);
  yoke::fill(with.x, 1, on.stream);
  const auto check_works = [&] {
    with.multiply(on.stream, shape, with.x, 2);
    on.stream.synchronize();
  };
  CHECK_THROWS_AS(yoke::capture(on.stream,
                                [&] {
                                  with.multiply(on.stream, shape, with.x, 2);
                                  throw std::runtime_error("stop");
                                }),
                  std::runtime_error);
  check_works();
  refusal<yoke::logic_error>(yoke::errc::unsupported,
                             [&] { (void)yoke::capture(on.stream, [&] { on.stream.synchronize(); }); });
  check_works();
  // The function hides the failure: the end tells it.
  CHECK_THROWS_AS(yoke::capture(on.stream,
                                [&] {
                                  try {
                                    on.stream.synchronize();
                                  } catch (const yoke::error&) {
                                  }
                                }),
                  yoke::error);
  check_works();
  // A fork that does not come back.
  CHECK_THROWS_AS(yoke::capture(on.stream,
                                [&] {
                                  with.multiply(on.stream, shape, with.x, 2);
                                  there.order(on.stream, side);
                                  yoke::fill(with.y, 1, side);
                                }),
                  yoke::error);
  check_works();
  yoke::fill(with.y, 1, side);
  side.synchronize();
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::capture(cu::stream(), [] {}); });
  CHECK(download(with.x, on.stream) == all(16));
}

YOKE_CUDA_TEST_CASE("kernels set conditions of a graph themselves", "[graph][conditions]") {
  graph_rig on(device);
  if (on.driver.table()->graph_add_node == nullptr) YOKE_SKIP("this driver has no such conditional nodes");
  const auto module = yoke::compile(on.context, R"(
extern "C" __device__ __cudart_builtin__ void cudaGraphSetConditional(unsigned long long condition, unsigned int value);
extern "C" __global__ void step(unsigned long long condition, int* left) {
  *left -= 1;
  cudaGraphSetConditional(condition, *left > 0 ? 1 : 0);
})",
                                    {.portable = false});
  const auto step = module.get_kernel<void(std::uint64_t, int*)>("step");
  cu::device_allocation<int> left{on.context, 1}, times{on.context, size};
  parts with(on.context);
  cu::graph graph{on.context};
  auto record = graph.record();
  const cu::graph_condition none;
  CHECK_FALSE(none);
  const cu::graph_condition condition{record, 1};
  CHECK(condition.native_handle() != 0);
  yoke::fill(left, 5, record);
  yoke::fill(times, 0, record);
  const auto loop = record.repeat_while(condition, [&](auto& line) {
    step(line, {.grid = 1, .block = 1}, condition.native_handle(), left);
    with.add(line, shape, times, times, 1);
    const cu::graph_condition inner{line};  // 0 at first: its body does not run
    line.when(inner, [&](auto& body) { yoke::fill(times, 100, body); });
  });
  CHECK(cu::type_of(loop) == type::conditional);
  const auto executable = graph.instantiate();
  for (int again = 0; again < 2; ++again) CHECK(launched(executable, times, on.stream) == all(5));
  temporary_folder folder;
  const std::string path = (folder.path() / "graph.dot").string();
  cu::write_dot(graph, path);
  CHECK(std::ifstream(path).good());
  const cu::graph_recorder gone;
  CHECK_THROWS_WITH(cu::graph_condition(gone), Catch::Matchers::ContainsSubstring("this graph recorder is empty"));
}

YOKE_CUDA_TEST_CASE("conditional nodes that a driver lacks are refused by name", "[graph][conditions]") {
  const auto nothing = [](auto&) {};
  {
    cuda_rig on(device, 12020);
    cu::device_allocation<int> value{on.context, 1};
    cu::graph graph{on.context};
    auto record = graph.record();
    const auto cause = Catch::Matchers::ContainsSubstring("conditional nodes need a CUDA driver 12.3");
    CHECK_THROWS_WITH(record.when(value, nothing), cause);
    CHECK_THROWS_WITH(cu::graph_condition(record), cause);
    CHECK_THROWS_AS(record.repeat_while(value, nothing), yoke::unsupported_error);
    CHECK(graph.node_count() == 0);
  }
  cuda_abi::functions table = *device.port().table();
  if (table.graph_add_node == nullptr) YOKE_SKIP("this driver has no such conditional nodes");
  table.driver_get_version = [](int* version) -> cuda_abi::status {
    *version = 12040;
    return 0;
  };
  const cu::context in{through_table(&table, device)};
  cu::device_allocation<int> value{in, 1};
  cu::graph graph{in};
  auto record = graph.record();
  CHECK_THROWS_WITH(
      record.choose(value, nothing),
      Catch::Matchers::ContainsSubstring("is of version 12.4: conditional nodes with a choice by number") &&
          Catch::Matchers::ContainsSubstring("need a CUDA driver 12.8"));
  CHECK_THROWS_WITH(record.when(value, nothing, nothing), Catch::Matchers::ContainsSubstring("with a second body"));
  CHECK(graph.node_count() == 0);
}

YOKE_CUDA_TEST_CASE("a graph records events, which other streams wait for, and keeps them", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const cu::stream timed{on.context, cu::stream_options{.timing = true}}, other{on.context};
  auto start = timed.record_timed(), stop = timed.record_timed();
  cu::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(with.x, 3, record);
  const auto first = record.record(start);
  with.multiply(record, shape, with.x, 5);
  record.record(stop);
  CHECK(cu::type_of(first) == type::event_record);
  const auto executable = graph.instantiate();
  for (int times = 0; times < 2; ++times) {
    executable.launch(on.stream);
    other.wait(stop);
    yoke::enqueue_copy(with.x, with.y, other);
    CHECK(download(with.y, other) == all(15));
    stop.wait();
    CHECK(stop.is_done());
    CHECK(stop.time_since(start) >= std::chrono::nanoseconds(0));
  }
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { executable.disable(first); });

  const std::size_t alive = on.driver.live().size();
  {
    cu::graph_executable later;
    {
      const cu::event point = on.stream.record();
      cu::graph other_graph{on.context};
      auto line = other_graph.record();
      line.record(point);
      with.add(line, shape, with.y, with.x, 1);
      line.record(point);
      later = other_graph.instantiate();
    }
    later.launch(on.stream);
    CHECK(download(with.y, on.stream) == all(16));
  }
  on.settle();
  CHECK(soon([&] { return on.driver.live().size() <= alive + 1; }));  // the context keeps an idle event
}

YOKE_CUDA_TEST_CASE("a graph waits for the point that an event marks at each launch", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const cu::stream other{on.context};
  cu::event point = other.record();
  cu::graph graph{on.context};
  auto record = graph.record();
  const auto waits = record.wait(point);
  with.add(record, shape, with.y, with.x, 1);
  CHECK(cu::type_of(waits) == type::wait_event);
  const auto executable = graph.instantiate();
  yoke::fill(with.x, 7, other);
  other.record_into(point);
  CHECK(launched(executable, with.y, on.stream) == all(8));
  gate held{other};
  yoke::fill(with.x, 8, other);
  other.record_into(point);
  executable.launch(on.stream);
  const auto done = on.stream.record();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(done.is_done());
  held.open();
  CHECK(download(with.y, on.stream) == all(9));
}

YOKE_CUDA_TEST_CASE("events that a graph cannot record are refused", "[graph]") {
  graph_rig on(device);
  cu::graph graph{on.context};
  auto record = graph.record();
  const cu::event empty;
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { record.record(empty); });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { record.wait(empty); });
  const auto other = cuda_backend::another_context(on.device);
  const cu::event foreign = cu::stream(other).record();
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { record.record(foreign); });
  CHECK(graph.node_count() == 0);
}
