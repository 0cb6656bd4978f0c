// SPDX-License-Identifier: MIT
// Runs one test of this program again in a process of its own, with other environment variables.
#ifndef YOKE_TESTS_SUPPORT_CHILD_HPP
#define YOKE_TESTS_SUPPORT_CHILD_HPP

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#if defined(_WIN32)
#include <yoke/core/system.hpp>

#include <support/process/variables.hpp>
#else
#include <fcntl.h>
#include <sys/wait.h>

extern char** environ;
#endif

namespace yoke_test {

/// Whether this process is the child that runs the test of that name.
inline bool is_child(const std::string& test) {
  const char* const value = std::getenv("YOKE_TEST_CHILD");
  return value != nullptr && value == test;
}

struct child_result {
  int status = -1;  ///< the exit status; 128 + the signal that ended it
  std::string output;
};

/// Effects: runs the test of that name in a child, which sees `variables` set and itself as `is_child(test)`. It keeps no
/// context that its test does not.
inline child_result run_child(const std::string& test, std::vector<std::pair<std::string, std::string>> variables) {
  variables.emplace_back("YOKE_TEST_CHILD", test);
  std::string name;
  for (const char letter : test) {  // a comma would separate two filters
    if (letter == ',' || letter == '[' || letter == '\\') name += '\\';
    name += letter;
  }
  child_result result;
#if defined(_WIN32)
  std::vector<std::pair<std::string, std::string>> before;
  for (const auto& [variable, value] : variables) {
    const char* const had = std::getenv(variable.c_str());
    before.emplace_back(variable, had == nullptr ? "" : had);
    set_variable(variable.c_str(), value.c_str());
  }
  std::fflush(nullptr);
  const std::string program = yoke::detail::file_of_address(reinterpret_cast<const void*>(&is_child));
  std::FILE* const output = ::_popen(("\"\"" + program + "\" \"" + name + "\" 2>&1\"").c_str(), "rb");
  char buffer[4096];
  for (std::size_t got = 0; output != nullptr && (got = std::fread(buffer, 1, sizeof buffer, output)) > 0;) {
    result.output.append(buffer, got);
  }
  if (output != nullptr) result.status = ::_pclose(output);
  for (const auto& [variable, value] : before) set_variable(variable.c_str(), value.c_str());
#else
  // Everything the child needs is made before the fork: other threads may hold the allocator's lock.
  std::vector<std::string> texts;
  for (const auto& [variable, value] : variables) texts.push_back(variable + "=" + value);
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string text = *each;
    bool replaced = text.rfind("YOKE_TEST_KEEP_CONTEXTS=", 0) == 0;
    for (const auto& variable : variables) replaced = replaced || text.rfind(variable.first + "=", 0) == 0;
    if (!replaced) texts.push_back(text);
  }
  std::vector<char*> environment;
  for (std::string& each : texts) environment.push_back(each.data());
  environment.push_back(nullptr);
  std::string program = "/proc/self/exe";
  char* arguments[] = {program.data(), name.data(), nullptr};
  int pipes[2] = {-1, -1};
  if (::pipe2(pipes, O_CLOEXEC) != 0) return result;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipes[1], 1);
    ::dup2(pipes[1], 2);
    ::execve(program.c_str(), arguments, environment.data());
    ::_exit(127);
  }
  ::close(pipes[1]);
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(pipes[0], buffer, sizeof buffer)) > 0;) {
    result.output.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(pipes[0]);
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child) {
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
#endif
  // A filter that matches nothing is a success to Catch2.
  if (result.status == 0 && result.output.find("All tests passed (") == std::string::npos) result.status = -1;
  return result;
}

/// What is written to the standard error stream while one lives.
class captured_stderr {
 public:
  captured_stderr() : file_(std::tmpfile()), before_(::dup(2)) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), 2);
  }
  ~captured_stderr() {
    finish();
    std::fclose(file_);
  }
  captured_stderr(const captured_stderr&) = delete;
  captured_stderr& operator=(const captured_stderr&) = delete;

  /// Effects: ends the capture. Returns: what was written.
  std::string finish() {
    if (before_ >= 0) {
      std::fflush(stderr);
      ::dup2(before_, 2);
      ::close(before_);
      before_ = -1;
    }
    std::string text;
    std::rewind(file_);
    for (int letter = 0; (letter = std::fgetc(file_)) != EOF;) text += static_cast<char>(letter);
    return text;
  }

 private:
  std::FILE* file_;
  int before_;
};

}  // namespace yoke_test

#endif
