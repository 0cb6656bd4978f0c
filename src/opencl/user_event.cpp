// SPDX-License-Identifier: MIT
// The library's part for events that the host ends.
#include <yoke/driver/opencl/impl/user_event.ipp>

#include <yoke/opencl/impl/user_event.ipp>
