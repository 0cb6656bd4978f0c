// SPDX-License-Identifier: MIT
// Work of arrays on a recorder of a graph: the same results as in a stream, at each launch, and memory that stays alive.
#include <array/reduction/recorded_rig.hpp>

#include <algorithm>
#include <utility>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

std::vector<int> values_of(const yoke::pagelocked_array<int>& of) { return {of.begin(), of.end()}; }

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("expressions, copies and fills of arrays are recorded, and run at each launch",
                          "[array][graph]") {
  recorded_rig on(device);
  auto a = yoke::arange<int>(12, on.stream);
  auto b = yoke::zeros<int>({12}, on.stream);
  yoke::pagelocked_array<int> host{on.context, 12};
  yoke::graph graph{on.context};
  auto record = graph.record();
  b.bind(record) = 2 * a + 1;
  a.bind(record) += b;
  const auto last = std::as_const(a).bind(record).copy_to(host);
  CHECK(graph.node_count() == 3);
  const auto executable = graph.instantiate();
  CHECK(b.to_host() == std::vector<int>(12, 0));
  std::vector<int> expected(12);
  for (int i = 0; i < 12; ++i) expected[static_cast<std::size_t>(i)] = i;
  for (int times = 0; times < 2; ++times) {
    executable.launch(on.stream);
    on.stream.synchronize();
    for (int& each : expected) each = 3 * each + 1;
    CHECK(values_of(host) == expected);
    CHECK(a.to_host() == expected);
  }
  executable.disable(last);
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(values_of(host) == expected);
  for (int& each : expected) each = 3 * each + 1;
  CHECK(a.to_host() == expected);
}

YOKE_ANY_DEVICE_TEST_CASE("a recorded view writes parts, broadcasts, converts and takes numbers", "[array][graph]") {
  recorded_rig on(device);
  auto grid = yoke::zeros<float>({3, 4}, on.stream);
  auto mirror = yoke::zeros<float>({3, 4}, on.stream);
  auto row = yoke::arange<int>(4, on.stream);
  yoke::graph graph{on.context};
  auto record = graph.record();
  grid.bind(record) = 7;
  grid(0).bind(record).fill(1.5F);                                            // a row: plain memory
  grid(yoke::whole, 3).bind(record).fill(9);                                  // a column: through one element
  grid(1, yoke::slice(0, 3)).bind(record) = row(yoke::slice(1, yoke::none));  // converted
  grid(2).bind(record).assign(row);
  mirror.bind(record) = grid(yoke::reversed);
  const auto executable = graph.instantiate();
  grid.fill(100);
  executable.launch(on.stream);
  CHECK(grid.to_host() == std::vector<float>{1.5F, 1.5F, 1.5F, 9, 1, 2, 3, 9, 0, 1, 2, 3});
  CHECK(mirror.to_host() == std::vector<float>{0, 1, 2, 3, 1, 2, 3, 9, 1.5F, 1.5F, 1.5F, 9});
  row.fill(5);
  executable.launch(on.stream);
  CHECK(grid.to_host() == std::vector<float>{1.5F, 1.5F, 1.5F, 9, 5, 5, 5, 9, 5, 5, 5, 5});
}

