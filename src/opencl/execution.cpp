// SPDX-License-Identifier: MIT
// The library's part for OpenCL's devices, streams and events.
#include <yoke/driver/opencl/impl/context.ipp>
#include <yoke/driver/opencl/impl/device.ipp>
#include <yoke/driver/opencl/impl/event.ipp>
#include <yoke/driver/opencl/impl/port.ipp>
#include <yoke/driver/opencl/impl/stream.ipp>
