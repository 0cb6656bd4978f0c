// SPDX-License-Identifier: MIT
// Bodies of language/dialect_check.hpp.
#ifndef YOKE_LANGUAGE_DIALECT_CHECK_IPP
#define YOKE_LANGUAGE_DIALECT_CHECK_IPP

#include <yoke/core/text.hpp>
#include <yoke/language/dialect.hpp>
#include <yoke/language/dialect_check.hpp>
#include <yoke/language/foreign_places.hpp>
#include <yoke/language/foreign_words.hpp>
#include <yoke/language/source_pieces.hpp>
#include <yoke/language/words.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace yoke::inline v0_1::detail {

source_words words_of(std::string_view source, std::string_view name, bool opencl) {
  const source_pieces pieces(source, opencl);
  source_words found;
  std::string opencl_c, cuda;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces.is_word(i)) continue;
    const std::string_view word = pieces.at(i).text;
    found.dialect = found.dialect || word.starts_with("YOKE_") || word.starts_with("yoke_");
    const bool is_cuda = is_among<std::string_view>(
        word, "__global__ __device__ __shared__ __syncthreads threadIdx blockIdx blockDim gridDim");
    const bool is_opencl_c = is_among<std::string_view>(word, "__kernel __global get_global_id CLK_LOCAL_MEM_FENCE") ||
                             (word == "kernel" && pieces.is(i + 1, "void"));
    std::string& hint = is_cuda ? cuda : opencl_c;
    if ((is_cuda || is_opencl_c) && hint.empty()) {
      hint = text(pieces.place_of(pieces.at(i).begin, name), " says ", word);
    }
  }
  if (!found.dialect && cuda.empty()) found.opencl_c = std::move(opencl_c);
  if (!found.dialect) found.cuda = std::move(cuda);
  return found;
}

/// Finds the words that the dialect lacks.
class foreign_word_finder : foreign_place_finder {
 public:
  explicit foreign_word_finder(const dialect_source& source) : foreign_place_finder(source) {}

