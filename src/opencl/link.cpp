// SPDX-License-Identifier: MIT
// The library's part for programs of several parts.
#include <yoke/driver/opencl/impl/link.ipp>

#include <yoke/opencl/impl/link.ipp>
