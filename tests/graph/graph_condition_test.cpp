// SPDX-License-Identifier: MIT
// Conditional nodes: loops and choices by a value in device memory, on every backend.
#include <graph/graph_rig.hpp>
#include <support/any_context.hpp>

#include <yoke/array.hpp>
#include <yoke/image.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::graphs;

namespace {

constexpr const char* steps = R"(
YOKE_KERNEL count_down(YOKE_GLOBAL int* left) { left[0] -= 1; }
YOKE_KERNEL count_to(YOKE_GLOBAL unsigned int* go_on, YOKE_GLOBAL const int* x, int end) { go_on[0] = x[0] < end ? 1 : 0; }
YOKE_KERNEL set(YOKE_GLOBAL int* to, int value) { to[0] = value; }
)";

/// Memory that holds one number, and kernels that work on it.
template <class Port>
struct counters {
  explicit counters(const yoke::context<Port>& in)
      : module(yoke::compile(in, steps)),
        count_down(yoke::get_kernel<void(int*)>(module, "count_down")),
        count_to(yoke::get_kernel<void(std::uint32_t*, const int*, int)>(module, "count_to")),
        set(yoke::get_kernel<void(int*, int)>(module, "set")),
        left(in, 1),
        go_on(in, 1) {}
  yoke::module<Port> module;
  yoke::kernel<void(int*), Port> count_down;
  yoke::kernel<void(std::uint32_t*, const int*, int), Port> count_to;
  yoke::kernel<void(int*, int), Port> set;
  yoke::device_allocation<int, Port> left;
  yoke::device_allocation<std::uint32_t, Port> go_on;
};
template <class Port>
counters(const yoke::context<Port>&) -> counters<Port>;

inline constexpr yoke::launch_shape one{.grid = 1, .block = 1};

/// Records a loop that doubles `left` times, and one that adds until an end is reached.
template <class Port>
void check_loops(const yoke::stream<Port>& stream) {
  const yoke::context<Port>& in = stream.context_of();
  parts with(in);
  counters by(in);
  yoke::graph graph{in};
  auto record = graph.record();
  yoke::fill(with.x, 3, record);
  yoke::fill(by.left, 4, record);
  record.repeat_while(by.left, [&](auto& line) {
    with.multiply(line, shape, with.x, 2);
    by.count_down(line, one, by.left);
  });
  yoke::fill(by.go_on, 1, record);
  yoke::fill(with.y, 0, record);
  const auto loop = record.repeat_while(by.go_on, [&](auto& line) {
    auto side = line.fork();
    with.add(side, shape, with.y, with.y, 1);
    with.add(line, shape, with.x, with.x, 10);
    by.count_to(line, one, by.go_on, with.x, 100);
  });
  CHECK(loop);
  yoke::enqueue_copy(with.y, with.host, record);
  const auto executable = graph.instantiate();
  for (int times = 0; times < 2; ++times) {
    executable.launch(stream);
    CHECK(download(with.x, stream) == all(108));
    CHECK(with.host[0] == 6);
    CHECK(download(by.left, stream) == std::vector<int>{0});
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a loop runs its body while a value in memory is not 0", "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  check_loops(on.stream);
}

YOKE_DEVICE_TEST_CASE("any_port has conditional nodes", "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  const yoke::stream<yoke::any_port> stream(any_context(on));
  check_loops(stream);
  settle(stream);
}

YOKE_DEVICE_TEST_CASE("a body runs if a value is not 0, also one in another, and never where it is 0",
                      "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(with.x, 1, record);
  const auto outer = record.when(by.left, [&](auto& line) {
    with.multiply(line, shape, with.x, 5);
    line.when(by.go_on, [&](auto& inner) {
      with.multiply(inner, shape, with.x, 7);
      yoke::fill(by.go_on, 0, inner);
    });
  });
  with.add(record.after({outer}), shape, with.y, with.x, 0);
  record.repeat_while(by.go_on, [](auto&) { CHECK(true); });  // the value is 0 by now, or no body has run
  const auto executable = graph.instantiate();
  const auto launched_with = [&](int left, unsigned go_on) {
    yoke::fill(by.left, left, on.stream);
    yoke::fill(by.go_on, go_on, on.stream);
    return launched(executable, with.y, on.stream);
  };
  CHECK(launched_with(1, 0) == all(5));
  CHECK(launched_with(-1, 3) == all(35));
  CHECK(launched_with(0, 0) == all(1));
  CHECK(launched_with(2, 1) == all(35));
}

YOKE_DEVICE_TEST_CASE("one of two bodies runs, or the one of a number", "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device, 12080)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(with.y, 0, record);
  record.when(
      by.left, [&](auto& line) { yoke::fill(with.x, 10, line); }, [&](auto& line) { yoke::fill(with.x, 20, line); });
  record.choose(
      by.left, [&](auto& line) { yoke::fill(with.y, 1, line); }, [](auto&) {},
      [&](auto& line) {
        yoke::fill(with.y, 2, line);
        with.multiply(line, shape, with.y, 3);
      });
  const auto executable = graph.instantiate();
  const auto launched_with = [&](int left) {
    yoke::fill(by.left, left, on.stream);
    executable.launch(on.stream);
    return std::pair(download(with.x, on.stream)[0], download(with.y, on.stream)[size - 1]);
  };
  CHECK(launched_with(0) == std::pair(20, 1));
  CHECK(launched_with(1) == std::pair(10, 0));
  CHECK(launched_with(2) == std::pair(10, 6));
  CHECK(launched_with(3) == std::pair(10, 0));
  CHECK(launched_with(-1) == std::pair(10, 0));
}

YOKE_DEVICE_TEST_CASE("bodies record arrays, child graphs and copies, and the graph keeps what they use",
                      "[graph][conditions][array]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  backend::pagelocked_array<int> back{on.context, 4};
  auto executable = [&] {
    counters by(on.context);
    auto x = yoke::full(1, {4}, on.stream);
    const auto y = yoke::full(2, {4}, on.stream);
    yoke::device_value<int, port> left(on.stream, 3);
    yoke::graph child{on.context};
    auto inside = child.record();
    by.count_down(inside, one, left);
    yoke::graph graph{on.context};
    auto record = graph.record();
    yoke::fill(left, 3, record);
    record.repeat_while(left, [&](auto& line) {
      x.bind(line) = x * y + x(yoke::reversed);  // through a temporary
      line.add(child);
      yoke::enqueue_copy(x, back, line);
    });
    on.stream.synchronize();
    return graph.instantiate();
  }();
  yoke::trim_array_pool(on.context);
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(std::vector<int>(back.begin(), back.end()) == std::vector<int>(4, 27));
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(std::vector<int>(back.begin(), back.end()) == std::vector<int>(4, 729));
}

YOKE_DEVICE_TEST_CASE("what a conditional node cannot be is refused", "[graph][conditions]") {
  using Catch::Matchers::ContainsSubstring;
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto nothing = [](auto&) {};
  CHECK_THROWS_WITH(record.when(with.x, nothing), ContainsSubstring("the condition has 64 elements"));
  backend::device_allocation<int> empty;
  CHECK_THROWS_WITH(record.when(empty, nothing), ContainsSubstring("the condition is empty"));
  const auto other = Backend::another_context(on.device);
  backend::device_allocation<int> foreign{other, 1};
  CHECK_THROWS_WITH(record.when(foreign, nothing), ContainsSubstring("the condition is of another context"));
  CHECK(graph.node_count() == 0);

  std::optional<yoke::graph_recorder<port>> kept;
  record.when(by.left, [&](auto& line) { kept.emplace(line.fork()); });
  CHECK_THROWS_WITH(yoke::fill(with.x, 1, *kept), ContainsSubstring("the body of this conditional node is complete"));
  const std::size_t before = graph.node_count();
  CHECK_THROWS_WITH(record.repeat_while(by.left,
                                        [&](auto& line) {
                                          yoke::fill(with.x, 1, line);
                                          throw std::runtime_error("of the body");
                                        }),
                    "of the body");
  CHECK(graph.node_count() == before);

  yoke::graph outer{on.context};
  auto line = outer.record();
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    CHECK_THROWS_WITH(line.add(graph), ContainsSubstring("the child graph has conditional nodes"));
  } else {
    line.add(graph);
    yoke::fill(by.left, 0, on.stream);
    outer.instantiate().launch(on.stream);
  }
}

