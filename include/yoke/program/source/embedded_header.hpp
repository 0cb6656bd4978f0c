// SPDX-License-Identifier: MIT
// Headers of a source as texts, not files, and how they are inserted.
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
  const std::string& name;  // of the source, for messages
  std::span<const embedded_header> headers;
  std::span<const std::string> folders;  // of headers in files, which are inserted, too
  bool opencl;                           // whether strings and numbers are C's, not those of C++
};

/// Returns: the source with the given headers, and those in the folders, in the place of their includes; `#line` gives each
/// line's origin. Other includes stay. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string expand_headers(const header_request& request);

/// Throws: `logic_error` (`errc::invalid_argument`) that names a header without a name, with a name that leads out of its
/// folder or that no source can include, given twice, or with a zero character.
YOKE_API void check_headers(std::span<const embedded_header> headers, const source_location& where);

/// Returns: the `#line`s of a text with inserted headers. Throws: `std::bad_alloc`.
YOKE_API std::vector<line_mark> line_marks(std::string_view text);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source/embedded_header.ipp>
#endif

#endif
