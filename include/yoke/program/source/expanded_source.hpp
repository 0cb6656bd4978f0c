// SPDX-License-Identifier: MIT
// Replaces the includes of a source by the headers' texts.
#ifndef YOKE_PROGRAM_SOURCE_EXPANDED_SOURCE_HPP
#define YOKE_PROGRAM_SOURCE_EXPANDED_SOURCE_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/system.hpp>
#include <yoke/language/include_lexer.hpp>
#include <yoke/program/source/embedded_header.hpp>
#include <yoke/program/source/header_files.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// The user's file and line of a line of the expanded text.
struct source_place {
  std::string name;
  std::size_t line = 0;
};

/// A source with its headers inserted.
struct expanded_source {
  /// A run of lines from one file, starting at this line.
  struct part {
    std::size_t line;
    source_place is;
  };

  std::string text{};
  std::vector<part> parts{};

  /// Returns: the origin of a line of the text, counted from 1.
  [[nodiscard]] source_place place_of(std::size_t line) const {
    auto behind = std::upper_bound(parts.begin(), parts.end(), line,
                                   [](std::size_t at, const part& each) { return at < each.line; });
    if (behind == parts.begin()) return {};
    --behind;
    return {behind->is.name, behind->is.line + (line - behind->line)};
  }
};

/// Inserts headers into a source.
class header_expander {
 public:
  /// Requires: `texts` outlive this.
  header_expander(std::span<const std::string> folders, std::span<const std::string> options,
                  std::span<const embedded_header> texts, include_lexer::language as)
      : folders_(folders.begin(), folders.end()), texts_(texts), as_(as) {
    const include_options of(options);
    folders_.insert(folders_.end(), of.folders.begin(), of.folders.end());
  }

  expanded_source run(std::string_view source, const std::string& name) {
    header main;
    main.shown = name;
    main.read(source, as_);
    main.directives.erase(std::remove_if(main.directives.begin(), main.directives.end(),
                                         [](const text_directive& each) { return each.kind == kinds::once; }),
                          main.directives.end());
    write(main);
    return std::move(result_);
  }

 private:
  using kinds = text_directive::kinds;
  static constexpr std::size_t most_levels = 4;  // how deep a header may include itself
  static constexpr std::size_t most_open = 200;

  /// A header, read once and inserted as often as it is included.
  struct header {
    std::string shown{};   // its path in messages
    std::string folder{};  // "a/" of "a/b.h"
    bool embedded = false;
    std::string content{};
    std::vector<text_directive> directives{};
    bool once = false;
    std::string problem{};
    std::size_t levels = 0;  // how many of its inclusions are open

    void read(std::string_view text, include_lexer::language as) {
      if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
      content = text;
      include_lexer lexer(content, as);
      (void)lexer.run();
      directives = std::move(lexer).directives();
      once = std::any_of(directives.begin(), directives.end(),
                         [](const text_directive& each) { return each.kind == kinds::once; });
    }
  };

  void append(std::string_view text) {
    result_.text += text;
    lines_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  /// Effects: notes the origin of the next line.
  void mark(const std::string& name, std::size_t line) { result_.parts.push_back({lines_, {name, line}}); }
  void write_mark(const std::string& name, std::size_t line) {
    std::string quoted;
    for (const char letter : name)
      quoted += letter == '"' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
    append("#line " + std::to_string(line) + " \"" + quoted + "\"\n");
    mark(name, line);
  }
  static std::string without_escapes(const std::string& name) {
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (name[i] == '\\' && i + 1 < name.size()) ++i;
      plain += name[i];
    }
    return plain;
  }

  void write(const header& from) {
    const std::string_view text = from.content;
    std::string name = from.shown;
    std::size_t number = 1;  // the line of `done`, as messages count it
    std::size_t done = 0;
    const auto copy = [&](std::size_t end) {
      append(text.substr(done, end - done));
      number += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(done),
                                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      done = end;
    };
    mark(name, 1);
    for (const text_directive& each : from.directives) {
      const auto inside = text.substr(each.begin, each.end - each.begin);
      const auto lines = static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
      if (each.kind == kinds::line) {
        copy(each.end);
        if (!each.name.empty()) name = without_escapes(each.name);
        number = each.number;
        mark(name, number);
      } else if (each.kind == kinds::once) {  // `include` handles it
        copy(each.begin);
        done = each.end;
        number += lines;
        append(std::string(lines, '\n'));
      } else if (header* const found = find(each, from)) {
        copy(each.begin);
        if (!result_.text.empty() && result_.text.back() != '\n') append("\n");
        include(*found, name, number);
        done = each.end;
        number += lines;
        write_mark(name, number);
      }
    }
    copy(text.size());
    if (!result_.text.empty() && result_.text.back() != '\n') append("\n");
  }

