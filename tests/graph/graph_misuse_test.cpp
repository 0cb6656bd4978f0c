// SPDX-License-Identifier: MIT
// Bad input of graphs: what is refused, in which words, and before any work.
#include <graph/graph_rig.hpp>

using namespace yoke_test;
using namespace yoke_test::graphs;
using yoke::errc;

namespace {

template <class Act>
void check_misuse(errc condition, const std::string& words, Act&& act) {
  INFO(words);
  const std::string said = refusal<yoke::logic_error>(condition, act);
  CHECK_THAT(said, ContainsSubstring(words));
}

}  // namespace

YOKE_DEVICE_TEST_CASE("empty graphs, recorders, nodes and executables say so", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  auto executable = graph.instantiate();
  const yoke::graph<port> no_graph;
  yoke::graph_recorder<port> no_recorder;
  const yoke::graph_node<port> no_node;
  yoke::graph_executable<port> no_executable;
  const backend::stream no_stream;
  check_misuse(errc::empty_handle, "this graph is empty", [&] { (void)no_graph.record(); });
  check_misuse(errc::empty_handle, "this graph is empty", [&] { (void)no_graph.instantiate(); });
  check_misuse(errc::empty_handle, "this graph is empty", [&] { (void)no_graph.keep(3); });
  check_misuse(errc::empty_handle, "this graph is empty", [&] { record.add(no_graph); });
  check_misuse(errc::empty_handle, "this graph is empty", [&] { (void)executable.update(no_graph); });
  check_misuse(errc::empty_handle, "this graph recorder is empty", [&] { no_recorder.mark(); });
  check_misuse(errc::empty_handle, "this graph recorder is empty", [&] { (void)no_recorder.fork(); });
  check_misuse(errc::empty_handle, "this graph recorder is empty", [&] { record.join(no_recorder); });
  check_misuse(errc::empty_handle, "this graph recorder is empty",
               [&] { with.multiply(no_recorder, shape, with.x, 1); });
  check_misuse(errc::empty_handle, "this graph recorder is empty", [&] { yoke::fill(with.x, 1, no_recorder); });
  check_misuse(errc::empty_handle, "this graph recorder is empty",
               [&] { yoke::enqueue_copy(with.x, with.y, no_recorder); });
  check_misuse(errc::empty_handle, "node 1 of the list is empty", [&] {
    (void)record.after({record.mark(), no_node});
  });
  check_misuse(errc::empty_handle, "this graph executable is empty", [&] { no_executable.launch(on.stream); });
  check_misuse(errc::empty_handle, "this stream is empty", [&] { executable.launch(no_stream); });
  check_misuse(errc::empty_handle, "this stream is empty", [&] { executable.upload(no_stream); });
  check_misuse(errc::empty_handle, "this graph node is empty", [&] { executable.disable(no_node); });
  backend::device_allocation<int> none;
  check_misuse(errc::empty_handle, "argument 1 is empty", [&] { with.multiply(record, shape, none, 1); });
  check_misuse(errc::empty_handle, "the destination is empty", [&] { yoke::fill(none, 1, record); });
  check_misuse(errc::empty_handle, "the source is empty", [&] { yoke::enqueue_copy(none, with.x, record); });
  // Each names the program's own line.
  const auto check_place = [&](auto&& act) {
    try {
      act();
      FAIL_CHECK("threw nothing");
    } catch (const yoke::error& e) {
      CHECK_THAT(e.where().file_name(), EndsWith("graph_misuse_test.cpp"));
    }
  };
  const auto node = with.multiply(record, shape, with.x, 1);
  check_place([&] { with.multiply(no_recorder, shape, with.x, 1); });
  check_place([&] { with.multiply(record, shape, with.x, std::int64_t{1} << 40); });
  check_place([&] { yoke::fill(none, 1, record); });
  check_place([&] { yoke::copy_async(none, with.x, record); });
  check_place([&] { node.set(no_executable, with.x, 1); });
  check_place([&] { no_executable.launch(on.stream); });
  auto moved = std::move(record);
  check_misuse(errc::empty_handle, "this graph recorder is empty", [&] { record.mark(); });
  CHECK(moved.mark());
}

