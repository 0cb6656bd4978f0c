// SPDX-License-Identifier: MIT
// Body of driver/cuda/binary/ptx.hpp: a tokenizer and a parser of entries.
#ifndef YOKE_DRIVER_CUDA_BINARY_PTX_IPP
#define YOKE_DRIVER_CUDA_BINARY_PTX_IPP

#include <yoke/driver/cuda/binary/ptx.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Splits PTX into words. Names and directives are words, every other character is one; comments are skipped.
class ptx_words {
 public:
  explicit ptx_words(std::string_view text) noexcept : text_(text) {}
  /// Returns: the next word; "" at the end.
  std::string_view next() noexcept {
    skip_blanks();
    if (text_.empty()) return {};
    std::size_t length = 0;
    while (length < text_.size() && is_word(text_[length])) ++length;
    const std::string_view word = text_.substr(0, (std::max)(length, std::size_t{1}));
    text_.remove_prefix(word.size());
    return word;
  }

 private:
  static bool is_word(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '$' || letter == '%' || letter == '.';
  }
  void skip_blanks() noexcept {
    for (;;) {
      const std::size_t blanks = (std::min)(text_.find_first_not_of(" \t\r\n\f\v"), text_.size());
      text_.remove_prefix(blanks);
      const std::string_view end = text_.substr(0, 2) == "//" ? "\n" : text_.substr(0, 2) == "/*" ? "*/" : "";
      if (end.empty()) return;
      const std::size_t at = text_.find(end, 2);
      text_.remove_prefix(at == std::string_view::npos ? text_.size() : at + end.size());
    }
  }
  std::string_view text_;
};

/// Returns: the size of ".u32", ".b8", ".f64" in bytes; 0 for another word. Effects: stores the kind of number.
std::size_t ptx_type_bytes(std::string_view word, scalar_kind& scalar) noexcept {
  if (word.size() < 3 || word[0] != '.') return 0;
  const char kind = word[1];
  if (kind != 'u' && kind != 's' && kind != 'b' && kind != 'f') return 0;
  std::size_t bits = 0;
  for (const char digit : word.substr(2)) {
    if (digit < '0' || digit > '9') return 0;
    bits = bits * 10 + static_cast<std::size_t>(digit - '0');
    if (bits > 128) return 0;
  }
  scalar = kind == 'f' ? scalar_kind::floating : kind == 'b' ? scalar_kind::unknown : scalar_kind::integer;
  return bits / 8;
}

std::size_t ptx_number(std::string_view word) noexcept {
  std::size_t value = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9' || value > (std::size_t{1} << 32)) return 0;
    value = value * 10 + static_cast<std::size_t>(digit - '0');
  }
  return value;
}

/// Returns: one parameter list, read up to its closing bracket; nothing if the text is not a parameter list.
std::optional<std::vector<parameter_layout>> ptx_parameters(ptx_words& words) {
  std::vector<parameter_layout> layout;
  std::size_t end = 0;
  std::string_view word = words.next();
  while (word == ".param") {
    parameter_layout parameter;
    std::size_t alignment = 0;
    std::size_t count = 1;
    for (word = words.next(); !word.empty() && word != "," && word != ")"; word = words.next()) {
      if (word == ".align") {
        alignment = ptx_number(words.next());
      } else if (word == "[") {
        count = ptx_number(words.next());
        parameter.scalar = scalar_kind::unknown;
      } else if (word == ".ptr") {
        // ".ptr .global .align 4": the alignment of the pointee.
        for (word = words.next(); word == ".global" || word == ".const" || word == ".local" || word == ".shared";) {
          word = words.next();
        }
        if (word == ".align") word = words.next();
      } else if (const std::size_t bytes = ptx_type_bytes(word, parameter.scalar); bytes != 0) {
        parameter.bytes = bytes;
      }
    }
    if (parameter.bytes == 0 || count == 0 || word.empty()) return std::nullopt;
    if (alignment == 0) alignment = parameter.bytes;
    parameter.bytes *= count;
    parameter.offset = (end + alignment - 1) / alignment * alignment;
    end = parameter.offset + parameter.bytes;
    layout.push_back(parameter);
    if (word == ",") word = words.next();
  }
  if (word != ")") return std::nullopt;
  return layout;
}

}  // namespace yoke::inline v0_1::cuda::detail

namespace yoke::inline v0_1::cuda {

std::vector<ptx_entry> parse_ptx(std::string_view text) {
  std::vector<ptx_entry> entries;
  if (text.find(".entry") == std::string_view::npos) return entries;
  detail::ptx_words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != ".entry") continue;
    ptx_entry entry;
    entry.name = words.next();
    word = words.next();
    if (word == "(") {
      auto layout = detail::ptx_parameters(words);
      if (!layout) continue;
      entry.layout = std::move(*layout);
    }
    entries.resize(entries.size() + 1);
    entries.back() = std::move(entry);
  }
  return entries;
}

}  // namespace yoke::inline v0_1::cuda

#endif
