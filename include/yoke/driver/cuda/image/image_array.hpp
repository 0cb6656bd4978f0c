// SPDX-License-Identifier: MIT
// The record behind an image on CUDA.
#ifndef YOKE_DRIVER_CUDA_IMAGE_IMAGE_ARRAY_HPP
#define YOKE_DRIVER_CUDA_IMAGE_IMAGE_ARRAY_HPP

#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/cuda/image/image_parameter.hpp>
#include <yoke/driver/image_types.hpp>

namespace yoke::inline v0_1::cuda {

/// An array with its objects. The kernel's parameter comes first.
struct image_array {
  image_parameter parameter{};
  abi::array array = nullptr;
  yoke::image_kind kind = yoke::image_kind::d2;
  bool owned = true;
};

}  // namespace yoke::inline v0_1::cuda

#endif
