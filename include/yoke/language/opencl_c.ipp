// SPDX-License-Identifier: MIT
// Body of language/opencl_c.hpp: rewrites the words that CUDA C++ lacks or gives another meaning.
#ifndef YOKE_LANGUAGE_OPENCL_C_IPP
#define YOKE_LANGUAGE_OPENCL_C_IPP

#include <yoke/language/opencl_c.hpp>
#include <yoke/language/opencl_c_lexer.hpp>
#include <yoke/language/words.hpp>

#include <array>
#include <set>

namespace yoke::inline v0_1::detail {

/// Thrown for source that cannot be translated.
struct opencl_c_problem {
  std::size_t line;
  std::string what;
};

/// Returns: the number of lanes of a vector type, 4 for "float4"; 0 for any other word.
inline int vector_lanes(std::string_view word) noexcept {
  for (const std::string_view scalar :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}) {
    if (word.substr(0, scalar.size()) != scalar) continue;
    const std::string_view rest = word.substr(scalar.size());
    for (const auto& [name, lanes] : {std::pair("2", 2), {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}}) {
      if (rest == name) return lanes;
    }
  }
  return 0;
}

/// Returns: the numbers of the lanes that a word names, "0, 3" for "xw"; "" for other words.
inline std::string lane_list(std::string_view word) {
  constexpr std::string_view letters = "xyzw";
  constexpr std::string_view digits = "0123456789abcdef";
  const bool numbered = word.size() > 1 && (word.front() == 's' || word.front() == 'S');
  std::string list;
  for (char letter : word.substr(numbered ? 1 : 0)) {
    if (numbered && letter >= 'A' && letter <= 'F') letter = static_cast<char>(letter - 'A' + 'a');
    const std::size_t lane = (numbered ? digits : letters).find(letter);
    if (lane == std::string_view::npos) return "";
    list += (list.empty() ? "" : ", ") + std::to_string(lane);
  }
  return list;
}

/// Rewrites one source in place, piece by piece, so that line numbers do not change.
class opencl_c_translator {
 public:
  explicit opencl_c_translator(std::string_view source) : tokens_(c_lexer(source).run()) {}

  opencl_c_translation run() {
    opencl_c_translation result;
    try {
      read_names();
      for (stream_ = 0; stream_ < tokens_.streams.size(); ++stream_) rewrite();
    } catch (const opencl_c_problem& problem) {
      result.problem = problem.what;
      result.line = problem.line;
      return result;
    }
    for (const std::string& each : definitions_) result.definitions += each + "\n";
    for (const auto& [brace, bind] : binds_) tokens_.all[brace].text += bind;
    char before = ' ';
    for (const c_token& each : tokens_.all) {
      // Keep apart what C++ would read as a raw string or as a literal with a suffix.
      const bool raw = before == 'R' && each.kind == '"';
      if (raw || (before == '"' && each.kind == 'w')) result.text += ' ';
      result.text += each.text;
      before = each.kind == 'w' && each.text.ends_with('R') ? 'R' : each.kind;
    }
    return result;
  }

 private:
  enum class memory { none, local, constant };

  // Access to the current stream's pieces, without blanks; pieces beyond its end are empty.
  [[nodiscard]] std::size_t size() const noexcept { return tokens_.streams[stream_].size(); }
  c_token& at(std::size_t i) {
    nothing_ = {};
    return i < size() ? tokens_.all[tokens_.streams[stream_][i]] : nothing_;
  }
  bool is(std::size_t i, std::string_view text) { return at(i).text == text; }
  bool is_word(std::size_t i) { return at(i).kind == 'w'; }
  [[noreturn]] void refuse(std::size_t i, std::string what) { throw opencl_c_problem{at(i).line, std::move(what)}; }
  /// Returns: the index of the bracket that closes the one at `i`; the stream's end if it is not closed.
  std::size_t close_of(std::size_t i) {
    int depth = 0;
    for (; i < size(); ++i) {
      if (at(i).kind != '+') continue;
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if ((is(i, ")") || is(i, "]") || is(i, "}")) && --depth == 0) return i;
    }
    return i;
  }
  [[nodiscard]] memory memory_of(const std::string& word) const {
    if (word == "__local" || word == "local" || local_names_.count(word) != 0) return memory::local;
    if (word == "__constant" || word == "constant" || constant_names_.count(word) != 0) return memory::constant;
    return memory::none;
  }
  static bool is_kernel(const std::string& word) { return word == "__kernel" || word == "kernel"; }

