// SPDX-License-Identifier: MIT
// Texel types: the format of each, its channels and bytes, and that images have it by the driver's word.
#include <image/image_rig.hpp>

#include <set>

using namespace yoke_test;

namespace {

template <class T>
constexpr bool has(yoke::channel_type type, unsigned channels, std::size_t bytes) {
  constexpr yoke::image_format format = yoke::texel_traits<T>::format;
  return format.type == type && format.channels == channels && sizeof(T) == bytes &&
         yoke::image<T, 2>::format == format;
}
using enum yoke::channel_type;
static_assert(has<std::int8_t>(signed8, 1, 1) && has<yoke::char2>(signed8, 2, 2) && has<yoke::char4>(signed8, 4, 4));
static_assert(has<std::uint8_t>(unsigned8, 1, 1) && has<yoke::uchar2>(unsigned8, 2, 2));
static_assert(has<yoke::uchar4>(unsigned8, 4, 4));
static_assert(has<std::int16_t>(signed16, 1, 2) && has<yoke::short2>(signed16, 2, 4));
static_assert(has<yoke::short4>(signed16, 4, 8));
static_assert(has<std::uint16_t>(unsigned16, 1, 2) && has<yoke::ushort2>(unsigned16, 2, 4));
static_assert(has<yoke::ushort4>(unsigned16, 4, 8));
static_assert(has<std::int32_t>(signed32, 1, 4) && has<yoke::int2>(signed32, 2, 8) && has<yoke::int4>(signed32, 4, 16));
static_assert(has<std::uint32_t>(unsigned32, 1, 4) && has<yoke::uint2>(unsigned32, 2, 8));
static_assert(has<yoke::uint4>(unsigned32, 4, 16));
static_assert(has<yoke::half>(half_float, 1, 2) && has<yoke::half2>(half_float, 2, 4));
static_assert(has<yoke::half4>(half_float, 4, 8));
static_assert(has<float>(float32, 1, 4) && has<yoke::float2>(float32, 2, 8) && has<yoke::float4>(float32, 4, 16));
static_assert(has<yoke::unorm<std::uint8_t>>(unorm8, 1, 1) && has<yoke::unorm<std::uint8_t, 2>>(unorm8, 2, 2));
static_assert(has<yoke::unorm<std::uint8_t, 4>>(unorm8, 4, 4) && has<yoke::unorm<std::uint16_t, 4>>(unorm16, 4, 8));
static_assert(has<yoke::snorm<std::int8_t, 4>>(snorm8, 4, 4) && has<yoke::snorm<std::int16_t>>(snorm16, 1, 2));
static_assert(has<yoke::srgba8>(srgb8, 4, 4));

}  // namespace

YOKE_OPENCL_TEST_CASE("the driver has the format of each texel type", "[image][opencl]") {
  rig on(device);
  using ocl::abi::image_format;
  std::set<image_format> seen;
  const auto check = [&]<class T>(std::type_identity<T>, const image_format& expected) {
    const auto image = made_or_refused<ocl::image<T, 2>>(on.context, yoke::extent3{4, 3});
    if (!image) return;
    const auto told = ocl::description_of(image);
    INFO(to_string(told.format));
    CHECK(told.format.channel_order == expected.channel_order);
    CHECK(told.format.channel_data_type == expected.channel_data_type);
    CHECK(told.element_bytes == sizeof(T));
    seen.insert(told.format);
  };
  using namespace ocl::abi;
  check(std::type_identity<std::int8_t>{}, {order_r, type_signed_int8});
  check(std::type_identity<yoke::uchar4>{}, {order_rgba, type_unsigned_int8});
  check(std::type_identity<yoke::short4>{}, {order_rgba, type_signed_int16});
  check(std::type_identity<std::uint16_t>{}, {order_r, type_unsigned_int16});
  check(std::type_identity<yoke::int2>{}, {order_rg, type_signed_int32});
  check(std::type_identity<yoke::uint4>{}, {order_rgba, type_unsigned_int32});
  check(std::type_identity<yoke::half4>{}, {order_rgba, type_half_float});
  check(std::type_identity<float>{}, {order_r, type_float});
  check(std::type_identity<yoke::float4>{}, {order_rgba, type_float});
  check(std::type_identity<yoke::unorm<std::uint8_t, 4>>{}, {order_rgba, type_unorm_int8});
  check(std::type_identity<yoke::unorm<std::uint16_t, 4>>{}, {order_rgba, type_unorm_int16});
  check(std::type_identity<yoke::snorm<std::int8_t, 4>>{}, {order_rgba, type_snorm_int8});
  check(std::type_identity<yoke::snorm<std::int16_t>>{}, {order_r, type_snorm_int16});
  CHECK(seen.size() >= 6);  // at least those that every driver has
}

YOKE_CUDA_TEST_CASE("the array behind an image has the texels' format and channels", "[image][cuda]") {
  rig on(device);
  using yoke::cuda::abi::array_format;
  const auto check = [&]<class T>(std::type_identity<T>, array_format format, unsigned channels) {
    const yoke::cuda::image<T, 2> image{on.context, {4, 3}};
    const auto told = yoke::cuda::array<T>::borrow(on.context, image.native_handle()).descriptor();
    CHECK(told.format == format);
    CHECK(told.channels == channels);
    CHECK(told.width == 4);
    CHECK(told.height == 3);
  };
  check(std::type_identity<std::int8_t>{}, array_format::signed_int8, 1);
  check(std::type_identity<yoke::uchar4>{}, array_format::unsigned_int8, 4);
  check(std::type_identity<yoke::short2>{}, array_format::signed_int16, 2);
  check(std::type_identity<std::uint16_t>{}, array_format::unsigned_int16, 1);
  check(std::type_identity<yoke::int2>{}, array_format::signed_int32, 2);
  check(std::type_identity<yoke::uint4>{}, array_format::unsigned_int32, 4);
  check(std::type_identity<yoke::half4>{}, array_format::half, 4);
  check(std::type_identity<yoke::float2>{}, array_format::float_, 2);
  check(std::type_identity<yoke::unorm<std::uint8_t, 4>>{}, array_format::unsigned_int8, 4);
}
