// SPDX-License-Identifier: MIT
// How nvcc is run, tried on this program itself.
#include <support/catch.hpp>
#include <support/process/variables.hpp>

#include <yoke/core/system.hpp>
#include <yoke/cuda/compile/run_program.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#if defined(_WIN32)
#include <yoke/core/windows/api.ipp>

#include <shellapi.h>
#endif

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
  int count = 0;
  wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(yoke::detail::utf8_text(wide[i]));
  ::LocalFree(wide);
  return words;
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
  const char* const text = yoke::detail::trusted_variable("YOKE_TEST_TEXT");
#if defined(_WIN32)
  if (const char* const event = std::getenv("YOKE_TEST_EVENT")) {
    ::SetEvent(reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(std::atoll(event))));
  }
#endif
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
  const std::vector<std::string> words{"two words", "a \"quoted\" word", "back\\slash",          "ends in \\",
                                       "\\\"",      "tab\tinside",       "\xc3\xa9 \xe4\xb8\xad"};
  for (const std::string& each : words) {
    const cd::program_result run =
        cd::run_program({this_program(), "what a child of run_program writes", "-n", each}, cd::process_variables());
    CHECK(run.failure.empty());
    CHECK_THAT(run.standard_output, ContainsSubstring("word: {" + each + "}"));
  }
}

TEST_CASE("variables beyond ASCII arrive as they are", "[cuda]") {
  const std::string text = "\xc3\xa9 \xe4\xb8\xad";
  set_variable("YOKE_TEST_TEXT", text.c_str());
  const std::vector<std::string> variables = cd::process_variables();
  unset_variable("YOKE_TEST_TEXT");
  CHECK(std::count(variables.begin(), variables.end(), "YOKE_TEST_TEXT=" + text) == 1);
  const cd::program_result run = cd::run_program({this_program(), "what a child of run_program writes"}, variables);
  CHECK(run.failure.empty());
  CHECK_THAT(run.standard_output, ContainsSubstring("output: " + text));
}

TEST_CASE("another folder of temporary files takes the place of the one that variables name", "[cuda]") {
#if defined(_WIN32)
  CHECK(cd::variables_with_folder({"Temp=a", "TMP=b", "TEMPER=c", "TMPDIR=d"}, "new") ==
        std::vector<std::string>{"TEMPER=c", "TMPDIR=d", "TEMP=new", "TMP=new"});
#else
  CHECK(cd::variables_with_folder({"TMPDIR=a", "TMP=b", "Tmpdir=c", "TMPDIR"}, "new") ==
        std::vector<std::string>{"TMP=b", "Tmpdir=c", "TMPDIR", "TMPDIR=new"});
#endif
}

#if defined(_WIN32)
TEST_CASE("a variable with half a surrogate pair does no harm", "[cuda]") {
  ::_wputenv_s(L"YOKE_TEST_TEXT", L"a\xd800");
  const std::vector<std::string> variables = cd::process_variables();
  unset_variable("YOKE_TEST_TEXT");
  CHECK(std::count(variables.begin(), variables.end(), "YOKE_TEST_TEXT=a\xef\xbf\xbd") == 1);
}

TEST_CASE("what is no UTF-8 is refused before a program is run", "[cuda]") {
  CHECK(cd::run_program({"\xff"}, {}).failure == "cannot be run: a word of its command is no UTF-8");
  CHECK(cd::run_program({this_program(), "\xff"}, {}).failure == "cannot be run: a word of its command is no UTF-8");
  CHECK(cd::run_program({this_program()}, {"A=\xff"}).failure == "cannot be run: a variable is no UTF-8");
}

TEST_CASE("a child inherits no handle but those that it writes to and reads from", "[cuda]") {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, 1};
  const HANDLE event = ::CreateEventW(&inherited, 1, 0, nullptr);
  REQUIRE(event != nullptr);
  const std::string number = std::to_string(reinterpret_cast<std::intptr_t>(event));
  const cd::program_result run =
      cd::run_program({this_program(), "what a child of run_program writes"}, with("YOKE_TEST_EVENT=" + number));
  CHECK(run.failure.empty());
  CHECK(::WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
  ::CloseHandle(event);
}
#endif

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
