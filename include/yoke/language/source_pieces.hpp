// SPDX-License-Identifier: MIT
// Cuts a source in the dialect into pieces, and recognises names of types, members and brackets without a parser.
#ifndef YOKE_LANGUAGE_SOURCE_PIECES_HPP
#define YOKE_LANGUAGE_SOURCE_PIECES_HPP

#include <yoke/core/text.hpp>
#include <yoke/language/include_lexer.hpp>
#include <yoke/language/words.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

/// Whether a word matches one of the patterns, which are separated by blanks.
[[gnu::cold]] inline bool is_among_patterns(std::string_view word, std::string_view patterns) {
  while (!patterns.empty()) {
    const std::string_view pattern = patterns.substr(0, patterns.find(' '));
    if (pattern.front() == word.front() && is_word_of(pattern, word)) return true;
    patterns.remove_prefix((std::min)(pattern.size() + 1, patterns.size()));
  }
  return false;
}

/// Whether a word names a vector that the dialect lacks: "float3", "int8".
[[gnu::cold]] inline bool is_foreign_vector(std::string_view word) {
  const std::size_t stem = word.find_last_not_of("0123456789") + 1;
  return is_among<std::string_view>(word.substr(0, stem), "char uchar short ushort int uint long ulong float double") &&
         is_among<std::string_view>(word.substr(stem), "3 8 16");
}
/// Whether a word is a scalar type's name.
[[gnu::cold]] inline bool is_scalar_name(std::string_view word) {
  return is_among<std::string_view>(
      word,
      "char uchar short ushort int uint long ulong float double signed unsigned bool size_t yoke_int8 yoke_uint8 "
      "yoke_int16 yoke_uint16 yoke_int32 yoke_uint32 yoke_int64 yoke_uint64 yoke_float32 yoke_float64");
}
/// Whether a word is a vector type's name, with any number of lanes.
[[gnu::cold]] inline bool is_vector_name(std::string_view word) {
  const std::size_t stem = word.find_last_not_of("0123456789") + 1;
  return is_among<std::string_view>(word.substr(0, stem), "char uchar short ushort int uint long ulong float double") &&
         is_among<std::string_view>(word.substr(stem), "2 3 4 8 16");
}
/// Whether a member's name selects lanes of a vector as a swizzle: "xy", "s0", "lo".
[[gnu::cold]] inline bool is_swizzle(std::string_view word) {
  if (is_among<std::string_view>(word, "lo hi even odd")) return true;
  if (word.size() < 2) return false;
  if (word[0] == 's' || word[0] == 'S')
    return word.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
  return word.size() <= 4 && word.find_first_not_of("xyzw") == std::string_view::npos;
}

/// The pieces of a source, with queries about them.
class source_pieces {
 public:
  source_pieces(std::string_view text, bool opencl) : text_(text), lexer_(text, {!opencl, !opencl}) {
    all_ = lexer_.tokens();
  }
  source_pieces(const source_pieces&) = delete;  // its pieces point into its own text
  source_pieces& operator=(const source_pieces&) = delete;
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] const text_token& at(std::size_t i) const noexcept { return i < all_.size() ? all_[i] : none_; }
  [[nodiscard]] bool is(std::size_t i, std::string_view text) const noexcept { return at(i).text == text; }
  [[nodiscard]] bool is(std::size_t i, char mark) const noexcept {
    return i < all_.size() && all_[i].kind == '+' && all_[i].text.front() == mark;
  }
  [[nodiscard]] bool is_word(std::size_t i) const noexcept { return at(i).kind == 'w'; }
  [[nodiscard]] bool is_member(std::size_t i) const noexcept {
    return i > 0 && (is(i - 1, '.') || (i > 1 && is(i - 1, '>') && is(i - 2, '-')));
  }
  /// Returns: the index of the bracket that closes the one at `i`; the end if it is not closed.
  [[nodiscard]] std::size_t close_of(std::size_t i) const noexcept {
    int depth = 0;
    for (; i < size(); ++i) {
      if (at(i).kind != '+') continue;
      if (is(i, '(') || is(i, '[') || is(i, '{')) ++depth;
      if ((is(i, ')') || is(i, ']') || is(i, '}')) && --depth <= 0) return i;
    }
    return i;
  }
  /// Returns: the pieces [first, last) with the usual blanks: "unsigned int* a".
  [[nodiscard, gnu::cold]] std::string words_between(std::size_t first, std::size_t last) const {
    std::string out;
    for (std::size_t i = first; i < last && i < size() && out.size() < 200; ++i) {
      const bool apart = is_word(i) && i > first && (is_word(i - 1) || is(i - 1, '*') || is(i - 1, '&'));
      out.append(apart ? " " : "").append(at(i).text.substr(0, 200));
    }
    std::replace(out.begin(), out.end(), '\n', ' ');  // from raw strings
    return out;
  }
  /// Returns: "kernel.cl:3" for a position in the text, according to the last `#line` before it.
  [[nodiscard, gnu::cold]] std::string place_of(std::size_t begin, std::string_view name) const {
    std::string_view file = name;
    std::size_t line = 1;
    std::size_t from = 0;
    for (const text_directive& each : lexer_.line_directives()) {
      if (each.kind != text_directive::kinds::line || each.end > begin) continue;
      if (!each.name.empty()) file = each.name;
      line = each.number;
      from = each.end;
    }
    const std::string_view before = text_.substr(from, begin - from);
    return detail::text(file, ":", line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')));
  }

 private:
  std::string_view text_;
  include_lexer lexer_;
  std::vector<text_token> all_;
  text_token none_{};
};

}  // namespace yoke::inline v0_1::detail

#endif
