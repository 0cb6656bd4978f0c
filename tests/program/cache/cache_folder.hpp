// SPDX-License-Identifier: MIT
// A folder for one test, and what stands in a disk cache's folder.
#ifndef YOKE_TESTS_PROGRAM_CACHE_CACHE_FOLDER_HPP
#define YOKE_TESTS_PROGRAM_CACHE_CACHE_FOLDER_HPP

#include <program/cache/cache_rig.hpp>
#include <program/cache/file_faults.hpp>
#include <support/catch.hpp>
#include <support/process/rights.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/cache.hpp>
#include <yoke/core/file_functions.hpp>
#include <yoke/program/cache/disk_cache.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace yoke_test {

namespace fs = std::filesystem;

/// A temporary folder whose files are named by strings.
class scratch_folder {
 public:
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return folder_.path().generic_string() + "/" + name;
  }

 private:
  temporary_folder folder_;
};

inline bool is_root() { return yoke::detail::system_files().user() == 0; }

inline yoke::disk_cache open_cache(const std::string& folder,
                                   const yoke::detail::file_functions& files = faulty_files()) {
  return yoke::disk_cache{{.folder = folder}, yoke::environment{}, files};
}

/// Returns: the one file of a key in a cache's folder.
inline std::string file_of(const std::string& folder, const yoke::cache_key& key) {
  const std::string name = key.name();
  for (const auto& each : fs::directory_iterator(folder + "/" + name.substr(0, 2))) {
    if (each.path().filename().string().substr(0, 64) == name) return each.path().string();
  }
  return "";
}

/// Returns: the file of an entry that a cache's list names.
inline std::string file_of(const std::string& folder, const std::string& name) {
  return folder + "/" + name.substr(0, 2) + "/" + name;
}

/// Returns: the names of all files below a folder that begin so.
inline std::vector<std::string> files_below(const std::string& folder, const std::string& prefix = "") {
  std::vector<std::string> names;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    const std::string name = each.path().filename().string();
    if (!each.is_directory() && name.compare(0, prefix.size(), prefix) == 0) names.push_back(name);
  }
  return names;
}

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

/// A cache in a folder of its own that has one entry, and the file of that.
struct stored_entry {
  stored_entry() {
    REQUIRE(cache.store(fake_compile(key)));
    file = file_of(scratch / "cache", key);
  }
  [[nodiscard]] std::optional<yoke::cache_entry> find() const { return cache.find(key, "fake 1.0"); }

  fresh_plan guard;
  scratch_folder scratch;
  yoke::disk_cache cache = open_cache(scratch / "cache");
  yoke::cache_key key = numbered_key(1);
  std::string file;
};

/// Whether a cache gives exactly what the fake compiler makes of a key.
inline bool is_right(const yoke::cache_entry& found, const yoke::cache_key& key) {
  yoke::cache_entry expected = fake_compile(key, found.compiler);
  expected.created = found.created;
  return found == expected;
}

/// What a program does: looks a key up, else compiles and stores. Returns: what it got.
inline yoke::cache_entry get_or_compile(const yoke::disk_cache& cache, const yoke::cache_key& key) {
  if (auto found = cache.find(key, "fake 1.0")) return *std::move(found);
  yoke::cache_entry made = fake_compile(key);
  cache.store(made);
  return made;
}

}  // namespace yoke_test

#endif