  /// Effects: collects macros that are qualifiers, and the members of the source's own structs.
  void read_names() {
    for (const auto& [name, stream] : tokens_.objects) {
      stream_ = stream;
      if (size() != 1) continue;
      const memory kind = memory_of(at(0).text);
      if (kind == memory::local) local_names_.insert(name);
      if (kind == memory::constant) constant_names_.insert(name);
      if (is_kernel(at(0).text)) kernel_names_.insert(name);
    }
    for (stream_ = 0; stream_ < tokens_.streams.size(); ++stream_) {
      for (std::size_t i = 0; i < size(); ++i) {
        if (!is(i, "struct") && !is(i, "union")) continue;
        std::size_t open = i + 1;
        while (open < size() && !is(open, "{") && !is(open, ";") && !is(open, ",") && !is(open, "*") &&
               !is(open, "=") && !(is(open, ")"))) {
          open = is(open, "(") ? close_of(open) + 1 : open + 1;
        }
        if (!is(open, "{")) continue;
        for (const std::size_t close = close_of(open); open < close; ++open) {
          if (is_word(open)) members_.insert(at(open).text);
        }
      }
    }
  }

  void rewrite() {
    std::string open;                 // the brackets around the current piece
    std::vector<std::string> before;  // the brackets around each open `#if`
    auto condition = tokens_.conditions.begin();
    for (std::size_t i = 0; i < size(); ++i) {
      for (; stream_ == 0 && condition != tokens_.conditions.end() && condition->first <= i; ++condition) {
        if (condition->second == 'i') before.push_back(open);
        if (before.empty()) continue;
        if (condition->second == 'e') open = before.back();
        if (condition->second == 'n') before.pop_back();
      }
      try {
        rewrite_at(i, open);
      } catch (const opencl_c_problem& problem) {
        if (stream_ != 0 || !at(i).conditional) throw;
        at(i).text = unknown_word(problem.what);  // the compiler refuses the word unless a condition skips it
      }
    }
  }
  void rewrite_at(std::size_t i, std::string& open) {
    const c_token here = at(i);
    if (here.kind == '+') {
      if (here.text == "{" || here.text == "(" || here.text == "[") open.push_back(here.text.front());
      if ((here.text == "}" || here.text == ")" || here.text == "]") && !open.empty()) open.pop_back();
      if (here.text == "(" && rewrite_literal(i)) open.pop_back();
      if (here.text == "." || here.text == "->") rewrite_lanes(i);
      if (here.text == "<<" || here.text == ">>" || here.text == "<<=" || here.text == ">>=") rewrite_shift(i);
      return;
    }
    if (here.kind != 'w') return;
    refuse_word(i);
    const bool in_round = open.find('(') != std::string::npos;
    const bool in_block = open.find('{') != std::string::npos;
    if (is_kernel(here.text) || kernel_names_.count(here.text) != 0) {
      rewrite_kernel(i);
    } else if (here.text == "__attribute__" || here.text == "__attribute") {
      drop_attribute(i);
    } else if (memory_of(here.text) != memory::none && !in_round) {
      rewrite_memory(i, in_block);
    } else {
      rewrite_word(i);
    }
  }
  /// Returns: an identifier that states the problem: "pipe_pipes_and_device_side_queues_cannot_be_translated".
  static std::string unknown_word(std::string_view problem) {
    std::string word;
    for (const char each : problem) {
      const bool plain = (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
      if (plain) {
        word += each;
      } else if (!word.empty() && word.back() != '_') {
        word += '_';
      }
    }
    return word;
  }

  void refuse_word(std::size_t i) {
    const std::string& word = at(i).text;
    const auto begins = [&](std::string_view with) { return word.compare(0, with.size(), with) == 0; };
    const bool image = begins("image") && word.size() > 2 && word.substr(word.size() - 2) == "_t";
    constexpr std::string_view known = "image1d_t image2d_t image3d_t image1d_array_t image2d_array_t";
    if (image && !is_among<std::string_view>(word, known)) {
      refuse(i, "\"" + word + "\": images over buffers, of depth and of samples cannot be translated");
    }
    if (word == "pipe" || word == "queue_t" || word == "enqueue_kernel") {
      refuse(i, "\"" + word + "\": pipes and device-side queues cannot be translated");
    }
  }

  /// Effects: rewrites a kernel's qualifier and its local memory parameters.
  void rewrite_kernel(std::size_t i) {
    if (stream_ != 0 && size() == 1) return;  // the macro is just the qualifier
    std::size_t open = 0;
    std::size_t close = 0;
    std::size_t after = i + 1;
    for (; after < size() && !is(after, "{") && !is(after, ";"); ++after) {
      if (!is(after, "(")) continue;
      const std::size_t end = close_of(after);
      if (!is(after - 1, "__attribute__") && !is(after - 1, "__attribute")) {
        open = after;
        close = end;
      }
      after = end;
    }
    if (open == 0 || after >= size()) refuse(i, "a kernel without parameters and body cannot be translated");
    std::string bind;
    for (std::size_t begin = open + 1; begin < close;) {
      std::size_t end = begin;
      for (; end < close && !is(end, ","); ++end) {
        if (is(end, "(") || is(end, "[")) end = close_of(end);
      }
      bool local = false;
      for (std::size_t j = begin; j < end; ++j) local = local || memory_of(at(j).text) == memory::local;
      if (local) bind += rewrite_local_parameter(begin, end);
      begin = end + 1;
    }
    if (is(after, "{")) binds_.emplace_back(tokens_.streams[stream_][after], bind);
    at(i).text = "__global__";
  }
  /// Effects: rewrites the local memory parameter at [begin, end).
  /// Returns: the text that binds it in the kernel's body.
  std::string rewrite_local_parameter(std::size_t begin, std::size_t end) {
    std::string type;
    std::string name;
    int stars = 0;
    for (std::size_t j = begin; j < end; ++j) {
      const std::string& word = at(j).text;
      if (word == "*" || word == "[") ++stars;
      if (word == "[") break;
      if (word == "*" || memory_of(word) == memory::local || word == "restrict" || word == "__restrict" ||
          word == "__restrict__" || word == "const" || word == "__const") {
        continue;
      }
      if (stars == 0 && !(j + 1 < end && is(j + 1, "["))) {
        type += (type.empty() ? "" : " ") + word;
      } else {
        name = word;
      }
    }
    if (stars != 1 || type.empty())
      refuse(begin, "a kernel's __local parameter that is no plain pointer cannot be translated");
    if (name.empty()) name = "yoke_local_" + std::to_string(begin);
    at(begin).text = "YOKE_LOCAL_ARG(" + type + ", " + name + ")";
    for (std::size_t j = begin + 1; j < end; ++j) at(j).text.clear();
    return " YOKE_D_LOCAL_BIND(" + type + ", " + name + ")";
  }

  /// Effects: removes attributes that only OpenCL has.
  void drop_attribute(std::size_t i) {
    const std::size_t end = close_of(i + 1);
    if (end >= size()) return;
    for (std::size_t j = i; j < end; ++j) {
      const std::string& word = at(j).text;
      if (word != "reqd_work_group_size" && word != "work_group_size_hint" && word != "vec_type_hint" &&
          word != "opencl_unroll_hint" && word != "intel_reqd_sub_group_size" && word != "always_inline") {
        continue;
      }
      for (std::size_t k = i; k <= end; ++k) at(k).text.clear();
      return;
    }
  }

  /// Effects: rewrites the qualifier of a variable in local or constant memory; leaves pointers to such memory, which
  /// CUDA does not qualify.
  void rewrite_memory(std::size_t i, bool in_block) {
    const memory kind = memory_of(at(i).text);
    const bool macro = stream_ != 0;
    if (macro && size() == 1) return;
    std::size_t pointers = 0;
    std::size_t variables = 0;
    bool pointer = false;
    std::size_t words = 0;
    std::size_t j = i + 1;
    for (;; ++j) {
      const bool last = j >= size() || is(j, ";") || is(j, ")") || is(j, "{");
      if (last || is(j, ",")) {
        ++(pointer ? pointers : variables);
        pointer = false;
        if (last) break;
      } else if (is(j, "[") || is(j, "(")) {
        j = close_of(j);
      } else if (is(j, "=")) {
        while (j + 1 < size() && !is(j + 1, ";") && !is(j + 1, ",") && !is(j + 1, ")")) {
          ++j;
          if (is(j, "(") || is(j, "{") || is(j, "[")) j = close_of(j);
        }
      } else if (is(j, "*")) {
        pointer = true;
      } else if (is_word(j)) {
        ++words;
      }
    }
    const char* const name = kind == memory::local ? "__local" : "__constant";
    if (pointers != 0 && variables != 0) {
      refuse(i, std::string("a declaration of ") + name + " variables and pointers at once cannot be translated");
    }
    for (std::size_t back = i; back-- > 0 && !is(back, ";") && !is(back, "}") && !is(back, "{");) {
      if (is(back, "typedef")) refuse(i, std::string("a typedef with ") + name + " cannot be translated");
    }
    if (pointers != 0) return;
    if (macro && words < 2) {
      refuse(i, std::string("a macro that is a part of a declaration with ") + name + " cannot be translated");
    }
    if (kind == memory::local) {
      if (!in_block && !macro) refuse(i, "a __local variable outside of a kernel cannot be translated");
      at(i).text = "__shared__";
    } else if (!in_block) {
      at(i).text = "__constant__";
    }
  }

  /// Effects: turns the vector literal "(float4)(a, b)", which C++ would read as a cast of `b`, into a call.
  /// Returns: whether it did.
  bool rewrite_literal(std::size_t i) {
    if (!is_word(i + 1) || !is(i + 2, ")") || !(is(i + 3, "(") || is(i + 3, "{"))) return false;
    const std::string type = at(i + 1).text;
    const bool known = vector_lanes(type) != 0;
    const c_token before = i == 0 ? c_token{} : at(i - 1);
    const bool operand = before.text == "return" || before.text == "else" || before.text == "case";
    if ((before.kind == 'w' && !operand) || before.text == "]" || (before.text == ")" && !known)) return false;
    const std::size_t close = close_of(i + 3);
    if (!known) {  // may be a typedef of the source
      if (is(i + 3, "{")) return false;
      bool list = false;
      for (std::size_t j = i + 4; j < close; ++j) {
        if (is(j, "(") || is(j, "[") || is(j, "{")) {
          j = close_of(j);
        } else {
          list = list || is(j, ",");
        }
      }
      if (!list) return false;
    }
    at(i).text = "yoke_d_make<";
    at(i + 2).text = ">";
    if (is(i + 3, "{") && close < size()) {
      at(i + 3).text = "(";
      at(close).text = ")";
    }
    return true;
  }

  /// Returns: the index of the bracket that the one at `i` closes; the stream's end if there is none.
  std::size_t open_of(std::size_t i) {
    int depth = 0;
    for (std::size_t j = i + 1; j-- > 0;) {
      if (at(j).kind != '+') continue;
      if (is(j, ")") || is(j, "]") || is(j, "}")) ++depth;
      if ((is(j, "(") || is(j, "[") || is(j, "{")) && --depth == 0) return j;
    }
    return size();
  }
  /// Returns: whether the brackets that end at `i` enclose an expression, instead of a call's arguments or a condition.
  bool is_around(std::size_t i) {
    const std::size_t open = open_of(i);
    if (open == 0) return true;
    if (open == size() || is(open - 1, "]")) return false;
    return !is_word(open - 1) || is(open - 1, "else") || is(open - 1, "do");
  }
  static bool names_lanes(const std::string& word) {
    return word == "lo" || word == "hi" || word == "even" || word == "odd" || !lane_list(word).empty();
  }
  /// Returns: whether the operand that ends before `i` is assigned to, also by its lanes or in brackets: ".xy) =", ".xy
  /// +=".
  bool is_assigned(std::size_t i) {
    static constexpr std::array<std::string_view, 13> assignments{
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    while (true) {
      if (is(i, ")") && is_around(i)) {
        ++i;
      } else if (is(i, ".") && members_.count(at(i + 1).text) == 0 && names_lanes(at(i + 1).text)) {
        i += 2;
      } else {
        break;
      }
    }
    return std::find(assignments.begin(), assignments.end(), at(i).text) != assignments.end();
  }

  /// Effects: turns the lanes of a vector, "v.xy" or "v.s3", into calls or elements.
  void rewrite_lanes(std::size_t i) {
    const c_token before = i == 0 ? c_token{} : at(i - 1);
    if (before.kind != 'w' && before.text != ")" && before.text != "]" && before.text != ">") return;
    if (!is_word(i + 1) || members_.count(at(i + 1).text) != 0) return;
    const std::string word = at(i + 1).text;
    const bool assigned = is_assigned(i + 2);
    const std::string how = assigned ? "yoke_set" : "yoke_get";
    static constexpr std::array<std::string_view, 4> halves{"lo", "hi", "even", "odd"};
    const auto half = std::find(halves.begin(), halves.end(), word);
    if (half != halves.end()) {
      at(i + 1).text = how + "_half<" + std::to_string(half - halves.begin()) + ">()";
      return;
    }
    const std::string lanes = lane_list(word);
    if (lanes.empty()) return;
    std::size_t last = i;  // the end of the operand before the dot, without closing brackets
    while (last > 0 && is(last - 1, ")")) --last;
    const bool of_lanes = assigned && last > 0 && at(last - 1).text.compare(0, 8, "yoke_set") == 0;
    if (lanes.find(',') != std::string::npos || of_lanes) {
      at(i + 1).text = how + "<" + lanes + ">()";
    } else if (word.size() != 1) {
      at(i + 1).text = "yoke_s[" + lanes + "]";
    }
  }

  /// Effects: takes a shift's amount modulo the operand's width, as OpenCL C does; leaves a plain number below 32, for
  /// which that makes no difference. Operators of vectors, whose lanes may be narrower, take the amount modulo the
  /// width themselves.
  void rewrite_shift(std::size_t i) {
    const std::string o = at(i).text;
    const c_token amount = at(i + 1);
    const bool digits = amount.kind == '0' && amount.text.find_first_not_of("0123456789") == std::string::npos;
    const bool small = digits && (amount.text.size() == 1 || (amount.text.size() == 2 && amount.text < "32"));
    static constexpr std::array<std::string_view, 17> looser{")", "]",  "}",  ";",  ",",  "?",  ":",  "&", "|",
                                                             "^", "&&", "||", "==", "!=", "<=", ">=", "<<"};
    const std::string next = at(i + 2).text;
    const bool alone =
        o.size() == 3 ? next == ";" || next == ")" : std::find(looser.begin(), looser.end(), next) != looser.end();
    if (small && alone) return;
    at(i).text = o + " yoke_d_by " + o;
  }

  void rewrite_word(std::size_t i) {
    static const std::set<std::string_view> only_of_cpp{
        "and",    "and_eq",   "asm",    "bitand",   "bitor",     "catch",     "class",    "compl",
        "delete", "explicit", "export", "friend",   "mutable",   "namespace", "new",      "not",
        "not_eq", "operator", "or",     "or_eq",    "protected", "public",    "template", "this",
        "throw",  "try",      "typeid", "typename", "using",     "virtual",   "xor",      "xor_eq"};
    const std::string word = at(i).text;
    if (only_of_cpp.count(word) != 0) {
      at(i).text = "yoke_word_" + word;
      return;
    }
    const bool convert = word.compare(0, 8, "convert_") == 0;
    if (!convert && word.compare(0, 3, "as_") != 0) return;
    const std::string type = convert ? word.substr(8, word.find('_', 8) - 8) : word.substr(3);
    const int lanes = vector_lanes(type);
    if (lanes == 0) return;
    const std::string scalar = type.substr(0, type.size() - (lanes > 9 ? 2 : 1));
    const std::string call = "(" + scalar + ", " + std::to_string(lanes);
    const std::string mode = convert ? word.substr(8 + type.size()) : "";
    definitions_.insert(convert ? "YOKE_D_CONVERT_VECTOR" + call + ", " + mode + ")" : "YOKE_D_AS_VECTOR" + call + ")");
  }

  c_tokens tokens_;
  std::size_t stream_ = 0;
  c_token nothing_{};
  std::vector<std::pair<std::size_t, std::string>> binds_{};  // the index of a kernel's brace, and the text after it
  std::set<std::string> local_names_{}, constant_names_{}, kernel_names_{}, members_{}, definitions_{};
};

opencl_c_translation translate_opencl_c(std::string_view source) { return opencl_c_translator(source).run(); }

}  // namespace yoke::inline v0_1::detail

#endif
