// SPDX-License-Identifier: MIT
// The library's part for choosing a device.
#include <yoke/execution/select.ipp>
