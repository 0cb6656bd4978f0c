// SPDX-License-Identifier: MIT
// Bodies of core/file_functions.hpp for POSIX; core/windows/file_functions.ipp has the ones for Windows.
#ifndef YOKE_CORE_FILE_FUNCTIONS_IPP
#define YOKE_CORE_FILE_FUNCTIONS_IPP

#include <yoke/core/file_functions.hpp>

#if defined(_WIN32)
#include <yoke/core/windows/file_functions.ipp>
#else

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace yoke::inline v0_1::detail {

template <class Result>
Result or_errno(Result result) noexcept {
  return result < 0 ? static_cast<Result>(-errno) : result;
}

int system_facts(int file, file_facts& facts) {
  struct ::stat found {};
  if (::fstat(file, &found) != 0) return -errno;
  facts.folder = S_ISDIR(found.st_mode);
  facts.regular = S_ISREG(found.st_mode);
  facts.owner = found.st_uid;
  facts.mode = found.st_mode & 07777u;
  facts.links = found.st_nlink;
  facts.bytes = static_cast<std::uint64_t>(found.st_size);
  facts.modified = found.st_mtim.tv_sec;
  return 0;
}

int system_list(int folder, std::vector<std::string>& names) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // with a reading position of its own
  if (again < 0) return -errno;
  ::DIR* const stream = ::fdopendir(again);
  if (stream == nullptr) {
    const int code = errno;
    ::close(again);
    return -code;
  }
  int code = 0;
  try {
    for (;;) {
      errno = 0;
      const ::dirent* const each = ::readdir(stream);
      if (each == nullptr) {
        code = -errno;
        break;
      }
      const std::string_view name = each->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
  } catch (...) {
    ::closedir(stream);
    throw;
  }
  ::closedir(stream);
  return code;
}

int system_touch(int file, std::int64_t seconds) {
  ::timespec times[2] = {};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = seconds;
  return or_errno(::futimens(file, times));
}

std::uint64_t system_random() {
  std::uint64_t value = 0;
  if (::getrandom(&value, sizeof value, GRND_NONBLOCK) == static_cast<::ssize_t>(sizeof value)) return value;
  static std::atomic<std::uint64_t> count{0};  // a repeated number does no harm: the name is then skipped
  return (static_cast<std::uint64_t>(::time(nullptr)) << 20) + count.fetch_add(1, std::memory_order_relaxed);
}

const file_functions& system_files() noexcept {
  static_assert(current_folder == AT_FDCWD);
  static constexpr file_functions functions{
      .open = [](int folder, const char* name, int flags, unsigned mode) -> int {
        int native = O_CLOEXEC | ((flags & open_place) != 0 ? O_PATH : O_NONBLOCK | O_NOCTTY);
        native |= (flags & open_new) != 0 ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
        if ((flags & open_folder) != 0) native |= O_DIRECTORY;
        if ((flags & open_no_link) != 0) native |= O_NOFOLLOW;
        return or_errno(::openat(folder, name, native, static_cast<::mode_t>(mode)));
      },
      .make_folder = [](int folder, const char* name, unsigned mode) -> int {
        return or_errno(::mkdirat(folder, name, static_cast<::mode_t>(mode)));
      },
      .facts = system_facts,
      .read = [](int file, void* data, std::size_t bytes) -> std::int64_t {
        return or_errno(std::int64_t{::read(file, data, bytes)});
      },
      .write = [](int file, const void* data, std::size_t bytes) -> std::int64_t {
        return or_errno(std::int64_t{::write(file, data, bytes)});
      },
      .synchronize = [](int file) -> int { return or_errno(::fsync(file)); },
      .close = [](int file) -> int { return or_errno(::close(file)); },
      .rename = [](int folder, const char* from, const char* to) -> int {
        return or_errno(::renameat(folder, from, folder, to));
      },
      .remove = [](int folder, const char* name) -> int { return or_errno(::unlinkat(folder, name, 0)); },
      .list = system_list,
      .touch = system_touch,
      .now = []() -> std::int64_t { return ::time(nullptr); },
      .random = system_random,
      .user = []() -> std::uint32_t { return ::geteuid(); },
  };
  return functions;
}

}  // namespace yoke::inline v0_1::detail

#endif

#endif
