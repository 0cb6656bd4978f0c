// SPDX-License-Identifier: MIT
// The library's part for OpenCL's buffers and the parts of them.
#include <yoke/driver/opencl/memory/buffer.ipp>

#include <yoke/opencl/memory/buffer.ipp>
#include <yoke/opencl/memory/peer_copy.ipp>
