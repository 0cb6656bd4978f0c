// SPDX-License-Identifier: MIT
// The library's part for devices that become one backend's.
#include <yoke/execution/impl/with_device.ipp>
