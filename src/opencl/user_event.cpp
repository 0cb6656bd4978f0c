// SPDX-License-Identifier: MIT
// The library's part for events that the host ends.
#include <yoke/driver/opencl/event/user_event.ipp>

#include <yoke/opencl/device/user_event.ipp>
