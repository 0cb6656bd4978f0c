// SPDX-License-Identifier: MIT
// What the disk cache does not trust: folders, entries, variables. Numbers are those of the list of guards.
#include <support/catch.hpp>

#include <program/cache/cache_folder.hpp>
#include <support/process/child.hpp>

#include <algorithm>
#include <sstream>

#include <sys/sysmacros.h>

using namespace yoke_test;

namespace {

/// Effects: checks that a cache there is refused for that reason, and gets in nobody's way.
void check_refused(const std::string& folder, const std::string& why) {
  const auto cache = open_cache(folder);
  INFO(folder << ": " << cache.reason());
  CHECK(cache.state() == yoke::cache_state::refused);
  CHECK_THAT(cache.reason(), ContainsSubstring(why) && ContainsSubstring(folder));
  const auto key = numbered_key(1);
  CHECK(is_right(get_or_compile(cache, key), key));
  CHECK_FALSE(cache.store(fake_compile(key)));
  CHECK(cache.list().empty());
  CHECK(cache.prune(0).removed == 0);
  CHECK(cache.clear() == 0);
}

mode_t mode_of(const std::string& path) {
  struct stat found {};
  REQUIRE(::lstat(path.c_str(), &found) == 0);
  return found.st_mode & 07777u;
}

/// Returns: the mode that the documentation gives for folders or files.
mode_t documented_mode(const std::string& what) {
  std::istringstream page(contents(YOKE_TEST_DOCS_DIR "/cache.md"));
  const std::string row = "| " + what + " | `";
  for (std::string line; std::getline(page, line);) {
    if (line.compare(0, row.size(), row) == 0) {
      return static_cast<mode_t>(std::stoul(line.substr(row.size()), nullptr, 8));
    }
  }
  FAIL("docs/cache.md gives no mode for " << what);
  return 0;
}

/// Effects: gives a folder to user 65534: really, where this is root, else as the cache sees it.
void give_away(const std::string& folder) {
  if (is_root()) {
    REQUIRE(::chown(folder.c_str(), 65534, 65534) == 0);
    return;
  }
  plan().change_facts = [path = std::string(fs::canonical(folder))](int file, auto& facts) {
    std::error_code none;
    if (fs::read_symlink("/proc/self/fd/" + std::to_string(file), none) == path) facts.owner = 65534;
  };
}

yoke::disk_cache with_variables(const yoke::environment& variables) {
  return yoke::disk_cache{{}, variables, faulty_files()};
}

}  // namespace

TEST_CASE("a folder that others may write to is refused", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  for (const mode_t mode : {0777u, 0770u, 0702u}) {
    fs::create_directory(scratch / "cache");
    ::chmod((scratch / "cache").c_str(), mode);
    check_refused(scratch / "cache", "may be written to by others");
    CHECK(files_below(scratch / "cache").empty());
  }
  ::chmod((scratch / "cache").c_str(), 0755);
  CHECK(open_cache(scratch / "cache").state() == yoke::cache_state::on);
}

TEST_CASE("a folder of somebody else is refused", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  fs::create_directory(scratch / "cache");
  ::chmod((scratch / "cache").c_str(), 0700);
  give_away(scratch / "cache");
  check_refused(scratch / "cache", "belongs to user 65534");
}

TEST_CASE("links are refused: as the folder, and on the way to somebody else's", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  fs::create_directories(scratch / "real/inner");
  ::chmod((scratch / "real").c_str(), 0700);
  ::chmod((scratch / "real/inner").c_str(), 0700);
  fs::create_directory_symlink(scratch / "real", scratch / "link");
  check_refused(scratch / "link", "cannot be opened");
  check_refused((scratch / "link") + "/", "cannot be opened");
  check_refused((scratch / "link") + "/.", "cannot be opened");
  CHECK(open_cache(scratch / "link/inner").state() == yoke::cache_state::on);  // the user's own link above is fine

  give_away(scratch / "real");
  check_refused(scratch / "link/inner", "stands in a folder of user 65534");
  check_refused(scratch / "real/inner", "stands in a folder of user 65534");
}

TEST_CASE("files, the root and odd paths are refused as folders", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  write_file(scratch / "file", "");
  check_refused(scratch / "file", "cannot be opened");
  check_refused(scratch / "file/below", "cannot be opened");
  check_refused("/", "root of the file system");
  for (const std::string& path : {std::string("relative/path"), scratch / "a/../b", scratch / "..", scratch / "a\nb"}) {
    check_refused(path, "is no absolute path");
  }
  CHECK_FALSE(fs::exists("relative"));
}

