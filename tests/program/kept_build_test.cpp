// SPDX-License-Identifier: MIT
// Compilations are kept in a folder whose name is not ASCII, too.
#include <support/catch.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/program/kept_build.hpp>

#include <filesystem>
#include <string>

using namespace yoke_test;

TEST_CASE("a compilation is kept in a folder whose name is beyond ASCII", "[program]") {
  const auto where = yoke::source_location::current();
  const temporary_folder scratch;
  for (const char8_t* const name : {u8"\u00e9", u8"\u4e2d"}) {
    const std::string keep = scratch.path().string() + "/" + reinterpret_cast<const char*>(name);
    const yoke::detail::kept_build kept(keep, "kernel.cl", "content", where);
    kept.write("log.txt", "123", where);
    const std::filesystem::path made = scratch.path() / name;
    REQUIRE(std::filesystem::is_directory(made));
    const std::filesystem::path folder = std::filesystem::directory_iterator(made)->path();
    CHECK(folder.filename().string().starts_with("kernel.cl-"));
    CHECK(std::filesystem::file_size(folder / "log.txt") == 3);
    const yoke::detail::kept_build next(keep, "kernel.cl", "content", where);
    CHECK(next.folder() == kept.folder() + "-2");
  }
}
