// SPDX-License-Identifier: MIT
// Shared virtual memory as an argument of recorded launches: the graph keeps it.
#include <graph/graph_rig.hpp>

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
