// SPDX-License-Identifier: MIT
// Compiles the bodies of the port that is chosen at run time.
#include <yoke/driver/any/impl/port.ipp>
