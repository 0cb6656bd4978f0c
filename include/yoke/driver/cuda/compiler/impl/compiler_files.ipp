// SPDX-License-Identifier: MIT
// The files of CUDA's compilers and linkers, and their names.
#ifndef YOKE_DRIVER_CUDA_COMPILER_IMPL_COMPILER_FILES_IPP
#define YOKE_DRIVER_CUDA_COMPILER_IMPL_COMPILER_FILES_IPP

#include <yoke/core/sha256.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

namespace yoke::inline YOKE_ABI::cuda::detail {

/// A file that may be NVRTC.
struct nvrtc_file {
  std::string path;
  std::array<int, 3> version{};  ///< from the file's name, after following links
};

/// Returns: the version in a file name, {12, 8, 93} for "libnvrtc.so.12.8.93"; zeros if it has none.
[[gnu::cold]] inline std::array<int, 3> version_in(std::string_view path) {
  std::array<int, 3> version{};
  const std::string_view mark = ".so.";
  std::size_t at = path.rfind(mark);
  if (at == std::string_view::npos) return version;
  at += mark.size();
  for (int& part : version) {
    while (at < path.size() && path[at] >= '0' && path[at] <= '9' && part < 1000) part = part * 10 + (path[at++] - '0');
    if (at >= path.size() || path[at] != '.') break;
    ++at;
  }
  return version;
}

/// Returns: the folders to search, as patterns for `glob`.
[[gnu::cold]] inline std::vector<std::string> nvrtc_folders() {
  std::vector<std::string> folders;
  // A relative path would depend on the working directory.
  const auto add = [&](const char* variable, std::initializer_list<const char*> below) __attribute__((cold)) {
    const char* const root = ::secure_getenv(variable);
    if (root == nullptr || *root != '/') return;
    for (const char* each : below) folders.push_back(std::string(root) + each);
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) add(variable, {"/lib64", "/lib", "/targets/*/lib"});
  add("CONDA_PREFIX", {"/lib"});
  // The packages of CUDA 12, then those of 13 and newer.
  add("VIRTUAL_ENV",
      {"/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib", "/lib/python3*/site-packages/nvidia/cu*/lib"});
  for (const char* folder : {"/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda/lib64",
                             "/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"}) {
    folders.push_back(std::string(folder));
  }
  return folders;
}

/// Returns: the files, newest first; files of equal version in the order of the search.
[[gnu::cold]] inline std::vector<nvrtc_file> nvrtc_files(const std::vector<std::string>& folders,
                                                         const char* pattern = "/libnvrtc.so.*") {
  std::vector<nvrtc_file> files;
  for (const std::string& folder : folders) {
    ::glob_t found{};
    if (::glob((folder + pattern).c_str(), 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        const std::unique_ptr<char, decltype(&std::free)> real{::realpath(found.gl_pathv[i], nullptr), &std::free};
        const std::string path = real == nullptr ? found.gl_pathv[i] : real.get();
        std::array<int, 3> version = version_in(path);
        if (version[0] == 0) version = version_in(found.gl_pathv[i]);  // a link to a file without a version
        bool seen = false;
        for (const nvrtc_file& each : files) seen = seen || each.path == path;
        if (version[0] != 0 && !seen) files.push_back({path, version});
      }
    }
    ::globfree(&found);
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

/// Returns: the major versions to look for, each once: 12 and 13, which the dynamic loader may find elsewhere, and those of
/// the files, not below `least`. Versions that the driver supports come first, newer ones before older ones.
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

/// Returns: a compiler's name from its file: the version in the file's name, else what identifies the file.
[[gnu::cold]] inline std::string nvrtc_file_name(const std::string& path, const char* what) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr), &std::free};
  if (real == nullptr) return "";
  const std::array<int, 3> version = version_in(real.get());
  if (version[1] != 0 || version[2] != 0) {
    return yoke::detail::text(what, " ", version[0], ".", version[1], ".", version[2]);
  }
  struct ::stat file {};
  if (::stat(real.get(), &file) != 0) return "";
  return yoke::detail::text(what, " ", version[0], ", a file of ", static_cast<std::int64_t>(file.st_size),
                            " bytes, modified ", static_cast<std::int64_t>(file.st_mtim.tv_sec), ".",
                            static_cast<std::int64_t>(file.st_mtim.tv_nsec));
}
/// Returns: the file that contains a symbol; "" if it is unknown.
[[gnu::cold]] inline std::string file_of_symbol(const void* symbol) {
  ::Dl_info found{};
  return ::dladdr(symbol, &found) == 0 || found.dli_fname == nullptr ? "" : found.dli_fname;
}
/// Returns: the name of the compiler within a driver, which runs a host compiler of the user's choice.
[[gnu::cold]] inline std::string name_of_compiler_within(const void* symbol) {
  const std::string name = nvrtc_file_name(file_of_symbol(symbol), "the driver's compiler");
  const char* const chosen = ::secure_getenv("YOKE_SIMULATOR_COMPILER");
  if (name.empty() || chosen == nullptr) return name;
  // Stored data must not contain a path: the digest identifies it.
  const auto digest = yoke::detail::sha256(std::as_bytes(std::span{chosen, std::string_view(chosen).size()}));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number = number << 8 | std::to_integer<std::uint64_t>(digest[i]);
  return yoke::detail::text(name, " with compiler ", number);
}

/// Returns: the file that would be opened first, as far as that can be predicted; "" for none.
[[gnu::cold]] inline std::string likely_library(const char* stem, const char* function, const std::vector<int>& majors,
                                                const std::vector<nvrtc_file>& files) {
  const char* const list = ::secure_getenv("LD_LIBRARY_PATH");
  const std::string_view path = list == nullptr ? "" : list;
  for (const int major : majors) {
    const std::string name = yoke::detail::text(stem, major);
    if (void* const open = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {  // opened by other code
      const void* const symbol = ::dlsym(open, function);
      ::dlclose(open);
      return symbol == nullptr ? "" : file_of_symbol(symbol);
    }
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = (std::min)(path.find_first_of(":;", begin), path.size());
      const std::string file = std::string(path.substr(begin, end - begin)) + "/" + name;
      if (::access(file.c_str(), R_OK) == 0) return file;
      begin = end + 1;
    }
    for (const nvrtc_file& file : files) {
      if (file.version[0] == major) return file.path;
    }
  }
  return "";
}

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
