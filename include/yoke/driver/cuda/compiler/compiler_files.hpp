// SPDX-License-Identifier: MIT
// Finds the files of CUDA's compilers and linkers.
#ifndef YOKE_DRIVER_CUDA_COMPILER_COMPILER_FILES_HPP
#define YOKE_DRIVER_CUDA_COMPILER_COMPILER_FILES_HPP

#include <yoke/core/native_path.hpp>
#include <yoke/core/sha256.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// A file that may be NVRTC.
struct nvrtc_file {
  std::string path;
  std::array<int, 3> version{};  ///< from the name of the file that links lead to
};

/// The start of library names: "libnvrtc.so.13", on Windows "nvrtc64_130_0.dll".
#if defined(_WIN32)
inline constexpr const char* nvrtc_stem = "nvrtc64_";
inline constexpr const char* nvjitlink_stem = "nvJitLink_";
[[gnu::cold]] inline std::string library_file(const char* stem, int major) {
  return yoke::detail::text(stem, major, "0_0.dll");
}
[[gnu::cold]] inline std::string library_pattern(const char* stem) { return std::string(stem) + "*_0.dll"; }
#else
inline constexpr const char* nvrtc_stem = "libnvrtc.so.";
inline constexpr const char* nvjitlink_stem = "libnvJitLink.so.";
[[gnu::cold]] inline std::string library_file(const char* stem, int major) { return yoke::detail::text(stem, major); }
[[gnu::cold]] inline std::string library_pattern(const char* stem) { return std::string(stem) + "*"; }
#endif

/// Returns: the version in a file name, {12, 8, 93} for "libnvrtc.so.12.8.93", {12} for "nvrtc64_120_0.dll"; zeros if
/// it has none.
[[gnu::cold]] inline std::array<int, 3> version_in(std::string_view path) {
  std::array<int, 3> version{};
#if defined(_WIN32)
  constexpr std::string_view mark = "_";
  std::size_t at = path.find(mark, path.find_last_of(yoke::detail::path_steps) + 1);
#else
  constexpr std::string_view mark = ".so.";
  std::size_t at = path.rfind(mark);
#endif
  if (at == std::string_view::npos) return version;
  at += mark.size();
  for (int& part : version) {
    while (at < path.size() && path[at] >= '0' && path[at] <= '9' && part < 1000) part = part * 10 + (path[at++] - '0');
    if (at >= path.size() || path[at] != '.') break;
    ++at;
  }
#if defined(_WIN32)
  version = {version[0] / 10, version[0] % 10, 0};
#endif
  return version;
}

/// Returns: the folders to search; `*` in a path component matches any text.
[[gnu::cold]] inline std::vector<std::string> nvrtc_folders() {
  std::vector<std::string> folders;
  // Absolute only: a relative path would depend on the working directory.
  const auto add = [&](const char* variable, std::initializer_list<const char*> below) __attribute__((cold)) {
    const char* const root = yoke::detail::trusted_variable(variable);
    if (root == nullptr || !yoke::detail::is_absolute_path(root)) return;
    for (const char* each : below) folders.push_back(std::string(root) + each);
  };
#if defined(_WIN32)
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) add(variable, {"/bin/x64", "/bin"});
  add("CONDA_PREFIX", {"/Library/bin/x64", "/Library/bin"});
  add("VIRTUAL_ENV", {"/Lib/site-packages/nvidia/cuda_nvrtc/bin", "/Lib/site-packages/nvidia/cu*/bin/x86_64"});
  add("ProgramFiles", {"/NVIDIA GPU Computing Toolkit/CUDA/v*/bin/x64", "/NVIDIA GPU Computing Toolkit/CUDA/v*/bin"});
#else
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) add(variable, {"/lib64", "/lib", "/targets/*/lib"});
  add("CONDA_PREFIX", {"/lib"});
  // The packages of CUDA 12, then those of 13 and newer.
  add("VIRTUAL_ENV",
      {"/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib", "/lib/python3*/site-packages/nvidia/cu*/lib"});
  for (const char* folder : {"/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda/lib64",
                             "/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"}) {
    folders.push_back(std::string(folder));
  }
