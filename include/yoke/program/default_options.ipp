// SPDX-License-Identifier: MIT
// Bodies of program/default_options.hpp.
#ifndef YOKE_PROGRAM_DEFAULT_OPTIONS_IPP
#define YOKE_PROGRAM_DEFAULT_OPTIONS_IPP

#include <yoke/core/environment.hpp>
#include <yoke/core/text.hpp>
#include <yoke/language/words.hpp>
#include <yoke/program/default_options.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace yoke::inline v0_1::detail {

/// Returns: the name of the setting: "std" of "-std=c++20" and "-cl-std=CL2.0", "DN" of "-DN=4", "G" of "-G".
std::string_view option_key(std::string_view option) noexcept {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const std::string_view key = option.substr(0, std::min(option.find('='), option.size()));
  if (key == "cl-std") return "std";
  if (key == "arch") return "gpu-architecture";
  if (key == "code") return "gpu-code";
  return key;
}

/// Whether several options of this name add up.
bool is_list_option(std::string_view key) noexcept {
  for (const std::string_view name :
       {"define-macro", "undefine-macro", "include-path", "pre-include", "diag-suppress", "diag-error", "diag-warn",
        "generate-code", "gencode", "Xptxas", "ptxas-options", "Xcompiler", "compiler-options"}) {
    if (key == name) return true;
  }
  return false;
}

/// Whether the option `key` also sets what the option `other` sets. NVRTC and nvcc give precedence to `other`, whatever
/// the order.
bool includes_option(std::string_view key, std::string_view other) noexcept {
  constexpr std::pair<std::string_view, std::string_view> pairs[] = {
      {"use_fast_math", "ftz"},
      {"use_fast_math", "prec-div"},
      {"use_fast_math", "prec-sqrt"},
      {"use_fast_math", "fmad"},
      {"cl-fast-relaxed-math", "cl-fp32-correctly-rounded-divide-sqrt"},
      {"cl-unsafe-math-optimizations", "cl-fp32-correctly-rounded-divide-sqrt"},
  };
  return std::find(std::begin(pairs), std::end(pairs), std::pair{key, other}) != std::end(pairs);
}

std::vector<std::string> split_options(std::string_view variable, std::string_view value,
                                       const source_location& where) {
  const auto refuse = [&](const std::string& why) {
    throw_error(errc::invalid_argument, where, variable, " is \"", value, "\", ", why);
  };
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // true for an empty pair of quotes, too, which is a word
  char open = '\0';
  const auto finish = [&] {
    if (inside) words.push_back(std::exchange(word, {}));
    inside = false;
  };
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char letter = value[i];
    if (open == '\0' && (letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r')) {
      finish();
      continue;
    }
    inside = true;
    if (letter == open) {
      open = '\0';
    } else if (open == '\0' && (letter == '"' || letter == '\'')) {
      open = letter;
    } else if (letter == '\\' && open != '\'') {
      if (i + 1 == value.size()) refuse("which ends in a backslash");
      // Within double quotes, a backslash quotes only a quote or a backslash.
      const char next = value[i + 1];
      if (open == '"' && next != '"' && next != '\\') word += letter;
      word += next;
      ++i;
    } else {
      word += letter;
    }
  }
  if (open != '\0') refuse(std::string("in which a ") + open + " is not closed");
  finish();
  return words;
}

std::vector<std::string> default_options(const kernel_language& language, const source_location& where) {
  if (language.options == nullptr) return {};
  const char* const variable = language.options_variable;
  const std::vector<std::string> words = split_options(variable, process_environment().*language.options, where);
  for (const std::string& word : words) {
    const auto refuse = [&](const std::string& why) {
      throw_error(errc::invalid_argument, where, variable, " has \"", word, "\", ", why);
    };
    if (word.empty()) refuse("an option without a character");
    if (word.find_first_of("\r\n") != std::string::npos) refuse("an option with a line end");
    if (language.options_are_one_text && word.find_first_of(" \t\"'\\") != std::string::npos) {
      refuse(text("an option with a space, quote or backslash, which ", language.backend, " options cannot carry"));
    }
  }
  return normal_options(words, language);
}

std::vector<std::string> normal_options(const std::vector<std::string>& words, const kernel_language& language) {
  std::vector<std::string> options;
  const char* joint = nullptr;
  for (const std::string& word : words) {
    if (joint != nullptr) {
      options.back() += joint + word;
      joint = nullptr;
      continue;
    }
    if (word == "-D" || word == "-U" || word == "-I") joint = word == "-I" ? language.folder_joint : "";
    if (is_among(std::string_view(word), language.valued_options)) joint = "=";
    options.push_back(word);
  }
  return options;
}

void drop_options(std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  std::erase_if(options, [&](const std::string& option) {
    return std::find(names.begin(), names.end(), option_key(option)) != names.end();
  });
}

std::vector<std::string> joined_options(const std::vector<std::string>& defaults, const std::vector<std::string>& own) {
  std::vector<std::string> all = defaults;
  std::erase_if(all, [&](const std::string& each) {
    const std::string_view key = option_key(each);
    bool replaced = false;
    for (const std::string& other : own) {
      replaced = replaced || other == each || (option_key(other) == key && !is_list_option(key)) ||
                 includes_option(option_key(other), key);
    }
    return replaced;
  });
  for (const std::string& each : own) all.push_back(each);
  return all;
}

}  // namespace yoke::inline v0_1::detail

#endif
