// SPDX-License-Identifier: MIT
// The library's part for the devices of tests.
#include <yoke/testing/test_devices.ipp>
