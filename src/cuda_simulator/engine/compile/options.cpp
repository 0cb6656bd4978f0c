// SPDX-License-Identifier: MIT
// Tables of NVRTC's options and their translations.
#include "engine/compile/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace yoke::simulator {

namespace {

struct valued_option {
  std::string_view long_name, short_name;
  enum kind { include_folder, define, undefine, include_file, standard, architecture, number, yes_no, ignored } meaning;
};

// -I and -D also take their value without a space.
constexpr std::array valued = {
    valued_option{"--include-path", "-I", valued_option::include_folder},
    valued_option{"--define-macro", "-D", valued_option::define},
    valued_option{"--undefine-macro", "-U", valued_option::undefine},
    valued_option{"--pre-include", "-include", valued_option::include_file},
    valued_option{"--std", "-std", valued_option::standard},
    valued_option{"--gpu-architecture", "-arch", valued_option::architecture},
    valued_option{"--maxrregcount", "-maxrregcount", valued_option::number},
    valued_option{"--ftz", "-ftz", valued_option::yes_no},
    valued_option{"--prec-sqrt", "-prec-sqrt", valued_option::yes_no},
    valued_option{"--prec-div", "-prec-div", valued_option::yes_no},
    valued_option{"--fmad", "-fmad", valued_option::yes_no},
    valued_option{"--ptxas-options", "-Xptxas", valued_option::ignored},
    valued_option{"--optimization-info", "-opt-info", valued_option::ignored},
    valued_option{"--dopt", "-dopt", valued_option::ignored},
    valued_option{"--Ofast-compile", "-Ofc", valued_option::ignored},
    valued_option{"--diag-error", "-diag-error", valued_option::ignored},
    valued_option{"--diag-suppress", "-diag-suppress", valued_option::ignored},
    valued_option{"--diag-warn", "-diag-warn", valued_option::ignored},
    valued_option{"--split-compile", "-split-compile", valued_option::number},
    valued_option{"--fdevice-time-trace", "-fdevice-time-trace", valued_option::ignored},
    valued_option{"--jump-table-density", "-jtd", valued_option::ignored},
    valued_option{"--brief-diagnostics", "-brief-diag", valued_option::yes_no},
    valued_option{"--time", "-time", valued_option::ignored},
    valued_option{"--minimal", "-minimal", valued_option::ignored},
    valued_option{"--random-seed", "-frandom-seed", valued_option::ignored},
};

struct flag {
  std::string_view long_name, short_name;
  std::string_view becomes;  // words, separated by spaces
};

constexpr std::array flags = {
    flag{"--device-debug", "-G", "-g -O0 -D__CUDACC_DEBUG__"},
    flag{"--generate-line-info", "-lineinfo", "-g1"},
    flag{"--use_fast_math", "-use_fast_math", ""},
    flag{"--relocatable-device-code=true", "-rdc=true", "-D__CUDACC_RDC__"},
    flag{"--relocatable-device-code=false", "-rdc=false", ""},
    flag{"--device-c", "-dc", "-D__CUDACC_RDC__"},
    flag{"--device-w", "-dw", ""},
    flag{"--extensible-whole-program", "-ewp", "-D__CUDACC_EWP__"},
    flag{"--device-as-default-execution-space", "-default-device", ""},
    flag{"--device-int128", "-device-int128", ""},
    flag{"--device-float128", "-device-float128", ""},
    flag{"--extra-device-vectorization", "-extra-device-vectorization", ""},
    flag{"--device-stack-protector=true", "-device-stack-protector=true", ""},
    flag{"--device-stack-protector=false", "-device-stack-protector=false", ""},
    flag{"--dlink-time-opt", "-dlto", ""},
    flag{"--gen-opt-lto", "-gen-opt-lto", ""},
    flag{"--optix-ir", "-optix-ir", ""},
    flag{"--restrict", "-restrict", ""},
    flag{"--disable-warnings", "-w", "-w"},
    flag{"--display-error-number", "-err-no", ""},
    flag{"--no-display-error-number", "-no-err-no", ""},
    flag{"--no-source-include", "-no-source-include", ""},
    flag{"--no-cache", "-no-cache", ""},
    flag{"--pch", "-pch", ""},
    flag{"--version-ident=true", "-version-ident=true", ""},
    flag{"--version-ident=false", "-version-ident=false", ""},
    flag{"--time", "-time", ""},
    flag{"--minimal", "-minimal", ""},
    flag{"--dopt", "-dopt", ""},
    flag{"--modify-stack-limit=true", "-modify-stack-limit=true", ""},
    flag{"--modify-stack-limit=false", "-modify-stack-limit=false", ""},
    flag{"--builtin-move-forward=true", "-builtin-move-forward=true", ""},
    flag{"--builtin-move-forward=false", "-builtin-move-forward=false", "-DYOKE_SIMULATOR_NO_MOVE"},
    flag{"--builtin-initializer-list=true", "-builtin-initializer-list=true", ""},
    flag{"--builtin-initializer-list=false", "-builtin-initializer-list=false", "-DYOKE_SIMULATOR_NO_INITIALIZER_LIST"},
};

std::string refusal(const std::string& option) { return "nvrtc: error: unrecognized option " + option + " found"; }
std::string both_names(const valued_option& known) {
  return std::string(known.long_name) + " (" + std::string(known.short_name) + ")";
}

void take_standard(std::string_view value, parsed_options& result) {
  constexpr std::array known = {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"};
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    result.error = "nvrtc: error: invalid value for --std(-std)";
    return;
  }
  // The prelude is C++17, which accepts what the older ones do.
  const bool newer = value == "c++20" || value == "c++23";
  result.compiler.push_back("-std=" + std::string(newer ? value == "c++20" ? "c++20" : "c++2b" : "c++17"));
}

std::string definition(const std::string& value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos) return "#define " + value + " 1\n";
  return "#define " + value.substr(0, equals) + " " + value.substr(equals + 1) + "\n";
}

