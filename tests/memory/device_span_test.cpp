// SPDX-License-Identifier: MIT
// Views of device memory: parts, ranges, constness.
#include <support/rig.hpp>

using namespace yoke_test;

static_assert(std::is_trivially_copyable_v<ocl::device_span<int>>);
static_assert(std::is_convertible_v<ocl::device_span<int>, ocl::device_span<const int>>);
static_assert(!std::is_convertible_v<ocl::device_span<const int>, ocl::device_span<int>>);
static_assert(!std::is_convertible_v<ocl::device_span<int>, ocl::device_span<unsigned>>);
static_assert(
    std::is_same_v<decltype(std::declval<const ocl::device_allocation<int>&>().span()), ocl::device_span<const int>>);

YOKE_DEVICE_TEST_CASE("a span is a part of an allocation", "[memory]") {
  rig on(device);
  auto memory = yoke::to_device(counting(20), on.stream);
  const std::size_t mark = on.driver.mark();
  const backend::device_span<int> all = memory.span();
  CHECK(all.size() == 20);
  CHECK(all.offset() == 0);
  CHECK(all.size_bytes() == 80);
  CHECK(all.native_handle() == memory.native_handle());
  CHECK(all.native_context() == on.context.native_handle());

  const backend::device_span<int> part = memory.subspan(4, 10U);
  CHECK(part.offset() == 4);
  CHECK(part.size() == 10);
  const backend::device_span<int> inner = part.subspan(short{3}, 2UL);
  CHECK(inner.offset() == 7);
  const backend::device_span<const int> tail = inner.subspan(1);
  CHECK(tail.offset() == 8);
  CHECK(tail.size() == 1);
  CHECK(part.subspan(10).empty());
  CHECK(memory.subspan(20, 0).empty());
  CHECK(backend::device_span<int>{}.empty());
  CHECK(on.driver.count_all(mark) == 0);

  CHECK(download(inner, on.stream) == std::vector<int>{8, 9});
  CHECK(download(tail, on.stream) == std::vector<int>{9});
  yoke::copy(memory.subspan(0, 2), inner, on.stream);
  CHECK(download(part, on.stream) == std::vector<int>{5, 6, 7, 1, 2, 10, 11, 12, 13, 14});
}

YOKE_DEVICE_TEST_CASE("a span never leaves what it is a part of", "[memory]") {
  rig on(device);
  backend::device_allocation<int> memory{on.context, 20};
  const auto span = memory.subspan(5, 10);
  const auto outside = [&](auto act) { return refusal<yoke::logic_error>(yoke::errc::out_of_range, act); };
  CHECK_THAT(outside([&] { (void)memory.subspan(15, 6); }),
             ContainsSubstring("elements 15 to 15 + 6 are outside the 20 there are"));
  CHECK_THAT(outside([&] { (void)span.subspan(0, 11); }),
             ContainsSubstring("elements 0 to 0 + 11 are outside the 10 there are"));
  outside([&] { (void)span.subspan(11, 0); });
  outside([&] { (void)span.subspan(11); });
  outside([&] { (void)span.subspan(1, ~std::size_t{0}); });
  outside([&] { (void)span.subspan(~std::size_t{0}, 1); });
  CHECK_THAT(outside([&] { (void)span.subspan(-1, 1); }), ContainsSubstring("first element is -1"));
  CHECK_THAT(outside([&] { (void)span.subspan(1, -1); }), ContainsSubstring("element count is -1"));
  CHECK_THAT(outside([&] { (void)memory.subspan(21, 0); }), ContainsSubstring("device_span_test.cpp"));
}

YOKE_DEVICE_TEST_CASE("a span of nothing belongs nowhere and is refused by copies", "[memory]") {
  rig on(device);
  const std::vector<int> host;
  refusal<yoke::logic_error>(yoke::errc::empty_handle,
                             [&] { yoke::copy(host, backend::device_span<int>{}, on.stream); });
}
