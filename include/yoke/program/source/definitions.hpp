// SPDX-License-Identifier: MIT
// Definitions among a compiler's options as text, for the user's source alone.
#ifndef YOKE_PROGRAM_SOURCE_DEFINITIONS_HPP
#define YOKE_PROGRAM_SOURCE_DEFINITIONS_HPP

#include <yoke/driver/compile_request.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Whether a name is that of an object, or of a function with its parameters: `SQUARE(x)`, `CALL(f, ...)`.
[[nodiscard]] YOKE_API bool is_macro(std::string_view text) noexcept;
/// Whether a value joins the next line to its own: by a backslash, which compilers see behind blanks too, or by the
/// three characters that the standard calls one.
[[nodiscard]] YOKE_API bool continues_line(std::string_view value) noexcept;
/// Effects: notes which options the text has with what this returns. Returns: definitions among the options, as lines.
YOKE_API std::string definition_lines(compile_request& request);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source/definitions.ipp>
#endif

#endif
