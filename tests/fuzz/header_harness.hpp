// SPDX-License-Identifier: MIT
// What must hold for any source with headers that are texts.
#ifndef YOKE_TESTS_FUZZ_HEADER_HARNESS_HPP
#define YOKE_TESTS_FUZZ_HEADER_HARNESS_HPP

#include <yoke/language/include_lexer.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/source/expanded_source.hpp>

#include <fuzz/dice.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke_fuzz {

/// Every line that is no include is there, as it was, under its own file and number. The headers "a.h" and "b/c.h" stand
/// behind the source, each behind a character 31.
inline const char* header_expander(bytes input) {
  static constexpr const char* names[] = {"main", "a.h", "b/c.h"};
  std::vector<std::string> files(1);
  for (const char letter : text_of(input)) {
    if (letter == '\x1f' && files.size() < std::size(names)) {
      files.emplace_back();
    } else {
      files.back() += letter;
    }
  }
  files.resize(std::size(names));
  std::vector<yoke::embedded_header> headers;
  for (std::size_t i = 1; i < files.size(); ++i) headers.push_back({names[i], files[i]});
  for (const bool in_c : {true, false}) {
    const yoke::detail::include_lexer::language as{!in_c, !in_c};
    const auto result = yoke::detail::header_expander({}, {}, headers, as).run(files[0], "main");
    if (result.text.size() > std::size_t{17} << 20) return "a text grows over its limit";
    if (!result.text.empty() && result.text.back() != '\n') return "a text ends within a line";
    const auto again = yoke::detail::header_expander({}, {}, headers, as).run(files[0], "main");
    if (again.text != result.text) return "a text is not itself";

    std::map<std::string, std::vector<std::string>> written;  // each file's lines
    std::map<std::string, std::vector<bool>> directive;       // and whether they belong to an include or its like
    bool renamed = false;
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::string_view text = files[i];
      if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
      const auto& lines = written[names[i]] = lines_in(text);
      auto& skipped = directive[names[i]];
      skipped.assign(lines.size() + 2, false);
      yoke::detail::include_lexer lexer(text, as);
      (void)lexer.run();
      for (const auto& each : std::move(lexer).directives()) {
        renamed = renamed || each.kind == yoke::detail::text_directive::kinds::line;
        if (each.begin >= each.end || each.end > text.size()) return "a directive stands outside its text";
        const auto first = static_cast<std::size_t>(
                               std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(each.begin), '\n')) +
                           1;
        const bool whole = text[each.end - 1] != '\n';  // up to the end, or to a carriage return within a line
        const std::size_t behind = each.next_line + (whole ? 1 : 0);
        if (first > lines.size() || behind <= first || behind > lines.size() + 1) return "a directive has wrong lines";
        for (std::size_t line = first; line < behind; ++line) skipped[line] = true;
      }
    }
    if (renamed) continue;  // lines then have the names that the texts give them
    std::vector<bool> seen(written["main"].size() + 1, false);
    const std::vector<std::string> lines = lines_in(result.text);
    for (std::size_t number = 1; number < lines.size(); ++number) {
      const std::string& line = lines[number - 1];
      const auto place = result.place_of(number);
      const auto file = written.find(place.name);
      if (file == written.end()) return "a line is from no file";
      const bool there = place.line >= 1 && place.line <= file->second.size();
      if (there && !directive[place.name][place.line] && file->second[place.line - 1] == line) {
        if (place.name == "main") seen[place.line] = true;
        continue;
      }
      const auto begins = [&](std::string_view with) { return line.compare(0, with.size(), with) == 0; };
      const bool added = line.empty() || begins("#line ") || begins("#error \"header ") ||
                         begins("#ifndef YOKE_HEADER_") || begins("#define YOKE_HEADER_") || line == "#endif";
      const bool beside =
          there && directive[place.name][place.line] && file->second[place.line - 1].find(line) != std::string::npos;
      if (!added && !beside) return "a line is not what stands in its file";
    }
    for (std::size_t line = 1; line < seen.size(); ++line) {
      if (line + 1 == seen.size() && written["main"].back().empty()) continue;  // no line, but its end
      if (!seen[line] && !directive["main"][line]) return "a line of the source is lost";
    }
  }
  return nullptr;
}

}  // namespace yoke_fuzz

#endif
