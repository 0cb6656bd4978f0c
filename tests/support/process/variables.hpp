// SPDX-License-Identifier: MIT
// Environment variables of this process, on POSIX and on Windows.
#ifndef YOKE_TESTS_SUPPORT_VARIABLES_HPP
#define YOKE_TESTS_SUPPORT_VARIABLES_HPP

#include <yoke/core/system.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace yoke_test {

/// Effects: sets a variable to a text, of UTF-8 on Windows.
inline void set_variable(const char* name, const char* value) {
#if defined(_WIN32)
  const auto wide = [](const char* text) { return std::filesystem::path(reinterpret_cast<const char8_t*>(text)); };
  ::_wputenv_s(wide(name).c_str(), wide(value).c_str());
#else
  ::setenv(name, value, 1);
#endif
}
inline void unset_variable(const char* name) {
#if defined(_WIN32)
  ::_putenv_s(name, "");
#else
  ::unsetenv(name);
#endif
}

/// Whether this is a program for Windows that runs in Wine.
inline bool in_wine() {
#if defined(_WIN32)
  std::string why;
  void* const system = yoke::detail::open_library("ntdll.dll", why);
  return yoke::detail::library_symbol(system, "wine_get_version") != nullptr;
#else
  return false;
#endif
}

}  // namespace yoke_test

#endif
