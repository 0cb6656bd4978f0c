// SPDX-License-Identifier: MIT
// Graphs on every backend: what they run, in which order, and how many driver calls a launch is.
#include <graph/graph_rig.hpp>
#include <memory/fill_checks.hpp>
#include <support/devices/any_context.hpp>

#include <array>
#include <thread>
#include <utility>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::graphs;

namespace {

/// Records a fill, two launches and two copies, and launches them twice.
template <class Port>
void check_line(const yoke::stream<Port>& stream) {
  parts with(stream.context_of());
  yoke::graph graph{stream.context_of()};
  auto record = graph.record();
  yoke::fill(with.x, 3, record);
  with.multiply(record, shape, with.x, 5);
  with.add(record, shape, with.y, with.x, 2);
  yoke::enqueue_copy(with.y, with.x, record);
  const auto read = yoke::copy_async(with.x, with.host, record);
  CHECK(read);
  CHECK(graph.node_count() == 5);
  const auto executable = graph.instantiate();
  yoke::fill(with.x, 100, stream);
  CHECK(launched(executable, with.y, stream) == all(17));
  CHECK(std::vector<int>(with.host.begin(), with.host.end()) == all(17));
  std::fill(with.host.begin(), with.host.end(), 0);
  executable.upload(stream);
  CHECK(launched(executable, with.x, stream) == all(17));
  CHECK(with.host[size - 1] == 17);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a graph runs what was recorded, in order, at each launch", "[graph]") {
  graph_rig on(device);
  check_line(on.stream);
}

YOKE_DEVICE_TEST_CASE("any_port has graphs", "[graph]") {
  graph_rig on(device);
  const yoke::stream<yoke::any_port> stream(any_context(on));
  check_line(stream);
  settle(stream);
}

YOKE_DEVICE_TEST_CASE("a launch of an executable is one driver call, or one for each command", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  with.multiply(record, shape, with.x, 5);
  record.mark();
  with.add(record, shape, with.y, with.x, 2);
  yoke::enqueue_copy(with.y, with.host, record);
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  const std::size_t mark = on.driver.calls().size();
  executable.launch(on.stream);
  const auto calls = on.driver.calls(mark);
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    CHECK(calls == std::vector<std::string>{"graph_launch"});
  } else {
    CHECK(calls == std::vector<std::string>{"enqueue_kernel", "enqueue_kernel", "enqueue_read_buffer"});
  }
  on.stream.synchronize();
}

YOKE_DEVICE_TEST_CASE("lines of a graph come behind what they name", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  backend::device_allocation<int> left{on.context, size}, right{on.context, size};
  yoke::graph graph{on.context};
  auto record = graph.record();
  const auto first = yoke::fill(with.x, 7, record);

  // A fork and a join.
  auto line = record.fork();
  with.add(record, shape, left, with.x, 1);
  with.add(line, shape, right, with.x, 2);
  record.join(line);
  const auto sum = with.add(record, shape, with.y, left, 100);

  // Behind named nodes, which the line itself is not behind.
  const auto doubled = with.multiply(graph.record().after({sum, first}), shape, right, 2);
  auto last = record.after({doubled});
  with.add(last, shape, left, right, 10);
  last.join({sum});
  const auto end = last.mark();
  CHECK(end == end);
  CHECK(!(end == sum));
  with.multiply(record.after({end}), shape, with.y, 3);

  const auto executable = graph.instantiate();
  for (int times = 0; times < 2; ++times) {
    CHECK(launched(executable, left, on.stream) == all(28));
    CHECK(download(right, on.stream) == all(18));
    CHECK(download(with.y, on.stream) == all(324));
  }
}

YOKE_DEVICE_TEST_CASE("a graph is a node of another, as it was then", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  auto executable = [&] {
    yoke::graph inner{on.context};
    auto inside = inner.record();
    with.multiply(inside, shape, with.x, 2);
    with.add(inside, shape, with.x, with.x, 1);
    yoke::graph graph{on.context};
    auto record = graph.record();
    yoke::fill(with.x, 1, record);
    record.add(inner);
    const auto second = record.add(inner);
    with.multiply(record.after({second}), shape, with.x, 10);
    with.multiply(inside, shape, with.x, 0);  // too late
    return graph.instantiate();
  }();
  CHECK(launched(executable, with.x, on.stream) == all(70));
}

