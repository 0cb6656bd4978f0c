// SPDX-License-Identifier: MIT
// Converts between UTF-8 text and paths of <filesystem>, which on Windows reads narrow text in another encoding.
#ifndef YOKE_CORE_NATIVE_PATH_HPP
#define YOKE_CORE_NATIVE_PATH_HPP

#include <yoke/core/config.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#include <yoke/core/windows/api.ipp>
#endif

namespace yoke::inline v0_1::detail {

/// Returns: the path of a text, which is UTF-8 on Windows; there any other text gives the empty path.
[[gnu::cold]] inline std::filesystem::path native_path(std::string_view text) {
#if defined(_WIN32)
  std::wstring wide;
  return to_wide_text(text, wide) ? std::filesystem::path(std::move(wide)) : std::filesystem::path();
#else
  return {text};
#endif
}

/// Returns: a path's text, UTF-8 on Windows, with "/" as separator.
[[gnu::cold]] inline std::string path_text(const std::filesystem::path& path) {
#if defined(_WIN32)
  return utf8_text(path.generic_wstring());
#else
  return path.string();
#endif
}

/// Returns: the reason why a call of <filesystem> failed, UTF-8 on Windows.
[[gnu::cold]] inline std::string failure_text(const std::error_code& failure) {
#if defined(_WIN32)
  if (failure.category() == std::system_category()) return windows_error_text(static_cast<DWORD>(failure.value()));
#endif
  return failure.message();
}

}  // namespace yoke::inline v0_1::detail

#endif
