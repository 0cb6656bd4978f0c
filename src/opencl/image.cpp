// SPDX-License-Identifier: MIT
// The library's part for OpenCL's images and samplers.
#include <yoke/driver/opencl/impl/image.ipp>
#include <yoke/driver/opencl/impl/image_facts.ipp>
