// SPDX-License-Identifier: MIT
// Bodies of image/image_argument.hpp.
#ifndef YOKE_IMAGE_IMAGE_ARGUMENT_IPP
#define YOKE_IMAGE_IMAGE_ARGUMENT_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/image/image_parameter.hpp>
#include <yoke/image/image_argument.hpp>

namespace yoke::inline v0_1::detail {

void throw_filtered_integers(std::size_t position, const source_location& where) {
  throw_error(
      errc::invalid_argument, where, "argument ", position,
      " is a sampler with filter_mode::linear, and the kernel's images hold integers, which cannot be filtered: "
      "take filter_mode::nearest");
}

parameter_info image_parameter_info(image_kind kind, image_access access, const std::string& value) {
  constexpr const char* opencl[] = {"", "read_only ", "write_only ", "read_write "};
  constexpr const char* dialect[] = {"", "read_", "write_", "read_write_"};
  constexpr const char* kinds[] = {"1d", "2d", "3d", "1d_array", "2d_array"};
  parameter_info info;
  info.space = address_space::value;
  info.type = text(opencl[static_cast<std::size_t>(access)], opencl_image_name(kind));
  info.spelling = text("yoke_d_", dialect[static_cast<std::size_t>(access)], "image_",
                       kinds[static_cast<std::size_t>(kind)], "<", value, ">");
  info.bytes = sizeof(cuda::image_parameter);
  info.alignment = alignof(cuda::image_parameter);
  return info;
}

parameter_info sampler_parameter_info() {
  parameter_info info;
  info.space = address_space::value;
  info.type = "sampler_t";
  info.spelling = "yoke_d_sampler";
  info.bytes = sizeof(std::uint32_t);
  info.alignment = alignof(std::uint32_t);
  return info;
}

}  // namespace yoke::inline v0_1::detail

#endif
