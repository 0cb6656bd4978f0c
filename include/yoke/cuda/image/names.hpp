// SPDX-License-Identifier: MIT
// Images under CUDA's own names.
#ifndef YOKE_CUDA_IMAGE_NAMES_HPP
#define YOKE_CUDA_IMAGE_NAMES_HPP

#include <yoke/cuda/names.hpp>
#include <yoke/image/image_argument.hpp>

namespace yoke::inline v0_1::cuda {

template <class T, unsigned Dimensions>
using image = yoke::image<T, Dimensions, port>;
template <class T, unsigned Dimensions>
using layered_image = yoke::layered_image<T, Dimensions, port>;

}  // namespace yoke::inline v0_1::cuda

#endif
