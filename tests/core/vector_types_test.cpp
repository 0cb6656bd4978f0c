// SPDX-License-Identifier: MIT
// The host's vectors have the device's size, alignment and order.
#include <support/catch.hpp>

#include <yoke/core/half.hpp>
#include <yoke/core/vector_types.hpp>
#include <yoke/cuda/vector_types.hpp>
#include <yoke/opencl/vector_types.hpp>

#include <cstddef>
#include <type_traits>

template <class T, std::size_t Size, std::size_t Alignment = Size>
constexpr bool has_layout =
    sizeof(T) == Size && alignof(T) == Alignment && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>;
#define HAS_WIDTHS(name, bytes)                                                                                        \
  static_assert(has_layout<yoke::name##2, 2 * (bytes)> && has_layout<yoke::name##4, 4 * (bytes)>);                     \
  static_assert(has_layout<yoke::name##8, 8 * (bytes)> && has_layout<yoke::name##16, 16 * (bytes)>);                   \
  static_assert(has_layout<yoke::opencl::name##3, 4 * (bytes)>)
HAS_WIDTHS(char, 1);
HAS_WIDTHS(uchar, 1);
HAS_WIDTHS(short, 2);
HAS_WIDTHS(ushort, 2);
HAS_WIDTHS(half, 2);
HAS_WIDTHS(int, 4);
HAS_WIDTHS(uint, 4);
HAS_WIDTHS(float, 4);
HAS_WIDTHS(long, 8);
HAS_WIDTHS(ulong, 8);
HAS_WIDTHS(double, 8);

// CUDA's three are three, and its four of 8 bytes are aligned to 16.
static_assert(has_layout<yoke::cuda::char3, 3, 1> && has_layout<yoke::cuda::uchar3, 3, 1>);
static_assert(has_layout<yoke::cuda::short3, 6, 2> && has_layout<yoke::cuda::ushort3, 6, 2>);
static_assert(has_layout<yoke::cuda::int3, 12, 4> && has_layout<yoke::cuda::uint3, 12, 4>);
static_assert(has_layout<yoke::cuda::float3, 12, 4> && has_layout<yoke::cuda::double3, 24, 8>);
static_assert(has_layout<yoke::cuda::long3, 24, 8> && has_layout<yoke::cuda::ulong3, 24, 8>);
static_assert(has_layout<yoke::cuda::longlong3, 24, 8> && has_layout<yoke::cuda::ulonglong3, 24, 8>);
static_assert(has_layout<yoke::cuda::double4, 32, 16> && has_layout<yoke::cuda::long4, 32, 16>);
static_assert(has_layout<yoke::cuda::ulong4, 32, 16> && has_layout<yoke::cuda::longlong4, 32, 16>);
static_assert(has_layout<yoke::cuda::ulonglong4, 32, 16>);
static_assert(!std::is_same_v<yoke::cuda::float3, yoke::opencl::float3>);

static_assert(offsetof(yoke::float4, y) == 4 && offsetof(yoke::float4, w) == 12 && offsetof(yoke::int2, y) == 4);
static_assert(offsetof(yoke::opencl::float3, z) == 8 && offsetof(yoke::cuda::double4, w) == 24);
static_assert(offsetof(yoke::half4, z) == 4 && std::is_same_v<decltype(yoke::uchar16::s), std::uint8_t[16]>);

TEST_CASE("vectors compare element by element", "[core]") {
  CHECK(yoke::float2{1, 2} == yoke::float2{1, 2});
  CHECK_FALSE(yoke::float2{1, 2} == yoke::float2{2, 1});
  CHECK_FALSE(yoke::float4{1, 2, 3, 4} == yoke::float4{1, 2, 3, 5});
  CHECK_FALSE(yoke::int2{1, 2} == yoke::int2{1, 3});
  CHECK_FALSE(yoke::int4{1, 2, 3, 4} == yoke::int4{0, 2, 3, 4});
  CHECK(yoke::opencl::float3{1, 2, 3} == yoke::opencl::float3{1, 2, 3});
  CHECK_FALSE(yoke::opencl::float3{1, 2, 3} == yoke::opencl::float3{1, 2, 4});
  CHECK_FALSE(yoke::cuda::float3{1, 2, 3} == yoke::cuda::float3{1, 0, 3});
  CHECK_FALSE(yoke::uchar8{{1, 2, 3, 4, 5, 6, 7, 8}} == yoke::uchar8{{1, 2, 3, 4, 5, 6, 7, 9}});
  yoke::ushort16 wide{{1}};
  CHECK(wide == yoke::ushort16{{1}});
  wide.s[15] = 1;
  CHECK_FALSE(wide == yoke::ushort16{{1}});
}
