// SPDX-License-Identifier: MIT
// The text and the options that a compiler gets for a source.
#ifndef YOKE_PROGRAM_SOURCE_REQUEST_HPP
#define YOKE_PROGRAM_SOURCE_REQUEST_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/compile_options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Throws: `logic_error` that names an option, with its kind ("link option"), if it is blank or has a line end or a zero
/// character: compilers refuse, cut or overlook those.
YOKE_API void check_option(std::string_view what, const std::string& option, const source_location& where);

/// Throws: `logic_error` for members that only sources can have.
YOKE_API void check_intermediate_options(const compile_options& options, const source_location& where);

/// Returns: the request to the port's compiler: prelude, defines, `#line 1`, source; options checked. `defaults` are
/// options that go before the caller's, which win.
YOKE_API compile_request make_request(const kernel_language& language, std::string_view source,
                                      const compile_options& options, const source_location& where,
                                      std::vector<std::string> defaults = {});

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source_request.ipp>
#endif

#endif
