// SPDX-License-Identifier: MIT
// Executables that change between launches: arguments, memory, whole graphs, and nodes left out.
#include <graph/graph_rig.hpp>

using namespace yoke_test;
using namespace yoke_test::graphs;

YOKE_DEVICE_TEST_CASE("nodes get other arguments, shapes, memory and values", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto filled = yoke::fill(with.x, 2, record);
  const auto copied = yoke::enqueue_copy(with.x, with.y, record);
  const auto added = with.add(record, shape, with.x, with.y, 10);
  const auto read = yoke::enqueue_copy(with.x, with.host, record);
  const auto written = yoke::enqueue_copy(with.host, with.y, record);
  auto executable = graph.instantiate();
  CHECK(launched(executable, with.y, on.stream) == all(12));

  added.set(executable, with.x, with.x, 100);
  CHECK(launched(executable, with.y, on.stream) == all(102));
  filled.set(executable, with.x, 5);
  CHECK(launched(executable, with.y, on.stream) == all(105));

  // Half of the threads, with another value.
  added.set(executable, {.grid = 2, .block = 16}, with.x, with.x, 1000);
  auto half = all(5);
  std::fill_n(half.begin(), 32, 1005);
  CHECK(launched(executable, with.y, on.stream) == half);
  added.set(executable, with.x, with.x, 1);
  CHECK(launched(executable, with.y, on.stream) == all(6));  // the node's own shape

  backend::device_allocation<int> other{on.context, 2 * size};
  yoke::fill(other, 1, on.stream);
  copied.set(executable, other.subspan(3, size), with.y);
  read.set(executable, other.subspan(0, size), with.host);
  written.set(executable, with.host, other.subspan(size, size));
  filled.set(executable, other.subspan(1, size), 8);
  CHECK(launched(executable, with.y, on.stream) == [] {
    auto expected = all(8);
    expected[62] = expected[63] = 1;
    return expected;
  }());
  auto expected = all(8);
  expected[0] = 1;
  CHECK(std::vector<int>(with.host.begin(), with.host.end()) == expected);
  auto second_half = other.subspan(size, size);
  CHECK(download(second_half, on.stream) == expected);

  // The graph is what it was.
  CHECK(launched(graph.instantiate(), with.y, on.stream) == all(12));
}

YOKE_DEVICE_TEST_CASE("an executable takes the commands of another graph", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const auto record_with = [&](const yoke::graph<port>& graph, int value, int factor) {
    auto record = graph.record();
    yoke::fill(with.x, value, record);
    return with.multiply(record, shape, with.x, factor);
  };
  yoke::graph first{on.context}, second{on.context}, longer{on.context};
  const auto node = record_with(first, 1, 2);
  const auto next = record_with(second, 3, 4);
  const auto executable = first.instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(2));

  executable.disable(node);
  const yoke::graph_update done = executable.update(second);
  CHECK(done.in_place);
  CHECK(done.reason.empty());
  CHECK(executable.is_enabled(next));
  CHECK(launched(executable, with.x, on.stream) == all(12));
  auto changing = first.instantiate();
  next.set(changing = second.instantiate(), with.x, 5);
  CHECK(launched(changing, with.x, on.stream) == all(15));

  const auto last = record_with(longer, 5, 6);
  auto record = longer.record().after({last});
  with.add(record, shape, with.x, with.x, 1);
  const backend::stream other{on.context};
  const yoke::graph_update anew = executable.update(longer);
  CHECK_FALSE(anew.in_place);
  CHECK(anew.reason.find("other nodes or dependencies") != std::string::npos);
  executable.launch(other);
  CHECK(download(with.x, other) == all(31));
  executable.disable(last);
  CHECK(launched(executable, with.x, other) == all(6));

  // Commands that were added to the executable's own graph.
  with.multiply(record, shape, with.x, 2);
  CHECK_FALSE(executable.update(longer).in_place);
  CHECK(launched(executable, with.x, other) == all(62));
}

YOKE_DEVICE_TEST_CASE("a new executable in place of the old one still comes behind its launch", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph first{on.context}, second{on.context};
  auto record = first.record();
  with.add(record, shape, with.x, with.x, 1);
  auto other_record = second.record();
  with.multiply(other_record, shape, with.x, 3);
  with.multiply(other_record, shape, with.x, 5);
  const auto executable = first.instantiate();
  const backend::stream other{on.context};
  yoke::fill(with.x, 0, on.stream);
  executable.launch(on.stream);
  launched(second.instantiate(), with.x, on.stream);
  yoke::fill(with.x, 1, on.stream);
  on.stream.synchronize();
  gate held{on.stream};
  executable.launch(on.stream);
  CHECK_FALSE(executable.update(second).in_place);
  executable.launch(other);
  other.flush();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  held.open();
  other.synchronize();
  CHECK(download(with.x, other) == all(30));
}

YOKE_DEVICE_TEST_CASE("launches leave disabled nodes out", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto filled = yoke::fill(with.x, 2, record);
  const auto multiplied = with.multiply(record, shape, with.x, 5);
  const auto copied = yoke::enqueue_copy(with.x, with.y, record);
  const auto end = record.mark();
  const auto executable = graph.instantiate();
  yoke::fill(with.y, 0, on.stream);
  executable.disable(multiplied);
  CHECK_FALSE(executable.is_enabled(multiplied));
  CHECK(executable.is_enabled(filled));
  CHECK(launched(executable, with.y, on.stream) == all(2));
  executable.enable(multiplied);
  CHECK(executable.is_enabled(multiplied));
  executable.disable(filled);
  CHECK(launched(executable, with.y, on.stream) == all(10));
  executable.enable(copied, false);
  CHECK(launched(executable, with.x, on.stream) == all(50));
  CHECK(download(with.y, on.stream) == all(10));
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { executable.disable(end); });
  CHECK(executable.is_enabled(end));
}
