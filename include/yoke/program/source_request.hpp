// SPDX-License-Identifier: MIT
// Makes the compiler's input for a source: its text and options.
#ifndef YOKE_PROGRAM_SOURCE_REQUEST_HPP
#define YOKE_PROGRAM_SOURCE_REQUEST_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/compile_options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Throws: `logic_error` that names an option and its kind ("link option") if it is blank or has a line end or zero
/// character, which compilers refuse, cut off or ignore.
YOKE_API void check_option(std::string_view what, const std::string& option, const source_location& where);

/// Throws: `logic_error` for options that only sources can have.
YOKE_API void check_intermediate_options(const compile_options& options, const source_location& where);

/// Returns: the request to the port's compiler: prelude, defines, `#line 1` and source as text, and the checked
/// options. The caller's options override `defaults`.
YOKE_API compile_request make_request(const kernel_language& language, std::string_view source,
                                      const compile_options& options, const source_location& where,
                                      std::vector<std::string> defaults = {});

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source_request.ipp>
#endif

#endif
