// SPDX-License-Identifier: MIT
// Bodies of program/source/definitions.hpp.
#ifndef YOKE_PROGRAM_SOURCE_DEFINITIONS_IPP
#define YOKE_PROGRAM_SOURCE_DEFINITIONS_IPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/language/words.hpp>
#include <yoke/program/source/definitions.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

bool is_macro(std::string_view text) noexcept {
  const std::size_t bracket = std::min(text.find('('), text.size());
  if (!is_identifier(text.substr(0, bracket))) return false;
  if (bracket == text.size()) return true;
  if (text.back() != ')') return false;
  std::string_view rest = text.substr(bracket + 1, text.size() - bracket - 2);
  if (rest.find_first_not_of(' ') == std::string_view::npos) return true;
  for (bool last = false; !last;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    last = comma == rest.size();
    std::string_view parameter = rest.substr(0, comma);
    parameter.remove_prefix(std::min(parameter.find_first_not_of(' '), parameter.size()));
    parameter = parameter.substr(0, parameter.find_last_not_of(' ') + 1);
    if (!is_identifier(parameter) && !(last && parameter == "...")) return false;
    rest.remove_prefix(last ? comma : comma + 1);
  }
  return true;
}

bool continues_line(std::string_view value) noexcept {
  const std::string_view text = value.substr(0, value.find_last_not_of(" \t\v\f") + 1);
  return !text.empty() && (text.back() == '\\' || (text.size() > 2 && text.substr(text.size() - 3) == "?\?/"));
}

/// Returns: "#undef A" and "#define A 1" for "-DA", "#undef A" for "-UA"; "" for other words and for definitions that
/// must stay options: of names that compilers and their headers read, or with a value that would swallow the following
/// text.
std::string definition_line(bool defines, std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
  const std::size_t equals = std::min(words.find('='), words.size());
  const std::string name(words.substr(0, equals));
  if (!is_macro(name) || name.front() == '_' || name == "NDEBUG") return "";
  const std::string plain = name.substr(0, name.find('('));
  if (!defines) return equals == words.size() && plain == name ? "#undef " + name + "\n" : "";
  const std::string value(equals == words.size() ? "1" : words.substr(equals + 1));
  if (continues_line(value) || value.find("/*") != std::string::npos || value.find("//") != std::string::npos)
    return "";
  return "#undef " + plain + "\n#define " + name + " " + value + "\n";
}

/// Returns: lines for all words of options, or "" if one of them cannot be a line.
std::string definition_lines_of(const std::vector<std::string_view>& words) {
  std::string lines;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    word.remove_prefix(word.substr(0, 2) == "--" ? 1 : 0);
    std::string line;
    for (const std::string_view name : {"-define-macro", "-undefine-macro", "-D", "-U"}) {
      if (word.substr(0, name.size()) != name) continue;
      const bool defines = name == "-D" || name == "-define-macro";
      std::string_view rest = word.substr(name.size());
      if (name.size() > 2 && !rest.empty() && rest.front() != '=') continue;
      if (rest.empty()) {
        if (++i == words.size()) return "";
        rest = words[i];
      } else if (name.size() > 2) {
        rest.remove_prefix(1);
      }
      line = definition_line(defines, rest);
      break;
    }
    if (line.empty()) return "";
    lines += line;
  }
  return lines;
}

std::string definition_lines(compile_request& request) {
  const std::vector<std::string>& options = request.options;
  const bool read_before = std::any_of(options.begin(), options.end(), [](const std::string& each) {
    return each.find("-pre-include") != std::string::npos || each.substr(0, 8) == "-include";
  });
  if (read_before) return "";  // a header that is read before the text may need the options
  std::string lines;
  for (std::size_t i = 0, next = 0; i < options.size(); i = next) {
    constexpr std::string_view names = "-D -U --define-macro --undefine-macro -define-macro -undefine-macro";
    next = i + (is_among(std::string_view(options[i]), names) && i + 1 < options.size() ? 2 : 1);
    std::vector<std::string_view> words;
    bool plain = true;
    for (std::size_t j = i; j < next; ++j) {
      // If all options are one text, leave quotes to the driver.
      plain =
          plain && !(request.language.options_are_one_text && options[j].find_first_of("\"'\\") != std::string::npos);
      if (request.language.options_are_one_text) {
        add_words(words, options[j]);
      } else {
        words.emplace_back(options[j]);
      }
    }
    const std::string found = plain ? definition_lines_of(words) : "";
    for (std::size_t j = i; j < next && !found.empty(); ++j) request.in_text.push_back(j);
    lines += found;
  }
  return lines;
}

}  // namespace yoke::inline v0_1::detail

#endif
