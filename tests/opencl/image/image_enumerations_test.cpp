// SPDX-License-Identifier: MIT
// The numbers of OpenCL that stand for texel types, for kinds of images and for other memory objects.
#include <image/image_rig.hpp>

#include <cstdint>

using namespace yoke_test;

namespace {

namespace abi = ocl::abi;

/// Effects: checks the format of a texel type, and that of an image of it where the device has such images.
template <class T>
void check_format(const auto& on, yoke::channel_type type, abi::uint order, abi::uint data) {
  INFO(yoke::to_string(yoke::texel_traits<T>::format));
  CHECK(yoke::texel_traits<T>::format.type == type);
  if (!ocl::has_image_format<T>(on.context)) return;
  const ocl::image<T, 2> image{on.context, {4, 3}};
  CHECK(ocl::description_of(image).format == abi::image_format{order, data});
}

abi::uint type_of(const auto& image) { return ocl::memory_description_of(image).type; }

}  // namespace

YOKE_OPENCL_TEST_CASE("each texel type is OpenCL's order and type of channels", "[image][opencl]") {
  const rig on(device);
  using type = yoke::channel_type;
  constexpr abi::uint r = 0x10B0, rg = 0x10B2, rgba = 0x10B5, depth = 0x10BD, srgba = 0x10C1;
  check_format<std::int8_t>(on, type::signed8, r, 0x10D7);
  check_format<yoke::vec<std::int8_t, 2>>(on, type::signed8, rg, 0x10D7);
  check_format<yoke::vec<std::int16_t, 4>>(on, type::signed16, rgba, 0x10D8);
  check_format<yoke::vec<std::int32_t, 4>>(on, type::signed32, rgba, 0x10D9);
  check_format<yoke::vec<std::uint8_t, 4>>(on, type::unsigned8, rgba, 0x10DA);
  check_format<yoke::vec<std::uint16_t, 4>>(on, type::unsigned16, rgba, 0x10DB);
  check_format<yoke::vec<std::uint32_t, 4>>(on, type::unsigned32, rgba, 0x10DC);
  check_format<yoke::vec<yoke::half, 4>>(on, type::half_float, rgba, 0x10DD);
  check_format<float>(on, type::float32, r, 0x10DE);
  check_format<yoke::float4>(on, type::float32, rgba, 0x10DE);
  check_format<yoke::snorm<std::int8_t, 4>>(on, type::snorm8, rgba, 0x10D0);
  check_format<yoke::snorm<std::int16_t, 4>>(on, type::snorm16, rgba, 0x10D1);
  check_format<yoke::unorm<std::uint8_t, 4>>(on, type::unorm8, rgba, 0x10D2);
  check_format<yoke::unorm<std::uint16_t, 4>>(on, type::unorm16, rgba, 0x10D3);
  check_format<yoke::srgba8>(on, type::srgb8, srgba, 0x10D2);
  check_format<ocl::depth<float>>(on, type::depth32, depth, 0x10DE);
  check_format<ocl::depth<std::uint16_t>>(on, type::depth16, depth, 0x10D3);
}

YOKE_OPENCL_TEST_CASE("each kind of memory is OpenCL's type of memory object", "[image][opencl]") {
  const rig on(device);
  const ocl::image<float, 1> line{on.context, {8}};
  const ocl::image<float, 2> plane{on.context, {8, 4}};
  const ocl::image<yoke::float4, 3> volume{on.context, {8, 4, 2}};
  const ocl::layered_image<float, 1> lines{on.context, {8}, 3};
  const ocl::layered_image<yoke::float4, 2> planes{on.context, {8, 4}, 3};
  ocl::device_allocation<float> memory{on.context, 64};
  const auto over = ocl::image_over(memory, 64);
  CHECK(type_of(line) == abi::mem_object_image1d);
  CHECK(type_of(plane) == abi::mem_object_image2d);
  CHECK(type_of(volume) == abi::mem_object_image3d);
  CHECK(type_of(lines) == abi::mem_object_image1d_array);
  CHECK(type_of(planes) == abi::mem_object_image2d_array);
  CHECK(type_of(over) == abi::mem_object_image1d_buffer);
  CHECK(ocl::description_of(memory).type == abi::mem_object_buffer);
  CHECK(line.shape().kind == yoke::image_kind::d1);
  CHECK(plane.shape().kind == yoke::image_kind::d2);
  CHECK(volume.shape().kind == yoke::image_kind::d3);
  CHECK(lines.shape().kind == yoke::image_kind::d1_layered);
  CHECK(planes.shape().kind == yoke::image_kind::d2_layered);
}
