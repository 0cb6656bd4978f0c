// SPDX-License-Identifier: MIT
// The library's part for intermediate code by the port that is chosen at run time.
#include <yoke/driver/any/load_intermediate.ipp>
