// SPDX-License-Identifier: MIT
// Builds error messages from words and numbers.
#ifndef YOKE_CORE_TEXT_HPP
#define YOKE_CORE_TEXT_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace yoke::inline v0_1::detail {

/// A word or number of a message. Requires: the word's characters outlive the part.
class text_part {
 public:
  constexpr text_part(std::string_view word) noexcept  // NOLINT
      : what_(kind::word), word_(word.data()), size_or_number_(word.size()) {}
  constexpr text_part(const std::string& word) noexcept : text_part(std::string_view(word)) {}  // NOLINT
  constexpr text_part(const char* word) noexcept : text_part(std::string_view(word)) {}         // NOLINT
  template <std::integral Number>
  constexpr text_part(Number number) noexcept  // NOLINT
      : what_(is_negative(number) ? kind::negative : kind::number),
        size_or_number_(static_cast<unsigned long long>(number)) {}

  /// Effects: appends the word, or the number in decimal digits.
  YOKE_API void append_to(std::string& out) const;

 private:
  template <class Number>
  static constexpr bool is_negative(Number number) noexcept {
    if constexpr (std::is_signed_v<Number>) {
      return number < 0;
    } else {
      return false;
    }
  }

  enum class kind : unsigned char { word, number, negative };
  kind what_;
  const char* word_ = nullptr;
  unsigned long long size_or_number_;  // a negative number modulo 2^64
};

/// Returns: the parts, joined.
[[gnu::cold]] YOKE_API std::string joined_text(const text_part* parts, std::size_t count);

/// Returns: the parts, joined.
template <class... Parts>
[[gnu::cold]] std::string text(const Parts&... parts) {
  const text_part list[]{text_part(parts)..., text_part("")};  // an array needs one element
  return joined_text(list, sizeof...(parts));
}

/// Returns: a number's hexadecimal digits, `least` of them or more.
[[gnu::cold]] YOKE_API std::string hex_digits(unsigned long long value, std::size_t least = 1);

/// Returns: up to three names of `list` that are spelled nearly as `wrong`, as ", near to a, b"; else "". Blanks and
/// commas separate the names of the list; a name may have parameters in brackets.
[[gnu::cold]] YOKE_API std::string near_names(std::string_view wrong, std::string_view list);

/// Returns: the text; when it is too long for a message, its beginning and "...".
[[gnu::cold]] YOKE_API std::string shortened(std::string_view whole);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/text.ipp>
#endif

#endif