bool is_number(std::string_view value) {
  if (!value.empty() && value.front() == '-') value.remove_prefix(1);
  return std::all_of(value.begin(), value.end(), [](unsigned char each) { return std::isdigit(each) != 0; });
}

void take_value(const valued_option& known, const std::string& value, int cuda_version, parsed_options& result) {
  switch (known.meaning) {
    case valued_option::include_folder: result.preprocessor.push_back("-I" + value); break;
    case valued_option::define: result.directives += definition(value); break;
    case valued_option::undefine: result.directives += "#undef " + value + "\n"; break;
    case valued_option::include_file: result.directives += "#include \"" + value + "\"\n"; break;
    case valued_option::standard: take_standard(value, result); break;
    case valued_option::architecture:
      result.target = parse_architecture(value, cuda_version);
      if (result.target.number == 0) result.error = "nvrtc: error: invalid value for " + both_names(known);
      break;
    case valued_option::number:
      if (!is_number(value)) result.error = "nvrtc: error: " + both_names(known) + " expects an integer value";
      break;
    case valued_option::yes_no:
      if (value != "true" && value != "false") {
        result.error = "nvrtc: error: " + both_names(known) + " expects true or false";
      }
      break;
    case valued_option::ignored: break;
  }
}

bool take_flag(const std::string& option, parsed_options& result) {
  for (const flag& each : flags) {
    if (option != each.long_name && option != each.short_name) continue;
    const auto is = [&](std::string_view name) { return each.short_name == name; };
    if (is("-rdc=true") || is("-dc")) result.relocatable = true;
    if (is("-rdc=false")) result.relocatable = false;
    if (is("-dlto")) result.link_time = true;
    for (std::string_view rest = each.becomes; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      auto& list = word.substr(0, 2) == "-D" ? result.preprocessor : result.compiler;
      list.emplace_back(word);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    return true;
  }
  return false;
}

/// Whether `option` is a valued one; `value` is then what follows the name, and `complete` whether there was any.
bool split(const valued_option& known, std::string_view option, std::string& value, bool& complete) {
  for (const std::string_view name : {known.long_name, known.short_name}) {
    if (option == name) {
      complete = false;
      return true;
    }
    if (option.substr(0, name.size()) != name) continue;
    const std::string_view rest = option.substr(name.size());
    const bool joined = name.size() == 2 && name != "-U";
    if (rest.front() != '=' && !joined && name != "-U") continue;
    value = rest.front() == '=' ? rest.substr(1) : rest;
    complete = true;
    return true;
  }
  return false;
}

// One entry of the list may hold an option and its value, "-I /x", as NVRTC allows.
std::vector<std::string> words_of(const std::vector<std::string>& options) {
  std::vector<std::string> words;
  for (const std::string& option : options) {
    const std::size_t first = option.find_first_not_of(" \t");
    if (first == std::string::npos) {  // NVRTC refuses it as an option without a name
      words.emplace_back();
      continue;
    }
    const std::size_t last = option.find_last_not_of(" \t");
    const std::string trimmed = option.substr(first, last - first + 1);
    const std::size_t space = trimmed.find(' ');
    const std::string head = trimmed.substr(0, space);
    const bool has_value =
        space != std::string::npos && std::any_of(valued.begin(), valued.end(), [&](const valued_option& each) {
          return head == each.long_name || head == each.short_name;
        });
    words.push_back(has_value ? head : trimmed);
    if (has_value) words.push_back(trimmed.substr(trimmed.find_first_not_of(' ', space)));
  }
  return words;
}

}  // namespace

parsed_options parse_options(const std::vector<std::string>& options, int cuda_version) {
  parsed_options result;
  const std::vector<std::string> words = words_of(options);
  for (std::size_t each = 0; each < words.size() && result.error.empty(); ++each) {
    const std::string& word = words[each];
    if (take_flag(word, result)) continue;
    std::string value;
    bool complete = false;
    const auto known = std::find_if(valued.begin(), valued.end(),
                                    [&](const valued_option& one) { return split(one, word, value, complete); });
    if (known == valued.end()) {
      result.error = refusal(word);
    } else if (complete || ++each < words.size()) {
      take_value(*known, complete ? value : words[each], cuda_version, result);
    } else {
      result.error = "nvrtc: error: missing value for " + word;
    }
  }
  return result;
}

}  // namespace yoke::simulator
