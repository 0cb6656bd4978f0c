// SPDX-License-Identifier: MIT
// The library's part for OpenCL C for CUDA.
#include <yoke/language/opencl_c.ipp>

#include <yoke/program/opencl_c_request.ipp>
