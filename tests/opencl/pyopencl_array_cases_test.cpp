// SPDX-License-Identifier: MIT
// The cases of PyOpenCL's own tests of arrays that are about memory, streams and events, in yoke's words.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>

#include <yoke/array.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

struct mark {
  int number;
  float weight;
  friend bool operator==(const mark&, const mark&) = default;
};

template <class T>
using array1 = yoke::device_array<T, 1, ocl::port>;

}  // namespace

// test_mem_pool_with_arrays
YOKE_OPENCL_TEST_CASE("arrays live in a pool, and so does what is calculated of them", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  yoke::use_array_pool(context, {});
  const ocl::memory_pool pool{context};
  {
    const auto a = yoke::arange<float>(2000, stream, pool);
    const yoke::device_array b(yoke::to_device_array(a.to_host(), stream, pool) + 4000);
    CHECK(pool.statistics().active_blocks == 2);
    CHECK(b.to_host()[1999] == 5999);
    const auto total = yoke::sum(b - a);
    CHECK(total.get() == 8'000'000);
    CHECK(pool.statistics().active_blocks == 3);
  }
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().held_blocks >= 3);
  CHECK(yoke::array_pool_statistics(context) == yoke::pool_statistics{});
}

// test_arrays_with_svm_allocators
YOKE_OPENCL_TEST_CASE("arrays lie in shared memory, a pool's or not, which changes its stream", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  using coarse = ocl::svm_allocation<float, ocl::svm::coarse>;
  const ocl::context context{device};
  const ocl::stream first{context};
  const ocl::stream second{context};
  const yoke::memory_pool pool{context, ocl::svm::coarse{}};
  const auto try_with = [&](coarse memory) {
    const auto twice_the_sum = [&](const ocl::stream& stream) {
      const array1<float> a{ocl::as_buffer(memory, stream), {1000}, stream};
      return yoke::sum(a + a).get();
    };
    yoke::copy(std::vector<float>(1000, 2.0F), memory, first);
    CHECK(twice_the_sum(first) == 4000);
    memory.bind(second);
    CHECK(twice_the_sum(second) == 4000);
  };
  try_with({context, 1000, first});
  try_with({pool, 1000, first});
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().made_blocks == 1);
}

// test_map_to_host
YOKE_OPENCL_TEST_CASE("a map shows what the device wrote, and the device what the host wrote", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  auto memory = ocl::make_buffer<int>(context, 4, {.in_host_memory = true});
  yoke::fill(memory, 3, stream);
  {
    auto view = ocl::map(memory, stream, ocl::map_read_write);
    CHECK(std::ranges::equal(view, std::vector{3, 3, 3, 3}));
    view[1] = 9;
  }
  CHECK(yoke::to_host(memory, stream) == std::vector{3, 9, 3, 3});
}

// test_get_async
YOKE_OPENCL_TEST_CASE("an asynchronous read waits for kernels before it, and hangs behind no user event", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  const std::vector<int> host(1000, 5);
  array1<int> a = yoke::to_device_array(host, {1000}, stream);
  ocl::user_event gate{context};
  stream.wait(gate.as_event());
  ocl::device_allocation<int> twice{context, 1000};
  yoke::device_view<int, 1, ocl::port> seen{twice.span(), {1000}, stream};
  seen = 2 * a;
  ocl::pagelocked_array<int> back{context, 1000};
  ocl::transfer read = yoke::copy_async(twice, back, stream);
  stream.flush();
  CHECK_FALSE(read.is_done());
  gate.complete();
  read.wait();
  CHECK(std::ranges::all_of(back, [](int each) { return each == 10; }));
}

// test_custom_type_zeros, test_custom_type_fill, test_vector_fill
YOKE_OPENCL_TEST_CASE("memory of structs and vectors is filled with zeros and with values", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<mark> marks{context, 100, stream};
  yoke::fill(marks, {}, stream);
  CHECK(yoke::to_host(marks, stream) == std::vector<mark>(100, mark{0, 0}));
  yoke::fill(marks, {7, 2.5F}, stream);
  CHECK(yoke::to_host(marks, stream) == std::vector<mark>(100, mark{7, 2.5F}));
  ocl::device_allocation<yoke::float4> vectors{context, 16, stream};
  yoke::fill(vectors, {0, 0, 1, 0}, stream);
  const auto found = yoke::to_host(vectors, stream);
  CHECK(std::ranges::all_of(found, [](const yoke::float4& v) { return v.x == 0 && v.y == 0 && v.z == 1 && v.w == 0; }));
}

// test_zero_size_array
YOKE_OPENCL_TEST_CASE("arrays without elements add, fill, read, and take another shape", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  for (const yoke::shape<2> each : {yoke::shape<2>{0, 3}, yoke::shape<2>{3, 0}, yoke::shape<2>{0, 0}}) {
    auto a = yoke::zeros<float>(each, stream);
    auto b = yoke::full(1.0F, each, stream);
    a = a + b;
    CHECK(a.size() == 0);
    CHECK(a.to_host().empty());
    CHECK(a.reshape({0}).size() == 0);
    CHECK(yoke::sum(a).get() == 0);
  }
}

// test_copy
YOKE_OPENCL_TEST_CASE("a copy of an array has memory of its own, in the stream that it is told", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context}, other{context};
  const std::vector<int> host{1, 2, 3};
  array1<int> a = yoke::to_device_array(host, {3}, stream);
  array1<int> b{other, {3}};
  other.wait(stream.record());
  yoke::copy(a.span(), b.span(), other);
  a.fill(0);
  CHECK(b.to_host() == host);
  CHECK(a.to_host() == std::vector{0, 0, 0});
}

// test_event_management
YOKE_OPENCL_TEST_CASE("a thousand fills leave no event behind", "[opencl]") {
  svm_fixture in(device);
  ocl::device_allocation<int> memory{in.context, 16};
  for (int i = 0; i < 1000; ++i) yoke::fill(memory, i, in.stream);
  const auto live = in.driver.live();
  CHECK(std::ranges::none_of(live, [](const std::string& each) { return each.starts_with("event"); }));
  CHECK(yoke::to_host(memory, in.stream) == std::vector<int>(16, 999));
}
