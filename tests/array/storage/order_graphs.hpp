// SPDX-License-Identifier: MIT
// Graphs that read and write an array, for tests of the order of streams.
#ifndef YOKE_TESTS_ARRAY_ORDER_GRAPHS_HPP
#define YOKE_TESTS_ARRAY_ORDER_GRAPHS_HPP

#include <array/reduction/recorded_rig.hpp>
#include <array/storage/order_bench.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace yoke_test::array_order {

/// Adds launches of graphs.
template <class Backend>
void add_graphs(order_bench<Backend>& on) {
  using port = typename Backend::port;
  using yoke::slice;
  on.writer("graph", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto graph = on.recorded([&](auto& record) {
      a.bind(record) += v;
      (void)on.set(record, on.shape(), *on.room(in), 1);
    });
    return {[&in, graph] { graph->launch(in); },
            [v](content& of) {
              for (int& one : of) one += v;
            }};
  });
  on.writer("graph of a kernel", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto graph = on.recorded([&](auto& record) { (void)on.set(record, on.shape(), a, v); });
    return {[&in, graph] { graph->launch(in); }};
  });
  on.writer("graph of a fill", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto graph = on.recorded([&](auto& record) { (void)yoke::fill(a, v, record); });
    return {[&in, graph] { graph->launch(in); }, becomes(content(size, v))};
  });
  on.writer("graph in a graph", true, [&on](auto& a, auto& in, int v) -> prepared {
    yoke::graph part(on.state.context);
    auto line = part.record();
    (void)on.set(line, on.shape(), a, v);
    const auto graph = on.recorded([&](auto& record) { (void)record.add(part); });
    return {[&in, graph] { graph->launch(in); }};
  });
  if (!arrays::lacks_conditions(any_device_of(on.state.device))) {
    on.writer("graph with a choice", true, [&on](auto& a, auto& in, int v) -> prepared {
      const auto choice = kept(yoke::device_value<int, port>(on.state.stream, 1));
      const auto graph = on.recorded([&](auto& record) {
        record.choose(
            *choice, [&](auto& line) { (void)on.set(line, on.shape(), a, 1); },
            [&](auto& line) { (void)on.set(line, on.shape(), a, v); });
      });
      return {[&in, choice, graph] { graph->launch(in); }};
    });
  }
  on.writer("graph that sorts", true, [&on](auto& a, auto& in, int) -> prepared {
    const auto graph = on.recorded([&](auto& record) { yoke::sort(a.bind(record), {.descending = true}); });
    return {[&in, graph] { graph->launch(in); },
            [](content& of) { std::sort(of.begin(), of.end(), std::greater<>()); }};
  });
  on.writer("graph that puts", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto at = on.array_of({3, 5, 95}, in);
    const auto graph = on.recorded([&](auto& record) { yoke::put(a.bind(record), *at, v); });
    return {[&in, at, graph] { graph->launch(in); }, [v](content& of) { of[3] = of[5] = of[95] = v; }};
  });
  on.writer("graph of random numbers", true, [&on](auto& a, auto& in, int v) -> prepared {
    yoke::random_generator draw(1);
    const auto graph = on.recorded([&](auto& record) { draw.fill_integers(a.bind(record), v, v + 1); });
    return {[&in, graph] { graph->launch(in); }, becomes(content(size, v))};
  });
  on.writer("graph of an elementwise kernel", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto each =
        kept(yoke::elementwise_kernel<void(int*, int), port>(on.state.context, {"a", "v"}, "a[i] = v - i"));
    const auto graph = on.recorded([&](auto& record) { (void)(*each)(record, a, v); });
    return {[&in, each, graph] { graph->launch(in); }};
  });
  on.writer("graph with another kernel argument", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.room(in);
    yoke::graph graph(on.state.context);
    auto line = graph.record();
    const auto node = on.set(line, on.shape(), *b, v);
    const auto executable = kept(graph.instantiate());
    node.set(*executable, a, v);
    return {[&in, b, executable] { executable->launch(in); }};
  });
  on.writer("graph with another fill", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.room(in);
    yoke::graph graph(on.state.context);
    auto line = graph.record();
    const auto node = yoke::fill(*b, 1, line);
    const auto executable = kept(graph.instantiate());
    node.set(*executable, a, v);
    return {[&in, b, executable] { executable->launch(in); }, becomes(content(size, v))};
  });
  on.writer("graph that is updated", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.room(in);
    const auto executable = on.recorded([&](auto& record) { (void)on.set(record, on.shape(), *b, v); });
    yoke::graph graph(on.state.context);
    auto line = graph.record();
    (void)on.set(line, on.shape(), a, v);
    (void)executable->update(graph);
    return {[&in, b, executable] { executable->launch(in); }};
  });
  on.reader("graph that reads", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto graph = on.recorded([&](auto& record) { b->bind(record) = a + 0; });
    return into(b, [&in, graph] { graph->launch(in); });
  });
  on.reader("graph of a copy", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto graph = on.recorded([&](auto& record) { (void)yoke::enqueue_copy(a, *b, record); });
    return into(b, [&in, graph] { graph->launch(in); });
  });
  on.reader("graph of a sum", true, [&on](auto& a, auto& in) -> prepared {
    const auto to = kept(yoke::device_value<std::int64_t, port>(in, 0));
    const auto graph = on.recorded([&](auto& record) { to->bind(record) = yoke::pass::sum(a); });
    return {[&in, graph] { graph->launch(in); },
            {},
            [to](const content& of) { return to->get() == std::accumulate(of.begin(), of.end(), std::int64_t{0}); }};
  });
  on.reader("graph to the host", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.pagelocked(content(size));
    const auto graph = on.recorded([&](auto& record) { (void)yoke::enqueue_copy(a, *b, record); });
    return {[&in, graph] { graph->launch(in); },
            {},
            [b](const content& of) { return std::equal(of.begin(), of.end(), b->data()); }};
  });
  on.reader("graph with another copy", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto c = on.room(in);
    yoke::graph graph(on.state.context);
    auto line = graph.record();
    const auto node = yoke::enqueue_copy(*c, *b, line);
    const auto executable = kept(graph.instantiate());
    node.set(*executable, std::as_const(a), *b);
    return into(b, [&in, c, executable] { executable->launch(in); });
  });
  if (!arrays::lacks_conditions(any_device_of(on.state.device))) {
    on.reader("graph with a condition", true, [&on](auto& a, auto& in) -> prepared {
      const auto b = on.room(in);
      const auto condition = kept(a(slice(0, 1)));
      const auto graph = on.recorded([&](auto& record) {
        record.choose(
            *condition, [&](auto& line) { (void)yoke::fill(*b, 1, line); },
            [&](auto& line) { (void)yoke::fill(*b, 2, line); });
      });
      return {[&in, graph] { graph->launch(in); },
              {},
              [b](const content& of) {
                return b->to_host()[9] == (of[0] == 0 ? 1 : of[0] == 1 ? 2 : 0);
              }};
    });
  }
}

}  // namespace yoke_test::array_order

#endif
