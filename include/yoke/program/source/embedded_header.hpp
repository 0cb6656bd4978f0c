// SPDX-License-Identifier: MIT
// Headers of a source as texts, not files.
#ifndef YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP
#define YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_HPP

#include <yoke/core/shared.hpp>

#include <initializer_list>
#include <span>
#include <string>
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

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/source/impl/embedded_header.ipp>
#endif
#endif
