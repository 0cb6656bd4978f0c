// SPDX-License-Identifier: MIT
// Depth images, whose texels kernels read and write as one number: OpenCL has them with `cl_khr_depth_images` or from
// 2.0 on.
#ifndef YOKE_OPENCL_IMAGE_DEPTH_HPP
#define YOKE_OPENCL_IMAGE_DEPTH_HPP

#include <yoke/opencl/image/names.hpp>

#include <concepts>
#include <cstdint>
#include <string>

namespace yoke::inline v0_1::opencl {

/// A texel of a depth image: a `float`, or a `std::uint16_t` for numbers from 0 to 1.
/// Example: `opencl::image<opencl::depth<float>, 2> depths{ctx, {640, 480}};`; throws `unsupported_error` if the device
/// has none.
template <class Stored>
struct depth {
  static_assert(std::same_as<Stored, float> || std::same_as<Stored, std::uint16_t>,
                "depths are stored as float or std::uint16_t");
  Stored value;
  [[nodiscard]] friend constexpr bool operator==(const depth&, const depth&) noexcept = default;
};

/// Distinguishes depth images from images of one channel in signatures.
struct depth_value {};
/// Parameter types for `image2d_depth_t` and `image2d_array_depth_t`, whose `read_imagef` returns a `float`.
using read_depth_image = read_image<depth_value, 2>;
using write_depth_image = write_image<depth_value, 2>;
using read_layered_depth_image = read_layered_image<depth_value, 2>;
using write_layered_depth_image = write_layered_image<depth_value, 2>;

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1 {

template <class Stored>
struct texel_traits<opencl::depth<Stored>> {
  static constexpr image_format format{std::same_as<Stored, float> ? channel_type::depth32 : channel_type::depth16, 1};
  using value_type = opencl::depth_value;
};

namespace detail {
template <>
inline constexpr bool is_of_reals<opencl::depth_value> = true;

template <image_kind Kind, image_access Access>
struct described_parameter<image_parameter<opencl::depth_value, Kind, Access>> {
  static_assert(Kind == image_kind::d2 || Kind == image_kind::d2_layered, "depth images have two dimensions");
  static parameter_info info() {
    parameter_info told = image_parameter_info(Kind, Access, "depth");
    told.type.insert(told.type.size() - 2, "_depth");  // before "_t"
    return told;
  }
};
}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
