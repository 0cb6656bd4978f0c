// SPDX-License-Identifier: MIT
// Headers of a source that are texts, not files.
#ifndef YOKE_PROGRAM_EMBEDDED_HEADER_HPP
#define YOKE_PROGRAM_EMBEDDED_HEADER_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/source_location.hpp>
#include <yoke/driver/types.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline YOKE_ABI {

/// A header that a source includes by that name; no file has to be there.
struct embedded_header {
  std::string name;
  std::string text;
};

namespace detail {

/// What `expand_headers` works on.
struct header_request {
  std::string_view source;
  const std::string& name;  // of the source, for messages
  std::span<const embedded_header> headers;
  bool opencl;  // whether strings and numbers are C's, not those of C++
};

/// Returns: the source with the headers given in the place of their includes; `#line` says where each line is from.
/// Other includes stay. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string expand_headers(const header_request& request);

/// Throws: `logic_error` (`errc::invalid_argument`) that names a header without a name, or with one that leads out of its
/// folder or that no source can include, given twice, or with a zero character.
YOKE_API void check_headers(std::span<const embedded_header> headers, const source_location& where);

/// Returns: the `#line`s of a text in which headers stand in the place of their includes. Throws: `std::bad_alloc`.
YOKE_API std::vector<line_mark> line_marks(std::string_view text);

}  // namespace detail

/// A list of headers.
class headers_option {
 public:
  headers_option() = default;
  headers_option(std::vector<embedded_header> headers)  // NOLINT: a list
      : list_(std::move(headers)),
        expand_(&detail::expand_headers),
        check_(&detail::check_headers),
        marks_(&detail::line_marks) {}
  headers_option(std::initializer_list<embedded_header> headers)
      : headers_option(std::vector<embedded_header>(headers)) {}

  [[nodiscard]] const std::vector<embedded_header>& list() const& noexcept { return list_; }
  [[nodiscard]] std::vector<embedded_header> list() && noexcept { return std::move(list_); }
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }

  // For `compile`; null for an empty list that nobody gave.
  using expand_function = std::string (*)(const detail::header_request&);
  using check_function = void (*)(std::span<const embedded_header>, const source_location&);
  [[nodiscard]] expand_function expand() const noexcept { return expand_; }
  [[nodiscard]] check_function check() const noexcept { return check_; }
  using marks_function = std::vector<line_mark> (*)(std::string_view);
  [[nodiscard]] marks_function marks() const noexcept { return marks_; }

 private:
  std::vector<embedded_header> list_{};
  expand_function expand_ = nullptr;  // so that a program without such headers has none of this
  check_function check_ = nullptr;
  marks_function marks_ = nullptr;
};

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/impl/embedded_header.ipp>
#endif
#endif
