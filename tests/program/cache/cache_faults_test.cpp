// SPDX-License-Identifier: MIT
// The disk cache when file calls fail, are cut short, or end the process: the right program, and nothing left behind.
#include <support/catch.hpp>

#include <program/cache/cache_folder.hpp>

#include <algorithm>
#include <set>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace yoke_test;

namespace {

/// Effects: what a program does with a cache: opens it, gets two programs, one of them twice, makes room.
/// Returns: whether every program was right.
bool use_cache(const std::string& folder) {
  const auto cache = open_cache(folder);
  bool right = true;
  for (const int number : {1, 2, 1}) {
    const auto key = numbered_key(number);
    right = right && is_right(get_or_compile(cache, key), key);
  }
  cache.prune(std::uint64_t{1} << 30);
  return right;
}

/// Returns: whether every entry of a folder is good.
bool all_good(const std::string& folder) {
  const auto items = open_cache(folder).list();
  return std::all_of(items.begin(), items.end(),
                     [](const auto& each) { return each.condition == yoke::cache_condition::good; });
}

/// Effects: runs `f` in a child process. Returns: its status as `waitpid` gives it.
template <class Function>
int in_child(Function f) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(f() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a full disk, and every other failure of a write, costs the entry and nothing else", "[cache]") {
  struct failure {
    const char* call;
    int code;
  };
  for (const auto& [call, code] : {failure{"write", ENOSPC}, failure{"write", EIO}, failure{"fsync", EIO},
                                   failure{"close", EIO}, failure{"rename", EIO}, failure{"rename", EXDEV}}) {
    const fresh_plan guard;
    const scratch_folder scratch;
    const auto cache = open_cache(scratch / "cache");
    const auto key = numbered_key(1);
    plan().name = call;
    plan().code = code;
    INFO(call);
    CHECK(is_right(get_or_compile(cache, key), key));
    plan().name.clear();
    CHECK(files_below(scratch / "cache").empty());
    CHECK(cache.counters().failures >= 1);
    CHECK(cache.counters().stores == 0);
    CHECK_THAT(cache.last_failure(), StartsWith(std::string(call) + ": "));
    CHECK(is_right(get_or_compile(cache, key), key));
    CHECK(cache.counters().stores == 1);
  }
}

TEST_CASE("each file call in turn fails, and every program is right", "[cache]") {
  int calls = 0;
  {
    const fresh_plan guard;
    const scratch_folder scratch;
    CHECK(use_cache(scratch / "cache"));
    calls = plan().calls;
  }
  REQUIRE(calls > 50);
  for (int at = 0; at < calls; ++at) {
    const fresh_plan guard;
    const scratch_folder scratch;
    plan().at = at;
    INFO("call " << at);
    REQUIRE(use_cache(scratch / "cache"));
    REQUIRE(plan().log.size() > static_cast<std::size_t>(at));
    plan().at = -1;
    REQUIRE(open_cache(scratch / "cache").state() == yoke::cache_state::on);
    REQUIRE(files_below(scratch / "cache", ".tmp-").empty());
    REQUIRE(all_good(scratch / "cache"));
  }
}

TEST_CASE("short and interrupted reads and writes are carried on", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  plan().longest = 7;
  plan().interruptions = 5;
  const auto cache = open_cache(scratch / "cache");
  const auto key = numbered_key(1);
  CHECK(cache.store(fake_compile(key)));
  plan().interruptions = 5;
  REQUIRE(cache.find(key, "fake 1.0").has_value());
  CHECK(is_right(*cache.find(key, "fake 1.0"), key));
  CHECK(cache.counters().failures == 0);
}

TEST_CASE("killed at any file call, the next run is right and a sweep leaves entries alone", "[cache]") {
  int calls = 0;
  {
    const fresh_plan guard;
    const scratch_folder scratch;
    CHECK(use_cache(scratch / "cache"));
    calls = plan().calls;
  }
  int left = 0;
  for (int at = 0; at < calls; ++at) {
    const fresh_plan guard;
    const scratch_folder scratch;
    const int status = in_child([&] {
      plan().at = at;
      plan().kill = true;
      return use_cache(scratch / "cache");
    });
    INFO("call " << at);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == SIGKILL);
    plan() = {};
    REQUIRE(use_cache(scratch / "cache"));
    left += static_cast<int>(files_below(scratch / "cache", ".tmp-").size());
    plan().later = 3700;
    open_cache(scratch / "cache").prune(std::uint64_t{1} << 30);
    REQUIRE(files_below(scratch / "cache", ".tmp-").empty());
    REQUIRE(all_good(scratch / "cache"));
    REQUIRE(files_below(scratch / "cache").size() == 2);
  }
  CHECK(left > 0);  // else nothing was killed at a bad moment
}

TEST_CASE("a program whose entry does not show up, or got lost, is used all the same", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  const auto key = numbered_key(1);
  SECTION("the entry is there, but not seen yet") {
    plan().hide = [](const std::string& name) { return name.size() == 64 + 1 + 16; };
    CHECK(is_right(get_or_compile(cache, key), key));
    CHECK(is_right(get_or_compile(cache, key), key));
    plan().hide = nullptr;
    CHECK(cache.find(key, "fake 1.0").has_value());
  }
  SECTION("the rename says that the file is not there") {
    plan().name = "rename";
    plan().code = ENOENT;
    CHECK(is_right(get_or_compile(cache, key), key));
    CHECK(files_below(scratch / "cache").empty());
  }
  CHECK(cache.counters().misses >= 1);
}

