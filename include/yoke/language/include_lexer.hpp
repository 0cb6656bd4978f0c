// SPDX-License-Identifier: MIT
// The lexer that finds the includes of a text.

// Before the guard: with YOKE_IMPLEMENTATION these headers include bodies, which include this header.
#include <yoke/language/find_includes.hpp>
#include <yoke/language/words.hpp>

#ifndef YOKE_LANGUAGE_INCLUDE_LEXER_HPP
#define YOKE_LANGUAGE_INCLUDE_LEXER_HPP

#include <yoke/core/text.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace yoke::inline v0_1::detail {

/// An `#include`, `#pragma once` or `#line` of a text.
struct text_directive {
  enum class kinds : unsigned char { include, once, line };

  kinds kind = kinds::include;
  bool quoted = false;        // for an include: whether it is "name" instead of <name>
  std::string name{};         // the included name; for a #line the file, or ""
  std::size_t number = 0;     // for a #line: the number of the next line
  std::size_t begin = 0;      // the position of its "#" in the text
  std::size_t end = 0;        // the position of the line after it
  std::size_t next_line = 0;  // the number of that line
};

/// A piece of a text, without line continuations.
struct text_token {
  std::string_view text;
  std::size_t begin = 0;  // its position in the text
  char kind = '+';  // 'w': a word, '0': a number, '"': a literal, '#': a directive's name, '+': one other character
  bool in_directive = false;  // after a directive's name, in the same directive
};

/// Reads a text like a preprocessor, as far as finding includes requires it. The languages differ in two things: C
/// lacks raw strings, and before C++14 an apostrophe ends a number.
class include_lexer {
 public:
  struct language {
    bool raw_strings;
    bool separators;  // whether numbers may contain apostrophes
  };

