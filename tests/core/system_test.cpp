// SPDX-License-Identifier: MIT
// What the library asks of the operating system, on POSIX and on Windows.
#include <support/catch.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/process/variables.hpp>

#include <yoke/core/file.hpp>
#include <yoke/core/system.hpp>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace yoke::detail;
using namespace yoke_test;

namespace {

int a_variable_of_this_program = 0;

#if defined(_WIN32)
constexpr bool on_windows = true;
constexpr const char* known_library = "kernel32.dll";
constexpr const char* known_function = "GetTickCount";
#else
constexpr bool on_windows = false;
constexpr const char* known_library = "libc.so.6";
constexpr const char* known_function = "getpid";
#endif

/// Names beyond ASCII, the second one beyond what most code pages of Windows have.
constexpr const char8_t* foreign_names[] = {u8"\u00e9", u8"\u4e2d"};
constexpr const char* no_utf8 = "yoke-\xff\xfe";

std::string bytes_of(const char8_t* text) { return reinterpret_cast<const char*>(text); }

}  // namespace

TEST_CASE("a path is absolute by the rules of its system", "[core]") {
  CHECK(is_absolute_path("/a") == !on_windows);
  CHECK(is_absolute_path("C:/a") == on_windows);
  CHECK(is_absolute_path("c:\\a") == on_windows);
  for (const char* const each : {"", "a", "a/b", "./a", "C:", "C:a", "1:/a", "\\a"})
    CHECK_FALSE(is_absolute_path(each));
}

TEST_CASE("the folder of a path ends behind its last step", "[core]") {
  CHECK(folder_of_path("a/b.h") == "a/");
  CHECK(folder_of_path("/b.h") == "/");
  CHECK(folder_of_path("b.h").empty());
  CHECK(folder_of_path("") == "");
  CHECK(folder_of_path("a\\b.h") == (on_windows ? "a\\" : ""));
}

TEST_CASE("a real path has no steps upwards, and none for what is not there", "[core]") {
  const temporary_folder scratch;
  std::filesystem::create_directories(scratch.path() / "a" / "b");
  std::ofstream(scratch.path() / "a" / "file") << "1";
  int code = -1;
  const std::string real = real_path((scratch.path() / "a" / "b" / ".." / "file").string(), code);
  CHECK(code == 0);
  CHECK(is_absolute_path(real));
  CHECK(real.ends_with("/a/file"));
  CHECK(real.find('\\') == std::string::npos);
  CHECK(real_path((scratch.path() / "none").string(), code).empty());
  CHECK(code == ENOENT);
}

TEST_CASE("the facts of a file change with its bytes and its time", "[core]") {
  const temporary_folder scratch;
  const std::filesystem::path path = scratch.path() / "file";
  CHECK(facts_of_file(path.string()).empty());
  std::ofstream(path) << "123";
  const std::string before = facts_of_file(path.string());
  CHECK_THAT(before, ContainsSubstring("3 bytes, modified "));
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
  CHECK(facts_of_file(path.string()) != before);
}

TEST_CASE("a path beyond ASCII is of the file of that name", "[core]") {
  const temporary_folder scratch;
  for (const char8_t* const name : foreign_names) {
    const std::filesystem::path folder = scratch.path() / name;
    const std::filesystem::path file = folder / name;
    std::filesystem::create_directory(folder);
    const std::string path = scratch.path().string() + "/" + bytes_of(name) + "/" + bytes_of(name);
    INFO(path);
    std::FILE* const stream = open_to_write_bytes(path);
    REQUIRE(stream != nullptr);
    std::fputs("123", stream);
    std::fclose(stream);
    CHECK(std::filesystem::file_size(file) == 3);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    CHECK(file_bytes("file", path, yoke::source_location::current()).size() == 3);
    CHECK_THAT(facts_of_file(path), ContainsSubstring("3 bytes, modified "));
    CHECK(is_program(path));
    int code = -1;
    const std::string real = real_path(path, code);
    CHECK(code == 0);
    CHECK(real.ends_with("/" + bytes_of(name) + "/" + bytes_of(name)));
  }
}

TEST_CASE("a path that is no UTF-8 is of no file that is there", "[core]") {
  const temporary_folder scratch;
  const std::string path = path_in(scratch.path().string(), no_utf8);
  CHECK(open_to_read_bytes(path) == nullptr);
  CHECK(facts_of_file(path).empty());
  CHECK_FALSE(is_program(path));
  int code = 0;
  CHECK(real_path(path, code).empty());
  CHECK(code != 0);
  CHECK_THROWS_AS(file_bytes("file", path, yoke::source_location::current()), yoke::logic_error);
  std::string why;
  CHECK(open_library(no_utf8, why) == nullptr);
  CHECK_FALSE(why.empty());
  CHECK(open_library_again(no_utf8) == nullptr);
}

TEST_CASE("a library is opened by its name, and one that is missing says why it is not", "[core]") {
  std::string why;
  void* const library = open_library(known_library, why);
  INFO(why);
  REQUIRE(library != nullptr);
  CHECK(library_symbol(library, known_function) != nullptr);
  CHECK(library_symbol(library, "no_such_function_of_a_system") == nullptr);
  void* const again = open_library_again(known_library);
  CHECK(again == library);
  close_library(again);
  close_library(library);
  CHECK(open_library("yoke-no-such-library.so", why) == nullptr);
  CHECK_FALSE(why.empty());
  CHECK(open_library_again("yoke-no-such-library.so") == nullptr);
}

TEST_CASE("an address tells the file that it is of", "[core]") {
  const std::string program = file_of_address(&a_variable_of_this_program);
  CHECK_THAT(program, ContainsSubstring("yoke_tests"));
  CHECK(is_program(program));
  CHECK_FALSE(is_program(folder_of_path(program)));
  int on_the_stack = 0;
  CHECK(file_of_address(&on_the_stack).empty());
}

TEST_CASE("processes and threads have numbers", "[core]") {
  CHECK(process_number() > 0);
  CHECK(process_number() == process_number());
  std::int64_t other = 0;
  std::thread([&] { other = thread_number(); }).join();
  CHECK(other > 0);
  CHECK(other != thread_number());
}

TEST_CASE("a variable is what the environment says", "[core]") {
  set_variable("YOKE_TEST_VARIABLE", "some text");
  REQUIRE(trusted_variable("YOKE_TEST_VARIABLE") != nullptr);
  CHECK(std::string(trusted_variable("YOKE_TEST_VARIABLE")) == "some text");
  for (const char8_t* const each : foreign_names) {
    set_variable("YOKE_TEST_VARIABLE", bytes_of(each).c_str());
    REQUIRE(trusted_variable("YOKE_TEST_VARIABLE") != nullptr);
    CHECK(std::string(trusted_variable("YOKE_TEST_VARIABLE")) == bytes_of(each));
  }
  unset_variable("YOKE_TEST_VARIABLE");
  CHECK(trusted_variable("YOKE_TEST_VARIABLE") == nullptr);
}
