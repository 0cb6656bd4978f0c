// SPDX-License-Identifier: MIT
// The library's part for OpenCL C for CUDA.
#include <yoke/driver/language/impl/opencl_c.ipp>

#include <yoke/program/impl/read_opencl_c.ipp>
