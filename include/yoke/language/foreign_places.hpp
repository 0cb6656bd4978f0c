// SPDX-License-Identifier: MIT
// Finds declarations that only one kernel language allows at their place: variables, local memory, overloads, structs.
#ifndef YOKE_LANGUAGE_FOREIGN_PLACES_HPP
#define YOKE_LANGUAGE_FOREIGN_PLACES_HPP

#include <yoke/core/text.hpp>
#include <yoke/language/dialect.hpp>
#include <yoke/language/dialect_source.hpp>
#include <yoke/language/source_pieces.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Follows a source in the dialect piece by piece and reports such declarations.
class foreign_place_finder {
 public:
  foreign_place_finder(const foreign_place_finder&) = delete;  // its pieces point into its own text
  foreign_place_finder& operator=(const foreign_place_finder&) = delete;

 protected:
  explicit foreign_place_finder(const dialect_source& source) : source_(source), pieces_(source.text, source.opencl) {
    read_braces();
  }
  ~foreign_place_finder() = default;

  /// Effects: goes on to the piece `i` and reports what only one language allows there. `tells`: whether both languages
  /// read the piece. `is_certain`: whether it is outside of all conditions.
  [[gnu::cold]] void follow(std::size_t i, bool tells, bool is_certain) {
    const text_token& here = pieces_.at(i);
    tells_ = tells;
    if (here.in_directive || here.kind == '#' || !is_even_) return;
    if (braces_ == 0 && begins_) begin(i);
    if (here.kind == 'w') follow_word(i);
    if (here.kind == '+') follow_mark(i, is_certain);
  }
  /// Effects: adds a line to the log, if it is new and the log has fewer than 20 lines.
  [[gnu::cold]] void tell(std::size_t i, std::string_view word, std::string_view advice) {
    constexpr std::size_t most = 20;
    if (!tells_) return;
    const std::string line =
        text(pieces_.place_of(pieces_.at(i).begin, source_.name), ": error: ", word, ": ", advice, "\n");
    if (count_ >= most || log_.find(line) != std::string::npos) return;
    ++count_;
    log_ += line;
  }

  const dialect_source& source_;
  const source_pieces pieces_;
  std::set<std::string> own_{};  // the names that the source or its options define
  std::string log_{};