#endif
  return folders;
}

/// Whether a name matches a pattern, in which `*` stands for any text.
[[gnu::cold]] inline bool is_like(std::string_view name, std::string_view pattern) noexcept {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
    if (is_like(name.substr(skipped), pattern)) return true;
  }
  return false;
}
/// Returns: the paths that match an absolute pattern, sorted; none for an unreadable folder.
[[gnu::cold]] inline std::vector<std::string> paths_like(std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  std::error_code failure;
  if (star == std::string_view::npos) {
    if (!std::filesystem::exists(yoke::detail::native_path(pattern), failure)) return {};
    return {std::string(pattern)};
  }
  const std::size_t begin = pattern.rfind('/', star) + 1;
  const std::size_t end = (std::min)(pattern.find('/', star), pattern.size());
  std::vector<std::string> names;
  for (auto each = std::filesystem::directory_iterator(yoke::detail::native_path(pattern.substr(0, begin)), failure);
       !failure && each != std::filesystem::directory_iterator(); each.increment(failure)) {
    std::string name = yoke::detail::path_text(each->path().filename());
    const bool hidden = name.front() == '.' && pattern[begin] != '.';
    if (!hidden && is_like(name, pattern.substr(begin, end - begin))) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::string longer = yoke::detail::text(pattern.substr(0, begin), name, pattern.substr(end));
    for (std::string& path : paths_like(longer)) paths.push_back(std::move(path));
  }
  return paths;
}

/// Returns: the files, newest first; files of equal version in the order of the search.
[[gnu::cold]] inline std::vector<nvrtc_file> nvrtc_files(const std::vector<std::string>& folders,
                                                         const char* stem = nvrtc_stem) {
  std::vector<nvrtc_file> files;
  for (const std::string& folder : folders) {
    for (const std::string& found : paths_like(folder + "/" + library_pattern(stem))) {
      int code = 0;
      const std::string real = yoke::detail::real_path(found, code);
      const std::string path = real.empty() ? found : real;
      std::array<int, 3> version = version_in(path);
      if (version[0] == 0) version = version_in(found);  // a link to a file without a version
      bool seen = false;
      for (const nvrtc_file& each : files) seen = seen || each.path == path;
      if (version[0] != 0 && !seen) files.push_back({path, version});
    }
  }
  // Newest first; equal versions in the order of the search.
  std::vector<nvrtc_file> sorted;
  for (nvrtc_file& each : files) {
    auto place = sorted.begin();
    while (place != sorted.end() && !(place->version < each.version)) ++place;
    sorted.insert(place, std::move(each));
  }
  return sorted;
}

/// Returns: the major versions to look for, each once: 12 and 13, which the dynamic loader may find elsewhere, and
/// those of the files, not below `least`. Versions that the driver supports come first, newer ones before older ones.
[[gnu::cold]] inline std::vector<int> nvrtc_majors(const std::vector<nvrtc_file>& files, int least) {
  const loaded_driver* const driver = driver_if_loaded();
  const int known = driver == nullptr ? (std::numeric_limits<int>::max)() : driver->version / 1000;
  std::vector<int> order;
  const auto add = [&](int major) {
    const auto before = [&](int each) { return (each <= known) == (major <= known) ? each > major : each <= known; };
    auto place = order.begin();
    while (place != order.end() && before(*place)) ++place;
    if (place == order.end() || *place != major) order.insert(place, major);
  };
  for (const int major : {12, 13}) add(major);
  for (const nvrtc_file& file : files) {
    if (file.version[0] >= least) add(file.version[0]);
  }
  return order;
}

