// SPDX-License-Identifier: MIT
// Reads tokens and braces; inside functions and classes it looks only for words that must not be there.
#include "engine/compile/kernel_scan.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
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
      const bool number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
      while (at_ < text_.size() && (is_word(text_[at_]) || (number && is_separator()))) ++at_;
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
  bool is_separator() const { return text_[at_] == '\'' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]); }
  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  // # 12 "file.cu" 2
  void read_marker(std::string_view marker) {
    const std::size_t digit = marker.find_first_of("0123456789");
    const std::size_t open = marker.find('"');
    const std::size_t close = marker.rfind('"');
    if (digit > open || open >= close || close == marker.npos) return;
    line_ = std::strtoul(marker.data() + digit, nullptr, 10) - 1;  // the number of the line after the marker
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

/// Returns: one past the `>` that closes the `<` at `open`; a `>` within parentheses does not count.
std::size_t closing_angle(const tokens& list, std::size_t open) {
  int depth = 0;
  for (std::size_t each = open; each < list.size(); ++each) {
    if (list[each] == "(") each = closing(list, each) - 1;
    if (list[each] == "<") ++depth;
    if (list[each] == ">" && --depth == 0) return each + 1;
  }
  return list.size();
}

bool is_kernel_mark(std::string_view token) { return token == "__yoke_kernel__"; }
bool has(const tokens& list, std::string_view word) { return std::find(list.begin(), list.end(), word) != list.end(); }

/// A declaration without its attributes, and their content.
struct bare_declaration {
  tokens rest;
  bool is_kernel = false;
  std::string launch_bounds;
};

/// Returns: one past the `]]` of the standard attribute that begins at `open`.
std::size_t closing_attribute(const tokens& list, std::size_t open) {
  int depth = 0;
  for (std::size_t each = open; each < list.size(); ++each) {
    if (list[each] == "[") ++depth;
    if (list[each] == "]" && --depth == 0) return each + 1;
  }
  return list.size();
}

bare_declaration without_attributes(const tokens& list) {
  bare_declaration bare;
  for (std::size_t each = 0; each < list.size(); ++each) {
    if (list[each] == "[" && each + 1 < list.size() && list[each + 1] == "[") {
      each = closing_attribute(list, each) - 1;
      continue;
    }
    if (list[each] != "__attribute__" && list[each] != "alignas") {
      bare.rest.push_back(list[each]);
      continue;
    }
    const std::size_t end = closing(list, each + 1);
    for (std::size_t inner = each; inner < end; ++inner) {
      if (is_kernel_mark(list[inner])) bare.is_kernel = true;
      if (list[inner] == "__yoke_launch_bounds__") {
        bare.launch_bounds = join(list, inner + 2, closing(list, inner + 1) - 1);
      }
    }
    each = end - 1;
  }
  return bare;
}

/// A function's name in its declaration.
struct declarator {
  std::size_t first = 0, last = 0;  // the name with its qualifiers and template arguments: [first, last)
  std::size_t arguments = 0;        // where the template arguments begin; last if there are none
  std::size_t unqualified = 0;      // where the name begins behind its qualifiers
  std::size_t open = 0;             // the parenthesis of the parameters
};

bool is_operand(std::string_view word) { return word == "decltype" || word == "typeof" || word == "__typeof__"; }
bool is_name(std::string_view token) {
  const bool reserved = token == "void" || token == "auto" || token == "const" || token == "operator" ||
                        token == "static" || token == "inline" || token == "extern" || token == "template";
  return is_word(token.front()) && std::isdigit(static_cast<unsigned char>(token.front())) == 0 && !reserved;
}

/// Returns: the name that ends where the parameters begin. The text before the name is the function's result.
std::optional<declarator> declarator_before(const tokens& list, std::size_t last, std::size_t open) {
  declarator found{last, last, last, last, open};
  if (last == 0) return std::nullopt;
  if (list[last - 1] == ">") {
    std::size_t start = last;
    for (std::size_t each = 0; each < last && start == last; ++each) {
      if (list[each] != "<") continue;
      const std::size_t end = closing_angle(list, each);
      if (end == last) start = each;
      each = end - 1;
    }
    if (start == last) return std::nullopt;
    found.arguments = start;
  }
  std::size_t at = found.arguments;
  if (at == 0 || !is_name(list[at - 1])) return std::nullopt;
  found.unqualified = --at;
  while (at > 1 && list[at - 1] == "::" && is_name(list[at - 2])) at -= 2;
  found.first = at;
  return found;
}

std::optional<declarator> declarator_in(const tokens& list) {
  for (std::size_t each = 0; each < list.size(); ++each) {
    if (is_operand(list[each]) && each + 1 < list.size() && list[each + 1] == "(") {
      each = closing(list, each + 1) - 1;
    } else if (list[each] == "<") {
      each = closing_angle(list, each) - 1;
    } else if (list[each] == "(") {
      const std::size_t end = closing(list, each);  // of a name in parentheses, or of the parameters
      const bool in_parentheses = end < list.size() && list[end] == "(";
      return in_parentheses ? declarator_before(list, end - 1, end) : declarator_before(list, each, each);
    }
  }
  return std::nullopt;
}

/// Returns: the parameters, which begin at `open`, without their default arguments.
std::string parameters_at(const tokens& list, std::size_t open) {
  tokens kept;
  const std::size_t end = closing(list, open);
  for (std::size_t each = open; each < end; ++each) {
    if (list[each] == "=") {
      while (each < end - 1 && list[each] != ",") {
        const bool angle = list[each] == "<" && closing_angle(list, each) < end;
        each = list[each] == "(" ? closing(list, each) : angle ? closing_angle(list, each) : each + 1;
      }
    }
    kept.push_back(list[each]);
  }
  return join(kept, 0, kept.size());
}

bool is_template(const tokens& list) {
  return list.size() > 2 && list[0] == "template" && list[1] == "<" && list[2] != ">";
}

/// Reads the tokens after the mark of __shared__, for the variable's name and an initializer.
class shared_watch {
 public:
  /// Returns: whether this token begins an initializer.
  bool initializer_at(std::string_view token) {
    if (token == "__yoke_shared__") {
      *this = shared_watch();
      active_ = true;
      depth_ = 2;  // within the attribute's parentheses
      return false;
    }
    if (!active_) return false;
    const bool assigned = equals_ && token != "=";
    equals_ = false;
    if (token == "(" || token == "[" || token == "<") ++depth_;
    if (token == ")" || token == "]" || token == ">") --depth_;
    const bool ended = token == ";";
    const bool braced = token == "{" && depth_ == 0;
    if (depth_ == 0 && !assigned && !braced && !ended) {
      equals_ = token == "=" && named_;
      named_ = is_name(token) || token == "]";
      is_class_ = is_class_ || token == "struct" || token == "class" || token == "union" || token == "enum";
      if (is_name(token)) name_ = token;
    }
    active_ = !assigned && !braced && !ended;
    return assigned || (braced && !is_class_);
  }
  std::string_view name() const { return name_; }

 private:
  bool active_ = false, named_ = false, equals_ = false, is_class_ = false;
  int depth_ = 0;
  std::string_view name_{};
};

/// Reads the tokens of `__attribute__((...))`, for expansions of CUDA's words, which the host compiler ignores.
class attribute_watch {
 public:
  /// Returns: whether this token, within an attribute, is one that CUDA's compilers know and the host's does not.
  bool foreign_at(std::string_view token) {
    if (token == "__attribute__") {
      active_ = true;
      depth_ = 0;
      return false;
    }
    if (!active_) return false;
    if (token == "(") ++depth_;
    if (token == ")" && --depth_ == 0) active_ = false;
    return depth_ == 2 && (token == "global" || token == "device" || token == "shared" || token == "constant" ||
                           token == "managed" || token == "grid_constant" || token == "launch_bounds");
  }

 private:
  bool active_ = false;
  int depth_ = 0;
};

class scanner {
 public:
  kernel_scan scan(std::string_view text) {
    tokenizer source(text);
    while (const auto token = source.next()) {
      if (pending_.empty()) place_ = source.place();
      take(*token);
    }
    for (found_kernel& each : result_.kernels) {
      each.is_overloaded = !each.qualifier.empty() || names_[{each.scope, each.base_name}] > 1;
    }
    return std::move(result_);
  }

 private:
  void take(std::string_view token) {
    if (shared_.initializer_at(token)) {
      add_refusal("initializer not allowed for __shared__ variable '" + std::string(shared_.name()) + "'");
    }
    if (attribute_.foreign_at(token)) {
      const std::string word(token);
      add_refusal("'__attribute__((" + word + "))' is not understood by the simulator; write '__" + word + "__'");
    }
    if (token == "(" || token == ")") parentheses_ += token == "(" ? 1 : -1;
    if (!inside_.empty()) {
      take_inside(token);
    } else if (token == "{") {
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

  // Kernels cannot be defined in functions or classes; friends and declarations in functions are ignored.
  void take_inside(std::string_view token) {
    if (token != "{" && token != "}" && token != ";") {
      pending_.push_back(token);
      return;
    }
    const bool has_kernel = std::any_of(pending_.begin(), pending_.end(), is_kernel_mark);
    const bool in_class = inside_.back() == block::of_class;
    if (has_kernel && token == ";" && in_class && !has(pending_, "friend")) refuse(member_refusal);
    if (has_kernel && token == "{") refuse(in_class && !has(pending_, "friend") ? member_refusal : "");
    if (token == "{") inside_.push_back(kind_of_block());
    if (token == "}") inside_.pop_back();
    if (inside_.empty()) {
      pending_ = std::move(outside_);
      outside_.clear();
    } else {
      pending_.clear();
    }
  }

  void open() {
    if (parentheses_ > 0) {  // a braced default argument: the declaration goes on behind it
      outside_ = std::exchange(pending_, {});
      inside_.push_back(block::of_function);
      return;
    }
    std::size_t first = 0;
    while (first < pending_.size() && pending_[first] == "inline") ++first;
    const bool space = first < pending_.size() && pending_[first] == "namespace";
    const bool linkage = pending_.size() == 2 && pending_[0] == "extern" && pending_[1].front() == '"';
    if (space || linkage) {
      scopes_.push_back(space ? namespace_name(without_attributes(pending_).rest, first + 1) : "");
    } else {
      if (std::any_of(pending_.begin(), pending_.end(), is_kernel_mark)) check_maps();
      note(true);
      inside_.push_back(kind_of_block());
    }
    pending_.clear();
  }

  enum class block { of_class, of_function };
  block kind_of_block() const {
    const tokens list = without_attributes(pending_).rest;
    for (std::size_t each = 0; each < list.size(); ++each) {
      if (list[each] == "<") each = closing_angle(list, each) - 1;
      if (each >= list.size() || list[each] == "(") return block::of_function;
      if (list[each] == "struct" || list[each] == "class" || list[each] == "union") return block::of_class;
    }
    return block::of_function;
  }

  static std::string namespace_name(const tokens& list, std::size_t first) {
    std::string name;
    for (std::size_t each = first; each < list.size(); ++each) {
      if (list[each] != "inline") name += list[each];
    }
    return name;
  }

  std::string scope() const {
    std::string text;
    for (const std::string& each : scopes_) {
      if (each.empty()) continue;
      text += text.empty() ? each : "::" + each;
    }
    return text;
  }

  void note(bool defined) {
    const bare_declaration bare = without_attributes(pending_);
    const tokens& list = bare.rest;
    const auto name = declarator_in(list);
    const bool instantiation = list.size() > 1 && list[0] == "template" && list[1] != "<";
    if (name && !instantiation) ++names_[{scope(), std::string(list[name->unqualified])}];
    if (!bare.is_kernel || is_template(list) || (!defined && !instantiation)) return;
    if (!name) {
      refuse("");
      return;
    }
    found_kernel kernel;
    kernel.scope = scope();
    kernel.qualifier = name->unqualified > name->first ? join(list, name->first, name->unqualified - 1) : "";
    kernel.base_name = list[name->unqualified];
    kernel.name = join(list, name->first, name->last);
    kernel.parameters = parameters_at(list, name->open);
    kernel.launch_bounds = bare.launch_bounds;
    kernel.place = place_;
    kernel.is_instance = instantiation || list[0] == "template";
    result_.kernels.push_back(std::move(kernel));
  }

  static constexpr const char* member_refusal =
      "a __global__ function or function template cannot be a member function";

  /// Effects: refuses the pending declaration, for this reason; without a reason, as unreadable for this scan.
  void refuse(const std::string& reason) {
    const tokens list = without_attributes(pending_).rest;
    const auto name = declarator_in(list);
    const std::string kernel = name ? join(list, name->first, name->last) : join(list, 0, std::min(list.size(), most));
    std::string words = reason + ": '" + kernel + "'";
    if (reason.empty()) words = "the kernel '" + kernel + "' is not understood by the simulator";
    add_refusal(std::move(words));
  }
  /// Effects: refuses a tensor map as a parameter that a GPU would copy: its instructions read the launch's own copy.
  void check_maps() {
    for (std::size_t at = 0; at + 1 < pending_.size(); ++at) {
      if (pending_[at] != "simulated_tensor_map" || pending_[at + 1] == "*") continue;
      const auto before = pending_.begin() + static_cast<std::ptrdiff_t>(at);
      const auto marked = std::find(before - static_cast<std::ptrdiff_t>(std::min<std::size_t>(at, 5)), before,
                                    "__yoke_grid_constant__");
      if (marked == before)
        add_refusal("a tensor map is a parameter 'const __grid_constant__ tensor_map', never a copy");
    }
  }
  void add_refusal(std::string words) { result_.refusals.push_back(refused_declaration{place_, std::move(words)}); }
  static constexpr std::size_t most = 12;  // words of a declaration without a name

  tokens pending_;
  tokens outside_;     // tokens pending before a braced default argument
  std::string place_;  // place of the first of them
  std::vector<std::string> scopes_;
  std::vector<block> inside_;
  int parentheses_ = 0;
  shared_watch shared_;
  attribute_watch attribute_;
  std::map<std::pair<std::string, std::string>, int> names_;  // by scope: how often functions are declared
  kernel_scan result_;
};

}  // namespace

kernel_scan find_kernels(std::string_view text) { return scanner().scan(text); }

}  // namespace yoke::simulator
