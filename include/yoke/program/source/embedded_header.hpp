// SPDX-License-Identifier: MIT
// Headers that are given as texts instead of files, and their insertion into a source.
#ifndef YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP
#define YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP

#include <yoke/core/source_location.hpp>
#include <yoke/driver/types.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1 {

/// A header as text, which a source includes by this name.
struct embedded_header {
  std::string name;
  std::string text;
};

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {

/// The input of `expand_headers`.
struct header_request {
  std::string_view source;
  const std::string& name;  // the source's name in messages
  std::span<const embedded_header> headers;
  std::span<const std::string> folders;  // headers in these folders are inserted, too
  bool opencl;                           // whether strings and numbers are C's instead of C++'s
};

/// Returns: the source with its includes replaced by the given headers and the headers in the folders; `#line`
/// directives give each line's origin. Other includes stay. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string expand_headers(const header_request& request);

/// Throws: `logic_error` (`errc::invalid_argument`) that names a header which lacks a name, has a name that leads out
/// of its folder or cannot be included, is given twice, or has a zero character.
YOKE_API void check_headers(std::span<const embedded_header> headers, const source_location& where);

/// Returns: the `#line` directives of a text with inserted headers. Throws: `std::bad_alloc`.
YOKE_API std::vector<line_mark> line_marks(std::string_view text);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source/embedded_header.ipp>
#endif

#endif
