// SPDX-License-Identifier: MIT
// The calls of the cache of programs, on the system's own files.
#include <support/catch.hpp>
#include <support/process/rights.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/core/file_functions.hpp>

#if defined(_WIN32)
#include <yoke/core/windows/security.ipp>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

using namespace yoke::detail;
using namespace yoke_test;

namespace {

const file_functions& files = system_files();

/// A folder, opened by its path, and what stands in it.
struct open_folder_rig {
  temporary_folder scratch{};
  int folder = files.open(current_folder, scratch.path().string().c_str(), open_folder, 0);
  open_folder_rig() = default;
  open_folder_rig(const open_folder_rig&) = delete;
  open_folder_rig& operator=(const open_folder_rig&) = delete;
  ~open_folder_rig() {
    if (folder >= 0) files.close(folder);
  }
  void write(const char* name, const std::string& text) const {
    const int file = files.open(folder, name, open_new | open_no_link, 0600);
    REQUIRE(file >= 0);
    CHECK(files.write(file, text.data(), text.size()) == static_cast<std::int64_t>(text.size()));
    CHECK(files.synchronize(file) == 0);
    CHECK(files.close(file) == 0);
  }
  [[nodiscard]] std::string read(const char* name) const {
    const int file = files.open(folder, name, open_no_link, 0);
    if (file < 0) return "error " + std::to_string(-file);
    std::string text(100, '\0');
    const std::int64_t got = files.read(file, text.data(), text.size());
    files.close(file);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    CHECK(files.list(folder, found) == 0);
    std::sort(found.begin(), found.end());
    return found;
  }
};

}  // namespace

TEST_CASE("a file is made once, read, renamed over another and removed in its folder", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  in.write("one", "first");
  CHECK(files.open(in.folder, "one", open_new, 0600) == -EEXIST);
  in.write("two", "second");
  CHECK(in.read("one") == "first");
  CHECK(in.names() == std::vector<std::string>{"one", "two"});
  CHECK(files.rename(in.folder, "one", "two") == 0);
  CHECK(in.read("two") == "first");
  CHECK(in.names() == std::vector<std::string>{"two"});
  CHECK(files.rename(in.folder, "none", "two") == -ENOENT);
  CHECK(files.remove(in.folder, "two") == 0);
  CHECK(files.remove(in.folder, "two") == -ENOENT);
  CHECK(in.names().empty());
}

TEST_CASE("a file that another has open is replaced and removed", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  in.write("entry", "old");
  const int reader = files.open(in.folder, "entry", open_no_link, 0);
  REQUIRE(reader >= 0);
  in.write("next", "new");
  const int renamed = files.rename(in.folder, "next", "entry");
  char text[8] = {};
  CHECK(files.read(reader, text, sizeof text) == 3);
  CHECK(std::string(text) == "old");
#if defined(_WIN32)
  // Windows does it from 10 1607 on; Wine 8, and older ones, leave both files as they are.
  if (renamed == -EACCES) {
    CHECK(in.read("entry") == "old");
    CHECK(in.read("next") == "new");
    files.close(reader);
    return;
  }
#endif
  CHECK(renamed == 0);
  CHECK(in.read("entry") == "new");
  CHECK(files.remove(in.folder, "entry") == 0);
  files.close(reader);
  CHECK(in.names().empty());
}

TEST_CASE("folders are made and opened in folders, and what is none is refused", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  CHECK(files.make_folder(in.folder, "below", 0700) == 0);
  CHECK(files.make_folder(in.folder, "below", 0700) == -EEXIST);
  const int below = files.open(in.folder, "below", open_folder | open_no_link, 0);
  REQUIRE(below >= 0);
  file_facts facts;
  CHECK(files.facts(below, facts) == 0);
  CHECK(facts.folder);
  CHECK_FALSE(facts.regular);
  CHECK(facts.owner == files.user());
  CHECK((facts.mode & 077u) == 0);  // nobody else may read or write
  const int file = files.open(below, "file", open_new, 0600);
  CHECK(file >= 0);
  files.close(file);
  CHECK(files.open(below, "none", open_to_read, 0) == -ENOENT);
  CHECK(files.open(below, "file", open_folder | open_no_link, 0) == -ENOTDIR);
  files.close(below);
}

TEST_CASE("names beyond ASCII are listed as they were given", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  const std::vector<std::string> names{"\xc3\xa9", "\xe4\xb8\xad"};
  for (const std::string& each : names) in.write(each.c_str(), each);
  CHECK(in.names() == names);
  for (const std::string& each : names) CHECK(in.read(each.c_str()) == each);
#if defined(_WIN32)
  CHECK(files.open(in.folder, "\xff", open_to_read, 0) == -EINVAL);
  CHECK(utf8_text(L"a\xd800") == "a\xef\xbf\xbd");  // as Windows lets names be
#endif
}

#if defined(_WIN32)
TEST_CASE("what is made belongs to its user, also where the process is elevated", "[core]") {
  const private_security given;
  PSID owner = nullptr;
  BOOL inherited = 1;
  REQUIRE(::GetSecurityDescriptorOwner(given.get(), &owner, &inherited) != 0);
  REQUIRE(owner != nullptr);
  CHECK(own_accounts::here().user.is(owner));
}
#endif

TEST_CASE("the facts of a file are its own", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  in.write("file", "1234567");
  const int file = files.open(in.folder, "file", open_no_link, 0);
  REQUIRE(file >= 0);
  file_facts facts;
  CHECK(files.facts(file, facts) == 0);
  CHECK(facts.regular);
  CHECK_FALSE(facts.folder);
  CHECK(facts.bytes == 7);
  CHECK(facts.links == 1);
  CHECK(facts.owner == files.user());
  CHECK((facts.mode & 077u) == 0);
  CHECK(facts.modified <= files.now() + 1);
  CHECK(facts.modified >= files.now() - 60);
  CHECK(files.touch(file, 1'000'000'000) == 0);
  CHECK(files.facts(file, facts) == 0);
  CHECK(facts.modified == 1'000'000'000);
  files.close(file);
}

TEST_CASE("a folder that others may write to shows it", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  file_facts facts;
  grant(writable_by_all, in.scratch.path().string());
  CHECK(files.facts(in.folder, facts) == 0);
  CHECK((facts.mode & 066u) == 066u);
  grant(readable_by_all, in.scratch.path().string());
  CHECK(files.facts(in.folder, facts) == 0);
  CHECK((facts.mode & 066u) == 044u);
}

TEST_CASE("a link is not followed where it must not be", "[core]") {
  const open_folder_rig in;
  REQUIRE(in.folder >= 0);
  in.write("target", "text");
  std::error_code failure;
  std::filesystem::create_symlink(in.scratch.path() / "target", in.scratch.path() / "link", failure);
  if (failure) return;  // Windows lets few users make links
  CHECK(files.open(in.folder, "link", open_no_link, 0) == -ELOOP);
  CHECK(files.remove(in.folder, "link") == 0);
  CHECK(in.read("target") == "text");
}

TEST_CASE("numbers at random differ", "[core]") {
  const std::uint64_t first = files.random();
  CHECK((files.random() != first || files.random() != first));
}
