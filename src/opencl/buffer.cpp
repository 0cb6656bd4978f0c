// SPDX-License-Identifier: MIT
// The library's part for the parts of OpenCL's buffers.
#include <yoke/driver/opencl/impl/parts_of_memory.ipp>
