// SPDX-License-Identifier: MIT
// The library's part for the port that is chosen at run time.
#include <yoke/driver/any/port.ipp>
