// SPDX-License-Identifier: MIT
// Body of language/find_includes.hpp.
#ifndef YOKE_LANGUAGE_FIND_INCLUDES_IPP
#define YOKE_LANGUAGE_FIND_INCLUDES_IPP

#include <yoke/language/find_includes.hpp>
#include <yoke/language/include_lexer.hpp>
#include <yoke/language/words.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Returns: why compilers may read the text differently, or read files without an include; else "".
[[gnu::cold]] inline std::string unclear_text(std::string_view source) {
  const auto has = [&](std::string_view part) { return source.find(part) != std::string_view::npos; };
  if (source.find('\0') != std::string_view::npos) return "has a zero character";
  if (has("?\?=") || has("?\?/")) return "has a trigraph";
  if (has("incbin")) return "has an .incbin";
  for (std::size_t i = source.find('\r'); i != std::string_view::npos; i = source.find('\r', i + 1)) {
    if (i + 1 >= source.size() || source[i + 1] != '\n') return "has a carriage return within a line";
  }
  for (std::size_t i = source.find('\\'); i != std::string_view::npos; i = source.find('\\', i + 1)) {
    const std::size_t next = source.find_first_not_of(" \t\v\f", i + 1);
    if (next == std::string_view::npos || next == i + 1) continue;
    if (source[next] == '\n' || source[next] == '\r') return "has blanks behind a backslash at the end of a line";
  }
  return "";
}

include_list find_includes(std::string_view source) {
  if (source.substr(0, 3) == "\xEF\xBB\xBF") source.remove_prefix(3);
  include_lexer lexer(source, {true, true});
  include_list found = lexer.run();
  if (std::string unclear = unclear_text(source); found.problem.empty()) found.problem = std::move(unclear);
  if (!lexer.ambiguous()) return found;
  const auto place = [](const include_directive& each) {
    return std::pair(each.line, (each.quoted ? "\"" : "<") + each.name);
  };
  std::set<std::pair<std::size_t, std::string>> there;
  for (const include_directive& each : found.directives) there.insert(place(each));
  for (const include_lexer::language as : {include_lexer::language{true, false}, {false, false}}) {
    include_list other = include_lexer(source, as).run();
    if (found.problem.empty()) found.problem = std::move(other.problem);
    for (include_directive& each : other.directives) {
      if (there.insert(place(each)).second) found.directives.push_back(std::move(each));
    }
  }
  return found;
}

}  // namespace yoke::inline v0_1::detail

#endif
