// SPDX-License-Identifier: MIT
// The library's part for compiling programs.
#include <yoke/language/dialect.ipp>
#include <yoke/language/dialect_check.ipp>

#include <yoke/program/compile_options.ipp>
#include <yoke/program/default_options.ipp>
#include <yoke/program/source/definitions.ipp>
#include <yoke/program/source_request.ipp>
