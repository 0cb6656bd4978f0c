// SPDX-License-Identifier: MIT
// The library's part for what it asks of the operating system.
#include <yoke/core/system.ipp>
