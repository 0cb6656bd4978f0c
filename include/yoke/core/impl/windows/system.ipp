// SPDX-License-Identifier: MIT
// Bodies of core/system.hpp for Windows.
#ifndef YOKE_CORE_IMPL_WINDOWS_SYSTEM_IPP
#define YOKE_CORE_IMPL_WINDOWS_SYSTEM_IPP

#include <yoke/core/system.hpp>

#include <yoke/core/impl/windows/api.ipp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD const char* trusted_variable(const char* name) noexcept { return std::getenv(name); }

YOKE_COLD std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

[[gnu::cold]] inline std::FILE* open_stream(const std::string& path, const wchar_t* mode) noexcept {
  try {
    return ::_wfopen(windows_path(path).c_str(), mode);
  } catch (...) {  // no UTF-8, or no memory
    errno = EINVAL;
    return nullptr;
  }
}
YOKE_COLD std::FILE* open_to_read_bytes(const std::string& path) noexcept { return open_stream(path, L"rbN"); }
YOKE_COLD std::FILE* open_to_write_bytes(const std::string& path) noexcept { return open_stream(path, L"wbN"); }

YOKE_COLD bool is_absolute_path(std::string_view path) noexcept {
  const auto is_letter = [](char each) { return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z'); };
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

YOKE_COLD bool is_program(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure);
}

YOKE_COLD void* open_library(const std::string& name, std::string& why) {
  // By name: never the current folder's, nor one of PATH. By path: what it needs may stand beside it.
  const DWORD flags = is_absolute_path(name) ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
                                             : LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
  void* const library = ::LoadLibraryExW(windows_path(name).make_preferred().c_str(), nullptr, flags);
  if (library == nullptr) why = windows_error_text(::GetLastError());
  return library;
}
YOKE_COLD void* open_library_again(const std::string& name) noexcept {
  HMODULE library = nullptr;
  try {
    if (::GetModuleHandleExW(0, windows_path(name).make_preferred().c_str(), &library) == 0) library = nullptr;
  } catch (...) {  // no UTF-8, or no memory
    library = nullptr;
  }
  return library;
}
YOKE_COLD void close_library(void* library) noexcept { ::FreeLibrary(static_cast<HMODULE>(library)); }
YOKE_COLD void* library_symbol(void* library, const char* name) noexcept {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}
YOKE_COLD std::string file_of_address(const void* address) {
  HMODULE holder = nullptr;
  constexpr DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (::GetModuleHandleExW(flags, static_cast<const wchar_t*>(address), &holder) == 0) return "";
  std::wstring path(1 << 15, L'\0');
  path.resize(::GetModuleFileNameW(holder, path.data(), static_cast<DWORD>(path.size())));
  return std::filesystem::path(path).generic_string();
}

YOKE_INLINE std::int64_t process_number() noexcept { return ::GetCurrentProcessId(); }
YOKE_INLINE std::int64_t thread_number() noexcept { return ::GetCurrentThreadId(); }

}  // namespace yoke::inline YOKE_ABI::detail

#endif
