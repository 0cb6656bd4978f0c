// SPDX-License-Identifier: MIT
// Bodies of image/image_place.hpp.
#ifndef YOKE_IMAGE_IMAGE_PLACE_IPP
#define YOKE_IMAGE_IMAGE_PLACE_IPP

#include <yoke/core/text.hpp>
#include <yoke/image/image_place.hpp>

namespace yoke::inline v0_1::detail {

box_layout region_box(const image_shape& image, const std::size_t (&origin)[3], const extent3& extent,
                      const source_location& where) {
  const image_extents all = extents_of(image);
  const std::size_t limits[3] = {all.width, all.height, all.depth};
  const std::size_t counts[3] = {extent.x, extent.y, extent.z};
  constexpr const char* axes[3] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (origin[i] <= limits[i] && counts[i] <= limits[i] - origin[i]) continue;
    throw_error(errc::out_of_range, where, "a region of ", counts[i], " texels from ", axes[i], " = ", origin[i],
                " on is outside a ", kind_text(image.kind), " image of ", shape_text(image), ", which has ", limits[i],
                " there");
  }
  box_layout box = whole_box(image);
  box.width = extent.x;
  box.height = extent.y;
  box.depth = extent.z;
  box.offset = origin[0] + box.row_pitch * origin[1] + box.slice_pitch * origin[2];
  return box;
}

image_box box_of_image(const image_shape& image, std::size_t texel_bytes, const box_layout& box,
                       const source_location& where) {
  const box_layout whole = whole_box(image);
  const bool rows = box.row_pitch == whole.row_pitch || (box.height == 1 && box.depth == 1);
  const bool slices = box.slice_pitch == whole.slice_pitch || box.depth == 1;
  const std::size_t x = box.offset % whole.row_pitch;
  const std::size_t y = box.offset / whole.row_pitch % (whole.slice_pitch / whole.row_pitch);
  if (!rows || !slices || x + box.width > whole.width || y + box.height > whole.height) {
    throw_error(errc::invalid_argument, where, "a part of an image of ", shape_text(image),
                " has pitches of its own: images have no pitches, take yoke::region");
  }
  return {image.kind, texel_bytes, x, y, box.offset / whole.slice_pitch, box.width, box.height, box.depth};
}

}  // namespace yoke::inline v0_1::detail

#endif
