// SPDX-License-Identifier: MIT
// The library's part for OpenCL's error codes.
#include <yoke/driver/opencl/error.ipp>