TEST_CASE("a folder that cannot be written, goes away or is replaced is no error", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto key = numbered_key(1);
  const auto cache = open_cache(scratch / "cache");
  SECTION("read-only") {
    plan().name = "mkdir";
    plan().code = EROFS;
    CHECK(is_right(get_or_compile(cache, key), key));
    CHECK_THAT(cache.last_failure(), StartsWith("mkdir: "));
    const auto other = open_cache(scratch / "other");
    CHECK(other.state() == yoke::cache_state::refused);
    CHECK_THAT(other.reason(), ContainsSubstring("cannot be made"));
    CHECK(is_right(get_or_compile(other, key), key));
  }
  SECTION("removed while it is used") {
    cache.store(fake_compile(key));
    fs::remove_all(scratch / "cache");
    CHECK(is_right(get_or_compile(cache, key), key));
    CHECK(cache.list().empty());
    CHECK_FALSE(fs::exists(scratch / "cache"));
  }
  SECTION("replaced by a link while it is used") {
    fs::rename(scratch / "cache", scratch / "moved");
    fs::create_directory(scratch / "trap");
    fs::create_directory_symlink(scratch / "trap", scratch / "cache");
    CHECK(cache.store(fake_compile(key)));
    CHECK(files_below(scratch / "trap").empty());
    CHECK(files_below(scratch / "moved").size() == 1);
    CHECK(cache.find(key, "fake 1.0").has_value());
  }
}

TEST_CASE("every open is below a checked folder, and nothing is run or connected", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  CHECK(use_cache(scratch / "cache"));
  CHECK(open_cache(scratch / "cache").list().size() == 2);
  std::set<std::string> absolute;
  for (const auto& each : plan().opened) {
    INFO(each.name);
    CHECK(!each.inherited);
    if (each.folder == yoke::detail::current_folder) {
      absolute.insert(each.name);
    } else {
      CHECK(each.folder >= 0);
      CHECK(each.name.find('/') == std::string::npos);
    }
  }
  CHECK(absolute == std::set<std::string>{"/"});

  const int status = in_child([&] {
    const auto refuse = [](unsigned call, unsigned char to_end) {
      return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, to_end, 0, call};
    };
    sock_filter rules[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},  // the number of the call
                           refuse(SYS_execve, 5),
                           refuse(SYS_execveat, 4),
                           refuse(SYS_socket, 3),
                           refuse(SYS_connect, 2),
                           refuse(SYS_ptrace, 1),
                           {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
                           {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS}};
    sock_fprog program{std::size(rules), rules};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      return true;  // sandboxes refuse; opens were checked
    return use_cache(scratch / "second");
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("no descriptor of the cache outlives exec, and none is left open", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto descriptors = [] {
    std::set<int> all;
    for (int each = 0; each < 1024; ++each) {
      if (::fcntl(each, F_GETFD) >= 0) all.insert(each);
    }
    return all;
  };
  const auto before = descriptors();
  {
    const auto cache = open_cache(scratch / "cache");
    const auto during = descriptors();
    CHECK(during.size() == before.size() + 1);
    for (const int each : during) {
      if (before.count(each) == 0) CHECK((::fcntl(each, F_GETFD) & FD_CLOEXEC) != 0);
    }
    CHECK(use_cache(scratch / "cache"));
    CHECK(cache.list().size() == 2);
    CHECK(descriptors() == during);
  }
  CHECK(descriptors() == before);
}

TEST_CASE("a forked child goes on using the disk cache", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  const auto a = numbered_key(1);
  const auto b = numbered_key(2);
  cache.store(fake_compile(a));
  const int status = in_child([&] { return cache.find(a, "fake 1.0").has_value() && cache.store(fake_compile(b)); });
  CHECK(status == 0);
  CHECK(cache.find(b, "fake 1.0").has_value());
}

TEST_CASE("files of the cache hold no source text and no path", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  auto inputs = some_inputs("kernel of Mr Smith");
  inputs.headers = {{"/home/smith/a.h", "int smith;"}};
  const auto key = yoke::make_cache_key(inputs);
  cache.store({.key = key, .compiler = "fake 1.0", .payload = bytes_of("code")});
  const std::string raw = contents(file_of(scratch / "cache", key));
  CHECK(raw.find("code") != std::string::npos);
  const std::string folder = fs::path(scratch / "cache").parent_path().filename().string();
  REQUIRE_FALSE(folder.empty());
  for (const std::string& text : {std::string("Smith"), std::string("smith"), std::string("home"), folder}) {
    CHECK(raw.find(text) == std::string::npos);
  }
}

TEST_CASE("an entry that is replaced while it is opened is none, and no damaged one", "[cache]") {
  const stored_entry on;
  plan().change_facts = [](int, auto& facts) {
    if (facts.regular) facts.links = 0;  // the file that was opened has no name any more
  };
  CHECK_FALSE(on.find().has_value());
  plan().change_facts = nullptr;
  CHECK(on.cache.counters().damaged == 0);
  CHECK(on.find().has_value());  // what stands there now was left alone
}
