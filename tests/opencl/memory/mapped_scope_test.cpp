// SPDX-License-Identifier: MIT
// Scopes over several ranges of the program as device memory, all or none.
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/faults/fault_run.hpp>

#include <yoke/opencl/opencl.hpp>

#include <optional>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
constexpr const char* source =
    "__kernel void add(__global const int* a, __global int* b) { b[get_global_id(0)] += a[get_global_id(0)]; }";

const ocl::stream& emptied(const ocl::context& in) {
  static ocl::stream left;
  left = ocl::stream{in};
  const ocl::stream gone = std::move(left);
  return left;
}

}  // namespace

YOKE_OPENCL_TEST_CASE("a scope gives ranges of the program to kernels, and gives them back", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const std::vector<int> x{1, 2, 3, 4};
    std::vector<int> y{10, 20, 30, 40};
    std::vector<float> z(1000);
    std::vector<int> none;
    const auto add = yoke::compile(context, source).get_kernel<void(const int*, int*)>("add");
    {
      const ocl::mapped_scope map{stream, x, y, z, none};
      const auto& [dx, dy, dz, nothing] = map.views();
      static_assert(std::same_as<std::remove_cvref_t<decltype(dx)>, ocl::device_span<const int>>);
      static_assert(std::same_as<std::remove_cvref_t<decltype(dy)>, ocl::device_span<int>>);
      CHECK(nothing.empty());
      add(stream, {.grid = 1, .block = 4}, dx, dy);
      yoke::fill(dz, 7.0f, stream);
      CHECK(yoke::to_host(dx, stream) == x);
    }
    CHECK(y == std::vector{11, 22, 33, 44});
    CHECK(z == std::vector<float>(1000, 7.0f));
    { const ocl::mapped_scope again{stream, y}; }  // nothing is written
    CHECK(y == std::vector{11, 22, 33, 44});
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a scope that cannot have all ranges has none, and its end reports", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    std::vector<int> x(4), y(4);
    std::size_t mark = driver.mark();
    driver.fail_function("create_buffer", 2, fault_mode::once, -4);
    CHECK_THROWS_AS((ocl::mapped_scope{stream, x, y}), yoke::memory_error);
    driver.disarm();
    CHECK(driver.count("release_memory", mark) == 1);
    CHECK_THROWS_WITH((ocl::mapped_scope{emptied(context), x}), ContainsSubstring("this stream is empty"));
    const std::span<int> tail = std::span(y).last(2);
    const std::span<int> head = std::span(y).first(2);
    mark = driver.mark();
    CHECK_THROWS_WITH((ocl::mapped_scope{stream, x, y, tail}),
                      ContainsSubstring("ranges 1 and 2 of a mapped_scope overlap"));
    CHECK_THROWS_AS((ocl::mapped_scope{stream, x, x}), yoke::logic_error);
    CHECK(driver.count("create_buffer", mark) == 0);
    { const ocl::mapped_scope apart{stream, head, tail}; }
    cleanup_recorder recorder;
    {
      const ocl::mapped_scope map{stream, x, y};
      yoke::fill(std::get<1>(map.views()), 3, stream);
      mark = driver.mark();
      driver.fail_function("enqueue_map_buffer", 1, fault_mode::once, -5);
    }
    driver.disarm();
    CHECK(y == std::vector<int>(4, 3));  // the other range is shown all the same
    CHECK(driver.count("enqueue_map_buffer", mark) == 2);
    const auto reported = recorder.take();
    REQUIRE(reported.size() == 1);
    CHECK(reported[0].code == -5);
    CHECK_THAT(reported[0].message, ContainsSubstring("clEnqueueMapBuffer"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}
