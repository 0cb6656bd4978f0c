// SPDX-License-Identifier: MIT
// What must hold for any options, build logs, versions, architectures, device specifications and sources of OpenCL C.
#ifndef YOKE_TESTS_FUZZ_TEXT_HARNESSES_HPP
#define YOKE_TESTS_FUZZ_TEXT_HARNESSES_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/compiler/compiler_files.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/program/language.hpp>
#include <yoke/driver/cuda/program/program.hpp>
#include <yoke/driver/opencl/platform_version.hpp>
#include <yoke/driver/opencl/program/program.hpp>
#include <yoke/driver/opencl/program/program_build.hpp>
#include <yoke/execution/select.hpp>
#include <yoke/language/dialect.hpp>
#include <yoke/language/dialect_check.hpp>
#include <yoke/language/opencl_c.hpp>
#include <yoke/program/compile.hpp>

#include <fuzz/dice.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace yoke_fuzz {

inline yoke::source_location here() { return yoke::source_location::current(); }

/// Words that are quoted in any way come back as they were; any other text is refused or can be quoted again.
inline const char* option_words(bytes input) {
  using words = std::vector<std::string>;
  const auto split = [](const std::string& text) -> std::optional<words> {
    try {
      return yoke::detail::split_options("OPTIONS", text, here());
    } catch (const yoke::logic_error&) {
      return std::nullopt;
    }
  };
  const auto quoted = [](const std::string& word, std::uint64_t how) {
    if (how % 3 == 0 && word.find('\'') == std::string::npos) return "'" + word + "'";
    const bool between = how % 3 == 1 || word.empty();
    std::string out;
    for (const char letter : word) {
      const bool marked = between ? letter == '"' || letter == '\\' : true;
      out += marked ? std::string("\\") + letter : std::string(1, letter);
    }
    return between ? "\"" + out + "\"" : out;
  };
  dice from{input};
  words list;
  std::string line;
  while (!from.empty() && list.size() < 20) {
    const std::uint64_t how = from.number(1);
    list.push_back(from.text(12));
    line += std::string(1 + how / 3 % 3, " \t\n"[how / 9 % 3]) + quoted(list.back(), how);
  }
  if (split(line) != list) return "quoted words come back changed";
  const auto found = split(std::string(text_of(input)));
  if (!found) return nullptr;
  std::string again;
  for (const std::string& each : *found) again += quoted(each, 2) + " ";
  return split(again) == found ? nullptr : "words that were found come back changed";
}

/// The caller's own options all stand at the end, in their order; a default of the same key is gone, no other is.
inline const char* option_order(bytes input) {
  dice from{input};
  const auto roll = [&] {
    static constexpr const char* known[] = {"-D",
                                            "-DN=1",
                                            "-I",
                                            "-Ifolder",
                                            "--std=c++20",
                                            "-std",
                                            "-cl-std=CL2.0",
                                            "-arch",
                                            "-G",
                                            "-U",
                                            "-UN",
                                            "--gpu-architecture=sm_90",
                                            "-Xptxas",
                                            "-v",
                                            "N=2",
                                            "-w",
                                            "-cl-mad-enable"};
    std::vector<std::string> options;
    for (std::uint64_t count = from.number(1) % 8; count > 0; --count) {
      const std::uint64_t which = from.number(1);
      options.push_back(which < 200 ? known[which % std::size(known)] : from.text(8));
    }
    return options;
  };
  const bool opencl = from.number(1) % 2 == 0;
  const yoke::kernel_language& language = opencl ? yoke::opencl::detail::language() : yoke::cuda::detail::language();
  const auto defaults = yoke::detail::normal_options(roll(), language);
  const auto own = yoke::detail::normal_options(roll(), language);
  const auto joined = yoke::detail::joined_options(defaults, own);
  if (joined.size() < own.size() || joined.size() > own.size() + defaults.size()) return "options appear or are lost";
  const auto behind = joined.end() - static_cast<std::ptrdiff_t>(own.size());
  if (!std::equal(own.begin(), own.end(), behind)) return "the caller's own options are not the last";
  auto next = defaults.begin();  // what is left of the defaults stands in their order
  for (auto at = joined.begin(); at != behind; ++at) {
    next = std::find(next, defaults.end(), *at);
    if (next == defaults.end()) return "a default is changed or moved";
    ++next;
  }
  if (yoke::detail::joined_options(joined, own) != joined) return "options joined twice are others";
  return nullptr;
}

/// Every line is kept, changed only where a compiler calls the text by its own name; logs that are joined come apart.
inline const char* build_log(bytes input) {
  dice from{input};
  const yoke::source_lines source{"my.cl", from.number(1)};
  const std::string log = std::string(text_of(input.subspan(std::min<std::size_t>(1, input.size()))));
  const std::string told = yoke::opencl::detail::with_source_lines(log, source);
  const auto before = lines_in(log), after = lines_in(told);
  if (before.size() != after.size()) return "a log has more or fewer lines";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    if (before[i].rfind("<kernel>:", 0) != 0 && before[i].rfind("input.cl:", 0) != 0) return "a line is changed";
    if (after[i].rfind("my.cl:", 0) != 0) return "a line names another file";
  }
  std::vector<std::string> logs;
  while (!from.empty() && logs.size() < 8) logs.push_back(from.text(40));
  if (logs.empty()) logs.emplace_back();
  if (yoke::detail::split_logs(yoke::detail::joined_logs(logs), logs.size()) != logs) return "joined logs are others";
  for (std::size_t count = 1; count < 4; ++count) {
    std::size_t size = 0;
    for (const std::string& each : yoke::detail::split_logs(log, count)) size += each.size();
    if (size > log.size()) return "logs come apart into more than there is";
  }
  return nullptr;
}

