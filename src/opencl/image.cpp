// SPDX-License-Identifier: MIT
// The library's part for OpenCL's images and samplers.
#include <yoke/driver/opencl/image/image.ipp>
#include <yoke/driver/opencl/image/image_copies.ipp>
#include <yoke/driver/opencl/image/sampler.ipp>
