// SPDX-License-Identifier: MIT
// Inserts headers given as texts. Programs without such headers do not link this.
#ifndef YOKE_PROGRAM_SOURCE_HEADER_EXPANDER_HPP
#define YOKE_PROGRAM_SOURCE_HEADER_EXPANDER_HPP

#include <yoke/core/source_location.hpp>
#include <yoke/driver/types.hpp>
#include <yoke/program/source/embedded_header.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline YOKE_ABI::detail {

/// The input of `expand_headers`.
struct header_request {
  std::string_view source;
  const std::string& name;  // of the source, for messages
  std::span<const embedded_header> headers;
  bool opencl;  // whether strings and numbers are C's, not those of C++
};

/// Returns: the source with the given headers in the place of their includes; `#line` gives each line's origin.
/// Other includes stay. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string expand_headers(const header_request& request);

/// Throws: `logic_error` (`errc::invalid_argument`) that names a header without a name, with a name that leads out of its
/// folder or that no source can include, given twice, or with a zero character.
YOKE_API void check_headers(std::span<const embedded_header> headers, const source_location& where);

/// Returns: the `#line`s of a text with inserted headers. Throws: `std::bad_alloc`.
YOKE_API std::vector<line_mark> line_marks(std::string_view text);

/// These functions.
struct header_functions {
  std::string (*expand)(const header_request&);
  void (*check)(std::span<const embedded_header>, const source_location&);
  std::vector<line_mark> (*marks)(std::string_view);
};

struct given_headers {
  std::vector<embedded_header> list;
  const header_functions* functions;
};

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/source/impl/embedded_header.ipp>
#endif

#endif
