// SPDX-License-Identifier: MIT
// The library's part for OpenCL's names.
#include <yoke/opencl/names.ipp>