YOKE_DEVICE_TEST_CASE("things of other graphs and contexts are refused", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context}, other{on.context};
  auto record = graph.record();
  auto other_record = other.record();
  const auto theirs = with.multiply(other_record, shape, with.x, 1);
  auto executable = graph.instantiate();
  const std::size_t mark = on.driver.calls().size();
  check_misuse(errc::invalid_argument, "node 0 of the list is of another graph", [&] { (void)record.after({theirs}); });
  check_misuse(errc::invalid_argument, "node 0 of the list is of another graph", [&] { record.join({theirs}); });
  check_misuse(errc::invalid_argument, "the other recorder is of another graph", [&] { record.join(other_record); });
  check_misuse(errc::invalid_argument, "a graph cannot be a node of itself", [&] { record.add(graph); });
  check_misuse(errc::invalid_argument, "the node is of another graph than the executable",
               [&] { theirs.set(executable, with.x, 2); });
  check_misuse(errc::invalid_argument, "the node is of another graph than the executable",
               [&] { executable.disable(theirs); });
  CHECK(on.driver.calls(mark).empty());
  const auto late = with.multiply(record, shape, with.x, 1);
  check_misuse(errc::invalid_argument, "the node was recorded after the executable was made",
               [&] { late.set(executable, with.x, 2); });

  const auto stranger = Backend::another_context(on.device);
  const backend::stream strange_stream{stranger};
  yoke::graph strange{stranger};
  check_misuse(errc::wrong_context, "the stream is of another context than the executable",
               [&] { executable.launch(strange_stream); });
  check_misuse(errc::wrong_context, "the child graph is of another context", [&] { record.add(strange); });
  check_misuse(errc::wrong_context, "the graph is of another context than the executable",
               [&] { (void)executable.update(strange); });
  auto strange_record = strange.record();
  check_misuse(errc::wrong_context, "the kernel is of another context",
               [&] { with.multiply(strange_record, shape, with.x, 1); });
  check_misuse(errc::wrong_context, "the destination is of another context than the graph",
               [&] { yoke::fill(with.x, 1, strange_record); });
  check_misuse(errc::wrong_context, "the source is of another context than the graph",
               [&] { yoke::enqueue_copy(with.x, with.y, strange_record); });
}

YOKE_DEVICE_TEST_CASE("recorded commands are checked as enqueued ones", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  check_misuse(errc::size_mismatch, "", [&] { yoke::enqueue_copy(with.x.subspan(0, 3), with.y, record); });
  check_misuse(errc::invalid_argument, "source and destination overlap",
               [&] { yoke::enqueue_copy(with.x.subspan(0, 8), with.x.subspan(4, 8), record); });
  check_misuse(errc::out_of_range, "argument 2 is 3000000000",
               [&] { with.multiply(record, shape, with.x, 3'000'000'000); });
  const auto too_large = refusal<yoke::launch_error>(
      errc::launch_failed, [&] { with.multiply(record, {.grid = 1, .block = 1 << 20}, with.x, 1); });
  CHECK_THAT(too_large, ContainsSubstring("block 1048576 exceeds this device's"));
  refusal<yoke::launch_error>(errc::launch_failed, [&] { with.multiply(record, {.grid = 0, .block = 16}, with.x, 1); });
  CHECK(graph.node_count() == 0);

  const auto node = with.multiply(record, shape, with.x, 1);
  const auto none = with.multiply(record, yoke::launch_over(0), with.x, 1);
  const auto filled = yoke::fill(with.x, 1, record);
  const yoke::box_layout box{.width = 4, .height = 2, .row_pitch = 8};
  const auto boxes = yoke::enqueue_copy(yoke::strided(with.x, box), yoke::strided(with.y, box), record);
  const auto rows = yoke::fill(yoke::strided(with.x, box), 1, record);
  const auto copied = yoke::enqueue_copy(with.x, with.y, record);
  auto executable = graph.instantiate();
  refusal<yoke::launch_error>(errc::launch_failed,
                              [&] { node.set(executable, {.grid = 1, .block = 1 << 20}, with.x, 1); });
  check_misuse(errc::invalid_argument, "a node that launches nothing", [&] { none.set(executable, with.x, 1); });
  check_misuse(errc::size_mismatch, "the destination has 5 elements, and the node fills 64",
               [&] { filled.set(executable, with.x.subspan(0, 5), 2); });
  const auto one_row = [&](auto&& act) {
    CHECK_THAT(refusal<yoke::unsupported_error>(errc::unsupported, act), ContainsSubstring("one row"));
  };
  one_row([&] { boxes.set(executable, with.x, with.y); });
  one_row([&] { copied.set(executable, yoke::strided(with.x, box), yoke::strided(with.y, box)); });
  one_row([&] { copied.set(executable, with.x.subspan(0, 0), with.y.subspan(0, 0)); });
  one_row([&] { rows.set(executable, with.x, 1); });
  one_row([&] { filled.set(executable, yoke::strided(with.x, box), 1); });
  check_misuse(errc::size_mismatch, "", [&] { copied.set(executable, with.x, with.y.subspan(0, 3)); });
  executable.launch(on.stream);
  on.stream.synchronize();
}
