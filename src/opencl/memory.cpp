// SPDX-License-Identifier: MIT
// The library's part for OpenCL's memory.
#include <yoke/driver/opencl/memory/memory.ipp>
