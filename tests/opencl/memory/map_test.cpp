// SPDX-License-Identifier: MIT
// Mapped buffers: what the host sees, what is refused meanwhile, how mappings end.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/rig.hpp>

#include <yoke/array.hpp>
#include <yoke/opencl/opencl.hpp>

#include <algorithm>
#include <numeric>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_copy_constructible_v<ocl::mapped_view<int>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::mapped_view<int>>);
static_assert(std::ranges::contiguous_range<ocl::mapped_view<int>>);

namespace {
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";
constexpr const char* source_of_sums =
    "__kernel void add(__global const int* a, __global int* b) {"
    "  b[get_global_id(0)] += a[get_global_id(0)]; }";
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

YOKE_OPENCL_TEST_CASE("copies that are only enqueued are refused where a side is mapped, and no others", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4};
  ocl::device_allocation<int> other{context, 4};
  ocl::device_allocation<int> third{context, 4};
  yoke::pagelocked_array<int, ocl::port> locked{context, 4};
  std::iota(locked.begin(), locked.end(), 1);
  yoke::copy(locked, memory, stream);
  yoke::copy(locked, other, stream);
  auto view = ocl::map(memory, stream, ocl::map_read);
  const std::size_t mark = driver.mark();
  refused_as_mapped([&] { yoke::enqueue_copy(memory, other, stream); });
  refused_as_mapped([&] { yoke::enqueue_copy(other, memory, stream); });
  refused_as_mapped([&] { yoke::enqueue_copy(locked, memory, stream); });
  refused_as_mapped([&] { yoke::enqueue_copy(memory, locked, stream); });
  refused_as_mapped([&] { yoke::enqueue_copy(memory.span(), other.span(), stream); });
  CHECK(driver.count_all(mark) == 0);
  ocl::stream gone{context};
  (void)ocl::stream(std::move(gone));
  const std::size_t empty = driver.mark();
  CHECK_THROWS_WITH(yoke::enqueue_copy(other, third, gone), ContainsSubstring("this stream is empty"));
  CHECK(driver.count_all(empty) == 0);
  const std::size_t others = driver.mark();
  yoke::enqueue_copy(other, third, stream);
  yoke::enqueue_copy(third.span(), other.span(), stream);
  CHECK(driver.count_all(others) == 2);
  std::fill(locked.begin(), locked.end(), 0);
  yoke::enqueue_copy(other, locked, stream);
  stream.synchronize();
  CHECK(std::accumulate(locked.begin(), locked.end(), 0) == 10);
  CHECK(view[3] == 4);
  // What the driver refuses is told, too.
  driver.fail_function("enqueue_copy_buffer", 1, fault_mode::once, -5);
  CHECK_THROWS_WITH(yoke::enqueue_copy(other, third, stream), ContainsSubstring("CL_OUT_OF_RESOURCES"));
  view.reset();
  yoke::enqueue_copy(memory, third, stream);
  stream.synchronize();
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
  using names = std::vector<std::string>;
  const auto check = [&](const ocl::stream& order, const names& mapped, const names& unmapped) {
    std::size_t mark = driver.mark();
    auto view = ocl::map(memory, order, ocl::map_write);
    CHECK(driver.calls(mark) == mapped);
    mark = driver.mark();
    view.reset();
    CHECK(driver.calls(mark) == unmapped);
    view.reset();
    CHECK(driver.count_all(mark) == unmapped.size());
  };
  auto& user_events = yoke::opencl::detail::notes_of_new_tables.user_events_take_part;
  auto& asked = yoke::opencl::detail::notes_of_new_tables.reads_are_asked;
  const bool before[] = {user_events.load(), asked.load()};
  user_events.store(false);
  asked.store(false);  // a driver taken at its word: a raw map and unmap, between references to the memory
  const names unmapped{"enqueue_unmap_memory", "release_memory"};
  check(stream, {"retain_memory", "enqueue_map_buffer"}, unmapped);
  // The queue of a borrowed handle may end before the view.
  check(ocl::stream::borrow(context, stream.native_handle()), {"retain_queue", "retain_memory", "enqueue_map_buffer"},
        {"enqueue_unmap_memory", "release_memory", "release_queue"});
  for (auto* const flag : {&user_events, &asked}) {
    flag->store(true);
    check(stream, {"retain_memory", "enqueue_map_buffer", "wait_for_events", "get_event_info", "release_event"},
          unmapped);
    flag->store(false);
  }
  user_events.store(before[0]);
  asked.store(before[1]);
}