YOKE_ANY_DEVICE_TEST_CASE("recorded work goes through temporaries, which the graph keeps", "[array][graph]") {
  recorded_rig on(device);
  const auto a = yoke::arange<int>(12, on.stream).reshape_copy({3, 4});
  auto square = yoke::to_device_array({{1, 2}, {3, 4}}, on.stream);
  auto line = yoke::arange<int>(6, on.stream);
  yoke::pagelocked_array<int> host{on.context, 12}, back{on.context, 12};
  std::fill(host.begin(), host.end(), 0);
  auto turned = yoke::zeros<int>({4, 3}, on.stream);
  auto executable = [&] {
    yoke::graph graph{on.context};
    auto record = graph.record();
    square.bind(record) = square + square.transpose();  // reads what it writes
    const auto shifted = line(yoke::slice(1, yoke::none)).bind(record).assign(line(yoke::slice(0, -1)));
    a.transpose().bind(record).copy_to(host);                       // packed first
    turned.transpose().bind(record.after({shifted})).assign(host);  // the same, backwards
    CHECK(graph.node_count() > 4);
    return graph.instantiate();
  }();
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(square.to_host() == std::vector<int>{2, 5, 5, 8});
  CHECK(line.to_host() == std::vector<int>{0, 0, 1, 2, 3, 4});
  CHECK(values_of(host) == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  executable.launch(on.stream);
  CHECK(square.to_host() == std::vector<int>{4, 10, 10, 16});
  CHECK(line.to_host() == std::vector<int>{0, 0, 0, 1, 2, 3});
  CHECK(turned.transpose().to_host() == values_of(host));
}

YOKE_ANY_DEVICE_TEST_CASE("a graph keeps the memory of arrays and the page-locked memory that it records",
                          "[array][graph]") {
  recorded_rig on(device);
  auto result = yoke::zeros<int>({8}, on.stream);
  yoke::graph_executable<> executable;
  {
    auto a = yoke::arange<int>(8, on.stream);
    auto b = yoke::ones<int>({8}, on.stream);
    auto c = yoke::zeros<int>({8}, on.stream);
    auto copied = yoke::zeros<int>({8}, on.stream);
    yoke::pagelocked_array<int> host{on.context, 8};
    std::fill(host.begin(), host.end(), 100);
    const auto module =
        yoke::compile(on.context, "YOKE_KERNEL twice(YOKE_GLOBAL int* x) { x[get_global_id(0)] *= 2; }");
    yoke::graph graph{on.context};
    auto record = graph.record();
    c.bind(record).assign(host);
    module.get_kernel<void(int*)>("twice")(record, {.grid = 1, .block = 8}, c);  // an array as an argument
    b.bind(record) = b + 1;
    yoke::enqueue_copy(c, copied, record);  // arrays as sides
    const yoke::elementwise_kernel<void(int*, const int*, int)> add(on.context, {"to", "from", "by"},
                                                                    "to[i] += by * from[i]");
    add(record, copied, b, 1000);
    result.bind(record) = a + copied;
    executable = graph.instantiate();
    on.stream.synchronize();
  }
  yoke::trim_array_pool(on.context);
  std::vector<yoke::device_array<int, 1>> others;  // would take over memory that is free
  for (int i = 0; i < 8; ++i) others.push_back(yoke::full(-1, {8}, on.stream));
  executable.launch(on.stream);
  executable.launch(on.stream);
  std::vector<int> expected(8);
  for (int i = 0; i < 8; ++i) expected[static_cast<std::size_t>(i)] = i + 200 + 3000;
  CHECK(result.to_host() == expected);
  for (const auto& each : others) CHECK(each.to_host() == std::vector<int>(8, -1));
}

YOKE_ANY_DEVICE_TEST_CASE("kernels from text take a recorder, and parts that begin inside their memory",
                          "[array][graph]") {
  recorded_rig on(device);
  auto x = yoke::arange<int>(8, on.stream);
  yoke::device_allocation<int> plain{on.context, 4};
  yoke::fill(plain, 3, on.stream);
  const yoke::elementwise_kernel<void(int*, const int*, int)> add(on.context, {"to", "from", "by"},
                                                                  "to[i] += by * from[i]");
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto node = add(record, x(yoke::slice(4, yoke::none)), x(yoke::slice(0, 4)), 10);
  add(record.after({node}), x(yoke::slice(4, yoke::none)), plain, 100);
  const auto none = add(record, x(yoke::slice(0, 0)), x(yoke::slice(0, 0)), 10);
  const auto executable = graph.instantiate();
  CHECK(none);
  executable.launch(on.stream);
  CHECK(x.to_host() == std::vector<int>{0, 1, 2, 3, 304, 315, 326, 337});
  executable.disable(node);
  executable.launch(on.stream);
  CHECK(x.to_host() == std::vector<int>{0, 1, 2, 3, 604, 615, 626, 637});
  const auto longer = yoke::arange<int>(9, on.stream);
  CHECK_THROWS_WITH(add(record, x, longer, 1),
                    Catch::Matchers::ContainsSubstring("argument 2 has the shape (9,), the first array (8,)"));
  CHECK(graph.node_count() == 3);
}

YOKE_ANY_DEVICE_TEST_CASE("arrays of nothing make nodes of nothing; values and views that share are recorded, too",
                          "[array][graph]") {
  recorded_rig on(device);
  auto none = yoke::zeros<int>({0}, on.stream);
  yoke::pagelocked_array<int> host{on.context, 4};
  yoke::graph graph{on.context};
  auto record = graph.record();
  CHECK(none.bind(record).fill(1));
  none.bind(record) = none + 1;
  CHECK(graph.node_count() == 2);
  yoke::graph_executable<> executable;
  {
    yoke::device_value<int> one(on.stream, 5);
    const auto shared = yoke::full(10, {2, 2}, on.stream).share();
    shared.bind(record) = shared * one.array();
    shared.bind(record) -= 1;
    shared.bind(record).copy_to(yoke::strided(host, {.width = 4}));
    executable = graph.instantiate();
    on.stream.synchronize();
  }
  executable.launch(on.stream);
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(values_of(host) == std::vector<int>(4, 244));
}

YOKE_ANY_DEVICE_TEST_CASE("an array and a view are arguments of nodes that an executable changes", "[array][graph]") {
  recorded_rig on(device);
  auto x = yoke::arange<int>(4, on.stream);
  const auto module =
      yoke::compile(on.context, "YOKE_KERNEL add(YOKE_GLOBAL int* x, int by) { x[get_global_id(0)] += by; }");
  const auto add = module.get_kernel<void(int*, int)>("add");
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto node = add(record, {.grid = 1, .block = 4}, x, 1);
  const auto filled = yoke::fill(x, 3, record.fork());
  auto executable = graph.instantiate();
  executable.disable(filled);
  auto y = std::make_unique<yoke::device_array<int, 1>>(yoke::arange<int>(4, on.stream));
  const auto z = y->share();
  node.set(executable, *y, 10);
  on.stream.synchronize();
  y.reset();
  executable.launch(on.stream);
  CHECK(x.to_host() == std::vector<int>{0, 1, 2, 3});
  CHECK(z.to_host() == std::vector<int>{10, 11, 12, 13});
}

YOKE_ANY_DEVICE_TEST_CASE("refusals of recorded arrays name the cause and record nothing", "[array][graph]") {
  using Catch::Matchers::ContainsSubstring;
  recorded_rig on(device);
  auto a = yoke::arange<int>(4, on.stream);
  auto longer = yoke::arange<int>(5, on.stream);
  yoke::device_array<int, 1> empty;
  yoke::pagelocked_array<int> host{on.context, 3};
  yoke::graph graph{on.context};
  auto record = graph.record();
  a.bind(record).fill(1);
  CHECK_THROWS_WITH(a.bind(record).assign(longer + a), ContainsSubstring("cannot broadcast (5,) with (4,): axis 0"));
  CHECK_THROWS_WITH(a.bind(record).assign(longer), ContainsSubstring("cannot broadcast (5,)"));
  CHECK_THROWS_WITH(a.bind(record).assign(host), ContainsSubstring("3"));
  CHECK_THROWS_WITH(a.bind(record).copy_to(host), ContainsSubstring("3"));
  CHECK_THROWS_WITH(empty.bind(record), ContainsSubstring("empty"));
  CHECK_THROWS_WITH(a.bind(record).assign(empty + a), ContainsSubstring("empty"));
  yoke::graph_recorder<> moved = std::move(record);
  CHECK_THROWS_WITH(a.bind(record).fill(3), ContainsSubstring("this graph recorder is empty"));
  CHECK(graph.node_count() == 1);
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  CHECK(a.to_host() == std::vector<int>(4, 1));
}

YOKE_DEVICE_TEST_CASE("a recorder takes arrays of its own context", "[array][graph]") {
  rig on(device);
  const auto other = Backend::another_context(on.device);
  const backend::stream stream(other);
  auto foreign = yoke::full(1, {4}, stream);
  auto a = yoke::full(1, {4}, on.stream);
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto cause = Catch::Matchers::ContainsSubstring("is of another context");
  CHECK_THROWS_WITH(a.bind(record).assign(a + foreign), cause);
  CHECK_THROWS_WITH(foreign.bind(record).fill(3), cause);
  CHECK_THROWS_WITH(yoke::enqueue_copy(a, foreign, record), cause);
  CHECK(graph.node_count() == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("reductions are recorded into values, arrays and parts of them", "[array][graph]") {
  recorded_rig on(device);
  constexpr int count = 9000;  // several passes
  auto long_one = yoke::arange<int>(count, on.stream);
  auto table = yoke::arange<float>(12, on.stream).reshape_copy({3, 4});
  yoke::device_value<std::int64_t> total(on.stream, 0);
  yoke::device_value<float> most(on.stream, 0.0F);
  yoke::device_value<bool> any(on.stream, true);
  auto rows = yoke::zeros<float>({3}, on.stream);
  auto column = yoke::zeros<float>({1, 4}, on.stream);
  auto pair = yoke::zeros<std::int64_t>({2}, on.stream);
  yoke::graph_executable<> executable;
  {
    yoke::graph graph{on.context};
    auto record = graph.record();
    total.bind(record) = yoke::pass::sum(2 * long_one);
    most.bind(record).assign(yoke::pass::max(table));
    any.bind(record) = yoke::pass::any(table > 100);
    rows.bind(record).assign(yoke::pass::sum(table, yoke::along(1)));
    column.bind(record).assign(yoke::pass::mean(table, yoke::along(0).keep_dims()));
    pair(1).bind(record) = yoke::pass::argmax(long_one);                   // it is not at the start of its memory
    table(1).bind(record).assign(yoke::pass::min(table, yoke::along(0)));  // reads what it writes
    executable = graph.instantiate();
    CHECK_THROWS_WITH(rows.bind(record).assign(yoke::pass::sum(table, yoke::along(0))),
                      Catch::Matchers::ContainsSubstring("4") && Catch::Matchers::ContainsSubstring("3"));
    CHECK_THROWS_WITH(rows.bind(record).assign(yoke::pass::sum(table, yoke::along(2))),
                      Catch::Matchers::ContainsSubstring("axis 2"));
    CHECK(graph.node_count() >= 7);
  }
  for (int times = 0; times < 2; ++times) {
    executable.launch(on.stream);
    CHECK(total.get() == std::int64_t{count} * (count - 1));
    CHECK(most.get() == 11);
    CHECK_FALSE(any.get());
    CHECK(rows.to_host() == (times == 0 ? std::vector<float>{6, 22, 38} : std::vector<float>{6, 6, 38}));
    CHECK(pair.to_host() == std::vector<std::int64_t>{0, count - 1});
    CHECK(table(1).to_host() == std::vector<float>{0, 1, 2, 3});
    if (times == 0) CHECK(column.to_host() == std::vector<float>{4, 5, 6, 7});
  }
  const auto means = column.to_host();
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(means[i] - (8.0F / 3 + static_cast<float>(i))) < 1e-5F);
}

YOKE_ANY_DEVICE_TEST_CASE("a graph iterates on arrays until they have converged", "[array][graph]") {
  recorded_rig on(device);
  if (lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  // x = cos(x), to within a millionth.
  auto x = yoke::zeros<float>({100}, on.stream);
  auto next = yoke::zeros<float>({100}, on.stream);
  yoke::device_value<float> change(on.stream, 0.0F);
  yoke::device_value<int> go_on(on.stream, 0), rounds(on.stream, 0);
  yoke::graph graph{on.context};
  auto record = graph.record();
  go_on.bind(record) = 1;
  rounds.bind(record) = 0;
  record.repeat_while(go_on, [&](auto& line) {
    next.bind(line) = cos(x);
    change.bind(line) = yoke::pass::max(abs(next - x));
    x.bind(line) = next;
    rounds.bind(line) += 1;
    go_on.bind(line) = yoke::cast<int>(change.array() > 1e-6F);
  });
  graph.instantiate().launch(on.stream);
  CHECK(std::abs(x.to_host()[99] - 0.7390851F) < 2e-6F);
  CHECK((rounds.get() > 20 && rounds.get() < 60));
}

YOKE_ANY_DEVICE_TEST_CASE("an executable follows a recording with other numbers and arrays", "[array][graph]") {
  recorded_rig on(device);
  auto a = yoke::arange<int>(6, on.stream);
  auto b = yoke::full(100, {6}, on.stream);
  auto to = yoke::zeros<int>({6}, on.stream);
  const auto recorded = [&](const yoke::device_array<int, 1>& from, int by) {
    yoke::graph graph{on.context};
    auto record = graph.record();
    to.bind(record) = by * from + 1;
    to(yoke::slice(0, 3)).bind(record).fill(by);
    return graph;
  };
  const auto executable = recorded(a, 2).instantiate();
  executable.launch(on.stream);
  CHECK(to.to_host() == std::vector<int>{2, 2, 2, 7, 9, 11});
  CHECK(executable.update(recorded(a, 3)).in_place);
  executable.launch(on.stream);
  CHECK(to.to_host() == std::vector<int>{3, 3, 3, 10, 13, 16});
  CHECK(executable.update(recorded(b, 5)).in_place);
  executable.launch(on.stream);
  CHECK(to.to_host() == std::vector<int>{5, 5, 5, 501, 501, 501});
}

YOKE_ANY_DEVICE_TEST_CASE("reduction and scan kernels from text take a recorder", "[array][graph]") {
  recorded_rig on(device);
  constexpr int count = 9000;  // several tiles
  const yoke::reduction_kernel<float(const float*, const float*)> furthest(
      on.context, {"x", "y"}, {.map = "fabs(x[i] - y[i])", .join = "fmax(a, b)", .neutral = "0"});
  const yoke::scan_kernel<int(const int*, int*)> keep(on.context, {"x", "kept"},
                                                      {.input = "x[i] > 0",
                                                       .join = "a + b",
                                                       .neutral = "0",
                                                       .output = "if (prev_item != item) kept[prev_item] = x[i]"});
  auto x = yoke::arange<float>(count, on.stream);
  auto kept = yoke::zeros<int>({count}, on.stream);
  yoke::device_value<float> far(on.stream, 0.0F), near(on.stream, 0.0F);
  yoke::graph_executable<> executable;
  {
    const auto y = yoke::full(2.0F, {count}, on.stream);
    const auto numbers = yoke::evaluate(yoke::arange<int>(count, on.stream) - 5);
    const auto few = yoke::arange<int>(0, on.stream);
    auto none = yoke::zeros<int>({0}, on.stream);
    yoke::graph graph{on.context};
    auto record = graph.record();
    const auto node = furthest(record, far, x, y);
    furthest(record, near, x(yoke::slice(1, 5)), y(yoke::slice(1, 5)));
    keep(record.after({node}), numbers, kept);
    CHECK(keep(record, few, none));
    CHECK_THROWS_WITH(furthest(record, far, x, y(yoke::slice(1, 5))),
                      Catch::Matchers::ContainsSubstring("argument 2 has the shape (4,)"));
    executable = graph.instantiate();
    on.stream.synchronize();
  }
  yoke::trim_array_pool(on.context);
  for (int times = 0; times < 2; ++times) {
    far.set(0);
    kept.fill(0);
    executable.launch(on.stream);
    CHECK(far.get() == count - 3);
    CHECK(near.get() == 2);
    const auto host = kept.to_host();
    CHECK(host[0] == 1);
    CHECK(host[count - 7] == count - 6);
    CHECK(host[count - 6] == 0);
  }
}
