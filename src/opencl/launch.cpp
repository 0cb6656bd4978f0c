// SPDX-License-Identifier: MIT
// The library's part for OpenCL's launches.
#include <yoke/driver/opencl/program/launch.ipp>