 private:
  /// Effects: finds out whether each branch of a condition closes the braces that it opens, and whether the text has
  /// functions.
  [[gnu::cold]] void read_braces() {
    std::vector<int> open;
    int depth = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const text_token& here = pieces_.at(i);
      if (here.kind == '#') {
        has_includes_ = has_includes_ || here.text == "include";
        if (here.text.starts_with("if")) open.push_back(depth);
        const bool ends = here.text.starts_with("el") || here.text == "endif";
        if (ends && (open.empty() || open.back() != depth)) is_even_ = false;
        if (here.text == "endif" && !open.empty()) open.pop_back();
      }
      if (here.in_directive || here.kind != '+') continue;
      has_functions_ = has_functions_ || (depth == 0 && here.text == "{" && i > 0 && pieces_.is(i - 1, ')'));
      depth += here.text == "{" ? 1 : here.text == "}" ? -1 : 0;
      is_even_ = is_even_ && depth >= 0;
    }
    is_even_ = is_even_ && depth == 0;
  }
  /// Effects: begins a declaration outside of functions; reports it if it is a variable.
  [[gnu::cold]] void begin(std::size_t i) {
    begins_ = is_kernel_ = false;
    may_be_kernel_ = has_includes_;
    first_ = i;
    name_ = 0;
    std::size_t j = i;
    bool has_type = false;
    for (; pieces_.is_word(j) && own_.count(std::string(pieces_.at(j).text)) == 0; ++j) {
      const std::string_view word = pieces_.at(j).text;
      const bool is_type = is_scalar_name(word) || is_vector_name(word);
      if (!is_type && !is_among<std::string_view>(word, "const static volatile")) break;
      has_type = has_type || is_type;
    }
    const bool ends =
        pieces_.is(j + 1, ';') || pieces_.is(j + 1, '=') || pieces_.is(j + 1, '[') || pieces_.is(j + 1, ',');
    if (!has_functions_ || !has_type || !pieces_.is_word(j) || !ends) return;
    tell(i, pieces_.words_between(i, j + 1),
         "write YOKE_CONSTANT for a constant, and pass memory to the kernel for the rest: OpenCL C has no other "
         "variables outside of functions");
  }

  [[gnu::cold]] void follow_word(std::size_t i) {
    const std::string word(pieces_.at(i).text);
    if (braces_ == 0) {
      is_kernel_ = is_kernel_ || word == "YOKE_KERNEL";
      may_be_kernel_ = may_be_kernel_ || own_.count(word) != 0;
    }
    if (word == "static" && braces_ > 0) tell(i, word, "leave it out: OpenCL C has no static variables in functions");
    if (word == "YOKE_LOCAL" || word == "YOKE_CONSTANT") follow_memory(i, word);
    if (word == "struct" || word == "union" || word == "enum") {
      const bool is_named = pieces_.is_word(i + 1) && pieces_.is(i + 2, '{');
      if (is_named && !pieces_.is(first_, "typedef")) tags_.emplace(pieces_.at(i + 1).text);
      return;
    }
    if (braces_ > 0 && kernels_.count(word) != 0 && pieces_.is(i + 1, '(') && !pieces_.is_member(i)) {
      tell(i, word, "put its body into a function: CUDA C++ has no calls of kernels");
    }
    const auto tag = tags_.find(word);
    if (tag == tags_.end()) return;
    const bool is_tagged =
        i > 0 && (pieces_.is(i - 1, "struct") || pieces_.is(i - 1, "union") || pieces_.is(i - 1, "enum"));
    if (pieces_.is(first_, "typedef") && pieces_.is(i + 1, ';')) {
      tags_.erase(tag);
    } else if (!is_tagged && !pieces_.is_member(i) && own_.count(word) == 0 &&
               (pieces_.is_word(i + 1) || (pieces_.is(i + 1, '*') && pieces_.is_word(i + 2) && i > 0 &&
                                           !pieces_.is_word(i - 1) && !pieces_.is(i - 1, ')')))) {
      tell(i, word, "OpenCL C wants its struct, union or enum before it");
    }
  }

  /// Effects: reports local memory and constants that are declared where only CUDA allows it, and pointers to them.
  [[gnu::cold]] void follow_memory(std::size_t i, const std::string& word) {
    std::size_t j = i + 1;
    while (pieces_.is_word(j) && !pieces_.at(j).text.starts_with("YOKE_")) ++j;
    if (j > i + 1 && pieces_.is(j, '*')) {
      return tell(i, pieces_.words_between(i, j + 1), text("write ", word, "_POINTER for a pointer"));
    }
    if (brackets_ > 0) return;
    if (word == "YOKE_CONSTANT") {
      if (braces_ > 0) tell(i, word, "declare it outside of functions: OpenCL C has constants in no block");
    } else if (braces_ != 1 || !(is_kernel_ || may_be_kernel_)) {
      tell(i, word, "declare it at the top of a kernel: OpenCL C has local memory nowhere else");
    }
  }

  [[gnu::cold]] void follow_mark(std::size_t i, bool is_certain) {
    const char mark = pieces_.at(i).text.front();
    if (mark == '(' || mark == '[') {
      const bool is_call = braces_ == 0 && brackets_ == 0 && mark == '(' && i > 0 && pieces_.is_word(i - 1);
      if (is_call && !pieces_.at(i - 1).text.starts_with("__")) name_ = i - 1;  // skips attributes
      ++brackets_;
    } else if (mark == ')' || mark == ']') {
      --brackets_;
    } else if (mark == '=' && braces_ == 0 && brackets_ > 0 && pieces_.is_word(i - 1) && !pieces_.is(i + 1, '=') &&
               is_function() && !may_be_kernel_) {
      tell(i - 1, text(pieces_.at(i - 1).text, " ="), "pass each argument: OpenCL C has no default arguments");
    } else if (mark == '{') {
      if (braces_++ == 0 && is_certain && is_function() && pieces_.is(i - 1, ')')) begin_function();
    } else if (mark == '}') {
      begins_ = --braces_ == 0;
    } else if (mark == ';' && braces_ == 0 && brackets_ == 0) {
      begins_ = true;
    }
  }
  /// Whether the declaration is a function: a type stands before the name. Macros from includes could hide it.
  [[nodiscard]] bool is_function() const noexcept { return name_ > first_ && !has_includes_; }
  [[gnu::cold]] void begin_function() {
    const std::string name(pieces_.at(name_).text);
    if (is_kernel_ && own_.count(name) == 0) kernels_.insert(name);
    if (own_.count(name) != 0 || name.starts_with("YOKE_") || functions_.insert(name).second) return;
    tell(name_, name, "give it a name of its own: OpenCL C has one function of a name");
  }

  std::set<std::string> tags_{};  // structs without a typedef
  std::set<std::string> functions_{}, kernels_{};
  std::size_t first_ = 0, name_ = 0;  // the current declaration's first piece, and its function's name
  int braces_ = 0, brackets_ = 0;
  std::size_t count_ = 0;
  bool tells_ = true, is_even_ = true, has_functions_ = false, has_includes_ = false, begins_ = true;
  bool is_kernel_ = false, may_be_kernel_ = false;  // whether the declaration has, or may have, YOKE_KERNEL
};

}  // namespace yoke::inline v0_1::detail

#endif