/// Any text has a version; a version that is written comes back.
inline const char* versions(bytes input) {
  const std::string_view any = text_of(input);
  const int opencl = yoke::opencl::detail::version_number(any);
  if (opencl < 10 || opencl > 99) return "a version of OpenCL is outside 1.0 to 9.9";
  for (const int part : yoke::cuda::detail::version_in(any)) {
    if (part < 0 || part > 9999) return "a part of NVRTC's version is out of bounds";
  }
  dice from{input};
  const int major = 1 + static_cast<int>(from.number(1) % 9), minor = static_cast<int>(from.number(1) % 10);
  const std::string written = "OpenCL " + std::to_string(major) + "." + std::to_string(minor);
  if (yoke::opencl::detail::version_number(written + " " + from.text(20)) != 10 * major + minor) {
    return "a version of OpenCL is read wrongly";
  }
  const std::array<int, 3> parts{static_cast<int>(from.number(1)), static_cast<int>(from.number(1)),
                                 static_cast<int>(from.number(1))};
  const std::string file = from.text(20) + ".so." + std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." +
                           std::to_string(parts[2]);
  return yoke::cuda::detail::version_in(file) == parts ? nullptr : "a file's version is read wrongly";
}

/// Architectures are "sm_" or "compute_", two or three digits, and nothing, "a" or "f"; nothing else is taken.
inline const char* architectures(bytes input) {
  const auto taken = [](const std::string& name) {
    try {
      yoke::cuda::detail::check_architecture(name, here());
      return true;
    } catch (const yoke::logic_error&) {
      return false;
    }
  };
  static const std::set<std::string> known = [] {
    std::set<std::string> all;
    for (int number = 0; number < 1000; ++number) {
      const std::string digits = std::to_string(number);
      for (const std::string& padded : {digits, "0" + digits, "00" + digits}) {
        if (padded.size() < 2 || padded.size() > 3) continue;
        for (const char* suffix : {"", "a", "f"}) all.insert({"sm_" + padded + suffix, "compute_" + padded + suffix});
      }
    }
    return all;
  }();
  const std::string any(text_of(input));
  if (taken(any) != known.contains(any)) return "an architecture is taken that is none, or refused that is one";
  dice from{input};
  auto one = known.begin();
  std::advance(one, static_cast<std::ptrdiff_t>(from.number(2) % known.size()));
  if (!taken(*one)) return "an architecture is refused";
  return taken(*one + from.text(4) + " ") ? "an architecture with something behind it is taken" : nullptr;
}

/// A specification names devices that there are, each once, or is refused.
inline const char* device_specifications(bytes input) {
  std::vector<yoke::device_summary> there(4);
  for (std::size_t i = 0; i < there.size(); ++i) {
    there[i].name = "Device " + std::to_string(i);
    there[i].platform = i < 2 ? "One" : "Two";
    there[i].version = "OpenCL 3." + std::to_string(i);
    there[i].kind = i % 2 == 0 ? yoke::device_kind::gpu : yoke::device_kind::cpu;
    there[i].compute_units = static_cast<std::uint32_t>(i);
  }
  there[0].pci_bus_id = "0000:01:00.0";
  there[0].uuid = "GPU-12345678";
  const std::vector<std::string> backends = {"cuda", "opencl", "opencl", "opencl"};
  try {
    const auto chosen = yoke::detail::match_devices(there, backends, text_of(input), here());
    if (chosen.empty()) return "a specification names nothing and is taken";
    if (std::set<std::size_t>(chosen.begin(), chosen.end()).size() != chosen.size()) return "a device is named twice";
    if (*std::max_element(chosen.begin(), chosen.end()) >= there.size()) return "a device is named that is not there";
  } catch (const yoke::unsupported_error& refused) {
    if (std::string_view(refused.what()).find("Device 0") == std::string_view::npos) return "a refusal lists nothing";
  }
  return nullptr;
}

/// A translation keeps every line where it stands, or says the line of what it cannot translate.
inline const char* opencl_c(bytes input) {
  const std::string source(text_of(input));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const auto result = yoke::detail::translate_opencl_c(source);
  if (!result.problem.empty()) {
    const bool within = result.line >= 1 && result.line <= static_cast<std::size_t>(lines(source)) + 1;
    return within ? nullptr : "a problem stands outside the source";
  }
  if (lines(result.text) != lines(source)) return "a translation has more or fewer lines";
  const auto again = yoke::detail::translate_opencl_c(source);
  return again.text == result.text && again.definitions == result.definitions ? nullptr : "a translation is not itself";
}

/// A line before a source moves no word and makes none; a comment has no words.
inline const char* dialect_words(bytes input) {
  using namespace yoke::detail;
  const std::string source(text_of(input));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  for (const bool opencl : {true, false}) {
    const std::string log = foreign_words({source, "my", opencl});
    if (lines(log) > 20) return "more lines than a log may have";
    const bool has_directives = source.find_first_of("#%") != std::string::npos;  // which may number lines
    if (!has_directives && lines(foreign_words({"\n" + source, "my", opencl})) != lines(log)) {
      return "a line before a source changes its words";
    }
    if (source.find_first_of("*/") != std::string::npos) continue;
    const std::string comment = "/*" + source + "*/";
    if (!foreign_words({comment, "my", opencl}).empty()) return "a comment has words";
    if (words_of(comment, "my", opencl).dialect) return "a comment is in the dialect";
  }
  return nullptr;
}

}  // namespace yoke_fuzz

#endif
