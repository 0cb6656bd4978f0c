// SPDX-License-Identifier: MIT
// Bodies of program/source/include_scan.hpp: find and read the included files.
#ifndef YOKE_PROGRAM_SOURCE_INCLUDE_SCAN_IPP
#define YOKE_PROGRAM_SOURCE_INCLUDE_SCAN_IPP

#include <yoke/core/file_functions.hpp>
#include <yoke/core/system.hpp>
#include <yoke/language/find_includes.hpp>
#include <yoke/language/words.hpp>
#include <yoke/program/source/header_files.hpp>
#include <yoke/program/source/include_scan.hpp>

#include <cerrno>
#include <set>

namespace yoke::inline v0_1::detail {

/// Follows includes from file to file.
class include_follower {
 public:
  include_follower(std::span<const std::string> folders, std::span<const std::string> options,
                   const include_rules& rules)
      : folders_(folders.begin(), folders.end()), rules_(rules) {
    include_options of(options);
    folders_.insert(folders_.end(), of.folders.begin(), of.folders.end());
    result_.problem = std::move(of.problem);
  }

  include_scan run(std::string_view source, const std::string& name) {
    if (!rules_.before.empty()) follow(rules_.before, "what is before the source", "", true);
    follow(source, name, "", true);
    for (const auto& [text_name, content] : rules_.texts) follow(content, text_name, "", true);
    for (std::size_t i = 0; i < result_.headers.size(); ++i) {  // `follow` appends to it
      const std::string path = result_.headers[i].first;
      const std::string content = result_.headers[i].second;
      within_own_ = is_own(path);
      follow(content, path, folder_of_path(path), false);
    }
    result_.headers.insert(result_.headers.end(), rules_.texts.begin(), rules_.texts.end());
    return std::move(result_);
  }

 private:
  static constexpr std::size_t most_files = 4096;
  static constexpr std::size_t most_bytes = most_header_bytes;

  void refuse(std::string why) {
    if (result_.problem.empty()) result_.problem = std::move(why);
  }

  void follow(std::string_view source, const std::string& name, const std::string& folder, bool is_source) {
    const include_list list = find_includes(source);
    if (!list.problem.empty()) refuse(name + ": " + list.problem);
    for (const include_directive& each : list.directives) {
      bool found = false;
      if (is_absolute_path(each.name)) {
        found = take(each.name);
      } else {
        // A source in memory has no folder. Some compilers search the current folder or the folder of its name, so
        // follow headers there, but do not count them as found, because other compilers do not.
        if (each.quoted && is_source) {
          (void)take(each.name);
          if (const std::string own = folder_of_path(name); !own.empty()) (void)take(own + each.name);
        } else if (each.quoted) {
          found = take(folder + each.name);
        }
        for (const std::string& from : folders_) found = take(path_in(from, each.name)) || found;
        for (const std::string& from : rules_.own_folders) found = take(path_in(from, each.name)) || found;
        for (const auto& text : rules_.texts) found = found || text.first == each.name;
      }
      if (!found && !belongs_to_compiler(each)) {
        refuse(text(each.quoted ? "\"" : "<", each.name, each.quoted ? "\"" : ">", " in line ", each.line, " of ", name,
                    " is in none of the folders given: the compiler may find it elsewhere"));
      }
    }
  }

  [[nodiscard]] bool is_own(const std::string& path) const {
    for (const std::string& each : rules_.own_folders) {
      if (path.compare(0, each.size() + 1, each + "/") == 0) return true;
    }
    return false;
  }
  /// Whether a header in none of the folders belongs to the compiler, whose name the cache entry holds.
  [[nodiscard]] bool belongs_to_compiler(const include_directive& of) const {
    return rules_.closed || within_own_ || (rules_.standard_headers && !of.quoted && is_standard(of.name));
  }
  /// Whether this is a header of the C++ or C standard.
  static bool is_standard(std::string_view name) {
    constexpr std::string_view names =
        " algorithm any array assert.h atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv "
        "chrono cinttypes ciso646 climits clocale cmath codecvt compare complex complex.h concepts condition_variable "
        "coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime "
        "ctype.h cuchar cwchar cwctype deque errno.h exception execution fenv.h filesystem float.h format forward_list "
        "fstream functional future initializer_list inttypes.h iomanip ios iosfwd iostream iso646.h istream iterator "
        "latch limits limits.h list locale locale.h map math.h memory memory_resource mutex new numbers numeric "
        "optional ostream queue random ranges ratio regex scoped_allocator semaphore set setjmp.h shared_mutex "
        "signal.h "
        "source_location span sstream stack stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdexcept stdint.h "
        "stdio.h stdlib.h stop_token streambuf string string.h string_view strstream syncstream system_error tgmath.h "
        "thread time.h tuple type_traits typeindex typeinfo uchar.h unordered_map unordered_set utility valarray "
        "variant vector version wchar.h wctype.h ";
    return name.find(' ') == std::string_view::npos && names.find(" " + std::string(name) + " ") != names.npos;
  }

  /// Effects: adds the file, if it exists, to the list. Returns: whether it exists.
  bool take(const std::string& path) {
    const std::string folder = folder_of_path(path);
    int code = 0;
    const std::string real = real_path(folder.empty() ? "." : folder, code);
    if (real.empty()) {
      if (code != ENOENT && code != ENOTDIR) refuse(path + " cannot be looked for: " + error_text(-code));
      return false;
    }
    const std::string where = text(real, "/", path.substr(folder.size()));
    if (seen_.count(where) != 0) return true;
    std::string content;
    const header_state state = read_header(path, most_bytes - bytes_, content);
    if (state.there && result_.headers.size() >= most_files) {
      refuse(text("there are more than ", most_files, " headers"));
      return true;
    }
    if (!state.problem.empty()) refuse(path + " " + state.problem);
    if (!state.there || !state.problem.empty()) return state.there;
    bytes_ += content.size();
    seen_.insert(where);
    result_.headers.emplace_back(path, std::move(content));
    return true;
  }

  std::vector<std::string> folders_;
  const include_rules& rules_;
  bool within_own_ = false;  // whether the current header is in the compiler's own folders
  include_scan result_{};
  std::set<std::string> seen_{};  // canonical folder and file name
  std::size_t bytes_ = 0;
};

include_scan scan_includes(std::string_view source, const std::string& source_name,
                           std::span<const std::string> folders, std::span<const std::string> options,
                           const include_rules& rules) {
  return include_follower(folders, options, rules).run(source, source_name);
}

}  // namespace yoke::inline v0_1::detail

#endif
