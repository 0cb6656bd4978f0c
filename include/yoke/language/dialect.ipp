// SPDX-License-Identifier: MIT
// Body of language/dialect.hpp: selects parts of a prelude by the words of a source.
#ifndef YOKE_LANGUAGE_DIALECT_IPP
#define YOKE_LANGUAGE_DIALECT_IPP

#include <yoke/language/dialect.hpp>
#include <yoke/language/include_lexer.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace yoke::inline v0_1::detail {

/// A part of a prelude. In the prelude it begins with the line "//part name". Then come "//words ...", words of sources
/// that need the part (one * stands for any letters), "//needs ...", other parts that it needs, and "//when ...", parts
/// that together require it. The text before the first part goes into every source.
struct dialect_part {
  std::string_view name;
  std::vector<std::string_view> words, needs, when;
  std::string_view text;
  bool taken = false;
};

/// Returns: the parts of a prelude. Effects: sets `before` to the text before them.
std::vector<dialect_part> dialect_parts(std::string_view prelude, std::string_view& before) {
  constexpr std::string_view mark = "//part ";
  std::vector<dialect_part> parts;
  std::size_t begin = prelude.substr(0, mark.size()) == mark ? 0 : prelude.find("\n//part ");
  if (begin != 0 && begin != std::string_view::npos) ++begin;
  before = prelude.substr(0, begin);
  while (begin < prelude.size()) {
    const std::size_t end = prelude.find("\n//part ", begin);
    std::string_view rest = prelude.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
    begin = end == std::string_view::npos ? end : end + 1;
    dialect_part part;
    part.name = next_line(rest).substr(mark.size());
    const auto read = [&rest](std::string_view key, std::vector<std::string_view> & into) __attribute__((cold)) {
      while (rest.substr(0, key.size()) == key) add_words(into, next_line(rest).substr(key.size()));
    };
    read("//needs ", part.needs);
    read("//when ", part.when);
    read("//words ", part.words);
    part.text = rest;
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Effects: adds the words of a text outside of comments and literals; if compilers may read the text differently, all
/// words.
void add_source_words(std::set<std::string, std::less<>>& to, std::string_view text) {
  include_lexer lexer(text, {.raw_strings = true, .separators = true});
  for (const text_token& each : lexer.tokens()) {
    if (each.kind == 'w' || each.kind == '#') to.emplace(each.text);
  }
  if (!lexer.ambiguous() && find_includes(text).problem.empty()) return;
  const auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
  };
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    if (end > at && is_letter(text[at])) to.emplace(text.substr(at, end - at));
    at = (std::max)(end, at + 1);
  }
}

/// Effects: takes further parts: those that taken parts need, and those whose "when" parts are all taken.
/// Returns: whether it took any.
[[gnu::cold]] inline bool take_more(std::vector<dialect_part>& parts) {
  const auto find = [&parts](std::string_view name) {
    auto part = parts.begin();
    while (part != parts.end() && part->name != name) ++part;
    return part;
  };
  bool more = false;
  for (dialect_part& part : parts) {
    if (!part.taken && !part.when.empty()) {
      part.taken = true;
      for (const std::string_view name : part.when) {
        const auto found = find(name);
        part.taken = part.taken && found != parts.end() && found->taken;
      }
      more = more || part.taken;
    }
    if (!part.taken) continue;
    for (const std::string_view name : part.needs) {
      const auto found = find(name);  // missing if the language has the words itself
      if (found == parts.end() || found->taken) continue;
      found->taken = more = true;
    }
  }
  return more;
}

std::string dialect_for(std::string_view prelude, const std::vector<std::string_view>& texts) {
  std::string_view before;
  std::vector<dialect_part> parts = dialect_parts(prelude, before);
  std::set<std::string, std::less<>> words;
  bool everything = false;
  for (const std::string_view text : texts) {
    add_source_words(words, text);
    everything = everything || text.find("##") != std::string_view::npos;
  }
  for (const std::string_view word : words) {
    everything = everything || word == "include" || word == "YOKE_CAT";
    for (dialect_part& part : parts) {
      part.taken = part.taken || everything;
      for (const std::string_view pattern : part.words) part.taken = part.taken || is_word_of(pattern, word);
    }
  }
  while (take_more(parts)) {
  }
  std::string result(before);
  for (const dialect_part& part : parts) {
    if (!part.taken) continue;
    result += "#line 1 \"yoke/";
    result += part.name;
    result += "\"\n";
    result += part.text;
  }
  return result;
}

}  // namespace yoke::inline v0_1::detail

#endif
