// SPDX-License-Identifier: MIT
// Headers of a source as texts, not files, and how they are inserted.
#ifndef YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP
#define YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP

#include <yoke/core/shared.hpp>
#include <yoke/core/source_location.hpp>
#include <yoke/driver/types.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline YOKE_ABI {

/// A header as text, which a source includes by this name.
struct embedded_header {
  std::string name;
  std::string text;
};

namespace detail {
struct given_headers;
struct header_functions;
}  // namespace detail

/// A list of headers. Copies share it.
/// Thread safety: a value.
class headers_option {
 public:
  headers_option() noexcept = default;
  YOKE_API headers_option(std::vector<embedded_header> headers);  // NOLINT: a list
  YOKE_API headers_option(std::initializer_list<embedded_header> headers);

  /// The headers; valid as long as an option that holds them lives.
  [[nodiscard]] YOKE_API std::span<const embedded_header> list() const& noexcept;
  std::span<const embedded_header> list() const&& = delete;
  [[nodiscard]] bool empty() const noexcept { return !given_; }

  // For `compile`.
  /// Requires: headers.
  [[nodiscard]] YOKE_API const detail::header_functions& functions() const noexcept;

 private:
  detail::shared<const detail::given_headers> given_;
};

}  // namespace yoke::inline YOKE_ABI

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

#if defined(YOKE_BODIES)
#include <yoke/program/source/impl/embedded_header.ipp>
#include <yoke/program/source/impl/given_headers.ipp>
#endif

#endif
