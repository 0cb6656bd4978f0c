// SPDX-License-Identifier: MIT
// The library's part for OpenCL's programs and kernels.
#include <yoke/driver/opencl/impl/build.ipp>
#include <yoke/driver/opencl/impl/kernel.ipp>
#include <yoke/driver/opencl/impl/language.ipp>
