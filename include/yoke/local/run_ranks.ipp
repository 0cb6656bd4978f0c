// SPDX-License-Identifier: MIT
// Bodies of local/run_ranks.hpp: forks, watches and ends the ranks.
#ifndef YOKE_LOCAL_RUN_RANKS_IPP
#define YOKE_LOCAL_RUN_RANKS_IPP

#include <yoke/local/run_ranks.hpp>

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>
#include <yoke/distributed/deadline.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#if !defined(_WIN32)
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace yoke::inline v0_1::detail {

#if defined(_WIN32)

std::vector<rank_result> run_rank_processes(int, const rank_function&, const run_ranks_options&,
                                            const source_location& where) {
  throw_error(errc::unsupported, "run_ranks forks its ranks, which Windows cannot: use a local_team, or MPI's launcher",
              where);
}

#else

/// A process of the ranks. It is ended and waited for when this object ends.
class rank_child {
 public:
  explicit rank_child(::pid_t of) noexcept : of_(of) {}
  rank_child(rank_child&& other) noexcept : of_(std::exchange(other.of_, 0)), code_(other.code_) {}
  rank_child& operator=(rank_child&&) = delete;
  ~rank_child() {
    if (of_ == 0) return;
    (void)::kill(of_, SIGKILL);
    (void)::waitpid(of_, nullptr, 0);
  }
  /// Whether the process has ended.
  [[nodiscard]] bool is_over() {
    if (of_ == 0) return true;
    int status = 0;
    const ::pid_t ended = ::waitpid(of_, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    code_ = ended < 0 ? 1 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    of_ = 0;
    return true;
  }
  void signal(int number) noexcept {
    if (of_ == 0) return;
    is_stopped_ = true;
    (void)::kill(of_, number);
  }
  /// Returns: the exit code. A process that a signal was to end has not succeeded, also if it says 0 or goes on.
  [[nodiscard]] int code() const noexcept { return code_ == 0 && is_stopped_ ? 128 + SIGTERM : code_; }

 private:
  ::pid_t of_;  // 0 once it is waited for
  int code_ = 0;
  bool is_stopped_ = false;
};

/// A folder that ends with this object.
class meeting_folder {
 public:
  explicit meeting_folder(const source_location& where) {
    std::error_code failure;
    std::string made = (std::filesystem::temp_directory_path(failure) / "yoke-ranks-XXXXXX").string();
    if (failure || ::mkdtemp(made.data()) == nullptr) {
      throw runtime_error(std::error_code(errno, std::generic_category()), "mkdtemp", "a folder for the ranks", where);
    }
    path_ = made;
  }
  meeting_folder(const meeting_folder&) = delete;
  meeting_folder& operator=(const meeting_folder&) = delete;
  ~meeting_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Effects: runs the function as a rank, and ends this process.
[[noreturn]] inline void be_rank(const rank_function& function, const rank_process& me, const std::string& output) {
  const int to = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (to >= 0) {
    (void)::dup2(to, 1);
    (void)::dup2(to, 2);
  }
  int code = 1;
  try {
    code = function.call(function.of, me);
    if (code < 0 || code > 255) {
      std::fprintf(stderr, "rank %d: its function returned %d, which is no exit code: they are 0 to 255\n", me.rank,
                   code);
      code = 1;
    }
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "rank %d: %s\n", me.rank, thrown.what());
  } catch (...) {
    std::fprintf(stderr, "rank %d: an exception of another class\n", me.rank);
  }
  (void)std::fflush(nullptr);
  ::_exit(code);  // what the parent registered for its exit is not this process's
}

/// Returns: the end of a file, and its last line.
inline void read_output(const std::string& path, rank_result& to) {
  constexpr std::size_t most = 65536;
  std::ifstream in(path, std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (all.size() > most) all.erase(0, all.size() - most);
  std::size_t end = all.size();
  while (end > 0 && all[end - 1] == '\n') --end;
  const std::size_t before = end == 0 ? std::string::npos : all.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  to.last_line = all.substr(begin, end - begin);
  to.output = std::move(all);
}

std::vector<rank_result> run_rank_processes(int ranks, const rank_function& function, const run_ranks_options& options,
                                            const source_location& where) {
  if (ranks < 1) throw_error(errc::invalid_argument, where, "run_ranks of ", ranks, " ranks: it takes at least one");
  if (options.deadline < std::chrono::nanoseconds(0)) {
    throw_error(errc::invalid_argument, where,
                "the deadline of run_ranks is below 0: ", duration_text(options.deadline));
  }
  const meeting_folder folder(where);
  const auto output_of = [&](int rank) { return text(folder.path(), "/rank_", rank, ".txt"); };
  (void)std::fflush(nullptr);  // else each process prints what this one has in its buffers
  std::vector<rank_child> children;
  children.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const ::pid_t made = ::fork();
    if (made < 0) {
      throw runtime_error(std::error_code(errno, std::generic_category()), "fork", text("rank ", rank), where);
    }
    if (made == 0) be_rank(function, {rank, ranks, folder.path()}, output_of(rank));
    children.emplace_back(made);
  }
  const auto are_over = [&] {
    bool all = true;
    for (rank_child& each : children) all = each.is_over() && all;
    return all;
  };
  const auto one_failed = [&] {
    for (rank_child& each : children) {
      if (each.is_over() && each.code() != 0) return true;
    }
    return false;
  };
  if (!deadline(options.deadline).wait_until([&] { return are_over() || one_failed(); }) || !are_over()) {
    for (rank_child& each : children) each.signal(SIGTERM);
    if (!deadline(std::chrono::seconds(1)).wait_until(are_over)) {
      for (rank_child& each : children) each.signal(SIGKILL);
      (void)deadline(std::chrono::seconds(10)).wait_until(are_over);
    }
  }
  std::vector<rank_result> results;
  for (int rank = 0; rank < ranks; ++rank) {
    rank_result each;
    each.code = children[static_cast<std::size_t>(rank)].code();
    read_output(output_of(rank), each);
    results.push_back(std::move(each));
  }
  return results;
}

#endif

}  // namespace yoke::inline v0_1::detail

#endif
