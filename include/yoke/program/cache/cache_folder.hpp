// SPDX-License-Identifier: MIT
// Opens the disk cache's folder safely, and names the files in it.
#ifndef YOKE_PROGRAM_CACHE_CACHE_FOLDER_HPP
#define YOKE_PROGRAM_CACHE_CACHE_FOLDER_HPP

#include <yoke/core/file.hpp>
#include <yoke/core/file_functions.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace yoke::inline v0_1 {

namespace detail {

inline constexpr std::int64_t cache_day = 24 * 60 * 60;
inline constexpr std::int64_t cache_hour = 60 * 60;

/// Owns a file that a table of file calls has opened.
class open_file {
 public:
  open_file(const file_functions& files, int number) noexcept : files_(&files), number_(number) {}
  open_file(open_file&& other) noexcept : files_(other.files_), number_(std::exchange(other.number_, -1)) {}
  open_file& operator=(open_file&& other) noexcept {
    std::swap(files_, other.files_);
    std::swap(number_, other.number_);
    return *this;
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (number_ >= 0) files_->close(number_);
  }

  explicit operator bool() const noexcept { return number_ >= 0; }
  /// The descriptor, or the negated error.
  [[nodiscard]] int number() const noexcept { return number_; }
  /// Effects: closes the file; the descriptor is gone even after an error. Returns: 0, or the negated error.
  int close() noexcept { return files_->close(std::exchange(number_, -1)); }

 private:
  const file_functions* files_;
  int number_;
};

[[gnu::cold]] inline std::string error_text(std::int64_t negated) {
  return std::generic_category().message(static_cast<int>(-negated));
}

/// Whether a path with "/" as separator is acceptable: absolute, without "..", without control characters.
[[gnu::cold]] inline bool is_plain_path(std::string_view path) noexcept {
  if (!is_absolute_path(path)) return false;
  for (const char each : path) {
    if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f) return false;
  }
  const std::string_view tail = path.size() < 3 ? std::string_view{} : path.substr(path.size() - 3);
  return path.find("/../") == std::string_view::npos && tail != "/..";
}

[[gnu::cold]] inline bool is_hex(std::string_view text) noexcept {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
[[gnu::cold]] inline bool is_shard_name(std::string_view name) noexcept { return name.size() == 2 && is_hex(name); }
[[gnu::cold]] inline bool is_entry_name(std::string_view name) noexcept {
  return name.size() == 64 + 1 + 16 && name[64] == '.' && is_hex(name.substr(0, 64)) && is_hex(name.substr(65));
}
[[gnu::cold]] inline bool is_temporary_name(std::string_view name) noexcept { return name.substr(0, 5) == ".tmp-"; }

[[gnu::cold]] inline std::string entry_name(const cache_key& key, std::string_view compiler) {
  const cache_digest digest = digest_of(compiler);
  return key.name() + "." + hex_text(std::span{digest}.first(8));
}

/// Whether `owner` owns the folder or file and nobody else may write to it.
[[gnu::cold]] inline bool is_own(const file_facts& facts, std::uint32_t owner) noexcept {
  return facts.owner == owner && (facts.mode & 022u) == 0;
}

/// Effects: opens a folder, step by step from the root, and with `make` creates missing folders. The path has "/" as
/// separator.
/// Returns: its descriptor; none, with the reason in `why`, if it cannot be opened or others than `owner` may write to
/// it.
[[gnu::cold]] inline open_file open_trusted_folder(const file_functions& files, const std::string& path,
                                                   std::uint32_t owner, bool make, std::string& why) {
  const auto refuse = [&](std::string_view reason) {
    why = text("cache folder \"", path, "\" ", reason);
    return open_file{files, -1};
  };
  if (!is_plain_path(path)) {
    return refuse("is no absolute path, has a step upwards (..) or a control character");
  }
  const std::string root = path.substr(0, path.find('/') + 1);  // "/"; "C:/" on Windows
  open_file here{files, files.open(current_folder, root.c_str(), open_place | open_folder, 0)};
  bool any = false;
  for (std::size_t at = root.size(); here && at < path.size();) {
    const std::size_t end = (std::min)(path.find('/', at), path.size());
    const std::string step = path.substr(at, end - at);
    at = end + 1;
    if (step.empty() || step == ".") continue;
    const bool last = path.find_first_not_of("/.", end) == std::string::npos;
    any = true;
    file_facts facts;
    if (const int code = files.facts(here.number(), facts); code < 0) return refuse(error_text(code));
    if (facts.owner != owner && facts.owner != 0) {
      return refuse(text("stands in a folder of user ", facts.owner, "; it may be in folders of user ", owner,
                         " and of root only"));
    }
    const int flags = open_folder | (last ? open_no_link : open_place);
    int next = files.open(here.number(), step.c_str(), flags, 0);
    if (next == -ENOENT && make) {
      const int made = files.make_folder(here.number(), step.c_str(), 0700);
      if (made < 0 && made != -EEXIST) return refuse(text("cannot be made: ", error_text(made)));
      next = files.open(here.number(), step.c_str(), flags, 0);
    }
    here = open_file{files, next};
  }
  if (!here) return refuse(text("cannot be opened: ", error_text(here.number())));
  if (!any) return refuse("is the root of the file system");
  file_facts facts;
  if (const int code = files.facts(here.number(), facts); code < 0) return refuse(error_text(code));
  if (!facts.folder) return refuse("is no folder");
  if (facts.owner != owner) return refuse(text("belongs to user ", facts.owner, ", not to user ", owner));
  if ((facts.mode & 022u) != 0) return refuse("may be written to by others than its owner");
  return here;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
