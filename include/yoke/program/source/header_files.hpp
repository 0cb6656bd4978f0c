// SPDX-License-Identifier: MIT
// Finds the header folders among compiler options, and reads headers.
#ifndef YOKE_PROGRAM_SOURCE_HEADER_FILES_HPP
#define YOKE_PROGRAM_SOURCE_HEADER_FILES_HPP

#include <yoke/core/file.hpp>
#include <yoke/core/file_functions.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/cache/cache_folder.hpp>

#include <cerrno>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Collects the header folders of options, and reports options that make the compiler read other files.
class include_options {
 public:
  explicit include_options(std::span<const std::string> options) {
    for (const std::string& each : options) {
      for (const std::string& word : words_of(each)) take(word);
    }
    if (next_ == folder) problem = "an option names no folder after -I";
  }
  std::vector<std::string> folders{};
  std::string problem{};

 private:
  /// Returns: the words of an option, because some compilers split options at blanks; quotes hold a word together.
  static std::vector<std::string> words_of(const std::string& option) {
    std::vector<std::string> words;
    bool within = false;
    char open = '\0';
    for (const char letter : option) {
      if (open == '\0' && (letter == ' ' || letter == '\t')) {
        within = false;
        continue;
      }
      if (!within) words.emplace_back();
      within = true;
      if (open == '\0' && (letter == '"' || letter == '\'')) {
        open = letter;
      } else if (letter == open) {
        open = '\0';
      } else {
        words.back() += letter;
      }
    }
    return words;
  }
  void take(const std::string& word) {
    const waiting expected = std::exchange(next_, nothing);
    const auto begins = [&](std::string_view with) { return word.compare(0, with.size(), with) == 0; };
    if (expected == folder) {
      folders.push_back(word);
    } else if (expected == definition) {
      check_define(word);
    } else if (word == "-I" || word == "--include-path" || word == "-include-path") {
      next_ = folder;
    } else if (begins("--include-path=") || begins("-include-path=")) {
      folders.push_back(word.substr(word.find('=') + 1));
    } else if (begins("-I")) {
      folders.push_back(word.substr(word.compare(2, 1, "=") == 0 ? 3 : 2));
    } else if (word == "-D" || word == "-U" || word == "--define-macro" || word == "--undefine-macro") {
      next_ = definition;
    } else if (begins("-D") || begins("-U") || begins("--define-macro=") || begins("--undefine-macro=")) {
      check_define(word);
    } else {
      check(word);
    }
  }
  void check_define(const std::string& word) {
    if (problem.empty() && word.find("__has_") != std::string::npos) {
      problem = "option \"" + word + "\" may ask for a header";
    }
  }
  void check(const std::string& word) {
    const std::size_t dashes = word.find_first_not_of('-');
    const std::string_view plain = std::string_view(word).substr((std::min)(dashes, word.size()));
    bool reads = word.find_first_of("/@\\") != std::string::npos || word == "-s" ||
                 (dashes == 0 && word.find('.') != std::string::npos);
    for (const std::string_view each : {"include",
                                        "pre-include",
                                        "imacros",
                                        "isystem",
                                        "iquote",
                                        "idirafter",
                                        "iprefix",
                                        "iwithprefix",
                                        "isysroot",
                                        "sysroot",
                                        "ivfsoverlay",
                                        "pch",
                                        "create-pch",
                                        "use-pch",
                                        "options-file",
                                        "optf",
                                        "Xclang",
                                        "mllvm",
                                        "fplugin",
                                        "load",
                                        "save-temps",
                                        "time",
                                        "fdevice-time-trace",
                                        "device-time-trace",
                                        "fmodule",
                                        "Wp,",
                                        "Wa,",
                                        "F",
                                        "B",
                                        "M"}) {
      const bool letter = each.size() == 1;  // a one-letter option, followed by its folder
      reads = reads || plain == each || (!letter && plain.substr(0, each.size()) == each) ||
              (letter && dashes == 1 && plain.substr(0, 1) == each);
    }
    if (reads && problem.empty()) problem = "option \"" + word + "\" may name a file that the compiler reads or writes";
  }

  enum waiting : unsigned char { nothing, folder, definition } next_ = nothing;
};

/// The most bytes that all headers of a source may have.
inline constexpr std::size_t most_header_bytes = std::size_t{16} << 20;

/// The result of reading a header.
struct header_state {
  bool there = false;     ///< whether the compiler would find a header
  std::string problem{};  ///< why it was not read, "is no file"; "" if it was read or does not exist
};

/// Effects: reads a header of at most `most` bytes; never waits for a pipe. Throws: `std::bad_alloc`.
inline header_state read_header(const std::string& path, std::size_t most, std::string& content) {
  const file_functions& files = system_files();
  const open_file file{files, files.open(current_folder, path.c_str(), open_to_read, 0)};
  if (!file) {
    const bool absent = file.number() == -ENOENT || file.number() == -ENOTDIR;
    return {false, absent ? "" : "cannot be read: " + error_text(file.number())};
  }
  file_facts facts;
  if (files.facts(file.number(), facts) < 0 || !facts.regular) return {false, "is no file"};
  if (facts.bytes > most) return {true, text("makes the source larger than ", most_header_bytes, " bytes")};
  content.resize(static_cast<std::size_t>(facts.bytes));
  for (std::size_t done = 0; done < content.size();) {
    const std::int64_t got = files.read(file.number(), content.data() + done, content.size() - done);
    if (got == -EINTR) continue;
    if (got <= 0) return {true, "cannot be read whole"};
    done += static_cast<std::size_t>(got);
  }
  return {true, ""};
}

}  // namespace yoke::inline v0_1::detail

#endif
