// SPDX-License-Identifier: MIT
// The library's part for OpenCL's intermediate code.
#include <yoke/driver/opencl/program/load_intermediate.ipp>