YOKE_OPENCL_TEST_CASE("copies in flight of mapped memory are refused", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 8};
  ocl::device_allocation<int> other{context, 8};
  ocl::pagelocked_array<int> host{context, 8};
  yoke::fill(memory, 1, stream);
  yoke::fill(other, 2, stream);
  {
    const auto view = ocl::map(memory, stream, ocl::map_read);
    refused_as_mapped([&] { (void)yoke::copy_async(memory, other, stream); });
    refused_as_mapped([&] { (void)yoke::copy_async(other, memory, stream); });
    refused_as_mapped([&] { (void)yoke::copy_async(memory.span(), other.span(), stream); });
    refused_as_mapped([&] { (void)yoke::copy_async(memory, host, stream); });
    refused_as_mapped([&] { (void)yoke::copy_async(host, memory.span(), stream); });
    yoke::copy_async(other, host, stream).wait();  // beside the view
    CHECK(std::ranges::count(host, 2) == 8);
  }
  yoke::copy_async(memory, host, stream).wait();
  CHECK(std::ranges::count(host, 1) == 8);
}

YOKE_OPENCL_TEST_CASE("views are counted by the driver whose memory they map, whoever had their counter before",
                      "[opencl]") {
  ocl::detail::driver_notes notes[2];
  ocl::abi::functions tables[] = {*device.port().table(), *device.port().table()};
  for (int i = 0; i < 2; ++i) tables[i].notes = &notes[i];
  for (int turn = 0; turn < 4; ++turn) {  // allocations take turns with the counters that lie ready
    const int which = turn % 2;
    const ocl::port port{&tables[which]};
    const ocl::context context{ocl::device::borrow(port, device.native_handle())};
    const ocl::stream stream{context};
    ocl::device_allocation<int> memory{context, 8};
    ocl::device_allocation<int> other{context, 8};
    {
      const auto view = ocl::map(memory, stream, ocl::map_read);
      CHECK(notes[which].views.load() == 1);
      CHECK(notes[1 - which].views.load() == 0);
      refused_as_mapped([&] { yoke::enqueue_copy(memory, other, stream); });
    }
    CHECK(notes[which].views.load() == 0);
  }
}

YOKE_OPENCL_TEST_CASE("the queue of a view lives as long as that, whoever has given it up", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    ocl::device_allocation<int> memory{context, 4};
    ocl::mapped_view<int> first, second, third;
    {
      ocl::stream owned{context}, given_up{context};
      const ocl::stream theirs{context};
      first = ocl::map(memory, owned, ocl::map_write);
      first[0] = 7;
      first.reset();
      ocl::device_allocation<int> others[] = {{context, 4}, {context, 4}, {context, 4}};
      first = ocl::map(others[0], owned, ocl::map_write);
      second = ocl::map(others[1], given_up, ocl::map_write);
      third = ocl::map(others[2], ocl::stream::borrow(context, theirs.native_handle()), ocl::map_write);
      const abi::queue native = given_up.release();
      CHECK(driver.table()->release_queue(native) == 0);
    }
    for (auto* const view : {&first, &second, &third}) {
      for (int& each : *view) each = 5;
      view->reset();
    }
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
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

YOKE_OPENCL_TEST_CASE("a span is mapped where it lies, and nothing beside it", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 8};
  yoke::fill(memory, 5, stream);
  {
    auto view = ocl::map(memory.subspan(3, 2), stream, ocl::map_write);
    static_assert(std::same_as<decltype(view), ocl::mapped_view<int>>);
    REQUIRE(view.size() == 2);
    view[0] = 30;
    view[1] = 40;
  }
  {
    auto view = ocl::map(memory.subspan(2, 4).subspan(1, 3), stream, ocl::map_read_write);
    REQUIRE(view.size() == 3);
    CHECK(view[0] == 30);
    view[2] += 45;
  }
  const ocl::device_allocation<int>& constant = memory;
  const auto view = ocl::map(constant.subspan(2, 5), stream, ocl::map_read);
  static_assert(std::same_as<decltype(view), const ocl::mapped_view<const int>>);
  CHECK(std::vector<int>(view.begin(), view.end()) == std::vector{5, 30, 40, 50, 5});
  const auto whole = ocl::map(memory, stream, ocl::map_read);
  CHECK(std::vector<int>(whole.begin(), whole.end()) == std::vector{5, 5, 5, 30, 40, 50, 5, 5});
}

