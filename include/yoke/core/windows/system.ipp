// SPDX-License-Identifier: MIT
// Bodies of core/system.hpp for Windows.
#ifndef YOKE_CORE_WINDOWS_SYSTEM_IPP
#define YOKE_CORE_WINDOWS_SYSTEM_IPP

#include <yoke/core/system.hpp>

#include <yoke/core/native_path.hpp>
#include <yoke/core/windows/api.ipp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>

namespace yoke::inline v0_1::detail {

/// Effects: writes the variable's text to `value`. Returns: whether the variable is set.
[[gnu::cold]] inline bool read_variable(const char* name, std::string& value) {
  std::wstring wide_name;
  if (!to_wide_text(name, wide_name)) return false;
  std::wstring wide(1 << 15, L'\0');  // the longest that Windows allows
  ::SetLastError(ERROR_SUCCESS);
  const DWORD units = ::GetEnvironmentVariableW(wide_name.c_str(), wide.data(), static_cast<DWORD>(wide.size()));
  if ((units == 0 && ::GetLastError() != ERROR_SUCCESS) || units >= wide.size()) return false;
  value = utf8_text({wide.data(), units});
  return true;
}

const char* trusted_variable(const char* name) noexcept {
  try {
    std::string value;
    if (!read_variable(name, value)) return nullptr;
    // Keeps every value for ever, because callers keep pointers to them.
    static std::mutex guard;
    static std::set<std::string>& values = *new std::set<std::string>;
    const std::lock_guard lock(guard);
    return values.insert(std::move(value)).first->c_str();
  } catch (...) {  // out of memory
    return nullptr;
  }
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

[[gnu::cold]] inline std::FILE* open_stream(const std::string& path, const wchar_t* mode) noexcept {
  try {
    std::wstring wide;
    if (to_wide_text(path, wide)) return ::_wfopen(wide.c_str(), mode);
    errno = EINVAL;
  } catch (...) {
    errno = ENOMEM;
  }
  return nullptr;
}
std::FILE* open_to_read_bytes(const std::string& path) noexcept { return open_stream(path, L"rbN"); }
std::FILE* open_to_write_bytes(const std::string& path) noexcept { return open_stream(path, L"wbN"); }

bool is_absolute_path(std::string_view path) noexcept {
  const auto is_letter = [](char each) { return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z'); };
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

bool is_program(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(native_path(path), failure);
}

void* open_library(const std::string& name, std::string& why) {
  const std::filesystem::path wanted = native_path(name).make_preferred();
  if (wanted.empty()) {
    why = "its name is empty, or no UTF-8";
    return nullptr;
  }
  // By name: searches neither the current folder nor PATH. By path: also finds its own dependencies beside it.
  const DWORD flags = is_absolute_path(name) ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
                                             : LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
  void* const library = ::LoadLibraryExW(wanted.c_str(), nullptr, flags);
  if (library == nullptr) why = windows_error_text(::GetLastError());
  return library;
}
void* open_library_again(const std::string& name) noexcept {
  HMODULE library = nullptr;
  try {
    const std::filesystem::path wanted = native_path(name).make_preferred();
    if (wanted.empty() || ::GetModuleHandleExW(0, wanted.c_str(), &library) == 0) library = nullptr;
  } catch (...) {  // out of memory
    library = nullptr;
  }
  return library;
}
void close_library(void* library) noexcept { ::FreeLibrary(static_cast<HMODULE>(library)); }
void* library_symbol(void* library, const char* name) noexcept {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}
std::string file_of_address(const void* address) {
  HMODULE holder = nullptr;
  constexpr DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (::GetModuleHandleExW(flags, static_cast<const wchar_t*>(address), &holder) == 0) return "";
  std::wstring path(1 << 15, L'\0');
  path.resize(::GetModuleFileNameW(holder, path.data(), static_cast<DWORD>(path.size())));
  return path_text(path);
}

std::int64_t process_number() noexcept { return ::GetCurrentProcessId(); }
std::int64_t thread_number() noexcept { return ::GetCurrentThreadId(); }

}  // namespace yoke::inline v0_1::detail

#endif
