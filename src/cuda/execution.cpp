// SPDX-License-Identifier: MIT
// The library's part for CUDA's devices, streams and events.
#include <yoke/driver/cuda/context.ipp>
#include <yoke/driver/cuda/device.ipp>
#include <yoke/driver/cuda/device_info.ipp>
#include <yoke/driver/cuda/event.ipp>
#include <yoke/driver/cuda/port.ipp>
#include <yoke/driver/cuda/stream.ipp>
