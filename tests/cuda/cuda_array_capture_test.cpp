// SPDX-License-Identifier: MIT
// Arrays of several streams in captures: what a capture notes stays in it, and what is outside is refused.
#include <array/array_rig.hpp>
#include <support/devices/gate.hpp>

#include <yoke/graph.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::arrays;
namespace cu = yoke::cuda;
using Catch::Matchers::ContainsSubstring;

namespace {

using array = yoke::device_array<int, 1, cu::port>;

struct capture_rig : rig<cuda_backend> {
  using rig::rig;
  cu::stream other{context};
  array a = yoke::full(1, {64}, stream);
  array b = yoke::zeros<int>({64}, other);
  yoke::module<cu::port> module = yoke::compile(context, R"(
      YOKE_KERNEL add(YOKE_GLOBAL const int* a, YOKE_GLOBAL int* to) { to[get_global_id(0)] += a[get_global_id(0)]; })");
  yoke::kernel<void(const int*, int*), cu::port> add = yoke::get_kernel<void(const int*, int*)>(module, "add");
  static auto shape() { return yoke::launch_over(64, 64); }

  /// Effects: runs the kernels once, so that none is loaded in a capture.
  void warm() {
    a = a + 0;
    b = a + 0;
    a.fill(1);
    b.fill(0);
    add(other, shape(), a, b);
    b.fill(0);
    stream.synchronize();
    other.synchronize();
  }
};

}  // namespace

YOKE_CUDA_TEST_CASE("other streams' work that is done before a capture does not disturb it",
                    "[array][order][capture]") {
  capture_rig on(device);
  on.warm();
  on.b = on.a + 5;  // noted
  on.other.synchronize();
  const auto graph = yoke::capture(on.stream, [&] { on.a = on.a + 1; });
  CHECK(on.a.to_host()[0] == 1);
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  executable.launch(on.stream);
  CHECK(on.a.to_host()[0] == 3);
  CHECK(on.b.to_host()[0] == 6);
}

YOKE_CUDA_TEST_CASE("other streams' work before a capture that is not done is refused", "[array][order][capture]") {
  capture_rig on(device);
  on.warm();
  {
    gate<cuda_backend> held(on.other);
    on.add(on.other, capture_rig::shape(), on.a, on.b);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)yoke::capture(on.stream, [&] { on.a.fill(9); }); }),
               ContainsSubstring("bind"));
    held.open();
  }
  on.other.synchronize();
  CHECK(on.a.to_host()[0] == 1);  // the stream works as before
  on.a.fill(9);
  CHECK(on.a.to_host()[0] == 9);
  CHECK(on.b.to_host()[0] == 1);
}

YOKE_CUDA_TEST_CASE("a capture takes no array of a stream that is not captured, unless it is bound",
                    "[array][order][capture]") {
  capture_rig on(device);
  on.warm();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::capture(on.other, [&] { on.b = on.a + 1; }); }),
             ContainsSubstring("bind"));
  CHECK_THAT(refusal<yoke::logic_error>(
                 yoke::errc::invalid_argument,
                 [&] { (void)yoke::capture(on.other, [&] { on.add(on.other, capture_rig::shape(), on.a, on.b); }); }),
             ContainsSubstring("bind"));
  const auto bound = on.a.bind(on.other);
  const auto graph = yoke::capture(on.other, [&] { on.b = bound + 1; });
  graph.instantiate().launch(on.other);
  CHECK(on.b.to_host()[0] == 2);
}

YOKE_CUDA_TEST_CASE("a capture takes other streams along, and its events do not leave it", "[array][order][capture]") {
  capture_rig on(device);
  on.warm();
  std::optional<cu::graph> graph;
  graph.emplace(yoke::capture(on.stream, [&] {
    on.a = on.a + 1;
    on.add(on.other, capture_rig::shape(), on.a, on.b);  // joins
    on.a = on.a + 1;                                     // and comes back
  }));
  CHECK(on.a.to_host()[0] == 1);
  // What was noted in the capture is no work outside of it.
  on.a.fill(10);
  on.add(on.other, capture_rig::shape(), on.a, on.b);
  on.a.fill(20);
  CHECK(on.a.to_host()[0] == 20);
  CHECK(on.b.to_host()[0] == 10);
  const auto again = yoke::capture(on.stream, [&] {
    on.add(on.other, capture_rig::shape(), on.a, on.b);
    on.a.fill(4);
  });
  on.b.fill(0);
  on.other.synchronize();
  graph->instantiate().launch(on.stream);
  on.stream.synchronize();
  CHECK(on.a.to_host()[0] == 22);
  CHECK(on.b.to_host()[0] == 21);
  again.instantiate().launch(on.stream);
  on.stream.synchronize();
  CHECK(on.b.to_host()[0] == 43);
  CHECK(on.a.to_host()[0] == 4);
}
