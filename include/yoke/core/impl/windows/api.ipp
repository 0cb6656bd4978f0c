// SPDX-License-Identifier: MIT
// <windows.h> without what it does to other code, and the texts of its errors.
#ifndef YOKE_CORE_IMPL_WINDOWS_API_IPP
#define YOKE_CORE_IMPL_WINDOWS_API_IPP

#include <yoke/core/config.hpp>

#include <filesystem>
#include <string>
#include <system_error>

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: "The specified module could not be found. (error 126)".
[[gnu::cold]] inline std::string windows_error_text(DWORD code) {
  std::string text = std::system_category().message(static_cast<int>(code));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == '.')) text.pop_back();
  return text + " (error " + std::to_string(code) + ")";
}

/// Returns: a path, or another text, of UTF-8. Throws: `std::system_error` where it is none.
[[gnu::cold]] inline std::filesystem::path windows_path(const std::string& text) {
  return std::filesystem::path(reinterpret_cast<const char8_t*>(text.c_str()));
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
