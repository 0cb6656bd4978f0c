// SPDX-License-Identifier: MIT
// Bodies of image/image.hpp.
#ifndef YOKE_IMAGE_IMAGE_IPP
#define YOKE_IMAGE_IMAGE_IPP

#include <yoke/core/text.hpp>
#include <yoke/image/image.hpp>

namespace yoke::inline v0_1::detail {

image_shape checked_shape(image_kind kind, const extent3& extent, std::size_t layers, const source_location& where) {
  const bool one = kind == image_kind::d1 || kind == image_kind::d1_layered;
  const bool three = kind == image_kind::d3;
  const auto refuse = [&](const char* axis, std::size_t count, const char* why) __attribute__((cold)) {
    throw_error(errc::invalid_argument, where, "a ", kind_text(kind), " image of {", extent.x, ", ", extent.y, ", ",
                extent.z, "} has ", axis, " ", count, why);
  };
  if (one && extent.y != 1) refuse("height", extent.y, ", which must be 1");
  if (!three && extent.z != 1) refuse("depth", extent.z, ", which must be 1");
  if (extent.x == 0) refuse("width", 0, "");
  if (extent.y == 0) refuse("height", 0, "");
  if (extent.z == 0) refuse("depth", 0, "");
  if (layers == 0) refuse("layers", 0, "");
  return {kind, extent.x, extent.y, extent.z, layers};
}

void check_texel_count(std::size_t given, const image_shape& shape, const source_location& where) {
  const std::size_t wanted = texel_count(shape);
  if (given == wanted) return;
  throw_error(errc::size_mismatch, where, "a range of ", given, " texels for an image of ", shape_text(shape),
              ", which has ", wanted);
}

}  // namespace yoke::inline v0_1::detail

#endif
