// SPDX-License-Identifier: MIT
// The library's part for the headers that a source includes.
#include <yoke/driver/language/impl/find_includes.ipp>

#include <yoke/program/source/impl/include_scan.ipp>
