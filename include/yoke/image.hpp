// SPDX-License-Identifier: MIT
// Images and samplers; opt-in, because most programs do not use them.
#ifndef YOKE_IMAGE_HPP
#define YOKE_IMAGE_HPP

#include <yoke/cuda/image/names.hpp>
#include <yoke/cuda/image/texture.hpp>
#include <yoke/image/image.hpp>
#include <yoke/image/image_argument.hpp>
#include <yoke/image/texel.hpp>
#include <yoke/opencl/image/depth.hpp>
#include <yoke/opencl/image/image.hpp>
#include <yoke/opencl/image/names.hpp>
#include <yoke/opencl/image/sampler.hpp>

#endif
