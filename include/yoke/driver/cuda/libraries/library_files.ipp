// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/libraries/library_files.hpp.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_LIBRARY_FILES_IPP
#define YOKE_DRIVER_CUDA_LIBRARIES_LIBRARY_FILES_IPP

#include <yoke/driver/cuda/libraries/library_files.hpp>

#include <yoke/driver/cuda/compiler/compiler_files.hpp>

namespace yoke::inline v0_1::cuda::detail {

std::string library_file_name(const library_kind& kind, int toolkit) {
#if defined(_WIN32)
  return yoke::detail::text(kind.stem, (std::min)(toolkit - kind.behind, kind.newest), ".dll");
#else
  return yoke::detail::text(kind.stem, (std::min)(toolkit - kind.behind, kind.newest));
#endif
}

#if defined(_WIN32)
inline constexpr const char* library_ending = ".dll";
#else
inline constexpr const char* library_ending = "";
#endif

library_places places_of(const library_kind& kind) {
  library_places places;
#if !defined(_WIN32)
  const char* const list = yoke::detail::trusted_variable("LD_LIBRARY_PATH");
  const std::string_view path = list == nullptr ? "" : list;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = (std::min)(path.find_first_of(":;", begin), path.size());
    if (path[begin] == '/') places.first.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
#endif
  places.others = nvrtc_folders();
  constexpr std::string_view package = "/cuda_nvrtc/";
  for (std::string& each : places.others) {
    if (const std::size_t at = each.find(package); at != std::string::npos) {
      each.replace(at, package.size(), yoke::detail::text("/", kind.word, "/"));
    }
  }
  return places;
}

/// Effects: opens what a library in a file needs, from its own folder, or from the package beside its own; what is not
/// there is left to the dynamic loader.
void open_siblings(const library_kind& kind, const std::string& file, int toolkit) {
  const std::string folder = file.substr(0, file.find_last_of(yoke::detail::path_steps) + 1);
  const std::string package = yoke::detail::text("/", kind.word, "/");
  // A file whose name has the version of an older toolkit may be of that one.
  const int oldest = (std::min)(toolkit, kind.newest + kind.behind);
  for (const library_sibling& sibling : kind.siblings) {
    std::string beside = folder;
    const std::size_t at = beside.rfind(package);
    if (at != std::string::npos) beside.replace(at, package.size(), yoke::detail::text("/", sibling.word, "/"));
    bool open = false;
    for (int of = toolkit; of >= oldest && !open; --of) {
      const std::string name =
          yoke::detail::text(sibling.stem, (std::min)(of - sibling.behind, sibling.newest), library_ending);
      std::string why;
      open = yoke::detail::open_library(folder + name, why) != nullptr ||
             (at != std::string::npos && yoke::detail::open_library(beside + name, why) != nullptr);
    }
  }
}

opened_library open_library_of(const library_kind& kind, std::span<const int> majors, const library_places& places,
                               bool (*usable)(void* library, std::string& why, void* to), void* to,
                               std::string& reason) {
  std::string names;
  std::string tried;
  opened_library found;
  const auto take = [&](void* library, const std::string& path) {
    std::string why;
    if (usable(library, why, to)) {
      found.library = library;
      found.path = path;
      return true;
    }
    yoke::detail::close_library(library);
    tried += yoke::detail::text("; ", path, ": ", why);
    return false;
  };
  std::string before_it;
  for (const int major : majors) {
    const std::string name = library_file_name(kind, major);
    if (name == before_it) continue;
    before_it = name;
    names += (names.empty() ? "" : ", ") + name;
    const auto open_file = [&](const std::string& file) {
      open_siblings(kind, file, major);
      std::string why;
      if (void* const library = yoke::detail::open_library(file, why)) return take(library, file);
      tried += yoke::detail::text("; ", file, ": ", why);
      return false;
    };
    if (void* const open = yoke::detail::open_library_again(name)) {
      if (take(open, name)) return found;
    }
    for (const std::string& folder : places.first) {
      const std::string file = yoke::detail::text(folder, "/", name);
      std::error_code failure;
      if (std::filesystem::exists(yoke::detail::native_path(file), failure) && open_file(file)) return found;
    }
    if (places.by_loader) {
      std::string why;
      void* const library = yoke::detail::open_library(name, why);
      if (library != nullptr && take(library, name)) return found;
    }
    for (const std::string& folder : places.others) {
      for (const std::string& file : paths_like(yoke::detail::text(folder, "/", name))) {
        if (open_file(file)) return found;
      }
    }
  }
  reason =
      yoke::detail::text("no ", kind.name, ": looked for ", names, places.by_loader ? " by the dynamic loader" : "");
  const char* before = places.by_loader ? ", and in " : " in ";
  for (const std::vector<std::string>* const each : {&places.first, &places.others}) {
    for (const std::string& folder : *each) {
      reason += before + folder;
      before = ", ";
    }
  }
  reason += tried;
  return {};
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
