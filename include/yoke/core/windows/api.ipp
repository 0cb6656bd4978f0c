// SPDX-License-Identifier: MIT
// Includes <windows.h> without its macros `min` and `max`, converts its text to UTF-8, and names its errors.
#ifndef YOKE_CORE_WINDOWS_API_IPP
#define YOKE_CORE_WINDOWS_API_IPP

#include <yoke/core/config.hpp>

#include <memory>
#include <string>
#include <string_view>

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

namespace yoke::inline v0_1::detail {

/// Effects: converts UTF-8 to the system's UTF-16. Returns: whether the text is valid UTF-8.
[[gnu::cold]] inline bool to_wide_text(std::string_view text, std::wstring& wide) {
  wide.clear();
  if (text.empty()) return true;
  const int bytes = static_cast<int>(text.size());
  const int size = ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
  if (size <= 0) return false;
  wide.resize(static_cast<std::size_t>(size));
  return ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, wide.data(), size) == size;
}

/// Returns: the system's UTF-16 as UTF-8, with U+FFFD for half a surrogate pair.
[[gnu::cold]] inline std::string utf8_text(std::wstring_view wide) {
  std::string text;
  if (wide.empty()) return text;
  const int units = static_cast<int>(wide.size());
  text.resize(
      static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr)));
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), static_cast<int>(text.size()), nullptr, nullptr);
  return text;
}

/// Returns: "The specified module could not be found (error 126)".
[[gnu::cold]] inline std::string windows_error_text(DWORD code) {
  wchar_t* said = nullptr;
  constexpr DWORD flags = FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  const DWORD units = ::FormatMessageW(flags, nullptr, code, 0, reinterpret_cast<wchar_t*>(&said), 0, nullptr);
  const std::unique_ptr<void, decltype(&::LocalFree)> held(said, &::LocalFree);
  std::string text = units == 0 ? "unknown error" : utf8_text({said, units});
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == '.')) text.pop_back();
  return text + " (error " + std::to_string(code) + ")";
}

}  // namespace yoke::inline v0_1::detail

#endif
