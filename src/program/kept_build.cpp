// SPDX-License-Identifier: MIT
// The library's part for folders that compilations leave.
#include <yoke/program/kept_build.ipp>
