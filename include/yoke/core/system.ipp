// SPDX-License-Identifier: MIT
// Bodies of core/system.hpp for POSIX; core/windows/system.ipp has the ones for Windows.
#ifndef YOKE_CORE_SYSTEM_IPP
#define YOKE_CORE_SYSTEM_IPP

#include <yoke/core/native_path.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#if defined(_WIN32)
#include <yoke/core/windows/system.ipp>
#else
#include <dlfcn.h>
#include <unistd.h>

namespace yoke::inline v0_1::detail {

const char* trusted_variable(const char* name) noexcept { return ::secure_getenv(name); }

std::string with_slashes(std::string path) { return path; }
std::FILE* open_to_read_bytes(const std::string& path) noexcept { return std::fopen(path.c_str(), "rbe"); }
std::FILE* open_to_write_bytes(const std::string& path) noexcept { return std::fopen(path.c_str(), "wbe"); }

bool is_absolute_path(std::string_view path) noexcept { return !path.empty() && path.front() == '/'; }

bool is_program(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && ::access(path.c_str(), X_OK) == 0;
}

void* open_library(const std::string& name, std::string& why) {
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* const text = ::dlerror();
  why = text == nullptr ? "not found" : text;
  return nullptr;
}
void* open_library_again(const std::string& name) noexcept { return ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD); }
void close_library(void* library) noexcept { ::dlclose(library); }
void* library_symbol(void* library, const char* name) noexcept { return ::dlsym(library, name); }
std::string file_of_address(const void* address) {
  ::Dl_info found{};
  return ::dladdr(address, &found) == 0 || found.dli_fname == nullptr ? "" : found.dli_fname;
}

std::int64_t process_number() noexcept { return ::getpid(); }
std::int64_t thread_number() noexcept { return ::gettid(); }

}  // namespace yoke::inline v0_1::detail
#endif

namespace yoke::inline v0_1::detail {

std::string real_path(const std::string& path, int& code) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(native_path(path), failure);
  code = failure ? failure.default_error_condition().value() : 0;
  return failure ? std::string() : path_text(real);
}

std::string facts_of_file(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path named = native_path(path);
  const std::uintmax_t bytes = std::filesystem::file_size(named, failure);
  if (failure) return "";
  const auto modified = std::filesystem::last_write_time(named, failure).time_since_epoch();
  return text(std::uint64_t{bytes}, " bytes, modified ", std::int64_t{modified.count()});
}

}  // namespace yoke::inline v0_1::detail

#endif