YOKE_OPENCL_TEST_CASE("while a span is mapped its whole allocation is", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 8};
  yoke::fill(memory, 1, stream);
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  std::vector<int> host(4);
  const auto other = memory.subspan(4, 4);
  auto view = ocl::map(memory.subspan(0, 2), stream, ocl::map_write);
  const std::size_t mark = driver.mark();
  refused_as_mapped([&] { twice(stream, {.grid = 1, .block = 4}, memory); });
  refused_as_mapped([&] { yoke::copy(other, host, stream); });
  refused_as_mapped([&] { yoke::fill(memory, 1, stream); });
  refused_as_mapped([&] { (void)ocl::map(other, stream, ocl::map_read); });
  refused_as_mapped([&] { (void)ocl::map(memory, stream, ocl::map_write); });
  CHECK(driver.count("enqueue_map_buffer", mark) == 0);
  view = {};
  auto first = ocl::map(memory.subspan(0, 2), stream, ocl::map_read);
  auto second = ocl::map(other, stream, ocl::map_read);
  refused_as_mapped([&] { (void)ocl::map(other, stream, ocl::map_write); });
  first.reset();
  refused_as_mapped([&] { yoke::fill(memory, 1, stream); });
  second.reset();
  twice(stream, {.grid = 1, .block = 4}, memory);
}

YOKE_OPENCL_TEST_CASE("a mapped span outlives its allocation, whose count it does not hand to another", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::device_allocation<int> memory{context, 8};
    yoke::fill(memory, 6, stream);
    auto view = ocl::map(memory.subspan(2, 4), stream, ocl::map_read);
    memory.reset();
    ocl::device_allocation<int> next{context, 8};
    yoke::fill(next, 1, stream);  // not mapped
    CHECK(std::accumulate(view.begin(), view.end(), 0) == 24);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("spans of memory that nobody counts are mapped too", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4};
  yoke::fill(memory, 7, stream);
  const ocl::device_span<int> bare(context.native_handle(), memory.native_handle(), 1, 3);
  CHECK(ocl::map(bare, stream, ocl::map_read)[2] == 7);
  const auto span = memory.span();
  const auto native = memory.release();  // the span's memory lives on, its count does not
  CHECK(ocl::map(span, stream, ocl::map_read)[3] == 7);
  const auto again = ocl::device_allocation<int>::adopt(context, native, 4);
}

YOKE_OPENCL_TEST_CASE("mapping spans of nothing, the empty and the foreign", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)}, elsewhere{through(driver, device)};
  const ocl::stream stream{context}, foreign{elsewhere};
  ocl::device_allocation<int> memory{context, 4};
  const std::size_t mark = driver.mark();
  const auto nothing = ocl::map(memory.subspan(4, 0), stream, ocl::map_write);
  CHECK(nothing.empty());
  CHECK(nothing.is_mapped());
  const auto refused = [](yoke::errc why, auto map) {
    try {
      map();
      FAIL_CHECK("it was mapped");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == why);
      CHECK_THAT(e.what(), ContainsSubstring("map_test.cpp:"));
    }
  };
  using yoke::errc;
  refused(errc::empty_handle, [&] { (void)ocl::map(ocl::device_span<int>{}, stream, ocl::map_read); });
  refused(errc::wrong_context, [&] { (void)ocl::map(memory.span(), foreign, ocl::map_read); });
  refused(errc::empty_handle, [&] { (void)ocl::map(memory.span(), ocl::stream{}, ocl::map_read); });
  ocl::sub_buffer<int> never;
  refused(errc::empty_handle, [&] { (void)ocl::map(never, stream, ocl::map_read); });
  CHECK(driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("a failed map of a span leaves the memory usable", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::device_allocation<int> memory{context, 4};
    driver.fail_function("enqueue_map_buffer", 1, fault_mode::once, -12);
    CHECK_THROWS_AS(ocl::map(memory.subspan(1, 2), stream, ocl::map_read), yoke::runtime_error);
    yoke::fill(memory, 1, stream);  // not counted as mapped
    CHECK(ocl::map(memory.subspan(1, 2), stream, ocl::map_read)[1] == 1);
  }
  CHECK(driver.live().empty());
}