TEST_CASE("what is made has the documented modes under any umask", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const mode_t folders = documented_mode("folders");
  const mode_t files = documented_mode("files");
  const mode_t before = ::umask(0);
  const auto cache = open_cache(scratch / "a/b/cache");
  for (int i = 0; i < 5; ++i) cache.store(fake_compile(numbered_key(i)));
  ::umask(before);
  CHECK(mode_of(scratch / "a") == folders);
  CHECK(mode_of(scratch / "a/b") == folders);
  int seen = 0;
  for (const auto& each : fs::recursive_directory_iterator(scratch / "a/b")) {
    ++seen;
    INFO(each.path());
    CHECK(mode_of(each.path()) == (each.is_directory() ? folders : files));
  }
  CHECK(seen >= 1 + 5 + 2);
}

TEST_CASE("whatever stands in the place of an entry is a miss", "[cache]") {
  const stored_entry on;
  fs::rename(on.file, on.scratch / "good");
  bool removed = true;
  SECTION("a link to a good one") { fs::create_symlink(on.scratch / "good", on.file); }
  SECTION("a pipe") { REQUIRE(::mkfifo(on.file.c_str(), 0600) == 0); }
  SECTION("a folder") {
    fs::create_directory(on.file);
    removed = false;
  }
  SECTION("a device") {
    if (is_root() && ::mknod(on.file.c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0) {
      CHECK(fs::exists(on.file));
    } else {
      write_file(on.file, "");
      plan().change_facts = [](int, auto& facts) { facts.regular = false; };
    }
  }
  SECTION("a second name of a good one") { fs::create_hard_link(on.scratch / "good", on.file); }
  SECTION("nothing") { write_file(on.file, ""); }
  SECTION("10 GiB of nothing") {
    write_file(on.file, "");
    fs::resize_file(on.file, std::uintmax_t{10} << 30);
  }
  SECTION("one that others may write to") {
    fs::copy_file(on.scratch / "good", on.file);
    ::chmod(on.file.c_str(), 0620);
  }
  SECTION("one of somebody else") {
    fs::copy_file(on.scratch / "good", on.file);
    ::chmod(on.file.c_str(), 0600);
    plan().change_facts = [](int, auto& facts) { facts.owner += facts.regular ? 1 : 0; };
  }
  plan().log.clear();
  CHECK_FALSE(on.find().has_value());
  CHECK(std::count(plan().log.begin(), plan().log.end(), "read") == 0);
  CHECK(std::count(plan().log.begin(), plan().log.end(), "unlink") == 1);
  CHECK(fs::symlink_status(on.file).type() == (removed ? fs::file_type::not_found : fs::file_type::directory));
  CHECK(fs::exists(on.scratch / "good"));
  CHECK(on.cache.counters().damaged == 1);
}

TEST_CASE("a good file in the place of an entry is a hit", "[cache]") {
  const stored_entry on;
  fs::rename(on.file, on.scratch / "good");
  fs::copy_file(on.scratch / "good", on.file);
  CHECK(on.find().has_value());
}

TEST_CASE("a folder of the shard's name that cannot be trusted is a miss", "[cache]") {
  const stored_entry on;
  const std::string shard = fs::path(on.file).parent_path();
  SECTION("a link") {
    fs::rename(shard, on.scratch / "elsewhere");
    fs::create_directory_symlink(on.scratch / "elsewhere", shard);
  }
  SECTION("one that others may write to") { ::chmod(shard.c_str(), 0777); }
  CHECK_FALSE(on.find().has_value());
  CHECK_FALSE(on.cache.store(fake_compile(on.key)));
  CHECK(on.cache.counters().failures == 2);
}

TEST_CASE("the order of folders: the program's, YOKE_CACHE_DIR, XDG_CACHE_HOME, HOME, none", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  yoke::environment variables;
  variables.cache_folder = scratch / "one";
  variables.xdg_cache_home = scratch / "two";
  variables.home = scratch / "three";
  const yoke::disk_cache named{{.folder = scratch / "zero"}, variables, faulty_files()};
  CHECK(named.folder() == scratch / "zero");
  CHECK(with_variables(variables).folder() == scratch / "one");
  variables.cache_folder.clear();
  CHECK(with_variables(variables).folder() == scratch / "two/yoke");
  variables.xdg_cache_home.clear();
  CHECK(with_variables(variables).folder() == scratch / "three/.cache/yoke");
  CHECK(with_variables(variables).state() == yoke::cache_state::on);
  variables.home.clear();
  const auto none = with_variables(variables);
  CHECK(none.state() == yoke::cache_state::no_folder);
  CHECK(none.folder().empty());
  CHECK_THAT(none.reason(), ContainsSubstring("HOME"));
  CHECK_FALSE(none.store(fake_compile(numbered_key(1))));
}

TEST_CASE("variables that are no absolute path are ignored, with a note", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  for (const std::string& bad : {std::string("relative"), std::string("./here"), (scratch / "a") + "\n",
                                 scratch / "a/../b", std::string("~/cache"), (scratch / "a") + '\x7f'}) {
    yoke::environment variables;
    variables.cache_folder = bad;
    variables.xdg_cache_home = bad;
    variables.home = scratch / "home";
    const auto cache = with_variables(variables);
    INFO(bad);
    CHECK(cache.folder() == scratch / "home/.cache/yoke");
    CHECK(cache.state() == yoke::cache_state::on);
    CHECK_THAT(cache.reason(), ContainsSubstring("YOKE_CACHE_DIR is no absolute path") &&
                                   ContainsSubstring("XDG_CACHE_HOME is no absolute path"));
    variables.home = bad;
    CHECK(with_variables(variables).state() == yoke::cache_state::no_folder);
  }
  yoke::environment variables;
  variables.home = scratch / "home";
  variables.cache = "yes";
  CHECK_THAT(with_variables(variables).reason(), ContainsSubstring("YOKE_CACHE is neither on nor off"));
  CHECK(with_variables(variables).state() == yoke::cache_state::on);
  variables.cache = "on";
  CHECK(with_variables(variables).reason().empty());
}

TEST_CASE("the cache is switched off by one variable and by one argument", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  yoke::environment variables;
  const auto check_off = [&](const yoke::disk_cache& cache, const std::string& who) {
    CHECK(cache.state() == yoke::cache_state::off);
    CHECK_THAT(cache.reason(), ContainsSubstring(who));
    CHECK_FALSE(cache.store(fake_compile(numbered_key(1))));
    CHECK_FALSE(cache.find(numbered_key(1)).has_value());
    CHECK_FALSE(fs::exists(scratch / "cache"));
  };
  check_off(yoke::disk_cache{{.enabled = false, .folder = scratch / "cache"}, variables, faulty_files()}, "program");
  variables.cache = "off";
  check_off(yoke::disk_cache{{.folder = scratch / "cache"}, variables, faulty_files()}, "YOKE_CACHE");
  CHECK(plan().calls == 0);
}

TEST_CASE("a set-uid program takes no folder from its environment", "[cache]") {
  const std::string name = "a set-uid program takes no folder from its environment";
  if (is_child(name)) {
    CHECK_FALSE(std::string(std::getenv("HOME")).empty());
    CHECK(yoke::process_environment().cache_folder.empty());
    CHECK(yoke::process_environment().xdg_cache_home.empty());
    CHECK(yoke::process_environment().home.empty());
    CHECK(yoke::process_environment().cache.empty());
    CHECK(yoke::disk_cache{}.state() == yoke::cache_state::no_folder);
    return;
  }
  CHECK(yoke::disk_cache{{}, yoke::environment{}}.state() == yoke::cache_state::no_folder);  // all that is left then
  if (!is_root()) return;
  // A process whose real user is not the effective one runs a program as if that were set-uid.
  const scratch_folder scratch;
  REQUIRE(::setresuid(65534, 0, 0) == 0);
  const child_result child = run_child(name, {{"YOKE_CACHE_DIR", scratch / "a"},
                                              {"XDG_CACHE_HOME", scratch / "b"},
                                              {"HOME", scratch / "c"},
                                              {"YOKE_CACHE", "on"}});
  REQUIRE(::setresuid(0, 0, 0) == 0);
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK_FALSE(fs::exists(scratch / "a"));
}

TEST_CASE("YOKE_CACHE and YOKE_CACHE_DIR come from the environment", "[cache]") {
  const std::string name = "YOKE_CACHE and YOKE_CACHE_DIR come from the environment";
  if (is_child(name)) {
    const yoke::disk_cache cache;
    const bool on = std::string_view(std::getenv("YOKE_CACHE")) == "on";
    CHECK(cache.state() == (on ? yoke::cache_state::on : yoke::cache_state::off));
    CHECK(cache.store(fake_compile(numbered_key(1))) == on);
    return;
  }
  const scratch_folder scratch;
  const child_result off = run_child(name, {{"YOKE_CACHE_DIR", scratch / "off"}, {"YOKE_CACHE", "off"}});
  INFO(off.output);
  CHECK(off.status == 0);
  CHECK_FALSE(fs::exists(scratch / "off"));
  const child_result on = run_child(name, {{"YOKE_CACHE_DIR", scratch / "on"}, {"YOKE_CACHE", "on"}});
  INFO(on.output);
  CHECK(on.status == 0);
  CHECK(files_below(scratch / "on").size() == 1);
}
