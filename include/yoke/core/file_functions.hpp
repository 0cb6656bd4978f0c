// SPDX-License-Identifier: MIT
// A table of the system's file calls, so that tests can make each of them fail.
#ifndef YOKE_CORE_FILE_FUNCTIONS_HPP
#define YOKE_CORE_FILE_FUNCTIONS_HPP

#include <yoke/core/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// How a file is opened. Always: child programs do not inherit it, a pipe does not block, and a terminal does not
/// become the controlling terminal.
enum open_flags : int {
  open_to_read = 0,
  open_new = 1,      ///< makes a file to write; fails if the name exists
  open_folder = 2,   ///< opens a folder; anything else fails with `ENOTDIR`
  open_no_link = 4,  ///< a symbolic link fails with `ELOOP`, or `ENOTDIR`
  open_place = 8,    ///< as `O_PATH`: only to ask for its facts and to open files inside it
};
/// The process's current folder, for calls that take a folder.
inline constexpr int current_folder = -100;

/// The facts of an open file. On Windows, `owner` and `mode` are derived from the file's owner and access control list:
/// the process's user is 1000, the system and its administrators are 0.
struct file_facts {
  bool folder = false;
  bool regular = false;
  std::uint32_t owner = 0;
  std::uint32_t mode = 0;  ///< the permission bits
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  ///< seconds since 1970
};

/// The system calls of the disk cache. Calls that return a signed number return the negated `errno` on failure. Only
/// `list` throws: `std::bad_alloc`.
struct file_functions {
  int (*open)(int folder, const char* name, int flags, unsigned mode);  ///< `openat`, with `open_flags`
  int (*make_folder)(int folder, const char* name, unsigned mode);      ///< `mkdirat`
  int (*facts)(int file, file_facts& facts);                            ///< `fstat`
  std::int64_t (*read)(int file, void* data, std::size_t bytes);
  std::int64_t (*write)(int file, const void* data, std::size_t bytes);
  int (*synchronize)(int file);  ///< `fsync`
  int (*close)(int file);
  int (*rename)(int folder, const char* from, const char* to);  ///< `renameat` within a folder
  int (*remove)(int folder, const char* name);                  ///< `unlinkat`, files only
  int (*list)(int folder, std::vector<std::string>& names);     ///< all names in a folder but `.` and `..`
  int (*touch)(int file, std::int64_t seconds);                 ///< `futimens`
  std::int64_t (*now)();                                        ///< seconds since 1970
  std::uint64_t (*random)();
  std::uint32_t (*user)();  ///< the effective user
};

/// Returns: the system's own calls.
YOKE_API const file_functions& system_files() noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/file_functions.ipp>
#endif

#endif