/// Returns: a compiler's name from its file: the version in the file's name, else the file's identity.
[[gnu::cold]] inline std::string nvrtc_file_name(const std::string& path, const char* what) {
  int code = 0;
  const std::string real = yoke::detail::real_path(path, code);
  if (real.empty()) return "";
  const std::array<int, 3> version = version_in(real);
  if (version[1] != 0 || version[2] != 0) {
    return yoke::detail::text(what, " ", version[0], ".", version[1], ".", version[2]);
  }
  const std::string facts = yoke::detail::facts_of_file(real);
  return facts.empty() ? "" : yoke::detail::text(what, " ", version[0], ", a file of ", facts);
}
/// Returns: the name of the compiler inside a driver; it runs a host compiler that the user chooses.
[[gnu::cold]] inline std::string name_of_compiler_within(const void* symbol) {
  std::string name = nvrtc_file_name(yoke::detail::file_of_address(symbol), "the driver's compiler");
  std::string chosen;
  for (const char* const variable : {"YOKE_SIMULATOR_COMPILER", "YOKE_SIMULATOR_OPTIMISE"}) {
    const char* const value = yoke::detail::trusted_variable(variable);
    if (value != nullptr) chosen += yoke::detail::text(variable, "=", value, "\n");
  }
  if (name.empty() || chosen.empty()) return name;
  // Stored data must not contain a path: a digest identifies it.
  const auto digest = yoke::detail::sha256(std::as_bytes(std::span{chosen}));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number = number << 8 | std::to_integer<std::uint64_t>(digest[i]);
  return yoke::detail::text(name, " with compiler ", number);
}

/// Returns: the file that would be opened first, as far as that can be predicted; "" for none.
[[gnu::cold]] inline std::string likely_library(const char* stem, const char* function, const std::vector<int>& majors,
                                                const std::vector<nvrtc_file>& files) {
#if defined(_WIN32)
  const char* const list = nullptr;  // libraries are not searched in PATH
#else
  const char* const list = yoke::detail::trusted_variable("LD_LIBRARY_PATH");
#endif
  const std::string_view path = list == nullptr ? "" : list;
  for (const int major : majors) {
    const std::string name = library_file(stem, major);
    if (void* const open = yoke::detail::open_library_again(name)) {  // already opened by other code
      const void* const symbol = yoke::detail::library_symbol(open, function);
      yoke::detail::close_library(open);
      return symbol == nullptr ? "" : yoke::detail::file_of_address(symbol);
    }
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = (std::min)(path.find_first_of(":;", begin), path.size());
      std::string file = std::string(path.substr(begin, end - begin)) + "/" + name;
      std::error_code failure;
      if (std::filesystem::exists(yoke::detail::native_path(file), failure)) return file;
      begin = end + 1;
    }
    for (const nvrtc_file& file : files) {
      if (file.version[0] == major) return file.path;
    }
  }
  return "";
}

/// Returns: the first usable library of a stem, `resolve`d; null with the reason if there is none. In each major
/// version the dynamic loader's comes first, because LD_LIBRARY_PATH and run paths are the user's choice, then the
/// files found.
template <class Loaded>
[[gnu::cold]] std::unique_ptr<Loaded> open_compiler_library(
    std::unique_ptr<Loaded> (*resolve)(void* library, const std::string& name, std::string& why), std::string_view noun,
    const char* stem, const std::vector<int>& majors, const std::vector<std::string>& folders,
    const std::vector<nvrtc_file>& files, std::string& reason) {
  std::string names;
  std::string tried;
  // A library that the loader does not find is only missing, which is not a fault.
  const auto open = [&](const std::string& name, bool is_there) -> std::unique_ptr<Loaded> {
    std::string why;
    if (void* const library = yoke::detail::open_library(name, why)) {
      why.clear();
      if (auto loaded = resolve(library, name, why)) return loaded;
      yoke::detail::close_library(library);
      is_there = true;
    }
    if (is_there) tried += yoke::detail::text("; ", name, ": ", why);
    return nullptr;
  };
  for (const int major : majors) {
    const std::string name = library_file(stem, major);
    names += (names.empty() ? "" : ", ") + name;
    if (auto loaded = open(name, false)) return loaded;
    for (const nvrtc_file& file : files) {
      if (file.version[0] != major) continue;
      if (auto loaded = open(file.path, true)) return loaded;
    }
  }
  reason = yoke::detail::text("no ", noun, ": looked for ", names, " by the dynamic loader, and for ",
                              library_pattern(stem), " in ");
  for (const std::string& folder : folders) reason += (&folder == &folders.front() ? "" : ", ") + folder;
  reason += tried;
  return nullptr;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
