// SPDX-License-Identifier: MIT
// The library's part for devices that become one backend's.
#include <yoke/execution/with_device.ipp>