YOKE_DEVICE_TEST_CASE("graphs of nothing, and commands of nothing, are launched", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  const auto nothing = graph.instantiate();
  nothing.launch(on.stream);
  auto record = graph.record();
  yoke::fill(with.x, 4, record);
  const auto none = with.multiply(record, yoke::launch_over(0), with.x, 5);
  const auto filled = yoke::fill(with.x.subspan(0, 0), 5, record);
  const auto copied = yoke::enqueue_copy(with.x.subspan(3, 0), with.y.subspan(3, 0), record);
  with.multiply(record.after({none, filled, copied}), shape, with.x, 2);
  const auto executable = graph.instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(8));
}

YOKE_DEVICE_TEST_CASE("graphs fill elements of any size, and boxes of them", "[graph]") {
  graph_rig on(device);
  fills::for_each_size([&](auto bytes) {
    using T = fills::element<bytes>;
    INFO("elements of " << bytes << " bytes");
    backend::device_allocation<T> memory{on.context, fills::box_elements};
    for (const yoke::box_layout& box : {fills::flat_box, fills::deep_box}) {
      yoke::graph graph{on.context};
      auto record = graph.record();
      yoke::fill(memory, T::of(1), record);
      yoke::fill(memory.subspan(39, 1), T::of(7), record);
      yoke::fill(yoke::strided(memory, box), T::of(101), record);
      auto expected = std::vector<T>(fills::box_elements, T::of(1));
      expected[39] = T::of(7);
      CHECK(launched(graph.instantiate(), memory, on.stream) == fills::filled(expected, box, T::of(101)));
    }
  });
}

YOKE_DEVICE_TEST_CASE("graphs copy boxes between all places that they record", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  const auto values = counting(size);
  for (const yoke::box_layout& box : {fills::flat_box, fills::deep_box}) {
    backend::pagelocked_array<int> back{on.context, size};
    std::fill(back.begin(), back.end(), -1);
    std::copy(values.begin(), values.end(), with.host.begin());
    yoke::graph graph{on.context};
    auto record = graph.record();
    yoke::fill(with.x, 0, record);
    yoke::fill(with.y, 0, record);
    yoke::enqueue_copy(yoke::strided(with.host, box), yoke::strided(with.x, box), record);
    yoke::enqueue_copy(yoke::strided(with.x, box), yoke::strided(with.y, box), record);
    yoke::enqueue_copy(yoke::strided(with.y, box), yoke::strided(back, box), record);
    const auto executable = graph.instantiate();
    std::vector<int> expected(size, 0), expected_back(size, -1);
    for (std::size_t z = 0; z < box.depth; ++z) {
      for (std::size_t row = 0; row < box.height; ++row) {
        for (std::size_t x = 0; x < box.width; ++x) {
          const std::size_t i = box.offset + z * box.slice_pitch + row * box.row_pitch + x;
          expected[i] = expected_back[i] = values[i];
        }
      }
    }
    CHECK(launched(executable, with.y, on.stream) == expected);
    CHECK(download(with.x, on.stream) == expected);
    CHECK(std::vector<int>(back.begin(), back.end()) == expected_back);
  }
}

