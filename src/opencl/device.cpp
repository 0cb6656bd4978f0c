// SPDX-License-Identifier: MIT
// The library's part for what only OpenCL's devices have.
#include <yoke/opencl/compile/compiler.ipp>
#include <yoke/opencl/device/characterize.ipp>
#include <yoke/opencl/device/device.ipp>
