// SPDX-License-Identifier: MIT
// How nvcc is run, tried on this program itself. The function is in no header: this file has the bodies.
#include <support/catch.hpp>

#include <yoke/core/system.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <yoke/cuda/impl/run_program.ipp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace yoke_test;

namespace {

namespace cd = yoke::cuda::detail;

int a_variable_of_this_program = 0;

std::string this_program() {
#if defined(_WIN32)
  return yoke::detail::file_of_address(&a_variable_of_this_program);
#else
  static_cast<void>(a_variable_of_this_program);
  return "/proc/self/exe";
#endif
}

/// Returns: the words that this program was started with.
std::vector<std::string> own_words() {
#if defined(_WIN32)
  return {__argv, __argv + __argc};
#else
  std::vector<std::string> words;
  std::ifstream line("/proc/self/cmdline", std::ios::binary);
  for (std::string each; std::getline(line, each, '\0');) words.push_back(each);
  return words;
#endif
}

std::vector<std::string> with(std::string variable) {
  std::vector<std::string> variables = cd::process_variables();
  variables.push_back(std::move(variable));
  return variables;
}

}  // namespace

TEST_CASE("what a child of run_program writes", "[.]") {
  const char* const text = std::getenv("YOKE_TEST_TEXT");
  std::fprintf(stdout, "output: %s\n", text == nullptr ? "none" : text);
  std::fprintf(stderr, "error: %s\n", text == nullptr ? "none" : text);
  for (const std::string& each : own_words()) std::fprintf(stdout, "word: {%s}\n", each.c_str());
  for (int i = 0; i < 20'000; ++i) std::fputs("0123456789\n", i % 2 == 0 ? stdout : stderr);
}

TEST_CASE("a program is run with its words and variables, and all that it writes is read", "[cuda]") {
  const cd::program_result run =
      cd::run_program({this_program(), "what a child of run_program writes"}, with("YOKE_TEST_TEXT=some \"text\""));
  CHECK(run.failure.empty());
  CHECK_THAT(run.standard_output, ContainsSubstring("output: some \"text\""));
  CHECK_THAT(run.standard_error, ContainsSubstring("error: some \"text\""));
  CHECK(run.standard_output.size() > 100'000);
  CHECK(run.standard_error.size() > 100'000);
}

TEST_CASE("the words of a program arrive as they are", "[cuda]") {
  const std::vector<std::string> words{"two words", "a \"quoted\" word", "back\\slash", "ends in \\",
                                       "\\\"",      "tab\tinside"};
  for (const std::string& each : words) {
    const cd::program_result run =
        cd::run_program({this_program(), "what a child of run_program writes", "-n", each}, cd::process_variables());
    CHECK(run.failure.empty());
    CHECK_THAT(run.standard_output, ContainsSubstring("word: {" + each + "}"));
  }
}

TEST_CASE("a program that fails, and one that is not there, say so", "[cuda]") {
  const cd::program_result refused = cd::run_program({this_program(), "--no-such-option"}, cd::process_variables());
  CHECK_THAT(refused.failure, ContainsSubstring("ended with status "));
  const cd::program_result none = cd::run_program({this_program() + "-none"}, cd::process_variables());
  CHECK_THAT(none.failure, ContainsSubstring("cannot be run: "));
}

TEST_CASE("a folder for files is its user's alone, and goes", "[cuda]") {
  std::filesystem::path path;
  {
    const cd::work_folder folder("", yoke::source_location::current());
    path = folder.path();
    CHECK(std::filesystem::is_directory(path));
#if !defined(_WIN32)
    CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms::owner_all);
#endif
  }
  CHECK_FALSE(std::filesystem::exists(path));
}
