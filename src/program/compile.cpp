// SPDX-License-Identifier: MIT
// The library's part for compiling programs.
#include <yoke/language/dialect.ipp>
#include <yoke/language/dialect_check.ipp>

#include <yoke/program/compile.ipp>
#include <yoke/program/default_options.ipp>
