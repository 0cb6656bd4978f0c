// SPDX-License-Identifier: MIT
// The library's part for OpenCL's programs and kernels.
#include <yoke/driver/opencl/program/kernel.ipp>
#include <yoke/driver/opencl/program/language.ipp>
#include <yoke/driver/opencl/program/program.ipp>
