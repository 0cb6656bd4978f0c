// SPDX-License-Identifier: MIT
// The library's part for what only OpenCL's devices have.
#include <yoke/driver/opencl/impl/partition.ipp>
#include <yoke/opencl/impl/characterize.ipp>
#include <yoke/opencl/impl/compiler.ipp>
#include <yoke/opencl/impl/device.ipp>
