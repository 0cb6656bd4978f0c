// SPDX-License-Identifier: MIT
// Mapped buffers: what the host sees, what is refused meanwhile, how mappings end.
#include <support/devices.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#include <numeric>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_copy_constructible_v<ocl::mapped_view<int>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::mapped_view<int>>);
static_assert(std::ranges::contiguous_range<ocl::mapped_view<int>>);

namespace {
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
template <class Action>
void refused_as_mapped(Action action) {
  try {
    action();
    FAIL_CHECK("mapped memory was used");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::mapped);
    CHECK_THAT(e.what(), ContainsSubstring("mapped for the host"));
  }
}
}  // namespace

YOKE_OPENCL_TEST_CASE("the host writes and reads through mapped views", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 8};
  {
    auto view = ocl::map(memory, stream, ocl::map_write);
    static_assert(std::same_as<decltype(view), ocl::mapped_view<int>>);
    REQUIRE(view.size() == 8);
    std::iota(view.begin(), view.end(), 1);
  }
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  twice(stream, {.grid = 2, .block = 4}, memory);
  {
    const auto view = ocl::map(memory, stream, ocl::map_read);
    static_assert(std::same_as<decltype(view), const ocl::mapped_view<const int>>);
    for (int i = 0; i < 8; ++i) CHECK(view[static_cast<std::size_t>(i)] == 2 * (i + 1));
  }
  {
    auto view = ocl::map(memory, stream, ocl::map_read_write);
    view[0] += 40;
  }
  std::vector<int> host(8);
  yoke::copy(memory, host, stream);
  CHECK(host == std::vector{42, 4, 6, 8, 10, 12, 14, 16});
}

YOKE_OPENCL_TEST_CASE("mapped memory is refused by launches, copies and fills", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4};
  const ocl::device_allocation<int>& reading = memory;
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  std::vector<int> host(4);
  yoke::copy(host, memory, stream);
  auto view = ocl::map(memory, stream, ocl::map_read);
  const std::size_t mark = driver.mark();
  refused_as_mapped([&] { twice(stream, {.grid = 1, .block = 4}, memory); });
  refused_as_mapped([&] { (void)twice.enqueue(stream, {.grid = 1, .block = 4}, memory); });
  refused_as_mapped([&] { yoke::copy(host, memory, stream); });
  refused_as_mapped([&] { yoke::copy(reading, host, stream); });
  refused_as_mapped([&] { yoke::fill(memory, 1, stream); });
  CHECK(driver.count_all(mark) == 0);
  view.reset();
  CHECK(view.empty());
  twice(stream, {.grid = 1, .block = 4}, memory);
  yoke::copy(memory, host, stream);
}

YOKE_OPENCL_TEST_CASE("memory is mapped as long as any of its views lives", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4};
  yoke::fill(memory, 3, stream);
  auto first = ocl::map(memory, stream, ocl::map_read);
  auto second = ocl::map(memory, stream, ocl::map_read);
  CHECK(first[0] == 3);
  ocl::device_allocation<int> moved = std::move(memory);  // the count moves along
  refused_as_mapped([&] { yoke::fill(moved, 1, stream); });
  first.reset();
  refused_as_mapped([&] { yoke::fill(moved, 1, stream); });
  auto third = std::move(second);
  refused_as_mapped([&] { yoke::fill(moved, 1, stream); });
  third = {};
  yoke::fill(moved, 1, stream);
  ocl::device_allocation<int> other{context, 4};
  auto view = ocl::map(moved, stream, ocl::map_read);
  swap(moved, other);
  yoke::fill(moved, 1, stream);  // this is the other one now
  refused_as_mapped([&] { yoke::fill(other, 1, stream); });
}

YOKE_OPENCL_TEST_CASE("a mapped view outlives allocation and stream", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    ocl::mapped_view<const int> view;
    {
      const ocl::context context{through(driver, device)};
      const ocl::stream stream{context};
      ocl::device_allocation<int> memory{context, 4, stream};
      yoke::fill(memory, 6, stream);
      view = ocl::map(memory, stream, ocl::map_read);
    }
    CHECK(driver.count("release_context") == 0);
    CHECK(std::accumulate(view.begin(), view.end(), 0) == 24);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a view ends in its stream's order, unmapped before it is released", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4};
  std::size_t mark = driver.mark();
  auto view = ocl::map(memory, stream, ocl::map_write);
  CHECK(driver.calls(mark) == std::vector<std::string>{"retain_queue", "retain_memory", "enqueue_map_buffer",
                                                       "wait_for_events", "get_event_info", "release_event"});
  mark = driver.mark();
  view.reset();
  CHECK(driver.calls(mark) == std::vector<std::string>{"enqueue_unmap_memory", "release_memory", "release_queue"});
  view.reset();
  CHECK(driver.count_all(mark) == 3);
}

YOKE_OPENCL_TEST_CASE("mapping nothing, the empty and the foreign", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)}, elsewhere{through(driver, device)};
  const ocl::stream stream{context}, foreign{elsewhere};
  ocl::device_allocation<int> nothing{context, 0}, memory{context, 4}, never;
  const std::size_t mark = driver.mark();
  CHECK(ocl::map(nothing, stream, ocl::map_write).empty());
  CHECK_THROWS_AS(ocl::map(never, stream, ocl::map_read), yoke::logic_error);
  try {
    (void)ocl::map(memory, foreign, ocl::map_read);
    FAIL("a stream of another context mapped the memory");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::wrong_context);
  }
  CHECK_THROWS_AS(ocl::map(memory, ocl::stream{}, ocl::map_read), yoke::logic_error);
  CHECK(driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("a failed map leaves the memory usable", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::device_allocation<int> memory{context, 4};
    driver.fail_function("enqueue_map_buffer", 1, fault_mode::once, -12);
    CHECK_THROWS_AS(ocl::map(memory, stream, ocl::map_read), yoke::runtime_error);
    yoke::fill(memory, 1, stream);  // not counted as mapped
    CHECK(ocl::map(memory, stream, ocl::map_read)[3] == 1);
  }
  CHECK(driver.live().empty());
}
