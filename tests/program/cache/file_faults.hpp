// SPDX-License-Identifier: MIT
// The disk cache's file calls, counted, recorded, made to fail or to end the process.
#ifndef YOKE_TESTS_PROGRAM_CACHE_FILE_FAULTS_HPP
#define YOKE_TESTS_PROGRAM_CACHE_FILE_FAULTS_HPP

#include <yoke/core/file_functions.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace yoke_test {

/// What the calls of `faulty_files()` do; by default what the system does.
struct file_plan {
  int calls = 0;       ///< so far
  int at = -1;         ///< the call that fails
  int code = EIO;      ///< how
  bool kill = false;   ///< the call at `at` ends the process instead
  std::string name{};  ///< calls of that name fail, as often as `times` says
  int times = 1 << 30;
  std::size_t longest = std::size_t{1} << 30;  ///< of one read or write
  int interruptions = 0;                       ///< reads and writes that are interrupted first
  std::int64_t later = 0;                      ///< added to the time of day
  std::function<void(int, yoke::detail::file_facts&)> change_facts{};
  std::function<bool(const std::string&)> hide{};  ///< names that are not there when they are opened to be read
  struct opening {
    int folder;
    std::string name;
    bool inherited;  ///< whether a program that this one starts gets the descriptor
  };
  std::vector<opening> opened{};
  std::vector<std::string> log{};
};

inline file_plan& plan() {
  static file_plan one;
  return one;
}

/// Returns: the error that a call has to give, or 0.
inline int next_fault(const char* name) {
  file_plan& now = plan();
  now.log.emplace_back(name);
  const bool chosen = now.calls++ == now.at;
#if !defined(_WIN32)
  if (chosen && now.kill) ::kill(::getpid(), SIGKILL);
#endif
  if (chosen) return now.code;
  if (now.name == name && now.times > 0) {
    --now.times;
    return now.code;
  }
  return 0;
}

/// Returns: the system's calls, as the plan changes them. A close that fails has closed.
inline const yoke::detail::file_functions& faulty_files() {
  static const auto& real = yoke::detail::system_files();
  static const yoke::detail::file_functions functions{
      .open = [](int folder, const char* name, int flags, unsigned mode) -> int {
        plan().opened.push_back({folder, name, false});
        if (const int code = next_fault("open")) return -code;
        if ((flags & yoke::detail::open_new) == 0 && plan().hide && plan().hide(name)) return -ENOENT;
        const int file = real.open(folder, name, flags, mode);
#if !defined(_WIN32)
        if (file >= 0) plan().opened.back().inherited = (::fcntl(file, F_GETFD) & FD_CLOEXEC) == 0;
#endif
        return file;
      },
      .make_folder = [](int folder, const char* name, unsigned mode) -> int {
        if (const int code = next_fault("mkdir")) return -code;
        return real.make_folder(folder, name, mode);
      },
      .facts = [](int file, yoke::detail::file_facts& facts) -> int {
        if (const int code = next_fault("fstat")) return -code;
        const int result = real.facts(file, facts);
        if (plan().change_facts) plan().change_facts(file, facts);
        return result;
      },
      .read = [](int file, void* data, std::size_t bytes) -> std::int64_t {
        if (const int code = next_fault("read")) return -code;
        if (plan().interruptions > 0 && plan().interruptions-- > 0) return -EINTR;
        return real.read(file, data, std::min(bytes, plan().longest));
      },
      .write = [](int file, const void* data, std::size_t bytes) -> std::int64_t {
        if (const int code = next_fault("write")) return -code;
        if (plan().interruptions > 0 && plan().interruptions-- > 0) return -EINTR;
        return real.write(file, data, std::min(bytes, plan().longest));
      },
      .synchronize = [](int file) -> int {
        if (const int code = next_fault("fsync")) return -code;
        return real.synchronize(file);
      },
      .close = [](int file) -> int {
        const int code = next_fault("close");
        const int result = real.close(file);
        return code != 0 ? -code : result;
      },
      .rename = [](int folder, const char* from, const char* to) -> int {
        if (const int code = next_fault("rename")) return -code;
        return real.rename(folder, from, to);
      },
      .remove = [](int folder, const char* name) -> int {
        if (const int code = next_fault("unlink")) return -code;
        return real.remove(folder, name);
      },
      .list = [](int folder, std::vector<std::string>& names) -> int {
        if (const int code = next_fault("list")) return -code;
        return real.list(folder, names);
      },
      .touch = [](int file, std::int64_t seconds) -> int {
        if (const int code = next_fault("touch")) return -code;
        return real.touch(file, seconds);
      },
      .now = []() -> std::int64_t { return real.now() + plan().later; },
      .random = []() -> std::uint64_t { return real.random(); },
      .user = []() -> std::uint32_t { return real.user(); },
  };
  return functions;
}

/// Effects: the plan is the system's own while one lives, and afterwards.
struct fresh_plan {
  fresh_plan() { plan() = {}; }
  ~fresh_plan() { plan() = {}; }
  fresh_plan(const fresh_plan&) = delete;
  fresh_plan& operator=(const fresh_plan&) = delete;
};

}  // namespace yoke_test

#endif
