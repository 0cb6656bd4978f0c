// SPDX-License-Identifier: MIT
// Reads the text of a kernel: names, words between blanks, and includes.
#ifndef YOKE_LANGUAGE_WORDS_HPP
#define YOKE_LANGUAGE_WORDS_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: whether a text is letters, digits and underscores, with no digit first.
inline bool is_identifier(std::string_view text) noexcept {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  for (const char letter : text) {
    if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
          letter == '_')) {
      return false;
    }
  }
  return true;
}

/// Returns: whether a text is one of the words between blanks; no word is empty.
template <class Text>
constexpr bool is_among(Text text, Text words) noexcept {
  if (text.empty()) return false;
  for (std::size_t at = 0; (at = words.find(text, at)) != Text::npos; at += text.size()) {
    const std::size_t end = at + text.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// One `#include`, or one `__has_include`.
struct include_directive {
  std::string name;
  bool quoted = false;   ///< "name", not <name>
  std::size_t line = 0;  ///< of the text, from 1

  friend bool operator==(const include_directive&, const include_directive&) = default;
};

/// What a text includes.
struct include_list {
  std::vector<include_directive> directives{};  ///< in the order of the text, those in branches not taken too
  std::string problem{};  ///< what keeps an include from being followed: "line 3 includes by a macro"; "" when nothing
};

/// Finds the includes of a text. It reads comments, literals, raw strings and continued lines as C and as C++ do, and lists the
/// includes of both readings. It ignores conditions.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API include_list find_includes(std::string_view text);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/find_includes.ipp>
#endif

#endif
