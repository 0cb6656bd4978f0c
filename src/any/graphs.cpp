// SPDX-License-Identifier: MIT
// The library's part for graphs of any backend.
#include <yoke/driver/any/graphs.ipp>
