// SPDX-License-Identifier: MIT
// The calls to the operating system, for POSIX and Windows; the disk cache's file calls are in core/file_functions.hpp.
#ifndef YOKE_CORE_SYSTEM_HPP
#define YOKE_CORE_SYSTEM_HPP

#include <yoke/core/config.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: an environment variable; null if it is not set or the program runs set-uid.
[[nodiscard]] YOKE_API const char* trusted_variable(const char* name) noexcept;

/// The separators in a path, the separator in a list of paths, and the suffix of a program's name.
#if defined(_WIN32)
inline constexpr std::string_view path_steps = "/\\";
inline constexpr char path_separator = ';';
inline constexpr const char* program_ending = ".exe";
#else
inline constexpr std::string_view path_steps = "/";
inline constexpr char path_separator = ':';
inline constexpr const char* program_ending = "";
#endif

/// Returns: the path with "/" as separator, as kernel compilers take it.
[[nodiscard]] YOKE_API std::string with_slashes(std::string path);

/// Returns: "a/" for "a/b.h"; "" for "b.h".
[[nodiscard]] inline std::string folder_of_path(const std::string& path) {
  return path.substr(0, path.find_last_of(path_steps) + 1);
}

/// Returns: "a/b" for "a" and "b", and for "a/" and "b"; "b" for an empty folder.
[[nodiscard]] inline std::string path_in(const std::string& folder, const std::string& name) {
  const bool ended = folder.empty() || path_steps.find(folder.back()) != std::string_view::npos;
  return folder + (ended ? "" : "/") + name;
}

/// Whether a path is absolute: "/a"; on Windows "C:/a" or "C:\a".
[[nodiscard]] YOKE_API bool is_absolute_path(std::string_view path) noexcept;

/// Returns: the canonical path, without links and "..", with "/" as separator; on failure "", with the `errno` in
/// `code`.
[[nodiscard]] YOKE_API std::string real_path(const std::string& path, int& code);

/// Returns: "1234 bytes, modified 1700000000000000000", in ticks of the file system's clock; "" if the file does not
/// exist.
[[nodiscard]] YOKE_API std::string facts_of_file(const std::string& path);

/// Returns: a binary stream that child programs do not inherit; on failure null, with `errno`. Paths are UTF-8 on
/// Windows.
[[nodiscard]] YOKE_API std::FILE* open_to_read_bytes(const std::string& path) noexcept;
[[nodiscard]] YOKE_API std::FILE* open_to_write_bytes(const std::string& path) noexcept;

/// Whether the path is a file that this process may execute.
[[nodiscard]] YOKE_API bool is_program(const std::string& path);

/// Returns: the shared library of a path, or of a name that the system searches for; null, with the reason in `why`.
[[nodiscard]] YOKE_API void* open_library(const std::string& name, std::string& why);
/// Returns: one more reference to a library that is already open; null if it is not.
[[nodiscard]] YOKE_API void* open_library_again(const std::string& name) noexcept;
YOKE_API void close_library(void* library) noexcept;
/// Returns: the address of a symbol; null if the library does not export it.
[[nodiscard]] YOKE_API void* library_symbol(void* library, const char* name) noexcept;
/// Returns: the path of the library or program that an address belongs to; "" if unknown.
[[nodiscard]] YOKE_API std::string file_of_address(const void* address);

/// Returns: the system's id of this process, and of this thread.
[[nodiscard]] YOKE_API std::int64_t process_number() noexcept;
[[nodiscard]] YOKE_API std::int64_t thread_number() noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/system.ipp>
#endif

#endif
