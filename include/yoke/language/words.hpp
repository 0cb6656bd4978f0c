// SPDX-License-Identifier: MIT
// Small helpers for words, lists of words and lines in the text of a kernel.
#ifndef YOKE_LANGUAGE_WORDS_HPP
#define YOKE_LANGUAGE_WORDS_HPP

#include <yoke/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: whether a text consists of letters, digits and underscores and does not begin with a digit.
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

/// Returns: whether a text is one of the words, which are separated by blanks; false for an empty text.
template <class Text>
constexpr bool is_among(Text text, Text words) noexcept {
  if (text.empty()) return false;
  for (std::size_t at = 0; (at = words.find(text, at)) != Text::npos; at += text.size()) {
    const std::size_t end = at + text.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// Effects: appends the words of a line, which are separated by blanks.
[[gnu::cold]] inline void add_words(std::vector<std::string_view>& to, std::string_view line) {
  while (true) {
    line.remove_prefix((std::min)(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return;
    const std::size_t end = (std::min)(line.find(' '), line.size());
    to.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// Effects: removes the first line from `text`. Returns: that line, without its end.
inline std::string_view next_line(std::string_view& text) {
  const std::size_t end = (std::min)(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix((std::min)(end + 1, text.size()));
  return line;
}

/// Returns: whether a word matches the pattern, in which one * stands for any letters.
inline bool is_word_of(std::string_view pattern, std::string_view word) noexcept {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return word == pattern;
  const std::string_view first = pattern.substr(0, star);
  const std::string_view last = pattern.substr(star + 1);
  return word.size() >= first.size() + last.size() && word.substr(0, first.size()) == first &&
         word.substr(word.size() - last.size()) == last;
}

}  // namespace yoke::inline v0_1::detail

#endif
