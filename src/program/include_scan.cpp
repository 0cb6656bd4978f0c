// SPDX-License-Identifier: MIT
// The library's part for the headers that a source includes.
#include <yoke/language/find_includes.ipp>

#include <yoke/program/source/include_scan.ipp>