YOKE_DEVICE_TEST_CASE("a body takes copies of images, or says that it takes none", "[graph][conditions][image]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  counters by(on.context);
  yoke::image<float, 2, port> image{on.context, {4, 2}};
  backend::pagelocked_array<float> host{on.context, 8};
  std::fill(host.begin(), host.end(), 0.0F);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(by.left, 1, record);
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    const auto cause = Catch::Matchers::ContainsSubstring("the body of a conditional node takes no");
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { yoke::fill(image, 2.0F, line); }), cause);
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { yoke::enqueue_copy(image, host, line); }), cause);
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { line.call([] {}); }), cause);
    const auto event = on.stream.record();
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { line.record(event); }), cause);
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { line.wait(event); }), cause);
    CHECK(graph.node_count() == 1);
  } else {
    record.when(by.left, [&](auto& line) {
      yoke::fill(image, 2.0F, line);
      yoke::enqueue_copy(image, host, line);
    });
    graph.instantiate().launch(on.stream);
    on.stream.synchronize();
    CHECK(std::vector<float>(host.begin(), host.end()) == std::vector<float>(8, 2.0F));
  }
}

YOKE_DEVICE_TEST_CASE("an executable with conditional nodes follows another graph", "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  const auto recorded = [&](int rounds, int factor) {
    yoke::graph graph{on.context};
    auto record = graph.record();
    yoke::fill(with.x, 1, record);
    yoke::fill(by.left, rounds, record);
    record.repeat_while(by.left, [&](auto& line) {
      with.multiply(line, shape, with.x, factor);
      by.count_down(line, one, by.left);
    });
    return graph;
  };
  const auto executable = recorded(3, 2).instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(8));
  const yoke::graph next = recorded(2, 5);
  const yoke::graph_update done = executable.update(next);
  INFO(done.reason);  // a driver may follow, or not
  CHECK(launched(executable, with.x, on.stream) == all(25));
  CHECK(launched(executable, with.x, on.stream) == all(25));
}
