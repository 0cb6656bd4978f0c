// SPDX-License-Identifier: MIT
// Turns `-D` and `-U` options into lines before the user's source, where the prelude does not see them.
#ifndef YOKE_PROGRAM_SOURCE_DEFINITIONS_HPP
#define YOKE_PROGRAM_SOURCE_DEFINITIONS_HPP

#include <yoke/driver/compile_request.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Whether a text may follow `#define`: a name, or a name with parameters: `SQUARE(x)`, `CALL(f, ...)`.
[[nodiscard]] YOKE_API bool is_macro(std::string_view text) noexcept;
/// Whether a value continues on the next line: it ends in a backslash, which compilers recognise even before blanks, or
/// in the trigraph for one.
[[nodiscard]] YOKE_API bool continues_line(std::string_view value) noexcept;
/// Returns: the definitions among the options as lines. Effects: notes in the request which options these replace.
YOKE_API std::string definition_lines(compile_request& request);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source/definitions.ipp>
#endif

#endif
