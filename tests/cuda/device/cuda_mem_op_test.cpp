// SPDX-License-Identifier: MIT
// Operations of streams on words of memory: tests, widths, batches, signals of hosts, kernels and graphs, and what is refused.
#include <cuda/cuda_rig.hpp>
#include <graph/graph_rig.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda/mem_op.hpp>
#include <yoke/graph.hpp>

#include <atomic>
#include <bit>
#include <chrono>
#include <limits>
#include <thread>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using cu::mem_op;
using cu::value_test;
using yoke::errc;

namespace {

/// Words that the host and the device see at once.
template <class T>
struct shared_words {
  shared_words(const cu::context& context, std::size_t count) : host(context, count), device(cu::mapped(host)) {
    for (T& each : std::span(host.data(), host.size())) each = 0;
  }
  [[nodiscard]] T get(std::size_t i) { return std::atomic_ref<T>(host.data()[i]).load(); }
  void set(std::size_t i, T value) { std::atomic_ref<T>(host.data()[i]).store(value); }
  [[nodiscard]] cu::device_span<T> word(std::size_t i) const { return device.subspan(i, 1); }

  yoke::pagelocked_array<T, cu::port> host;
  cu::device_span<T> device;
};

/// Arrays of a pool, or of a stream, may be of memory that takes no operations.
using array_of_words = yoke::device_array<std::uint32_t, 1, cu::port>;

/// Whether the stream is still at work after a while.
bool stays_busy(const cu::stream& stream) {
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  return !stream.is_done();
}

/// Whether a stream goes on when the host writes `goes_on`, and not before, when the word is `waits`.
template <class T>
bool waits_for(cuda_rig& on, value_test test, T value, T waits, T goes_on) {
  shared_words<T> words(on.context, 2);
  words.set(0, waits);
  cu::wait_value(words.word(0), test, value, on.stream);
  cu::write_value(words.word(1), T{1}, on.stream);
  const bool waited = stays_busy(on.stream) && words.get(1) == 0;
  words.set(0, goes_on);
  on.stream.synchronize();
  return waited && words.get(1) == 1;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a stream waits until a word passes the test, in each width", "[cuda][mem_op]") {
  cuda_rig on(device);
  CHECK(waits_for<std::uint32_t>(on, value_test::at_least, 3, 2, 7));
  CHECK(waits_for<std::uint32_t>(on, value_test::equal, 3, 7, 3));
  CHECK(waits_for<std::uint32_t>(on, value_test::any_bit, 6, 9, 4));
  // Numbers that wrap: 2 is 5 behind -3.
  CHECK(waits_for<std::uint32_t>(on, value_test::at_least, 0xfffffffdU, 0xfffffffcU, 2));
  CHECK(waits_for<int>(on, value_test::at_least, -3, -4, 2));
  if (cu::get(device, cu::info::can_use_stream_wait_value_nor)) {
    CHECK(waits_for<std::uint32_t>(on, value_test::nor, 0xffff0000U, 0x0000ffffU, 0x0000fffeU));
  }
  if (cu::get(device, cu::info::can_use_64_bit_stream_mem_ops)) {
    constexpr std::uint64_t high = std::uint64_t{1} << 40;
    CHECK(waits_for<std::uint64_t>(on, value_test::at_least, high, 7, high + 1));
    CHECK(waits_for<std::uint64_t>(on, value_test::equal, high + 2, 2, high + 2));
    CHECK(waits_for<std::int64_t>(on, value_test::at_least, -2, std::numeric_limits<std::int64_t>::min(), 0));
  }
}

YOKE_CUDA_TEST_CASE("what a word already passes does not wait", "[cuda][mem_op]") {
  cuda_rig on(device);
  cu::device_allocation<std::uint32_t> word{on.context, 1};
  yoke::fill(word, 5U, on.stream);
  cu::wait_value(word, value_test::at_least, 5U, on.stream);
  cu::wait_value(word, value_test::equal, 5U, on.stream);
  cu::wait_value(word, value_test::any_bit, 4U, on.stream);
  cu::write_value(word, 6U, on.stream);
  CHECK(yoke::to_host(word, on.stream) == std::vector<std::uint32_t>{6});
}

YOKE_CUDA_TEST_CASE("streams hand work to each other by words, in an allocation and an array", "[cuda][mem_op]") {
  cuda_rig on(device);
  const cu::stream other{on.context};
  const auto hand_over = [&](const auto& word) {
    cu::device_allocation<int> data{on.context, 1000};
    yoke::fill(data, 1, on.stream);
    cu::write_value(word, 0U, on.stream);
    on.stream.synchronize();
    // The reader is enqueued first.
    cu::wait_value(word, value_test::equal, 9U, other);
    yoke::pagelocked_array<int, cu::port> to{on.context, 1000};
    yoke::enqueue_copy(data, to, other);
    yoke::fill(data, 2, on.stream);
    cu::write_value(word, 9U, on.stream);
    other.synchronize();
    on.stream.synchronize();
    CHECK(std::count(to.begin(), to.end(), 2) == 1000);
  };
  cu::device_allocation<std::uint32_t> words{on.context, 4};
  hand_over(words.subspan(2, 1));
  hand_over(cu::device_allocation<std::uint32_t>{on.context, 1}.span());
  array_of_words array(cu::device_allocation<std::uint32_t>{on.context, 3}, {3}, on.stream);
  hand_over(array.view()(1));
}

YOKE_CUDA_TEST_CASE("a running kernel and a stream signal each other", "[cuda][mem_op]") {
  cuda_rig on(device);
  const cu::stream other{on.context};
  const auto kernel = yoke::get_kernel<void(std::uint32_t*, std::uint32_t*)>(cu::compile(on.context, R"(
extern "C" __global__ void answer(unsigned* asked, unsigned* answered) {
  for (unsigned i = 1; i <= 3; ++i) {
    while (*(volatile unsigned*)asked < i) __nanosleep(1000);
    __threadfence_system();
    *(volatile unsigned*)answered = 10 * i;
  }
})"),
                                                                             "answer");
  shared_words<std::uint32_t> words(on.context, 2);
  kernel(on.stream, {.grid = 1}, words.word(0), words.word(1));
  for (std::uint32_t i = 1; i <= 3; ++i) {
    cu::write_value(words.word(0), i, other);
    cu::wait_value(words.word(1), value_test::at_least, 10 * i, other);
  }
  other.synchronize();
  CHECK(words.get(1) == 30);
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("a batch runs in turn, by one call", "[cuda][mem_op]") {
  cuda_rig on(device);
  shared_words<std::uint32_t> words(on.context, 3);
  const auto calls = on.driver.count("stream_batch_mem_op");
  cu::enqueue_mem_ops({mem_op::write(words.word(0), 1U), mem_op::barrier(), mem_op::write(words.word(1), 2U),
                       mem_op::wait(words.word(2), value_test::equal, 5U), mem_op::write(words.word(0), 3U)},
                      on.stream);
  CHECK(on.driver.count("stream_batch_mem_op") == calls + 1);
  while (words.get(1) != 2) std::this_thread::yield();
  CHECK(stays_busy(on.stream));
  CHECK(words.get(0) == 1);
  words.set(2, 5);
  on.stream.synchronize();
  CHECK(words.get(0) == 3);
  // None is no call.
  cu::enqueue_mem_ops(std::span<const mem_op>{}, on.stream);
  CHECK(on.driver.count("stream_batch_mem_op") == calls + 1);
}

YOKE_CUDA_TEST_CASE("memory operations are nodes of graphs, at each launch", "[cuda][mem_op][graph]") {
  cuda_rig on(device);
  shared_words<std::uint32_t> words(on.context, 2);
  cu::device_allocation<int> data{on.context, 8};
  cu::graph graph{on.context};
  auto record = graph.record();
  cu::wait_value(words.word(0), value_test::equal, 1U, record);
  yoke::fill(data, 7, record);
  const cu::graph_node node =
      cu::enqueue_mem_ops({mem_op::write(words.word(1), 4U), mem_op::write(words.word(0), 0U)}, record);
  CHECK(cu::type_of(node) == cu::graph_node_type::batch_mem_op);
  CHECK(cu::node_count(graph) == 3);
  const auto executable = graph.instantiate();
  for (int i = 0; i < 2; ++i) {
    words.set(1, 0);
    yoke::fill(data, 0, on.stream);
    executable.launch(on.stream);
    CHECK(stays_busy(on.stream));
    words.set(0, 1);
    on.stream.synchronize();
    CHECK(words.get(1) == 4);
    CHECK(yoke::to_host(data, on.stream) == std::vector<int>(8, 7));
  }
  // The graph keeps an array's memory.
  cu::graph keeps{on.context};
  {
    array_of_words array(cu::device_allocation<std::uint32_t>{on.context, 2}, {2}, on.stream);
    auto line = keeps.record();
    cu::write_value(array(1), 3U, line);
    cu::wait_value(array(1), value_test::equal, 3U, line);
  }
  keeps.instantiate().launch(on.stream);
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("an executable with memory operations is updated, and is a child", "[cuda][mem_op][graph]") {
  cuda_rig on(device);
  shared_words<std::int64_t> words(on.context, 3);
  const auto record_of = [&](std::size_t which, std::int64_t value, bool waits) {
    cu::graph graph{on.context};
    auto record = graph.record();
    cu::write_value(words.word(which), value, record);
    if (waits) cu::wait_value(words.word(which), value_test::equal, value, record);
    return graph;
  };
  const cu::graph first = record_of(0, -5, true);
  auto executable = first.instantiate();
  executable.update(record_of(1, -6, true));
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(words.get(0) == 0);
  CHECK(words.get(1) == -6);
  executable.update(record_of(1, -7, false));  // another executable in its place
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(words.get(1) == -7);
  cu::graph parent{on.context};
  auto record = parent.record();
  record.add(first);
  cu::write_value(words.word(2), std::int64_t{1} << 40, record);
  parent.instantiate().launch(on.stream);
  on.stream.synchronize();
  CHECK(words.get(0) == -5);
  CHECK(words.get(2) == std::int64_t{1} << 40);
}

YOKE_CUDA_TEST_CASE("what is refused while it is recorded does not keep a graph from being a child",
                    "[cuda][mem_op][graph]") {
  cuda_rig on(device);
  cu::device_allocation<std::uint32_t> words{on.context, 2};
  cu::graph child{on.context};
  auto line = child.record();
  yoke::fill(words, 1U, line);
  CHECK_THROWS_AS(cu::enqueue_mem_ops(std::span<const mem_op>{}, line), yoke::logic_error);
  CHECK_THROWS_AS(cu::write_value(words, 1U, line), yoke::logic_error);
  if (yoke_test::graphs::lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  cu::graph graph{on.context};
  auto record = graph.record();
  record.when(words.subspan(0, 1), [&](auto& body) { body.add(child); });
  CHECK(cu::node_count(graph) >= 1);
}

YOKE_CUDA_TEST_CASE("a capture takes memory operations", "[cuda][mem_op][graph]") {
  cuda_rig on(device);
  shared_words<std::uint32_t> words(on.context, 2);
  const cu::graph part = yoke::capture(on.stream, [&] {
    cu::wait_value(words.word(0), value_test::at_least, 1U, on.stream);
    cu::write_value(words.word(1), 8U, on.stream);
  });
  CHECK(cu::node_count(part) == 2);
  const auto executable = part.instantiate();
  executable.launch(on.stream);
  CHECK(stays_busy(on.stream));
  words.set(0, 1);
  on.stream.synchronize();
  CHECK(words.get(1) == 8);
}

YOKE_CUDA_TEST_CASE("what memory operations cannot use is refused", "[cuda][mem_op]") {
  cuda_rig on(device);
  cu::device_allocation<std::uint32_t> words{on.context, 3};
  const auto says = [](errc code, auto&& act) { return cuda_refusal<yoke::logic_error>(code, act); };
  CHECK_THAT(says(errc::size_mismatch, [&] { cu::write_value(words, 1U, on.stream); }),
             ContainsSubstring("has 3 elements: pass memory with one, as subspan(i, 1)"));
  CHECK_THAT(says(errc::size_mismatch, [&] { cu::wait_value(words.subspan(3, 0), value_test::equal, 1U, on.stream); }),
             ContainsSubstring("has 0 elements"));
  CHECK_THAT(says(errc::empty_handle, [&] { cu::write_value(words.subspan(0, 1), 1U, cu::stream{}); }),
             ContainsSubstring("stream is empty"));
  const cu::device_allocation<std::uint32_t> none;
  CHECK_THAT(says(errc::empty_handle, [&] { cu::wait_value(none, value_test::equal, 1U, on.stream); }),
             ContainsSubstring("the word is empty"));
  CHECK_THAT(says(errc::empty_handle,
                  [&] {
                    cu::enqueue_mem_ops({mem_op::barrier(), mem_op::wait(none, value_test::equal, 1U)}, on.stream);
                  }),
             ContainsSubstring("the word of operation 1 is empty"));
  const cu::context other = cu::create_context(on.device);
  cu::device_allocation<std::uint32_t> there{other, 1};
  CHECK_THAT(says(errc::wrong_context, [&] { cu::write_value(there, 1U, on.stream); }),
             ContainsSubstring("the word is of another context than the stream"));
  cu::graph graph{on.context};
  auto record = graph.record();
  CHECK_THAT(says(errc::wrong_context, [&] { cu::write_value(there, 1U, record); }),
             ContainsSubstring("of another context than the graph"));
  CHECK_THAT(says(errc::invalid_argument, [&] { cu::enqueue_mem_ops(std::span<const mem_op>{}, record); }),
             ContainsSubstring("has one at least"));
  cu::graph_recorder empty;
  CHECK_THAT(says(errc::empty_handle, [&] { cu::write_value(words.subspan(0, 1), 1U, empty); }),
             ContainsSubstring("recorder is empty"));
  CHECK(cu::node_count(graph) == 0);
  // What the device lacks.
  if (!cu::get(device, cu::info::can_flush_remote_writes)) {
    CHECK_THAT(cuda_refusal<yoke::unsupported_error>(
                   errc::unsupported, [&] { cu::enqueue_mem_ops({mem_op::flush_remote_writes()}, on.stream); }),
               ContainsSubstring("cuStreamBatchMemOp"));
  }
  // As many as a driver takes, and one more.
  std::vector<mem_op> many(255, mem_op::write(words.subspan(0, 1), 1U));
  cu::enqueue_mem_ops(many, on.stream);
  many.push_back(mem_op::write(words.subspan(0, 1), 2U));
  CHECK_THAT(says(errc::out_of_range, [&] { cu::enqueue_mem_ops(many, on.stream); }),
             ContainsSubstring("these are 256 memory operations: a batch has at most 255"));
  CHECK_THAT(says(errc::out_of_range, [&] { cu::enqueue_mem_ops(many, record); }), ContainsSubstring("at most 255"));
  // A plain view of managed memory does not say what it is.
  if (cu::get(device, cu::info::managed_memory)) {
    cu::managed_allocation<std::uint32_t> managed{on.context, 1};
    const auto plain = managed.span();
    const auto told = [&](auto&& act) { return says(errc::invalid_argument, act); };
    CHECK_THAT(told([&] {
                 cu::enqueue_mem_ops({mem_op::barrier(), mem_op::write(plain, 1U)}, on.stream);
               }),
               ContainsSubstring("the word of operation 1 is in managed memory, which takes no memory operations"));
    CHECK_THAT(says(errc::invalid_argument, [&] { cu::write_value(plain, 1U, record); }),
               ContainsSubstring("the word is in managed memory"));
  }
  if (has_pools(device)) {
    cu::device_allocation<std::uint32_t> ordered{on.context, 1, on.stream};
    CHECK_THAT(says(errc::invalid_argument, [&] { cu::write_value(ordered, 1U, on.stream); }),
               ContainsSubstring("the word is in stream-ordered memory"));
    CHECK_THAT(says(errc::invalid_argument, [&] { cu::write_value(ordered, 1U, record); }),
               ContainsSubstring("stream-ordered memory, which takes no memory operations"));
  }
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("the body of a conditional node takes no memory operations", "[cuda][mem_op][graph]") {
  if (yoke_test::graphs::lacks_conditions(device)) YOKE_SKIP("this driver has no such conditional nodes");
  cuda_rig on(device);
  cu::device_allocation<std::uint32_t> words{on.context, 2};
  cu::graph graph{on.context};
  auto record = graph.record();
  const auto value = words.subspan(0, 1);
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(
                 errc::unsupported,
                 [&] { record.when(value, [&](auto& line) { cu::write_value(words.subspan(1, 1), 1U, line); }); }),
             ContainsSubstring("takes no memory operations"));
}
