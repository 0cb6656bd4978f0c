// SPDX-License-Identifier: MIT
// Conditional nodes: loops and choices by a value in device memory, on every backend.
#include <graph/graph_rig.hpp>
#include <support/devices/any_context.hpp>

#include <yoke/array.hpp>
#include <yoke/image.hpp>

#include <memory>
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

YOKE_DEVICE_TEST_CASE("a condition may be an array that ends with the statement: the graph keeps it",
                      "[graph][conditions][array]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(with.x, 1, record);
  record.when(yoke::full(1, {1}, on.stream), [&](auto& line) { with.add(line, shape, with.x, with.x, 1); });
  record.when(yoke::device_value<int, port>(on.stream, 1), [&](auto& line) { with.multiply(line, shape, with.x, 10); });
  on.stream.synchronize();
  yoke::trim_array_pool(on.context);
  std::vector<yoke::device_array<int, 1, port>> others;
  for (int i = 0; i < 8; ++i) others.push_back(yoke::full(0, {1}, on.stream));
  CHECK(launched(graph.instantiate(), with.x, on.stream) == all(20));
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
    // Nor in a graph that a body contains.
    yoke::graph child{on.context}, parent{on.context}, after{on.context};
    auto inside = child.record(), between = parent.record(), last = after.record();
    inside.call([] {});
    between.add(child);
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { line.add(parent); }), cause);
    yoke::enqueue_copy(image, host, last);
    CHECK_THROWS_WITH(record.when(by.left, [&](auto& line) { line.add(after); }), cause);
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

YOKE_DEVICE_TEST_CASE("an executable with conditional nodes follows another graph, also to another value",
                      "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context), other(on.context);
  const auto record_loop = [&](auto& graph, auto& counter, int rounds, int factor) {
    auto record = graph.record();
    yoke::fill(with.x, 1, record);
    yoke::fill(counter.left, rounds, record);
    record.repeat_while(counter.left, [&](auto& line) {
      with.multiply(line, shape, with.x, factor);
      counter.count_down(line, one, counter.left);
    });
  };
  const auto recorded = [&](auto& counter, int rounds, int factor) {
    yoke::graph graph{on.context};
    record_loop(graph, counter, rounds, factor);
    return graph;
  };
  const bool anew = std::same_as<port, yoke::cuda::port>;
  const yoke::graph first = recorded(by, 3, 2);
  const auto executable = first.instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(8));
  const yoke::graph next = recorded(other, 2, 5);
  yoke::fill(by.left, 7, on.stream);  // which the new loop does not read
  const std::size_t mark = on.driver.calls().size();
  const yoke::graph_update done = executable.update(next);
  for (const auto& each : on.driver.calls(mark)) CHECK(each != "cuGraphExecUpdate");
  CHECK(done.in_place == !anew);
  if (anew) CHECK_THAT(done.reason, Catch::Matchers::ContainsSubstring("conditional nodes"));
  CHECK(launched(executable, with.x, on.stream) == all(25));
  CHECK(launched(executable, with.x, on.stream) == all(25));
  CHECK(download(by.left, on.stream) == std::vector<int>{7});
  CHECK(download(other.left, on.stream) == std::vector<int>{0});

  // From then on the executable is that of the new graph: the first one may have another.
  settle(on.stream);
  const auto again = first.instantiate();
  CHECK(launched(again, with.x, on.stream) == all(8));
  // Loops for straight commands, and the other way round.
  yoke::graph straight{on.context};
  auto record = straight.record();
  yoke::fill(with.x, 9, record);
  const auto plain = straight.instantiate();
  CHECK_FALSE(plain.update(recorded(by, 1, 4)).in_place);
  CHECK(launched(plain, with.x, on.stream) == all(4));
  CHECK_FALSE(plain.update(straight).in_place);
  CHECK(launched(plain, with.x, on.stream) == all(9));
}

