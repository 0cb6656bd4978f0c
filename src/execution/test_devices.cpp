// SPDX-License-Identifier: MIT
// The library's part for the devices of tests.
#include <yoke/execution/impl/test_devices.ipp>