YOKE_OPENCL_TEST_CASE("a sub-buffer is mapped, and its parent with it", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const std::size_t step = std::max<std::size_t>(device.limits().base_alignment_bytes / sizeof(int), 4);
    ocl::device_allocation<int> whole{context, 2 * step};
    yoke::fill(whole, 1, stream);
    ocl::sub_buffer<int> part{whole, step, 4};
    {
      auto view = ocl::map(part, stream, ocl::map_write);
      REQUIRE(view.size() == 4);
      std::iota(view.begin(), view.end(), 10);
      refused_as_mapped([&] { yoke::fill(part, 1, stream); });
      refused_as_mapped([&] { yoke::fill(whole, 1, stream); });
    }
    std::vector<int> host(2 * step);
    yoke::copy(whole, host, stream);
    CHECK(host[step - 1] == 1);
    CHECK(host[step] == 10);
    CHECK(host[step + 3] == 13);
    const auto view = ocl::map(whole.subspan(0, 2), stream, ocl::map_read);
    refused_as_mapped([&] { yoke::fill(part, 1, stream); });
    ocl::sub_buffer<int> none{whole, 0, 0};
    CHECK(ocl::map(none, stream, ocl::map_write).empty());
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a mapped view that is none any more is no argument", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4}, sum{context, 4};
  yoke::fill(memory, 3, stream);
  yoke::fill(sum, 1, stream);
  const auto add = yoke::compile(context, source_of_sums).get_kernel<void(const int*, int*)>("add");
  const yoke::launch_shape shape{.grid = 1, .block = 4};
  const auto refused = [&](auto launch) {
    try {
      launch();
      FAIL_CHECK("a view of nothing was an argument");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::empty_handle);
      CHECK_THAT(e.what(), ContainsSubstring(" is empty (moved from, released or never set)"));
    }
  };
  auto view = ocl::map(memory, stream, ocl::map_read_write);
  add(stream, shape, yoke::in(view), sum);
  CHECK(view.is_mapped());
  auto moved = std::move(view);
  const std::size_t mark = driver.mark();
  refused([&] { add(stream, shape, yoke::in(view), sum); });  // NOLINT: what a moved-from view does is the point
  refused([&] { add(stream, shape, yoke::in(moved), yoke::out(view)); });
  refused([&] { add(stream, shape, yoke::in(moved), yoke::in_out(view)); });
  CHECK(driver.count("enqueue_kernel", mark) == 0);
  const ocl::mapped_view<int> never;
  refused([&] { add(stream, shape, yoke::in(never), sum); });
  moved.reset();
  CHECK_FALSE(moved.is_mapped());
  refused([&] { add(stream, shape, yoke::in(moved), sum); });
  view = ocl::map(memory, stream, ocl::map_read_write);
  add(stream, shape, yoke::in(view), sum);
  std::vector<int> host(4);
  yoke::copy(sum, host, stream);
  CHECK(host == std::vector(4, 7));
}

