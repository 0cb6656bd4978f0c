// SPDX-License-Identifier: MIT
// The library's part for CUDA's devices, streams and events.
#include <yoke/driver/cuda/impl/context.ipp>
#include <yoke/driver/cuda/impl/device.ipp>
#include <yoke/driver/cuda/impl/device_info.ipp>
#include <yoke/driver/cuda/impl/event.ipp>
#include <yoke/driver/cuda/impl/port.ipp>
#include <yoke/driver/cuda/impl/stream.ipp>