  /// Effects: writes an `#error` in place of the include, which ends the compilation unless a condition skips it.
  void refuse(const header& which, const std::string& why, const std::string& name, std::size_t line) {
    std::string path = which.shown;
    std::replace_if(
        path.begin(), path.end(), [](char each) { return each == '"' || each == '\\'; }, '_');
    write_mark(name, line);
    append("#error \"header " + path + " " + why + "\"\n");
  }

  void include(header& which, const std::string& name, std::size_t line) {
    if (!which.problem.empty()) return refuse(which, which.problem, name, line);
    if (result_.text.size() + which.content.size() > most_header_bytes) {
      return refuse(which, "makes the source larger than 16 MiB", name, line);
    }
    if (which.once && which.levels != 0) return;
    if (which.levels == most_levels) return refuse(which, "includes itself without an end", name, line);
    if (open_ == most_open) return refuse(which, "stands in 200 others", name, line);
    // Only the preprocessor knows whether a condition skipped an earlier copy.
    if (which.once) append("#ifndef " + macro_of(which) + "\n#define " + macro_of(which) + "\n");
    write_mark(which.shown, 1);
    ++which.levels;
    ++open_;
    write(which);
    --open_;
    --which.levels;
    if (which.once) append("#endif\n");
  }
  /// Returns: the include guard's macro for a header with `#pragma once`.
  std::string macro_of(const header& which) {
    const auto place = std::find(once_.begin(), once_.end(), &which) - once_.begin();
    if (static_cast<std::size_t>(place) == once_.size()) once_.push_back(&which);
    return "YOKE_HEADER_" + std::to_string(place) + "_IS_READ";
  }

  /// Returns: the header that a compiler would find; null if there is none.
  header* find(const text_directive& which, const header& from) {
    if (is_absolute_path(which.name)) return find_file(which.name);
    const auto text_named = [&](std::string name) -> header* {
      while (name.substr(0, 2) == "./") name.erase(0, 2);
      for (const embedded_header& each : texts_) {
        if (each.name == name) return &of_text(each);
      }
      return nullptr;
    };
    header* found = nullptr;
    if (which.quoted && from.embedded && !from.folder.empty()) found = text_named(from.folder + which.name);
    if (which.quoted && !from.embedded && !from.folder.empty()) found = find_file(from.folder + which.name);
    if (found == nullptr) found = text_named(which.name);
    for (std::size_t i = 0; found == nullptr && i < folders_.size(); ++i)
      found = find_file(folders_[i] + "/" + which.name);
    return found;
  }
  header& of_text(const embedded_header& text) {
    header& entry = headers_["<" + text.name];
    if (!entry.embedded) {
      entry.shown = text.name;
      entry.folder = text.name.substr(0, text.name.rfind('/') + 1);
      entry.embedded = true;
      entry.read(text.text, as_);
    }
    return entry;
  }
  header* find_file(const std::string& path) {
    int code = 0;
    const std::string real = real_path(path, code);
    if (real.empty()) return nullptr;
    header& entry = headers_[real];  // one entry for all paths to the file
    if (!entry.shown.empty()) return &entry;
    entry.shown = path;
    entry.folder = folder_of_path(path);
    std::string content;
    header_state state = read_header(path, most_header_bytes, content);
    entry.problem = std::move(state.problem);
    if (!entry.problem.empty()) return &entry;
    if (content.find('\0') != std::string::npos) {
      entry.problem = "has a zero character";
    } else {
      entry.read(content, as_);
    }
    return &entry;
  }

  std::vector<std::string> folders_;
  std::span<const embedded_header> texts_;
  include_lexer::language as_;
  std::map<std::string, header> headers_{};  // by the real path; by "<" and the name for texts
  std::vector<const header*> once_{};
  std::size_t open_ = 0;
  std::size_t lines_ = 1;
  expanded_source result_{};
};

}  // namespace yoke::inline v0_1::detail

#endif