YOKE_OPENCL_TEST_CASE("a map is under way behind events, and counts from the start", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const ocl::stream other{context};
    ocl::device_allocation<int> memory{context, 8};
    yoke::fill(memory, 5, stream);
    ocl::user_event gate{context};
    auto pending = ocl::map_async(memory.subspan(2, 3), stream, ocl::map_read, {.after = gate.as_event()});
    static_assert(std::same_as<decltype(pending), ocl::pending_map<const int>>);
    CHECK_FALSE(pending.is_done());
    refused_as_mapped([&] { yoke::fill(memory, 1, other); });
    gate.complete();
    {
      const auto view = pending.get();
      CHECK(std::vector<int>(view.begin(), view.end()) == std::vector{5, 5, 5});
    }
    CHECK_THROWS_WITH((void)pending.get(), ContainsSubstring("empty"));
    auto whole = ocl::map_async(memory, stream, ocl::map_read);
    whole.done().wait();
    CHECK(whole.is_done());
    CHECK(whole.get()[7] == 5);
    ocl::device_allocation<int> nothing{context, 0};
    auto none = ocl::map_async(nothing, stream, ocl::map_write);
    CHECK(none.is_done());
    CHECK(none.get().empty());
    ocl::sub_buffer<int> part{memory, 0, 4};
    { auto dropped = ocl::map_async(part, stream, ocl::map_write); }
    yoke::fill(memory, 6, stream);  // unmapped again
    CHECK(yoke::to_host(memory, stream) == std::vector<int>(8, 6));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a view is unmapped behind events, in its own stream or another", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const ocl::stream other{context};
    ocl::device_allocation<int> memory{context, 4};
    auto view = ocl::map(memory, stream, ocl::map_write);
    std::iota(view.begin(), view.end(), 1);
    ocl::user_event gate{context};
    const ocl::event done = view.unmap({.after = gate.as_event()});
    CHECK_FALSE(view.is_mapped());
    CHECK_FALSE(done.is_done());
    yoke::device_allocation<int, ocl::port> copied{context, 4};
    yoke::enqueue_copy(memory, copied, stream);  // not mapped any more, and behind that
    gate.complete();
    done.wait();
    CHECK(yoke::to_host(copied, stream) == std::vector{1, 2, 3, 4});
    CHECK_THROWS_WITH(view.unmap(), ContainsSubstring("empty"));

    auto second = ocl::map(memory, stream, ocl::map_read_write);
    second[0] = 9;
    stream.wait(second.unmap(other));
    CHECK(yoke::to_host(memory, stream) == std::vector{9, 2, 3, 4});

    auto third = ocl::map(memory, stream, ocl::map_read);
    driver.fail_function("enqueue_unmap_memory", 1, fault_mode::once, -5);
    CHECK_THROWS_AS(third.unmap(), yoke::error);
    CHECK(third.is_mapped());  // it tries again when it ends
    const ocl::context another{through(driver, device)};
    CHECK_THROWS_AS(third.unmap(ocl::stream{another}), yoke::logic_error);
  }
  CHECK(driver.live().empty());
  CHECK(driver.count("enqueue_unmap_memory") == 4);
}

YOKE_OPENCL_TEST_CASE("a mapped view has axes", "[opencl][array]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 12};
  {
    auto table = ocl::map(memory, {3, 4}, stream, ocl::map_write);
    static_assert(std::same_as<decltype(table), yoke::host_array<ocl::mapped_view<int>, 2>>);
    std::iota(table.begin(), table.end(), 0);
    table(1, 2) = 60;
    refused_as_mapped([&] { yoke::fill(memory, 0, stream); });
  }
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  twice(stream, {.grid = 3, .block = 4}, memory);
  {
    auto f = ocl::map(memory, yoke::shape{3, 4}, stream, ocl::map_read, yoke::array_order::f);
    static_assert(std::same_as<decltype(f(0, 0)), const int&>);
    CHECK((f(0, 2) == 120 && f(2, 3) == 22));
    CHECK(f.view().parts(2, 1)[1](1, 1) == 20);
    f.memory().unmap().wait();
  }
  {
    const auto rows = ocl::map(memory.subspan(4, 8), {2, -1 + 5}, stream, ocl::map_read_write);
    CHECK((rows(1, 3) == 22 && rows[0][2] == 120));
  }
  // A map of any kind takes any strides: one that did not wait, and one of shared memory.
  auto pending = ocl::map_async(memory, stream, ocl::map_read);
  const yoke::host_array columns{pending.get(), yoke::array_layout<2>{{2, 3}, {8, 16}, 4, sizeof(int)}};
  CHECK((columns(0, 1) == 10 && columns(1, 2) == 22));
  if (device.port().svm(device.native_handle(), {}).coarse) {
    ocl::svm_allocation<int, ocl::svm::coarse> shared{context, 12, stream};
    yoke::host_array rows{shared.map(stream, ocl::map_write), yoke::shape{3, 4}};
    rows(2, 3) = 7;
    rows.reset();
    CHECK(shared.map(stream, ocl::map_read)[11] == 7);
  }
  const auto wrong = [&](auto act) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, act),
               ContainsSubstring("elements, the shape (3, 5) has 15"));
  };
  ocl::device_allocation<int> other{context, 12};
  wrong([&] { (void)ocl::map(other, {3, 5}, stream, ocl::map_write); });
  wrong([&] { (void)ocl::map(other.subspan(0, 6), {3, 5}, stream, ocl::map_write); });
  yoke::fill(other, 1, stream);  // nothing is mapped
}
