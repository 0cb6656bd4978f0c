// SPDX-License-Identifier: MIT
// The kernel parameter of an image on CUDA: the dialect's prelude has the same struct.
#ifndef YOKE_DRIVER_CUDA_IMAGE_IMAGE_PARAMETER_HPP
#define YOKE_DRIVER_CUDA_IMAGE_IMAGE_PARAMETER_HPP

#include <yoke/driver/image_types.hpp>

#include <cstdint>

namespace yoke::inline v0_1::cuda {

/// `yoke_d_image` of the prelude.
struct image_parameter {
  std::uint64_t textures[yoke::detail::sampler_codes];  ///< indexed by the sampler's code; 0 for an impossible sampler
  std::uint64_t surface;                                ///< 0 if the image cannot be written
  std::int32_t width;
  std::int32_t height;
  std::int32_t depth;
  std::int32_t layers;
  std::int32_t type;  ///< a `channel_type`
  std::int32_t channels;
};
static_assert(sizeof(image_parameter) == 160, "the prelude counts on it");

}  // namespace yoke::inline v0_1::cuda

#endif
