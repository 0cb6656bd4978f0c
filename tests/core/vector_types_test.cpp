// SPDX-License-Identifier: MIT
// The host's 2- and 4-vectors have the device's size, alignment and order.
#include <support/catch.hpp>

#include <yoke/core/vector_types.hpp>

#include <cstddef>
#include <type_traits>

template <class T, std::size_t Size>
constexpr bool has_device_layout =
    sizeof(T) == Size && alignof(T) == Size && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>;
static_assert(has_device_layout<yoke::float2, 8> && has_device_layout<yoke::float4, 16>);
static_assert(has_device_layout<yoke::int2, 8> && has_device_layout<yoke::int4, 16>);
static_assert(offsetof(yoke::float4, y) == 4 && offsetof(yoke::float4, w) == 12 && offsetof(yoke::int2, y) == 4);

TEST_CASE("vectors compare element by element", "[core]") {
  CHECK(yoke::float2{1, 2} == yoke::float2{1, 2});
  CHECK_FALSE(yoke::float2{1, 2} == yoke::float2{2, 1});
  CHECK_FALSE(yoke::float4{1, 2, 3, 4} == yoke::float4{1, 2, 3, 5});
  CHECK_FALSE(yoke::int2{1, 2} == yoke::int2{1, 3});
  CHECK_FALSE(yoke::int4{1, 2, 3, 4} == yoke::int4{0, 2, 3, 4});
}
