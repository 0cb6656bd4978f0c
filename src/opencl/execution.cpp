// SPDX-License-Identifier: MIT
// The library's part for OpenCL's devices, streams and events.
#include <yoke/driver/opencl/context.ipp>
#include <yoke/driver/opencl/device.ipp>
#include <yoke/driver/opencl/event/event.ipp>
#include <yoke/driver/opencl/port.ipp>
#include <yoke/driver/opencl/stream.ipp>
