// SPDX-License-Identifier: MIT
// Images under OpenCL's own names.
#ifndef YOKE_OPENCL_IMAGE_NAMES_HPP
#define YOKE_OPENCL_IMAGE_NAMES_HPP

#include <yoke/image/image_argument.hpp>
#include <yoke/opencl/names.hpp>

namespace yoke::inline v0_1::opencl {

template <class T, unsigned Dimensions>
using image = yoke::image<T, Dimensions, port>;
template <class T, unsigned Dimensions>
using layered_image = yoke::layered_image<T, Dimensions, port>;

}  // namespace yoke::inline v0_1::opencl

#endif
