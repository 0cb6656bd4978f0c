// SPDX-License-Identifier: MIT
// The library's part for compiling programs.
#include <yoke/driver/language/impl/dialect.ipp>
#include <yoke/driver/language/impl/dialect_check.ipp>

#include <yoke/program/impl/compile.ipp>
#include <yoke/program/impl/default_options.ipp>
