// SPDX-License-Identifier: MIT
// The names that every kernel language takes.
#ifndef YOKE_PROGRAM_IDENTIFIER_HPP
#define YOKE_PROGRAM_IDENTIFIER_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::detail {

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

}  // namespace yoke::inline YOKE_ABI::detail

#endif
