// SPDX-License-Identifier: MIT
// Shared virtual memory in graphs: arguments, copies and fills, which keep it.
#include <graph/graph_rig.hpp>

#include <yoke/image.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::graphs;

YOKE_OPENCL_TEST_CASE("a recorded launch takes shared virtual memory, and keeps it", "[graph][svm]") {
  graph_rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  parts with(on.context);
  ocl::graph graph{on.context};
  auto record = graph.record();
  std::optional<ocl::svm_allocation<int, ocl::svm::coarse>> shared(std::in_place, on.context, size, on.stream);
  yoke::fill(*shared, 2, on.stream);
  auto multiplied = with.multiply(record, shape, *shared, 5);
  with.add(record, shape, with.x, *shared, 1);
  auto executable = graph.instantiate();
  CHECK(launched(executable, with.x, on.stream) == all(11));
  multiplied.set(executable, *shared, 3);
  const std::size_t mark = on.driver.calls().size();
  shared.reset();
  CHECK(launched(executable, with.x, on.stream) == all(31));
  const auto frees = [&] { return on.driver.count("svm_free", mark) + on.driver.count("enqueue_svm_free", mark); };
  CHECK(frees() == 0);
  executable.reset();
  multiplied = {};
  record = {};
  graph.reset();
  on.settle();
  CHECK(soon([&] { return frees() == 1; }));
}

YOKE_OPENCL_TEST_CASE("graphs copy and fill shared virtual memory", "[graph][svm]") {
  graph_rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  parts with(on.context);
  ocl::pagelocked_array<int> back{on.context, size};
  yoke::image<std::int32_t, 2, ocl::port> image{on.context, {8, 8}};
  std::optional<ocl::svm_allocation<int, ocl::svm::coarse>> first(std::in_place, on.context, size, on.stream);
  std::optional<ocl::svm_allocation<int, ocl::svm::coarse>> second(std::in_place, on.context, size, on.stream);
  std::copy_n(counting(size).begin(), size, with.host.begin());
  ocl::graph graph{on.context};
  auto record = graph.record();
  yoke::enqueue_copy(with.host, *first, record);
  auto copied = yoke::enqueue_copy(*first, *second, record);
  yoke::fill(*first, 5, record);
  yoke::fill(yoke::strided(*second, {.width = 2, .height = 3, .row_pitch = 8, .offset = 1}), 7, record);
  with.multiply(record, shape, *second, 10);
  yoke::enqueue_copy(*first, with.x, record);
  yoke::enqueue_copy(*second, image, record);
  yoke::enqueue_copy(image, back, record);
  yoke::enqueue_copy(with.x, *first, record);
  CHECK(graph.node_count() == 9);
  auto executable = graph.instantiate();
  const std::size_t mark = on.driver.calls().size();
  first.reset();
  second.reset();
  auto expected = counting(size);
  for (const std::size_t row : {0U, 8U, 16U}) expected[row + 1] = expected[row + 2] = 7;
  for (int& each : expected) each *= 10;
  for (int times = 0; times < 2; ++times) {
    CHECK(launched(executable, with.x, on.stream) == all(5));
    CHECK(std::vector<int>(back.begin(), back.end()) == expected);
  }
  executable.disable(copied);
  CHECK(launched(executable, with.x, on.stream) == all(5));
  CHECK(back[size - 1] == 6400);
  const auto frees = [&] { return on.driver.count("svm_free", mark) + on.driver.count("enqueue_svm_free", mark); };
  CHECK(frees() == 0);
  executable.reset();
  record = {};
  graph.reset();
  on.settle();
  CHECK(frees() == 0);  // a node keeps the graph
  copied = {};
  on.settle();
  CHECK(soon([&] { return frees() == 2; }));
}