YOKE_DEVICE_TEST_CASE("launches of one executable run one after another, in any streams and from any threads",
                      "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  with.add(record, shape, with.x, with.x, 1);
  const auto executable = graph.instantiate();
  yoke::fill(with.x, 0, on.stream);
  on.stream.synchronize();
  constexpr int each = 20;
  const backend::stream other{on.context};
  {
    std::vector<std::thread> threads;
    for (const backend::stream* const in :
         std::initializer_list<const backend::stream*>{&on.stream, &other, &other, &on.stream}) {
      threads.emplace_back([&, in] {
        for (int i = 0; i < each; ++i) executable.launch(*in);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  other.synchronize();
  on.stream.synchronize();
  CHECK(download(with.x, on.stream) == all(4 * each));
}

YOKE_OPENCL_TEST_CASE("a launch that cannot come behind the one before does not run", "[graph]") {
  graph_rig on(device);
  const ocl::stream other{on.context};
  {
    parts with(on.context);
    yoke::graph graph{on.context};
    auto record = graph.record();
    with.add(record, shape, with.x, with.x, 1);
    const auto executable = graph.instantiate();
    yoke::fill(with.x, 0, on.stream);
    executable.launch(on.stream);
    on.stream.synchronize();
    on.driver.fail_function("enqueue_barrier", 1, fault_mode::once, opencl_backend::codes::out_of_memory);
    try {
      executable.launch(other);
      FAIL_CHECK("the stream could not wait");
    } catch (const yoke::memory_error&) {
    }
    on.driver.disarm();
    other.synchronize();
    CHECK(download(with.x, on.stream) == all(1));
    executable.launch(other);
    other.synchronize();
    CHECK(download(with.x, on.stream) == all(2));
  }
  on.settle();
  CHECK(soon([&] { return on.live().empty(); }));
}

YOKE_DEVICE_TEST_CASE("threads record, change and launch graphs of one context at once", "[graph]") {
  graph_rig on(device);
  // Launches of one executable come one behind another; the two have their own memory.
  parts with(on.context), others(on.context);
  yoke::graph shared{on.context}, first{on.context}, next{on.context};
  const auto record_with = [&](const yoke::graph<port>& graph, parts<port>& of, int value) {
    auto record = graph.record();
    const auto filled = yoke::fill(of.x, value, record);
    return std::pair(filled, of.add(record, shape, of.y, of.x, 1));
  };
  const auto recorded = record_with(shared, with, 1);
  const auto& filled = recorded.first;
  const auto& added = recorded.second;
  const auto first_added = record_with(first, others, 1).second;
  const auto next_added = record_with(next, others, 100).second;
  auto executable = shared.instantiate();
  const auto changed = first.instantiate();
  constexpr int rounds = 10;
  std::array<bool, 3> right{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t own = 0; own < right.size(); ++own) {
      // Each records its own graph on its own memory, and launches the common ones between its own.
      threads.emplace_back([&, own] {
        const backend::stream stream{on.context};
        backend::device_allocation<int> memory{on.context, size};
        bool fine = true;
        for (int round = 0; round < rounds; ++round) {
          yoke::graph graph{on.context};
          auto record = graph.record();
          yoke::fill(memory, round, record);
          with.multiply(record, shape, memory, static_cast<int>(own) + 2);
          const auto own_executable = graph.instantiate();
          executable.launch(stream);
          changed.launch(stream);
          fine = launched(own_executable, memory, stream) == all(round * (static_cast<int>(own) + 2)) && fine;
        }
        right[own] = fine;
      });
    }
    // One more changes what the others launch.
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        filled.set(executable, with.x, round);
        executable.enable(added, round % 2 == 0);
        added.set(executable, with.y, with.x, round);
        (void)changed.update(round % 2 == 0 ? next : first);
        changed.enable(round % 2 == 0 ? next_added : first_added, round % 3 != 0);
      }
    });
  }
  CHECK(right == std::array{true, true, true});
  executable.enable(added);
  CHECK(launched(executable, with.y, on.stream) == all(2 * (rounds - 1)));
  CHECK(changed.update(next).in_place);
  CHECK(launched(changed, others.y, on.stream) == all(101));
}

YOKE_DEVICE_TEST_CASE("a launch waits for the one before in another stream", "[graph]") {
  graph_rig on(device);
  parts with(on.context);
  yoke::graph graph{on.context};
  auto record = graph.record();
  with.add(record, shape, with.x, with.x, 1);
  const auto executable = graph.instantiate();
  const backend::stream other{on.context};
  yoke::fill(with.x, 0, on.stream);
  executable.launch(on.stream);
  on.stream.synchronize();
  gate held{on.stream};
  executable.launch(on.stream);
  executable.launch(other);
  const auto done = other.record();
  other.flush();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(done.is_done());
  held.open();
  other.synchronize();
  CHECK(download(with.x, other) == all(3));
}
