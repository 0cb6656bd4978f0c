// SPDX-License-Identifier: MIT
// The parameters of image copies, for streams and for graphs.
#ifndef YOKE_DRIVER_CUDA_IMAGE_IMAGE_COPY_HPP
#define YOKE_DRIVER_CUDA_IMAGE_IMAGE_COPY_HPP

#include <yoke/driver/cuda/image/image_array.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/image_types.hpp>

#include <cstddef>
#include <span>

namespace yoke::inline v0_1::cuda::detail {

/// A side of a copy that is an array. Layers of a 1D image are its depth here.
struct array_box {
  std::size_t x_bytes;
  std::size_t y;
  std::size_t z;
  explicit array_box(const image_box& box) noexcept
      : x_bytes(box.x * box.texel_bytes),
        y(box.kind == yoke::image_kind::d1_layered ? 0 : box.y),
        z(box.kind == yoke::image_kind::d1_layered ? box.y : box.z) {}
};

inline void set_source(abi::copy_3d& request, const image_array& image, const image_box& box) noexcept {
  const array_box at(box);
  request.source_type = abi::memory_type::array;
  request.source_array = image.array;
  request.source_x_bytes = at.x_bytes;
  request.source_y = at.y;
  request.source_z = at.z;
}
inline void set_destination(abi::copy_3d& request, const image_array& image, const image_box& box) noexcept {
  const array_box at(box);
  request.destination_type = abi::memory_type::array;
  request.destination_array = image.array;
  request.destination_x_bytes = at.x_bytes;
  request.destination_y = at.y;
  request.destination_z = at.z;
}
/// The side of an image copy in device memory, if there is one, for messages.
struct linear_side {
  copy_side side;
  std::size_t count;
  [[nodiscard]] std::span<const copy_side> sides() const noexcept { return {&side, count}; }
};
/// Effects: completes a copy of a box. Both sides are complete but for the pitches of the one in linear memory, if any.
inline linear_side complete_image_copy(abi::copy_3d& request, const image_box& box, const box_side* linear) noexcept {
  const bool layers_are_rows = box.kind == yoke::image_kind::d1_layered;
  request.width_bytes = box.width * box.texel_bytes;
  request.height = layers_are_rows ? 1 : box.height;
  request.depth = layers_are_rows ? box.height : box.depth;
  if (linear != nullptr) {
    const std::size_t rows = layers_are_rows ? 1 : linear->slice_pitch / linear->row_pitch;
    request.source_pitch = request.destination_pitch = linear->row_pitch;
    request.source_height = request.destination_height = rows;
  }
  const std::size_t bytes = linear == nullptr ? 0
                                              : (request.depth - 1) * linear->slice_pitch +
                                                    (request.height - 1) * linear->row_pitch + request.width_bytes;
  // At most one side is linear, and host memory does not consist of mapped pieces.
  const bool reads = request.source_type == abi::memory_type::device;
  const bool writes = request.destination_type == abi::memory_type::device;
  return {reads ? source_at(request.source_device, bytes) : destination_at(request.destination_device, bytes),
          reads || writes ? 1U : 0U};
}
}  // namespace yoke::inline v0_1::cuda::detail

#endif
