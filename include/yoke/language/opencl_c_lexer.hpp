// SPDX-License-Identifier: MIT
// Cuts an OpenCL C source into pieces, with the body of each macro as a stream of its own.
#ifndef YOKE_LANGUAGE_OPENCL_C_LEXER_HPP
#define YOKE_LANGUAGE_OPENCL_C_LEXER_HPP

#include <yoke/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// A piece of a source: a word, a number, a literal, an operator, or text between these.
struct c_token {
  std::string text;
  std::size_t line = 1;
  char kind = ' ';           ///< 'w': word, '0': number, '"': literal, '+': operator, ' ': text that is not translated
  bool conditional = false;  ///< whether it is within an `#if`
};

/// A source in pieces, whose texts together are the source.
struct c_tokens {
  std::vector<c_token> all{};
  /// Indices into `all` of the pieces to translate: first of the source itself, then of each macro's body.
  std::vector<std::vector<std::size_t>> streams{1};
  /// Macros without parameters: name, and index into `streams`.
  std::vector<std::pair<std::string, std::size_t>> objects{};
  /// Conditions: index into the first stream, and 'i' for an `#if`, 'e' for an `#else`, 'n' for an `#endif`.
  std::vector<std::pair<std::size_t, char>> conditions{};
};

/// Cuts a source into pieces.
class c_lexer {
 public:
  explicit c_lexer(std::string_view text) : text_(text) {}

  c_tokens run() {
    bool first = true;  // whether the line has only blanks so far
    while (i_ < text_.size()) {
      const char letter = text_[i_];
      const std::size_t blank = blank_at(i_);
      if (blank != 0) {
        add(' ', blank);
      } else if (letter == '\n') {
        first = true;
        add(' ', 1);
      } else if (first && (letter == '#' || (letter == '%' && at(i_ + 1) == ':'))) {
        read_directive();
      } else {
        first = false;
        read_token(0);
      }
    }
    return std::move(found_);
  }

 private:
  static bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }
  static bool is_word(char letter) noexcept {
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           letter == '$' || static_cast<unsigned char>(letter) >= 0x80;
  }
  [[nodiscard]] char at(std::size_t i) const noexcept { return i < text_.size() ? text_[i] : '\0'; }

  void add(char kind, std::size_t size) {
    const std::string_view text = text_.substr(i_, size);
    found_.all.push_back({std::string(text), line_, kind, depth_ != 0});
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    i_ += text.size();
  }
  /// Returns: the length of a line continuation (a backslash and a line end) at `i`; 0 if there is none.
  [[nodiscard]] std::size_t splice_at(std::size_t i) const noexcept {
    if (at(i) != '\\') return 0;
    return at(i + 1) == '\n' ? 2 : at(i + 1) == '\r' && at(i + 2) == '\n' ? 3 : 0;
  }
  /// Returns: the length of a blank, a comment or a line continuation at `i`; 0 if there is none.
  [[nodiscard]] std::size_t blank_at(std::size_t i) const noexcept {
    const char letter = at(i);
    if (letter == ' ' || letter == '\t' || letter == '\v' || letter == '\f' || letter == '\r') return 1;
    if (splice_at(i) != 0) return splice_at(i);
    if (letter != '/') return 0;
    if (at(i + 1) == '*') {
      const std::size_t end = text_.find("*/", i + 2);
      return end == std::string_view::npos ? text_.size() - i : end + 2 - i;
    }
    if (at(i + 1) != '/') return 0;
    std::size_t end = i;
    while (end < text_.size() && text_[end] != '\n') end += (std::max<std::size_t>)(splice_at(end), 1);
    return end - i;
  }
  [[nodiscard]] std::size_t word_at(std::size_t i) const noexcept {
    std::size_t end = i;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return end - i;
  }
  void skip_blanks() {
    for (std::size_t blank = 0; (blank = blank_at(i_)) != 0;) add(' ', blank);
  }

  void read_directive() {
    const std::size_t begin = found_.all.size();
    add(' ', text_[i_] == '#' ? 1 : 2);
    skip_blanks();
    const std::string_view name = text_.substr(i_, word_at(i_));
    add(' ', name.size());
    read_condition(name);
    skip_blanks();
    const std::string macro(text_.substr(i_, word_at(i_)));
    if (name == "define") return read_macro(macro);
    while (i_ < text_.size() && text_[i_] != '\n') add(' ', (std::max<std::size_t>)(blank_at(i_), 1));
    if (name != "pragma" || macro != "OPENCL") return;
    // Blank out the pragma, of which CUDA's compiler would warn.
    for (std::size_t i = begin; i < found_.all.size(); ++i) {
      std::string& text = found_.all[i].text;
      text.assign(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
    }
  }
  void read_condition(std::string_view name) {
    char kind = '\0';
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      kind = 'i';
      ++depth_;
    } else if (name == "else" || name == "elif" || name == "elifdef" || name == "elifndef") {
      kind = 'e';
    } else if (name == "endif") {
      kind = 'n';
      if (depth_ != 0) --depth_;
    }
    if (kind != '\0') found_.conditions.emplace_back(found_.streams.front().size(), kind);
  }
  void read_macro(const std::string& macro) {
    add(' ', macro.size());
    found_.streams.emplace_back();
    const std::size_t stream = found_.streams.size() - 1;
    if (at(i_) == '(') {
      while (i_ < text_.size() && text_[i_] != ')' && text_[i_] != '\n') {
        add(' ', (std::max<std::size_t>)(blank_at(i_), 1));
      }
      if (at(i_) == ')') add(' ', 1);
    } else {
      found_.objects.emplace_back(macro, stream);
    }
    while (i_ < text_.size() && text_[i_] != '\n') {
      const std::size_t blank = blank_at(i_);
      if (blank != 0) {
        add(' ', blank);
      } else {
        read_token(stream);
      }
    }
  }

  void read_token(std::size_t stream) {
    const char letter = text_[i_];
    found_.streams[stream].push_back(found_.all.size());
    if (letter == '"' || letter == '\'') {
      std::size_t end = i_ + 1;
      while (end < text_.size() && text_[end] != letter && text_[end] != '\n') {
        end += splice_at(end) != 0 ? splice_at(end) : text_[end] == '\\' && at(end + 1) != '\n' ? 2 : 1;
      }
      add('"', (std::min)(end + (at(end) == letter ? 1 : 0), text_.size()) - i_);
    } else if (is_digit(letter) || (letter == '.' && is_digit(at(i_ + 1)))) {
      std::size_t end = i_ + 1;
      while (end < text_.size() && (is_word(text_[end]) || text_[end] == '.' ||
                                    ((text_[end] == '+' || text_[end] == '-') &&
                                     std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos &&
                                     !(at(i_ + 1) == 'x' && (text_[end - 1] == 'e' || text_[end - 1] == 'E'))))) {
        ++end;
      }
      add('0', end - i_);
    } else if (is_word(letter)) {
      add('w', word_at(i_));
    } else {
      for (const std::string_view each : {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                          "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"}) {
        if (text_.substr(i_, each.size()) == each) return add('+', each.size());
      }
      add('+', 1);
    }
  }

  std::string_view text_;
  std::size_t i_ = 0;
  std::size_t line_ = 1;
  std::size_t depth_ = 0;  // how many `#if` are open
  c_tokens found_{};
};

}  // namespace yoke::inline v0_1::detail

#endif
