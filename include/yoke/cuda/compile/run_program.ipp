// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/run_program.hpp.
#ifndef YOKE_CUDA_COMPILE_RUN_PROGRAM_IPP
#define YOKE_CUDA_COMPILE_RUN_PROGRAM_IPP

#include <yoke/cuda/compile/run_program.hpp>

#include <yoke/core/error.hpp>
#include <yoke/core/file.hpp>
#include <yoke/core/file_functions.hpp>
#include <yoke/core/native_path.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#if defined(_WIN32)
#include <yoke/cuda/compile/windows/run_program.ipp>
#else
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace yoke::inline v0_1::cuda::detail {

/// The variables that name the folder of temporary files.
inline constexpr const char* folder_variables[] = {"TMPDIR"};

/// Whether "NAME=value" sets the variable `name`.
[[gnu::cold]] inline bool is_variable(std::string_view each, std::string_view name) noexcept {
  return each.size() > name.size() && each[name.size()] == '=' && each.starts_with(name);
}

std::vector<std::string> process_variables() {
  std::vector<std::string> variables;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) variables.emplace_back(*each);
  return variables;
}

/// A pipe for a scope. Child processes do not inherit its ends.
class pipe_pair {
 public:
  pipe_pair() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) problem_ = errno;
  }
  pipe_pair(const pipe_pair&) = delete;
  pipe_pair& operator=(const pipe_pair&) = delete;
  ~pipe_pair() {
    close(0);
    close(1);
  }
  [[nodiscard]] int read_end() const noexcept { return ends_[0]; }
  [[nodiscard]] int write_end() const noexcept { return ends_[1]; }
  [[nodiscard]] int problem() const noexcept { return problem_; }
  void close(int end) noexcept {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  /// Effects: reads available output. Returns: whether more may follow.
  bool read_some(std::string& into) {
    char buffer[4096];
    const ::ssize_t got = ::read(read_end(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    into.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

 private:
  int ends_[2] = {-1, -1};
  int problem_ = 0;
};

/// The attributes and file actions of a child process.
class spawn_settings {
 public:
  spawn_settings(int standard_output, int standard_error) noexcept {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, standard_output, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, standard_error, 2);
    ::sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::sigset_t pipes;
    ::sigemptyset(&pipes);
    ::sigaddset(&pipes, SIGPIPE);
    ::sigaddset(&pipes, SIGCHLD);
    ::posix_spawnattr_setsigdefault(&attributes_, &pipes);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  spawn_settings(const spawn_settings&) = delete;
  spawn_settings& operator=(const spawn_settings&) = delete;
  ~spawn_settings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  [[nodiscard]] const ::posix_spawn_file_actions_t* actions() const noexcept { return &actions_; }
  [[nodiscard]] const ::posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

 private:
  ::posix_spawn_file_actions_t actions_{};
  ::posix_spawnattr_t attributes_{};
};

/// A child process that is always waited for.
class child_process {
 public:
  explicit child_process(::pid_t id) noexcept : id_(id) {}
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process() { (void)wait(); }
  /// Returns: the status from `waitpid`; -1 if other code has waited for the child.
  int wait() noexcept {
    int status = -1;
    while (id_ > 0 && ::waitpid(id_, &status, 0) < 0) {
      if (errno == EINTR) continue;
      status = -1;
      break;
    }
    id_ = -1;
    return status;
  }

 private:
  ::pid_t id_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

program_result run_program(std::vector<std::string> words, std::vector<std::string> environment) {
  program_result result;
  const auto failed = [&](int code) {
    result.failure = "cannot be run: " + std::generic_category().message(code);
    return result;
  };
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> variables = pointers_to(environment);
  pipe_pair output;
  pipe_pair errors;
  if (output.problem() != 0 || errors.problem() != 0) return failed(output.problem() + errors.problem());
  ::pid_t id = -1;
  {
    const spawn_settings settings(output.write_end(), errors.write_end());
    const int code =
        ::posix_spawn(&id, arguments[0], settings.actions(), settings.attributes(), arguments.data(), variables.data());
    if (code != 0) return failed(code);
  }
  child_process child(id);
  output.close(1);
  errors.close(1);
  try {
    for (bool more_output = true, more_errors = true; more_output || more_errors;) {
      ::pollfd ready[2] = {{more_output ? output.read_end() : -1, POLLIN, 0},
                           {more_errors ? errors.read_end() : -1, POLLIN, 0}};
      if (::poll(ready, 2, -1) < 0 && errno != EINTR) break;
      if (more_output && ready[0].revents != 0) more_output = output.read_some(result.standard_output);
      if (more_errors && ready[1].revents != 0) more_errors = errors.read_some(result.standard_error);
    }
  } catch (...) {  // the child must not block on a full pipe while it is waited for
    output.close(0);
    errors.close(0);
    throw;
  }
  output.close(0);
  errors.close(0);
  const int status = child.wait();
  if (status == -1) {
    result.failure = "ended with a status that is not known: this process ignores SIGCHLD, or takes it elsewhere";
  } else if (WIFSIGNALED(status)) {
    const char* const name = ::strsignal(WTERMSIG(status));
    result.failure =
        yoke::detail::text("was killed by signal ", WTERMSIG(status), " (", name == nullptr ? "?" : name, ")");
  } else if (WEXITSTATUS(status) != 0) {
    result.failure = yoke::detail::text("ended with status ", WEXITSTATUS(status));
  }
  return result;
}

}  // namespace yoke::inline v0_1::cuda::detail
#endif

namespace yoke::inline v0_1::cuda::detail {

std::vector<std::string> variables_with_folder(std::vector<std::string> variables, const std::string& folder) {
  for (const char* const name : folder_variables) {
    std::erase_if(variables, [&](const std::string& each) { return is_variable(each, name); });
    variables.push_back(yoke::detail::text(name, "=", folder));
  }
  return variables;
}

work_folder::work_folder(const std::string& kept, const source_location& where) : path_(kept), removed_(kept.empty()) {
  if (!removed_) return;
#if defined(_WIN32)
  constexpr const char* usual = "C:/Windows/Temp";
#else
  constexpr const char* usual = "/tmp";
#endif
  const char* const given = yoke::detail::trusted_variable(folder_variables[0]);
  const std::string folder = given == nullptr || *given == '\0' ? usual : given;
  const yoke::detail::file_functions& files = yoke::detail::system_files();
  int code = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::uint64_t number = files.random();
    path_ = folder + "/yoke-nvcc-" + yoke::detail::hex_text(std::as_bytes(std::span{&number, 1}));
    code = files.make_folder(yoke::detail::current_folder, path_.c_str(), 0700);
    if (code != -EEXIST) break;
  }
  if (code == 0) return;
  throw runtime_error(make_error_code(errc::invalid_argument), "",
                      "the folder \"" + path_ + "\" cannot be made: " + std::generic_category().message(-code), where);
}

work_folder::~work_folder() {
  std::error_code ignored;
  if (removed_) std::filesystem::remove_all(yoke::detail::native_path(path_), ignored);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
