// SPDX-License-Identifier: MIT
// Starts processes by posix_spawn, which needs no care for locks that other threads hold.
#include "engine/system/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/system/temporary_folder.hpp"

#if defined(YOKE_COVERAGE)
extern "C" void __gcov_dump();
#endif

namespace yoke::simulator {

void write_coverage() noexcept {
#if defined(YOKE_COVERAGE)
  __gcov_dump();
#endif
}

namespace {

std::vector<std::string> environment_in(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string text = *each;
    // The compiler must not load libraries preloaded for this program.
    const bool dropped = text.rfind("LC_", 0) == 0 || text.rfind("LANG", 0) == 0 || text.rfind("TMPDIR=", 0) == 0 ||
                         text.rfind("LD_PRELOAD=", 0) == 0 || text.rfind("GCC_COLORS=", 0) == 0;
    if (!dropped) texts.push_back(text);
  }
  texts.emplace_back("LC_ALL=C");
  texts.push_back("TMPDIR=" + folder.string());
  return texts;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string process_result::outcome() const {
  if (!started) return "cannot be run (" + std::generic_category().message(status) + ")";
  if (status > 128) return "was ended by signal " + std::to_string(status - 128);
  return "ended with status " + std::to_string(status);
}

process_result run_process(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  std::vector<std::string> texts = words;
  std::vector<std::string> variables = environment_in(folder);
  const std::vector<char*> arguments = pointers_to(texts);
  const std::vector<char*> environment = pointers_to(variables);
  const std::filesystem::path output = folder / "messages";

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);

  process_result result;
  if (failed != 0) {
    result.status = failed;
    return result;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    result.status = errno;
    return result;
  }
  result.started = true;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.messages = read_file(output);
  return result;
}

}  // namespace yoke::simulator