  [[gnu::cold]] std::string run() {
    for (const std::string_view other : source_.others) read_own(source_pieces(other, source_.opencl));
    read_own(pieces_);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      follow(i, !is_free(), open_.empty());
      if (pieces_.at(i).kind == '#') {
        read_condition(i);
      } else if (!is_free() && !is_silent(i)) {
        check(i);
      }
    }
    return std::move(log_);
  }

 private:
  /// The state of an open `#if`.
  struct condition {
    bool by_backend = false;  // one of its conditions so far names a backend
    bool is_out = false;      // the current branch is `#if 0`
  };

  /// Effects: notes the names that a text defines or declares, and the swizzle-like words that it uses as plain names.
  [[gnu::cold]] void read_own(const source_pieces& pieces) {
    std::string directive;
    int depth = 0;
    bool in_value = false;  // in the initial value of a variable outside of functions
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const text_token& here = pieces.at(i);
      if (here.kind == '#') {
        directive = here.text;
        has_includes_ = has_includes_ || directive == "include";
        if (directive == "define") own_.insert(std::string(pieces.at(i + 1).text));
        continue;
      }
      if (here.kind == 'w' && is_swizzle(here.text) && !pieces.is_member(i)) plain_.insert(std::string(here.text));
      if (here.in_directive) {
        has_bind_macro_ = has_bind_macro_ || (directive == "define" && here.text == "YOKE_LOCAL_BIND");
        continue;
      }
      if (here.text == "{" || here.text == "(") ++depth;
      if (here.text == "}" || here.text == ")") --depth;
      if (here.text == "=") in_value = true;
      if (here.text == ";" || here.text == "}") in_value = false;
      if (here.kind != 'w') continue;
      const bool is_declared = i > 0 && pieces.is_word(i - 1) &&
                               !is_among<std::string_view>(pieces.at(i - 1).text, "return else case do goto sizeof");
      if (is_declared || (depth == 0 && !in_value && pieces.is(i + 1, '('))) declared_.insert(std::string(here.text));
    }
  }
  [[nodiscard]] bool is_free() const noexcept {
    return std::any_of(open_.begin(), open_.end(),
                       [](const condition& each) { return each.by_backend || each.is_out; });
  }
  /// Whether a piece is in a directive without code, which is every directive but `#define`.
  [[nodiscard]] bool is_silent(std::size_t i) const noexcept { return pieces_.at(i).in_directive && !in_define_; }

  void read_condition(std::size_t i) {
    const std::string_view name = pieces_.at(i).text;
    in_define_ = name == "define";
    const bool opens = name == "if" || name == "ifdef" || name == "ifndef";
    if (opens) open_.emplace_back();
    if (open_.empty()) return;
    if (name == "endif") return open_.pop_back();
    const bool asks = opens || name == "elif" || name == "elifdef" || name == "elifndef";
    if (!asks && name != "else") return;
    open_.back().is_out = name == "if" && pieces_.is(i + 1, "0") && !pieces_.at(i + 2).in_directive;
    for (std::size_t j = i + 1; asks && pieces_.at(j).in_directive && pieces_.at(j).kind != '#'; ++j) {
      open_.back().by_backend =
          open_.back().by_backend ||
          (pieces_.is_word(j) && is_among_patterns(pieces_.at(j).text,
                                                   "YOKE_BACKEND_* __CUDA* __NVCC__ __OPENCL* __NV_CL* "
                                                   "__YOKE_SIMULATOR__ __cplusplus cl_* CL_*"));
    }
  }

  [[gnu::cold]] void check(std::size_t i) {
    const text_token& here = pieces_.at(i);
    if (here.text == "(" && pieces_.is_word(i + 1) && pieces_.is(i + 2, ')') &&
        (pieces_.is(i + 3, '(') || pieces_.is(i + 3, '{')) && is_vector_name(pieces_.at(i + 1).text) &&
        !is_behind_name(i)) {
      const std::string type(pieces_.at(i + 1).text);
      return tell(i, text("(", type, ")", pieces_.at(i + 3).text, ".."),
                  is_foreign_vector(type) ? "the dialect has vectors of 2 and 4" : text("write make_", type, "(..)"));
    }
    if (here.kind == '0') return check_number(i);
    if (here.kind == '+') return check_mark(i);
    if (here.kind != 'w') return;
    const std::string word(here.text);
    if (pieces_.is_member(i)) {
      const bool lanes = pieces_.is(i - 1, '.') && is_swizzle(word) && plain_.count(word) == 0 && !has_includes_;
      if (lanes) tell(i, text(".", word), "the dialect has no swizzles, write .x .y .z .w one by one");
      return;
    }
    if (word == "YOKE_LOCAL_ARG" && !here.in_directive) check_local(i);
    if (word == "YOKE_KERNEL" && !here.in_directive) check_kernel(i);
    if (is_scalar_name(word) || is_vector_name(word)) check_cast(i, word);
    if (is_scalar_name(word) && pieces_.is(i + 1, '&') && pieces_.is_word(i + 2)) tell_reference(i, i + 3);
    const foreign_word found = find(here.text);
    if (found.words.empty() || own_.count(word) != 0) return;
    const bool is_own = found.use != word_use::any && declared_.count(word) != 0;
    const bool needs_call = found.use == word_use::call || found.use == word_use::lonely;
    const bool may_be_included = found.use == word_use::lonely || found.use == word_use::constant;
    if (is_own || (needs_call && !pieces_.is(i + 1, '(')) || (may_be_included && has_includes_)) return;
    tell(i, word, found.advice);
  }
  /// Effects: reports forms of C, and extensions of OpenCL's compilers, that C++ lacks.
  [[gnu::cold]] void check_mark(std::size_t i) {
    const char mark = pieces_.at(i).text.front();
    const bool in_list = i > 0 && (pieces_.is(i - 1, '{') || pieces_.is(i - 1, ','));
    const bool is_member = mark == '.' && pieces_.is_word(i + 1) && pieces_.is(i + 2, '=');
    if (in_list && (is_member || (mark == '[' && pieces_.is(pieces_.close_of(i) + 1, '=')))) {
      tell(i, pieces_.words_between(i, i + 2), "write the values in order: CUDA C++ has no designated initializers");
    } else if (mark == '(' && pieces_.is_word(i + 1) && pieces_.is(i + 2, ')') && pieces_.is(i + 3, '{') &&
               !is_behind_name(i)) {
      tell(i, pieces_.words_between(i, i + 4), "write a variable of that type: CUDA C++ has no such literals");
    } else if (mark == '(' && pieces_.is(i + 1, '{')) {
      tell(i, "({", "write a function: CUDA C++ has no statements in expressions");
    } else if (mark == '?' && pieces_.is(i + 1, ':')) {
      tell(i, "?:", "write the value between ? and : too");
    } else if (mark == '.' && pieces_.is(i + 1, '.') && pieces_.is(i + 2, '.') && i > 0 && !pieces_.is(i - 1, '.') &&
               !in_list && !pieces_.is(i - 1, '(') && !pieces_.is(i + 3, ')')) {
      tell(i, "...", "write each case: CUDA C++ has no ranges of them");
    }
  }
  /// Effects: reports values in C++ notation: `float(x)`, `float4{x, y, z, w}`.
  [[gnu::cold]] void check_cast(std::size_t i, const std::string& type) {
    const bool is_call = pieces_.is(i + 1, '(') && !pieces_.is(i + 2, '*');
    if (i == 0 || (!is_call && !pieces_.is(i + 1, '{'))) return;
    const char before = pieces_.at(i - 1).text.front();
    const bool is_value =
        pieces_.is(i - 1, "return") || (pieces_.at(i - 1).kind == '+' &&
                                        std::string_view("=+-*/%,(?:<>&|!^~[").find(before) != std::string_view::npos);
    if (!is_value) return;
    const bool is_vector = is_vector_name(type);
    tell(i, text(type, pieces_.at(i + 1).text, ".."),
         text("write ", is_vector ? "make_" : "(", type, is_vector ? "" : ")", "(..): OpenCL C has no such cast"));
  }
  /// Returns: the list's entry for a word; an empty one for words that are allowed.
  [[gnu::cold]] foreign_word find(std::string_view word) {
    const auto [known, is_new] = known_.try_emplace(word);
    if (!is_new) return known->second;
    if (is_foreign_vector(word)) return known->second = {word, "the dialect has vectors of 2 and 4"};
    for (std::string_view list = foreign_word_list; !list.empty();) {
      const foreign_word each = next_foreign_word(list);
      if (is_among_patterns(word, each.words)) return known->second = each;
    }
    return {};
  }
  /// Whether the bracket at `i` follows the name of a function, in a call or a declaration.
  [[nodiscard]] bool is_behind_name(std::size_t i) const noexcept {
    return i > 0 && pieces_.is_word(i - 1) && !pieces_.is(i - 1, "return") && !pieces_.is(i - 1, "else") &&
           !pieces_.is(i - 1, "case");
  }

  /// Effects: reports an apostrophe in a number, which C++ ignores and C does not.
  [[gnu::cold]] void check_number(std::size_t i) {
    const text_token& here = pieces_.at(i);
    const text_token& next = pieces_.at(i + 1);
    const std::size_t mark = here.text.find('\'');
    const bool is_cut = next.text.starts_with('\'') && next.begin == here.begin + here.text.size();
    if (mark == std::string_view::npos && !is_cut) return;
    tell(i, text(here.text.substr(0, mark), "'"), "write the number without ': OpenCL C has no such digits");
  }
  [[gnu::cold]] void tell_reference(std::size_t first, std::size_t last) {
    tell(first, pieces_.words_between(first, last), "OpenCL C has no references: pass a value, or a pointer");
  }

  /// Effects: reports a kernel's name and parameters that one of the languages does not allow.
  [[gnu::cold]] void check_kernel(std::size_t i) {
    std::size_t open = i + 1;
    for (; pieces_.is_word(open); ++open) {
      if (!pieces_.is(open + 1, '(')) continue;
      const std::size_t close = pieces_.close_of(open + 1);
      if (pieces_.is_word(close + 1)) {  // YOKE_WORK_GROUP_SIZE(..) or the like before the name
        open = close;
        continue;
      }
      if (pieces_.is(close + 1, '(')) {  // a macro makes the name
        open = close + 1;
        break;
      }
      const std::string name(pieces_.at(open).text);
      if (own_.count(name) == 0 && is_among<std::string_view>(name, built_in_functions)) {
        tell(open, name, text("rename the kernel: ", name, " is a function of OpenCL C"));
      }
      ++open;
      break;
    }
    if (!pieces_.is(open, '(')) return;
    const std::size_t close = pieces_.close_of(open);
    for (std::size_t j = open; j < close; ++j) {
      if (pieces_.at(j).kind == '#') return;  // its parameters depend on conditions
    }
    for (std::size_t first = open + 1; first < close;) {
      std::size_t last = first;
      while (last < close && !pieces_.is(last, ','))
        last = pieces_.is(last, '(') || pieces_.is(last, '[') ? pieces_.close_of(last) + 1 : last + 1;
      check_parameter(first, last);
      first = last + 1;
    }
  }
  /// Effects: reports a kernel's parameter that is a reference, or a pointer without an address space. Skips parameters
  /// with macros.
  [[gnu::cold]] void check_parameter(std::size_t first, std::size_t last) {
    std::size_t pointer = last;
    bool is_known = !has_includes_;
    std::string_view unsized;
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view word = pieces_.at(i).text;
      if (pieces_.is(i, '&') && pieces_.is_word(i - 1)) return tell_reference(first, last);
      if ((pieces_.is(i, '*') || pieces_.is(i, '[')) && pointer == last) pointer = i;
      if (!pieces_.is_word(i)) continue;
      if (own_.count(std::string(word)) != 0 || (word.starts_with("YOKE_") && word != "YOKE_RESTRICT")) return;
      if (is_among<std::string_view>(word, "bool size_t ptrdiff_t intptr_t uintptr_t")) unsized = word;
      is_known = is_known || is_scalar_name(word) || is_vector_name(word);
      // The word list has its own advice for these.
      if (is_among<std::string_view>(word, "__global global __local local __constant constant __private private"))
        return;
    }
    const std::string written = pieces_.words_between(first, last);
    if (pointer == last && !unsized.empty()) {
      return tell(first, written,
                  text("write ", unsized == "bool" ? "int" : "a number of a fixed width, as yoke_uint64",
                       ": OpenCL C's kernels take no ", unsized));
    }
    if (pointer == last || !is_known) return;
    tell(first, written, text("write YOKE_GLOBAL ", written, ": a kernel's pointer names its memory"));
  }

  /// Returns: the type between two pieces in a normal spelling: "uint" for "unsigned int".
  [[nodiscard, gnu::cold]] std::string type_between(std::size_t first, std::size_t last) const {
    std::string written = pieces_.words_between(first, last);
    static constexpr std::string_view spellings[][2] = {
        {"uint", "unsigned"},     {"uint", "unsigned int"},     {"uint", "yoke_uint32"},    {"int", "signed"},
        {"int", "signed int"},    {"int", "yoke_int32"},        {"uchar", "unsigned char"}, {"uchar", "yoke_uint8"},
        {"char", "yoke_int8"},    {"ushort", "unsigned short"}, {"ushort", "yoke_uint16"},  {"short", "yoke_int16"},
        {"ulong", "yoke_uint64"}, {"float", "yoke_float32"},    {"double", "yoke_float64"},
    };
    for (const auto& [one, other] : spellings) {
      if (written == other) return std::string(one);
    }
    return written;
  }

  /// Effects: reports a local memory parameter that the kernel's body uses before it binds it, or binds as another
  /// type.
  [[gnu::cold]] void check_local(std::size_t i) {
    if (has_bind_macro_ || !pieces_.is(i + 1, '(')) return;
    std::size_t end = pieces_.close_of(i + 1);
    if (end >= pieces_.size() || !pieces_.is_word(end - 1)) return;
    const std::string name(pieces_.at(end - 1).text);
    std::size_t comma = i + 2;
    while (comma < end - 1 && !pieces_.is(comma, ',')) ++comma;
    const std::string type = pieces_.words_between(i + 2, comma);
    const std::string one = type_between(i + 2, comma);
    for (++end; end < pieces_.size() && !pieces_.is(end, ')'); ++end) {
      if (pieces_.is(end, '(') || pieces_.is(end, '[')) end = pieces_.close_of(end);
    }
    if (!pieces_.is(++end, '{')) return;
    const std::size_t close = pieces_.close_of(end);
    for (std::size_t j = end; j < close; ++j) {
      if (pieces_.is(j, "YOKE_LOCAL_BIND") && pieces_.is(j + 1, '(')) {
        const std::size_t bind = j;
        j = pieces_.close_of(j + 1);
        if (!pieces_.is(j - 1, name)) continue;
        if (type_between(bind + 2, j - 2) == one) return;
        return tell(bind, pieces_.words_between(bind, j + 1),
                    text("write YOKE_LOCAL_BIND(", type, ", ", name, "): the parameter is YOKE_LOCAL_ARG(", type, ", ",
                         name, ")"));
      } else if (pieces_.is_word(j) && pieces_.is(j, name) && !pieces_.is_member(j) && !pieces_.at(j).in_directive) {
        return tell(j, name, text("write YOKE_LOCAL_BIND(", type, ", ", name, ") at the top of the kernel"));
      }
    }
  }

  std::set<std::string> declared_{}, plain_{};
  std::map<std::string_view, foreign_word> known_{};
  std::vector<condition> open_{};
  bool has_includes_ = false, has_bind_macro_ = false, in_define_ = false;
};

std::string foreign_words(const dialect_source& source) { return foreign_word_finder(source).run(); }

}  // namespace yoke::inline v0_1::detail

#endif
