// SPDX-License-Identifier: MIT
// The library's part for contexts and programs by the port that is chosen at run time.
#include <yoke/execution/context.ipp>
#include <yoke/program/compile.ipp>
