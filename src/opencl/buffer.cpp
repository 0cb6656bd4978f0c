// SPDX-License-Identifier: MIT
// The library's part for OpenCL's buffers and the parts of them.
#include <yoke/driver/opencl/impl/buffer.ipp>
#include <yoke/driver/opencl/impl/parts_of_memory.ipp>

#include <yoke/opencl/impl/buffer.ipp>
#include <yoke/opencl/impl/peer_copy.ipp>
