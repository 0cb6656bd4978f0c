// SPDX-License-Identifier: MIT
// Reads tokens and braces; what lies inside functions and classes is skipped. No grammar beyond that is needed.
#include "kernel_scan.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

namespace yoke::simulator {

namespace {

using tokens = std::vector<std::string_view>;

bool is_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

class tokenizer {
 public:
  explicit tokenizer(std::string_view text) : text_(text) {}

  std::optional<std::string_view> next() {
    skip_space_and_markers();
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t start = at_;
    line_ += static_cast<std::size_t>(std::count(text_.begin() + counted_, text_.begin() + offset(start), '\n'));
    counted_ = offset(start);
    if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      if (at_ < text_.size() && text_[at_] == '"' && text_[at_ - 1] == 'R') skip_raw_string();
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      skip_literal(text_[at_]);
    } else {
      at_ += text_.substr(at_, 2) == "::" ? 2 : 1;
    }
    return text_.substr(start, at_ - start);
  }

  /// Returns: where the latest token begins: 12 "file.cu".
  std::string place() const { return std::to_string(line_) + " " + std::string(file_); }

 private:
  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  // # 12 "file.cu" 2
  void read_marker(std::string_view marker) {
    const std::size_t digit = marker.find_first_of("0123456789");
    const std::size_t open = marker.find('"');
    const std::size_t close = marker.rfind('"');
    if (digit > open || open >= close || close == marker.npos) return;
    line_ = std::strtoul(marker.data() + digit, nullptr, 10) - 1;  // that of the line behind the marker's end
    file_ = marker.substr(open, close - open + 1);
    counted_ = offset(at_);
  }
  void skip_space_and_markers() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#' && (at_ == 0 || text_[at_ - 1] == '\n')) {
        const std::size_t start = at_;
        at_ = std::min(text_.find('\n', at_), text_.size());
        read_marker(text_.substr(start, at_ - start));
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }
  void skip_literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }
  void skip_raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return;
    std::string end(1, ')');
    end.append(text_.substr(at_ + 1, open - at_ - 1)).push_back('"');
    const std::size_t close = text_.find(end, open);
    at_ = close == std::string_view::npos ? text_.size() : close + end.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string_view file_ = "\"\"";
  std::ptrdiff_t counted_ = 0;  // the lines up to here are in line_
};

std::string join(const tokens& list, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t each = first; each < last; ++each) {
    if (!text.empty()) text += ' ';
    text += list[each];
  }
  return text;
}

/// Returns: one past the bracket that closes the one at `open`.
std::size_t closing(const tokens& list, std::size_t open) {
  int depth = 0;
  for (std::size_t each = open; each < list.size(); ++each) {
    if (list[each] == "(") ++depth;
    if (list[each] == ")" && --depth == 0) return each + 1;
  }
  return list.size();
}

/// A declaration without its attributes, and what they said of it.
struct bare_declaration {
  tokens rest;
  bool is_kernel = false;
  std::string launch_bounds;
};

bare_declaration without_attributes(const tokens& list) {
  bare_declaration bare;
  for (std::size_t each = 0; each < list.size(); ++each) {
    if (list[each] != "__attribute__") {
      bare.rest.push_back(list[each]);
      continue;
    }
    const std::size_t end = closing(list, each + 1);
    for (std::size_t inner = each; inner < end; ++inner) {
      if (list[inner] == "__yoke_kernel__") bare.is_kernel = true;
      if (list[inner] == "__yoke_launch_bounds__") {
        bare.launch_bounds = join(list, inner + 2, closing(list, inner + 1) - 1);
      }
    }
    each = end - 1;
  }
  return bare;
}

std::optional<found_kernel> kernel_in(const tokens& declaration, bool defined) {
  const bare_declaration bare = without_attributes(declaration);
  if (!bare.is_kernel) return std::nullopt;
  const tokens& list = bare.rest;
  const bool instantiation = list.size() > 1 && list[0] == "template" && list[1] != "<";
  if (!list.empty() && list[0] == "template" && !instantiation) return std::nullopt;
  if (!defined && !instantiation) return std::nullopt;
  // A kernel returns void, so that the name lies between that word and the parameters.
  std::size_t first = 0;
  while (first < list.size() && list[first] != "void") ++first;
  ++first;
  std::size_t open = first;
  for (int depth = 0; open < list.size() && (list[open] != "(" || depth > 0); ++open) {
    if (list[open] == "<") ++depth;
    if (list[open] == ">") --depth;
  }
  if (open >= list.size() || open == first) return std::nullopt;
  return found_kernel{"", join(list, first, open), join(list, open, closing(list, open)), bare.launch_bounds, ""};
}

class scanner {
 public:
  std::vector<found_kernel> scan(std::string_view text) {
    tokenizer source(text);
    while (const auto token = source.next()) {
      if (pending_.empty() && inside_ == 0) place_ = source.place();
      take(*token);
    }
    return std::move(found_);
  }

 private:
  void take(std::string_view token) {
    if (inside_ > 0) {
      if (token == "{") ++inside_;
      if (token == "}") --inside_;
      return;
    }
    if (token == "(" || token == ")") parentheses_ += token == "(" ? 1 : -1;
    if (token == "{") {
      open();
    } else if (token == "}") {
      if (!scopes_.empty()) scopes_.pop_back();
      pending_.clear();
    } else if (token == ";") {
      note(false);
      pending_.clear();
      parentheses_ = 0;
    } else {
      pending_.push_back(token);
    }
  }

  void open() {
    if (parentheses_ > 0) {  // a braced default argument
      ++inside_;
      return;
    }
    std::size_t first = 0;
    while (first < pending_.size() && pending_[first] == "inline") ++first;
    const bool space = first < pending_.size() && pending_[first] == "namespace";
    const bool linkage = pending_.size() == 2 && pending_[0] == "extern" && pending_[1].front() == '"';
    if (space || linkage) {
      scopes_.push_back(space ? namespace_name(without_attributes(pending_).rest, first + 1) : "");
    } else {
      note(true);
      ++inside_;
    }
    pending_.clear();
  }

  static std::string namespace_name(const tokens& list, std::size_t first) {
    std::string name;
    for (std::size_t each = first; each < list.size(); ++each) {
      if (list[each] != "inline") name += list[each];
    }
    return name;
  }

  void note(bool defined) {
    auto kernel = kernel_in(pending_, defined);
    if (!kernel) return;
    for (const std::string& each : scopes_) {
      if (each.empty()) continue;
      kernel->scope += kernel->scope.empty() ? each : "::" + each;
    }
    kernel->place = place_;
    found_.push_back(std::move(*kernel));
  }

  tokens pending_;
  std::string place_;  // of the first of them
  std::vector<std::string> scopes_;
  int inside_ = 0;
  int parentheses_ = 0;
  std::vector<found_kernel> found_;
};

}  // namespace

std::vector<found_kernel> find_kernels(std::string_view text) { return scanner().scan(text); }

}  // namespace yoke::simulator
