// SPDX-License-Identifier: MIT
// The library's part for programs of several parts.
#include <yoke/driver/opencl/program/link.ipp>

#include <yoke/opencl/compile/link.ipp>
