// SPDX-License-Identifier: MIT
// The library's part for OpenCL's graphs.
#include <yoke/driver/opencl/graph/graph.ipp>
