// SPDX-License-Identifier: MIT
// What the library asks of the operating system, but for files (core/file.hpp): one function for each question, for POSIX and
// for Windows.
#ifndef YOKE_CORE_SYSTEM_HPP
#define YOKE_CORE_SYSTEM_HPP

#include <yoke/core/config.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: an environment variable; null where there is none, or the program has more rights than its user (set-uid).
[[nodiscard]] YOKE_API const char* trusted_variable(const char* name) noexcept;

/// What separates the steps of a path, the folders of a list of paths, and what a program's name ends in.
#if defined(_WIN32)
inline constexpr std::string_view path_steps = "/\\";
inline constexpr char path_separator = ';';
inline constexpr const char* program_ending = ".exe";
#else
inline constexpr std::string_view path_steps = "/";
inline constexpr char path_separator = ':';
inline constexpr const char* program_ending = "";
#endif

/// Returns: a path as compilers of kernels take it, with "/" between its steps.
[[nodiscard]] YOKE_API std::string with_slashes(std::string path);

/// Returns: "a/" for "a/b.h"; "" for "b.h".
[[nodiscard]] inline std::string folder_of_path(const std::string& path) {
  return path.substr(0, path.find_last_of(path_steps) + 1);
}

/// Returns: "a/b" for "a" and "b", and for "a/" and "b"; "b" for no folder.
[[nodiscard]] inline std::string path_in(const std::string& folder, const std::string& name) {
  const bool ended = folder.empty() || path_steps.find(folder.back()) != std::string_view::npos;
  return folder + (ended ? "" : "/") + name;
}

/// Whether a path begins at a root: "/a"; on Windows "C:/a" or "C:\a".
[[nodiscard]] YOKE_API bool is_absolute_path(std::string_view path) noexcept;

/// Returns: a path without links and steps upwards, with "/" between its steps; "" with the `errno` of why not.
[[nodiscard]] YOKE_API std::string real_path(const std::string& path, int& code);

/// Returns: "1234 bytes, modified 1700000000000000000", in the ticks of the file system's clock; "" where there is no file.
[[nodiscard]] YOKE_API std::string facts_of_file(const std::string& path);

/// Returns: a stream of a file's bytes that no program inherits; null with `errno`. On Windows paths are UTF-8.
[[nodiscard]] YOKE_API std::FILE* open_to_read_bytes(const std::string& path) noexcept;
[[nodiscard]] YOKE_API std::FILE* open_to_write_bytes(const std::string& path) noexcept;

/// Whether there is a file that this process may run.
[[nodiscard]] YOKE_API bool is_program(const std::string& path);

/// Returns: an opened shared library, by its path or as the system looks for it; null with the system's reason.
[[nodiscard]] YOKE_API void* open_library(const std::string& name, std::string& why);
/// Returns: a library that is open already, opened once more; null for another.
[[nodiscard]] YOKE_API void* open_library_again(const std::string& name) noexcept;
YOKE_API void close_library(void* library) noexcept;
/// Returns: the address of a symbol; null where the library has none of that name.
[[nodiscard]] YOKE_API void* library_symbol(void* library, const char* name) noexcept;
/// Returns: the path of the library or program that holds an address; "" where it is not known.
[[nodiscard]] YOKE_API std::string file_of_address(const void* address);

/// Returns: the number of this process, and of this thread among those of all processes.
[[nodiscard]] YOKE_API std::int64_t process_number() noexcept;
[[nodiscard]] YOKE_API std::int64_t thread_number() noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/system.ipp>
#endif

#endif
