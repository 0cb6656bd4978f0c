// SPDX-License-Identifier: MIT
// Puts the headers of OpenCL C that is to be translated in the place of their includes: the compiler could not read them.
#ifndef YOKE_PROGRAM_IMPL_OPENCL_C_INCLUDES_IPP
#define YOKE_PROGRAM_IMPL_OPENCL_C_INCLUDES_IPP

#include <yoke/program/impl/include_lexer.ipp>
#include <yoke/program/impl/include_scan.ipp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI::detail {

/// A line of a text with headers in it, as the user knows it.
struct source_place {
  std::string name;
  std::size_t line = 0;
};

/// Writes a source with its headers.
class header_expander {
 public:
  header_expander(std::span<const std::string> folders, std::span<const std::string> options)
      : folders_(folders.begin(), folders.end()) {
    const include_options of(options);
    folders_.insert(folders_.end(), of.folders.begin(), of.folders.end());
  }

  std::string run(std::string_view source, const std::string& name) {
    expand(source, name, "");
    return std::move(text_);
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;
  static constexpr std::ptrdiff_t most_levels = 4;  // of a header in itself

  /// Returns: the words behind "#"; "" for a line that is no directive.
  static std::string_view directive_of(std::string_view line) {
    const auto trimmed = [](std::string_view text) {
      return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    };
    line = trimmed(line);
    return line.empty() || line.front() != '#' ? std::string_view() : trimmed(line.substr(1));
  }
  static bool is_once(std::string_view line) {
    const std::string_view words = directive_of(line);
    return words.substr(0, 6) == "pragma" && words.find("once") != std::string_view::npos;
  }

  void expand(std::string_view text, const std::string& name, const std::string& folder) {
    const include_list list = find_includes(text);
    auto next = list.directives.begin();
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view line = text.substr(0, length);
      text.remove_prefix(length);
      ++number;
      while (next != list.directives.end() && next->line < number) ++next;
      const bool includes =
          next != list.directives.end() && next->line == number && directive_of(line).substr(0, 7) == "include";
      if (includes && include(*next, folder)) {
        text_ += "#line " + std::to_string(number + 1) + " \"" + name + "\"\n";
      } else if (!folder.empty() && is_once(line)) {
        text_ += '\n';  // it has been seen to
      } else {
        text_ += line;
      }
    }
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  }

  /// Effects: ends the compilation at the include, unless what stands around it leaves it out.
  bool refuse(const std::string& path, const char* why) {
    text_ += "#error \"header " + path + " " + why + "\"\n";
    return true;
  }
  static bool read(const std::string& path, std::string& content) {
    try {
      std::ifstream file(path, std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      return file.is_open() && !file.bad();
    } catch (const std::ios_base::failure&) {  // a folder can be opened, and not read
      return false;
    }
  }
  static bool has_once(std::string_view rest) {
    while (!rest.empty()) {
      const std::size_t length = std::min(rest.find('\n'), rest.size() - 1) + 1;
      if (is_once(rest.substr(0, length))) return true;
      rest.remove_prefix(length);
    }
    return false;
  }
  /// Returns: the macro that says that a header has been read which is to be read once.
  std::string macro_of(const std::string& path) {
    const auto place = std::find(once_.begin(), once_.end(), path) - once_.begin();
    if (static_cast<std::size_t>(place) == once_.size()) once_.push_back(path);
    return "YOKE_HEADER_" + std::to_string(place) + "_IS_READ";
  }

  /// Returns: whether the header is there; it stands in the text then.
  bool include(const include_directive& which, const std::string& folder) {
    std::vector<std::string> paths;
    if (which.name.front() == '/') {
      paths.push_back(which.name);
    } else {
      if (which.quoted && !folder.empty()) paths.push_back(folder + which.name);
      for (const std::string& each : folders_) paths.push_back(each + "/" + which.name);
    }
    for (const std::string& path : paths) {
      if (path.find_first_of("\"\\\n") != std::string::npos) continue;
      std::string content;
      if (!read(path, content)) continue;
      if (content.find('\0') != std::string::npos) return refuse(path, "has a zero character");
      if (text_.size() + content.size() > most_bytes) return refuse(path, "makes the source larger than 16 MiB");
      const auto levels = std::count(open_.begin(), open_.end(), path);
      const bool once = has_once(content);
      if (once && levels != 0) return true;
      if (levels == most_levels) return refuse(path, "includes itself without an end");
      // Whether an earlier copy was read, or left out by a condition, is the preprocessor's to say.
      if (once) text_ += "#ifndef " + macro_of(path) + "\n#define " + macro_of(path) + "\n";
      text_ += "#line 1 \"" + path + "\"\n";
      open_.push_back(path);
      expand(content, path, path.substr(0, path.rfind('/') + 1));
      open_.pop_back();
      if (once) text_ += "#endif\n";
      return true;
    }
    return false;
  }

  std::vector<std::string> folders_;
  std::vector<std::string> open_;
  std::vector<std::string> once_;
  std::string text_;
};

/// Returns: where the line of an expanded text is from.
inline source_place place_in(std::string_view text, std::size_t line, const std::string& name) {
  source_place place{name, 0};
  for (std::size_t number = 1; number <= line && !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view words = text.substr(0, length);
    text.remove_prefix(length);
    ++place.line;
    constexpr std::string_view mark = "#line ";
    const std::size_t quote = words.find('"');
    if (words.substr(0, mark.size()) != mark || quote == std::string_view::npos) continue;
    place.name = words.substr(quote + 1, words.rfind('"') - quote - 1);
    place.line = 0;
    for (const char digit : words.substr(mark.size(), quote - mark.size())) {
      if (digit >= '0' && digit <= '9') place.line = place.line * 10 + static_cast<std::size_t>(digit - '0');
    }
    if (place.line != 0) --place.line;
  }
  return place;
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