YOKE_DEVICE_TEST_CASE("a graph with conditional nodes has one executable at a time on CUDA", "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  yoke::graph graph{on.context}, other{on.context};
  auto record = graph.record(), others = other.record();
  yoke::fill(with.x, 1, record);
  auto before = graph.instantiate();  // without conditional nodes
  record.when(by.left, [&](auto& line) { yoke::fill(with.x, 2, line); });
  yoke::fill(with.x, 3, others);
  yoke::graph_executable<port> executable;
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    const auto refused = [&](auto&& act) {
      const std::size_t mark = on.driver.calls().size();
      CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, act),
                 ContainsSubstring("such a graph has one executable at a time"));
      for (const auto& each : on.driver.calls(mark)) CHECK_THAT(each, !ContainsSubstring("cuGraph"));
    };
    refused([&] { (void)graph.instantiate(); });
    refused([&] { (void)before.update(graph); });
    CHECK(launched(before, with.x, on.stream) == all(1));
    before.reset();
    settle(on.stream);
    executable = graph.instantiate();
    refused([&] { (void)graph.instantiate(); });
    const auto plain = other.instantiate();
    refused([&] { (void)plain.update(graph); });
    CHECK(launched(plain, with.x, on.stream) == all(3));
    refused([&] { (void)executable.update(graph); });
    yoke::fill(by.left, 1, on.stream);
    CHECK(launched(executable, with.x, on.stream) == all(2));
    executable.reset();
    settle(on.stream);
    executable = graph.instantiate();
  } else {
    executable = graph.instantiate();
    CHECK(executable.update(graph).in_place);
    (void)graph.instantiate();
  }
  yoke::fill(by.left, 1, on.stream);
  CHECK(launched(executable, with.x, on.stream) == all(2));
}

YOKE_DEVICE_TEST_CASE("what a body belongs to takes no commands meanwhile, and is no part of it",
                      "[graph][conditions]") {
  graph_rig on(device);
  if (lacks_conditions(on.device)) YOKE_SKIP("this driver has no such conditional nodes");
  parts with(on.context);
  counters by(on.context);
  yoke::graph graph{on.context}, other{on.context};
  auto record = graph.record(), others = other.record();
  yoke::fill(with.x, 1, record);
  const auto refused = [](const std::string& words, auto&& act) {
    INFO(words);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, act), ContainsSubstring(words));
  };
  const std::string cycle = "a graph cannot be a node of itself: the body of one of its conditional nodes";
  const std::string meanwhile = "record by the line that the body's function gets";
  record.when(by.left, [&](auto& line) {
    refused(cycle, [&] { line.add(graph); });
    refused(cycle, [&] { others.add(graph); });  // nor by way of another graph
    line.when(by.left, [&](auto& inner) {
      refused(cycle, [&] { inner.add(graph); });
      inner.repeat_while(by.left, [&](auto& innermost) {
        refused(cycle, [&] { innermost.add(graph); });
        by.set(innermost, one, by.left, 0);
      });
      refused(meanwhile, [&] { yoke::fill(with.x, 5, line); });
      refused(meanwhile, [&] { line.when(by.left, [](auto&) {}); });
      yoke::fill(with.x, 2, inner);
    });
    const std::size_t nodes = graph.node_count();
    refused(meanwhile, [&] { yoke::fill(with.x, 5, record); });
    refused(meanwhile, [&] { with.add(record, shape, with.x, with.x, 1); });
    refused(meanwhile, [&] { yoke::enqueue_copy(with.x, with.y, record); });
    refused(meanwhile, [&] { record.mark(); });
    refused(meanwhile, [&] { record.add(other); });
    refused(meanwhile, [&] { record.when(by.left, [](auto&) {}); });
    auto beside = graph.record();
    refused(meanwhile, [&] { beside.fork().mark(); });
    refused("instantiate it afterwards", [&] { (void)graph.instantiate(); });
    CHECK(graph.node_count() == nodes);
    with.add(line, shape, with.x, with.x, 40);
    line.add(other);
  });
  with.multiply(record, shape, with.x, 10);
  const auto executable = graph.instantiate();
  yoke::fill(by.left, 1, on.stream);
  CHECK(launched(executable, with.x, on.stream) == all(420));
  yoke::fill(by.left, 0, on.stream);
  CHECK(launched(executable, with.x, on.stream) == all(10));
  // A body that throws closes as well.
  CHECK_THROWS(record.when(by.left, [](auto&) { throw std::runtime_error("of the body"); }));
  CHECK(record.mark());
}

YOKE_DEVICE_TEST_CASE("graphs that contain each other's commands end", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  auto kept = std::make_shared<int>(1);
  const std::weak_ptr<int> seen = kept;
  {
    yoke::graph left{on.context}, right{on.context};
    (void)left.keep(std::move(kept));
    auto to_left = left.record(), to_right = right.record();
    yoke::fill(with.x, 1, to_left);
    to_right.add(left);
    to_left.add(right);
    with.add(to_left, shape, with.x, with.x, 1);
    CHECK(launched(left.instantiate(), with.x, on.stream) == all(2));
    left.reset();
    to_left = {};
    CHECK_FALSE(seen.expired());  // what the commands use stays with those that have them
  }
  settle(on.stream);
  CHECK(seen.expired());
}
