// SPDX-License-Identifier: MIT
// What loops over failing calls and allocations do with graphs.
#ifndef YOKE_TESTS_GRAPH_GRAPH_SCENARIOS_HPP
#define YOKE_TESTS_GRAPH_GRAPH_SCENARIOS_HPP

#include <graph/graph_rig.hpp>
#include <support/devices/settle.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/image.hpp>
#include <yoke/random.hpp>

#include <stdexcept>

namespace yoke_test::graph_scenarios {

using namespace graphs;

template <class Port>
struct kept {
  explicit kept(const yoke::device<Port>& on)
      : context(on), stream(context), x(context, size), y(context, size), host(context, size), graph(context) {
    auto record = graph.record();
    filled = yoke::fill(x, 4, record);
    copied = yoke::enqueue_copy(x, y, record);
    settle(stream);  // starts the callback thread, which some runs need and others do not
  }
  yoke::context<Port> context;
  yoke::stream<Port> stream;
  yoke::device_allocation<int, Port> x, y;
  yoke::pagelocked_array<int, Port> host;
  yoke::graph<Port> graph;
  yoke::fill_node<int, Port> filled;
  yoke::copy_node<int, yoke::device_place<Port>, yoke::device_place<Port>, Port> copied;
};

/// Effects: checks that the graph of before is what it was.
template <class Port>
void check(const kept<Port>& state) {
  CHECK(launched(state.graph.instantiate(), state.y, state.stream) == all(4));
  CHECK(state.graph.node_count() == 2);
}

template <class Port>
void record(kept<Port>& state) {
  yoke::graph graph{state.context};
  auto record = graph.record();
  yoke::fill(state.x, 3, record);
  yoke::enqueue_copy(state.y, state.host, record);
  yoke::enqueue_copy(state.host, state.x, record);
  record.add(state.graph);
  record.mark();
  const yoke::box_layout box{.width = 4, .height = 2, .row_pitch = 8};
  yoke::fill(yoke::strided(state.x, box), 1, record);
}

template <class Port>
void launch(kept<Port>& state) {
  const auto executable = state.graph.instantiate();
  executable.upload(state.stream);
  executable.launch(state.stream);
  state.filled.set(executable, state.y, 3);
  state.copied.set(executable, state.y, state.x);
  executable.disable(state.copied);
  executable.launch(state.stream);
  state.stream.synchronize();
}

template <class Port>
void update(kept<Port>& state) {
  yoke::graph next{state.context};
  auto record = next.record();
  yoke::fill(state.x, 2, record);
  yoke::enqueue_copy(state.y, state.x, record);
  const auto executable = state.graph.instantiate();
  executable.disable(state.copied);
  (void)executable.update(next);
  record.mark();
  executable.launch(state.stream);
  (void)executable.update(next);
  const yoke::stream other{state.context};
  executable.launch(other);
  other.synchronize();
}

/// Effects: records an event, and waits for it, where graphs do.
template <class Port>
void record_events(kept<Port>& state) {
  if constexpr (yoke::graph_event_port<Port>) {
    const auto executable = [&] {
      yoke::graph<Port> graph{state.context};
      auto record = graph.record();
      const auto point = state.stream.record();
      record.record(point);
      record.wait(point);
      record.add(state.graph);
      return graph.instantiate();
    }();
    executable.launch(state.stream);
    state.stream.synchronize();
  }
}

/// A value for conditional nodes, with the kernel that sets conditions.
template <class Port>
struct kept_conditions : kept<Port> {
  explicit kept_conditions(const yoke::device<Port>& on) : kept<Port>(on), value(this->context, 1) {
    yoke::graph<Port> first{this->context};
    auto record = first.record();
    record.when(value, [](auto&) {});
  }
  yoke::device_allocation<int, Port> value;
};

template <class Port>
void launch_conditions(kept_conditions<Port>& state) {
  const auto executable = [&] {
    yoke::graph<Port> graph{state.context};
    auto record = graph.record();
    yoke::fill(state.value, 1, record);
    std::size_t whole = graph.node_count();
    try {
      record.repeat_while(state.value, [&](auto& line) {
        yoke::fill(state.x, 5, line);
        line.when(state.value, [&](auto& inner) { yoke::enqueue_copy(state.x, state.host, inner); });
        yoke::fill(state.value, 0, line);
      });
      whole = graph.node_count();
      record.when(state.value, [&](auto& line) { yoke::fill(state.x, 6, line); });
    } catch (...) {
      if (graph.node_count() != whole) throw std::runtime_error("a conditional node is recorded in part");
      throw;
    }
    return graph.instantiate();
  }();
  executable.launch(state.stream);
  state.stream.synchronize();
  if (state.host[size - 1] != 5) throw std::runtime_error("wrong elements");
}

/// Images that outlive what was launched with them.
template <class Port>
struct kept_images : kept<Port> {
  explicit kept_images(const yoke::device<Port>& on)
      : kept<Port>(on), lines(this->context, 8, 8), plane(this->context, {8, 8}), volume(this->context, {4, 4, 4}) {}
  yoke::layered_image<std::int32_t, 1, Port> lines;
  yoke::image<std::int32_t, 2, Port> plane;
  yoke::image<std::int32_t, 3, Port> volume;
};

/// Effects: records copies and fills of images, and checks that a fill is recorded as a whole.
template <class Port>
void record_images(kept_images<Port>& state) {
  auto& lines = state.lines;
  auto& plane = state.plane;
  auto& volume = state.volume;
  yoke::graph<Port> graph{state.context};
  auto record = graph.record();
  std::size_t whole = 0;
  try {
    yoke::fill(volume, 7, record);
    whole = graph.node_count();
  } catch (...) {
    if (graph.node_count() != whole) throw std::runtime_error("a fill is recorded in part");
    throw;
  }
  yoke::enqueue_copy(volume, state.y, record);
  yoke::enqueue_copy(state.y, lines, record);
  yoke::enqueue_copy(lines, plane, record);
  yoke::enqueue_copy(plane, state.host, record);
  const auto executable = graph.instantiate();
  executable.launch(state.stream);
  state.stream.synchronize();
  if (state.host[size - 1] != 7) throw std::runtime_error("wrong texels");
}

/// Effects: records work of arrays that goes through a temporary. Throws: `std::runtime_error` if a failed operation is
/// recorded in part.
template <class Port, class Array>
void record_arrays(const yoke::graph<Port>& graph, Array& a, yoke::pagelocked_array<int, Port>& host) {
  auto record = graph.record();
  std::size_t whole = 0;
  try {
    a.bind(record) = a + a(yoke::reversed);  // a kernel, and a copy of what it made
    whole = graph.node_count();
    a(yoke::slice(yoke::none, yoke::none, 2)).bind(record).fill(5);
    whole = graph.node_count();
    a.bind(record).copy_to(host);
    whole = graph.node_count();
    a(0).bind(record) = yoke::pass::max(a);  // through a temporary
    whole = graph.node_count();
  } catch (...) {
    if (graph.node_count() != whole) throw std::runtime_error("an operation is recorded in part");
    throw;
  }
  if (whole != 7) throw std::runtime_error("other nodes");
}

/// The same with an array whose kernels are compiled.
template <class Port>
struct kept_arrays : kept<Port> {
  explicit kept_arrays(const yoke::device<Port>& on)
      : kept<Port>(on), a(yoke::zeros<int>({static_cast<int>(size)}, this->stream)) {
    yoke::graph<Port> first{this->context};
    record_arrays(first, a, this->host);
  }
  yoke::device_array<int, 1, Port> a;
};

template <class Port>
void launch_arrays(kept_arrays<Port>& state) {
  state.a.fill(1);
  const auto executable = [&] {
    yoke::graph<Port> graph{state.context};
    record_arrays(graph, state.a, state.host);
    return graph.instantiate();
  }();
  executable.launch(state.stream);
  state.stream.synchronize();
  if (state.host[0] != 5 || state.host[1] != 2) throw std::runtime_error("wrong elements");
}

template <class Port>
struct kept_algorithms;
template <class Port>
void record_algorithms(const yoke::graph<Port>& graph, kept_algorithms<Port>& state);

/// Arrays that algorithms read and write, and what they draw.
template <class Port>
struct kept_algorithms : kept<Port> {
  explicit kept_algorithms(const yoke::device<Port>& on)
      : kept<Port>(on),
        x(yoke::full(3, {3000}, this->stream)),
        order(yoke::zeros<int>({100}, this->stream)),
        sums(yoke::zeros<std::int64_t>({3000}, this->stream)),
        bits(yoke::zeros<std::uint32_t>({10}, this->stream)),
        chosen(this->stream, 3000) {
    x(yoke::slice(0, 100)) = 100 - yoke::arange<int>(100, this->stream);
    yoke::graph<Port> first{this->context};
    record_algorithms(first, *this);
  }
  yoke::device_array<int, 1, Port> x, order;
  yoke::device_array<std::int64_t, 1, Port> sums;
  yoke::device_array<std::uint32_t, 1, Port> bits;
  yoke::selection<int, Port> chosen;
};

/// Effects: records algorithms of several launches. Throws: as `record_arrays`.
template <class Port>
void record_algorithms(const yoke::graph<Port>& graph, kept_algorithms<Port>& state) {
  auto record = graph.record();
  std::size_t whole = 0;
  const auto step = [&](auto&& operation) {
    operation();
    whole = graph.node_count();
  };
  const auto some = state.x(yoke::slice(0, 100));
  yoke::random_generator rng(7);
  try {
    step([&] { state.sums.bind(record) = yoke::pass::cumsum(state.x); });
    step([&] { state.order.bind(record) = yoke::pass::argsort<int>(some(yoke::reversed)); });  // a copy first
    step([&] { yoke::put(state.order.bind(record), some, 7); });
    step([&] { state.chosen.bind(record) = yoke::pass::copy_if(state.x, state.x > 50); });
    step([&] { yoke::sort(some.bind(record)); });
    step([&] { rng.fill_bits(state.bits.bind(record)); });
  } catch (...) {
    if (graph.node_count() != whole) throw std::runtime_error("an algorithm is recorded in part");
    throw;
  }
}

template <class Port>
void launch_algorithms(kept_algorithms<Port>& state) {
  state.x(yoke::slice(0, 100)) = 100 - yoke::arange<int>(100, state.stream);
  const auto executable = [&] {
    yoke::graph<Port> graph{state.context};
    record_algorithms(graph, state);
    return graph.instantiate();
  }();
  executable.launch(state.stream);
  const auto last = state.sums(-1).value();
  const auto first = state.x(0).value();
  const auto put = state.order(1).value();
  if (last != 5050 + 2900 * 3 || first != 1 || put != 7 || state.chosen.size() != 50)
    throw std::runtime_error("wrong elements");
}

}  // namespace yoke_test::graph_scenarios

#endif