  /// Requires: `text` outlives this.
  include_lexer(std::string_view text, language as) : text_(text), as_(as) {
    joined_.reserve(text.size());
    at_.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t skipped = splice(i);
      if (skipped != 0) {
        i += skipped;
        continue;
      }
      joined_ += text[i];
      at_.push_back(i++);
    }
  }

  include_list run() {
    bool first = true;  // whether the line has only blanks and comments so far
    while (i_ < joined_.size()) {
      const char letter = joined_[i_];
      if (letter == '\n' || letter == '\r') {
        first = true;
        in_directive_ = false;
        ++i_;
      } else if (!skip_blank()) {
        const bool directive = first && (letter == '#' || joined_.compare(i_, 2, "%:") == 0);
        first = false;
        if (directive) {
          read_directive();
        } else {
          read_token();
        }
      }
    }
    return std::move(found_);
  }
  /// Returns: the directives. Requires: `run` has been called.
  [[nodiscard]] std::vector<text_directive> directives() && { return std::move(directives_); }
  /// Returns: all pieces but blanks, comments and the names of includes.
  /// Requires: this outlives the pieces; `run` has not been called.
  std::vector<text_token> tokens() {
    keeps_tokens_ = true;
    (void)run();
    return std::move(tokens_);
  }
  /// Returns: the directives, which give the origin of lines. Requires: `tokens` or `run` has been called.
  [[nodiscard]] const std::vector<text_directive>& line_directives() const noexcept { return directives_; }
  /// Whether the languages read this text differently.
  [[nodiscard]] bool ambiguous() const noexcept { return ambiguous_; }

 private:
  using kinds = text_directive::kinds;
  static bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }
  static bool is_word(char letter) noexcept {
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           letter == '$' || static_cast<unsigned char>(letter) >= 0x80;
  }
  [[nodiscard]] char ahead(std::size_t by) const noexcept { return i_ + by < joined_.size() ? joined_[i_ + by] : '\0'; }
  [[nodiscard]] bool line_ends_at(std::size_t at) const noexcept {
    return at >= joined_.size() || joined_[at] == '\n' || joined_[at] == '\r';
  }
  /// Returns: the length of a line continuation (a backslash and a line end) at `i`; 0 if there is none.
  [[nodiscard]] std::size_t splice(std::size_t i) const noexcept {
    if (text_[i] != '\\' || i + 1 >= text_.size()) return 0;
    if (text_[i + 1] == '\n') return 2;
    return text_[i + 1] == '\r' && i + 2 < text_.size() && text_[i + 2] == '\n' ? 3 : 0;
  }
  /// Returns: the line of the character `i`. Requires: `i` is not less than in the last call.
  std::size_t line_at(std::size_t i) { return lines_to(i < at_.size() ? at_[i] : text_.size()); }
  /// Returns: the line of a position in the text. Requires: as above.
  std::size_t lines_to(std::size_t end) {
    for (; counted_ < end; ++counted_) line_ += text_[counted_] == '\n' ? 1u : 0u;
    return line_;
  }
  void refuse(std::size_t i, const char* what) {
    if (found_.problem.empty()) found_.problem = text("line ", line_at(i), " ", what);
  }

  /// Effects: skips a blank or a comment. Returns: whether there was one.
  bool skip_blank() {
    const char letter = joined_[i_];
    if (letter == ' ' || letter == '\t' || letter == '\v' || letter == '\f') {
      ++i_;
    } else if (letter == '/' && ahead(1) == '/') {
      while (!line_ends_at(i_)) ++i_;
    } else if (letter == '/' && ahead(1) == '*') {
      const std::size_t end = joined_.find("*/", i_ + 2);
      i_ = end == std::string::npos ? joined_.size() : end + 2;
    } else {
      return false;
    }
    return true;
  }
  void skip_blanks() {
    while (i_ < joined_.size() && skip_blank()) {
    }
  }
  std::string_view read_word() {
    const std::size_t begin = i_;
    while (i_ < joined_.size() && is_word(joined_[i_])) ++i_;
    return std::string_view(joined_).substr(begin, i_ - begin);
  }

  void read_directive() {
    const std::size_t begin = i_;
    i_ += joined_[i_] == '#' ? 1 : 2;
    skip_blanks();
    const std::string_view word = read_word();
    keep(i_ - word.size(), '#');
    in_directive_ = true;
    if (word == "include" || word == "import") {
      skip_blanks();
      const std::size_t before = found_.directives.size();
      read_name(begin);
      if (word != "include" || found_.directives.size() == before) return;
      const include_directive& found = found_.directives.back();
      end_directive({.kind = kinds::include, .quoted = found.quoted, .name = found.name, .begin = at_[begin]});
    } else if (word == "include_next") {
      refuse(begin, "has an #include_next");
    } else if (word == "embed") {
      refuse(begin, "has an #embed");
    } else if (word == "pragma") {
      skip_blanks();
      if (read_word() == "once") end_directive({.kind = kinds::once, .begin = at_[begin]});
    } else if (word == "line") {
      skip_blanks();
      read_line(begin, read_word());
    } else {
      read_line(begin, word);
    }
  }
  /// Effects: reads the rest of a "#line 3 \"name\"" or "# 3 \"name\"" if it is a number with or without a name.
  void read_line(std::size_t begin, std::string_view digits) {
    if (digits.empty() || digits.size() > 9) return;
    text_directive line{.kind = kinds::line, .begin = at_[begin]};
    for (const char each : digits) {
      if (!is_digit(each)) return;
      line.number = line.number * 10 + static_cast<std::size_t>(each - '0');
    }
    skip_blanks();
    if (ahead(0) == '"') {
      const std::size_t name = i_ + 1;
      read_literal('"');
      if (i_ - name > 1 && joined_[i_ - 1] == '"') line.name = joined_.substr(name, i_ - 1 - name);
    }
    end_directive(std::move(line));
  }
  /// Effects: goes to the end of a directive, which may be on a later line because of a comment, and keeps the
  /// directive.
  void end_directive(text_directive directive) {
    while (!line_ends_at(i_)) {
      if (!skip_blank()) read_token();
    }
    std::size_t end = i_ < at_.size() ? at_[i_] : text_.size();
    if (end < text_.size()) end += text_.substr(end, 2) == "\r\n" ? 2 : 1;
    directive.end = end;
    directive.next_line = lines_to(end);
    directives_.push_back(std::move(directive));
  }
  /// Effects: reads "name" or <name>.
  void read_name(std::size_t begin) {
    const char open = ahead(0);
    if (open != '"' && open != '<') return refuse(begin, "includes by a macro");
    const char close = open == '"' ? '"' : '>';
    std::size_t end = i_ + 1;
    while (!line_ends_at(end) && joined_[end] != close) ++end;
    if (line_ends_at(end) || end == i_ + 1) return refuse(begin, "includes no name");
    found_.directives.push_back({joined_.substr(i_ + 1, end - i_ - 1), open == '"', line_at(begin)});
    i_ = end + 1;
  }

  void keep(std::size_t begin, char kind) {
    if (!keeps_tokens_ || begin >= joined_.size()) return;
    tokens_.push_back({std::string_view(joined_).substr(begin, i_ - begin), at_[begin], kind, in_directive_});
  }
  void read_token() {
    const std::size_t begin = i_;
    const char letter = joined_[i_];
    read_piece();
    const bool literal = letter == '"' || letter == '\'' || joined_[i_ - 1] == '"';
    const bool number = is_digit(letter) || (letter == '.' && i_ - begin > 1);
    keep(begin, literal ? '"' : number ? '0' : is_word(letter) ? 'w' : '+');
  }
  void read_piece() {
    const char letter = joined_[i_];
    if (letter == '"' || letter == '\'') {
      read_literal(letter);
    } else if (is_digit(letter) || (letter == '.' && is_digit(ahead(1)))) {
      read_number();
    } else if (is_word(letter)) {
      const std::size_t begin = i_;
      const std::string_view word = read_word();
      if (ahead(0) == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
        ambiguous_ = true;
        if (as_.raw_strings) read_raw_string();
      } else if (word == "__has_include" || word == "__has_include_next" || word == "__has_embed") {
        const bool plain = word == "__has_include";
        skip_blanks();
        if (ahead(0) != '(') return;  // only asks whether the word is defined
        if (!plain) return refuse(begin, "asks for more than whether a header is there");
        ++i_;
        skip_blanks();
        read_name(begin);
      }
    } else {
      ++i_;
    }
  }
  void read_literal(char quote) {
    const std::size_t begin = i_++;
    while (!line_ends_at(i_) && joined_[i_] != quote) i_ += joined_[i_] == '\\' && !line_ends_at(i_ + 1) ? 2 : 1;
    if (!line_ends_at(i_)) {
      ++i_;
      return;
    }
    // An unclosed quote: some compilers take it for a single character, and would see a comment after it.
    const std::string_view rest = std::string_view(joined_).substr(begin, i_ - begin);
    if (rest.find("/*") != std::string_view::npos || rest.find("*/") != std::string_view::npos) {
      refuse(begin, "has a comment behind a quote that is not closed");
    }
  }
  void read_number() {
    while (i_ < joined_.size()) {
      const char letter = joined_[i_];
      const bool exponent = letter == 'e' || letter == 'E' || letter == 'p' || letter == 'P';
      if (exponent && (ahead(1) == '+' || ahead(1) == '-')) {
        i_ += 2;
      } else if (is_word(letter) || letter == '.') {
        ++i_;
      } else if (letter == '\'' && is_word(ahead(1))) {
        ambiguous_ = true;
        if (!as_.separators) return;
        i_ += 2;
      } else {
        return;
      }
    }
  }
  /// Effects: skips a raw string, in which line continuations are plain characters.
  void read_raw_string() {
    const std::size_t begin = at_[i_] + 1;
    const std::size_t bracket = text_.find('(', begin);
    const std::string_view mark = text_.substr(begin, (std::min)(bracket, text_.size()) - begin);
    if (bracket == std::string_view::npos || mark.size() > 16 ||
        mark.find_first_of(std::string_view(" )\\\t\v\f\n\r\"")) != std::string_view::npos) {
      refuse(i_, "has a raw string that is none");
      read_literal('"');
      return;
    }
    const std::string close = text(")", mark, "\"");
    const std::size_t end = text_.find(close, bracket + 1);
    const std::size_t after = end == std::string_view::npos ? text_.size() : end + close.size();
    i_ = static_cast<std::size_t>(std::lower_bound(at_.begin(), at_.end(), after) - at_.begin());
  }

  std::string_view text_;
  language as_;
  std::string joined_{};           // the text without line continuations
  std::vector<std::size_t> at_{};  // the position in the text of each of its characters
  std::size_t i_ = 0;
  std::size_t counted_ = 0;  // how far `line_` has counted the text
  std::size_t line_ = 1;
  include_list found_{};
  std::vector<text_directive> directives_{};
  std::vector<text_token> tokens_{};
  bool keeps_tokens_ = false;
  bool in_directive_ = false;
  bool ambiguous_ = false;
};

}  // namespace yoke::inline v0_1::detail

#endif
