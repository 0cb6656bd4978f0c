// SPDX-License-Identifier: MIT
// `compile` through a cache, against a compiler and a driver that do as the test says.
#include <support/catch.hpp>

#include <program/cache/cache_folder.hpp>
#include <program/cache/compiling_port.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

#include <sys/wait.h>

using namespace yoke_test;

namespace {

/// A cache in a folder, its calls through the plan.
yoke::program_cache cache_in(const std::string& folder) {
  return yoke::program_cache{{.folder = folder}, {}, faulty_files()};
}

std::string expected(const std::string& source, const std::string& compiler = "script 1") {
  return "program of #line 1 \"kernel.archetype\"\n" + source + "\n by " + compiler;
}

}  // namespace

TEST_CASE("a program is compiled once, then loaded from memory, and by the next process from the disk", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
  CHECK(script().compiled == 1);
  CHECK(cache.counters().compiled == 1);
  CHECK(cache.disk().counters().stores == 1);
  CHECK(cache.size() == 1);

  CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
  CHECK(cache.counters().from_memory == 1);
  CHECK(cache.disk().counters().hits == 0);
  cache.clear_memory();
  CHECK(cache.size() == 0);
  script().opened = 0;
  CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
  CHECK(cache.counters().from_disk == 1);

  const auto next = cache_in(scratch / "cache");
  const auto module = yoke::compile(on.context, "a", {.cache = &next});
  CHECK(text_of(module.export_binary()) == expected("a"));
  CHECK(module.build_log() == "the driver's log of kernel.archetype");
  CHECK(next.counters().from_disk == 1);
  CHECK(next.counters().compiled == 0);
  CHECK(script().compiled == 1);
  CHECK(script().loaded == 3);
  CHECK(script().opened == 0);

  CHECK(on.compile("b", {.cache = &next}) == expected("b"));
  CHECK(next.counters().compiled == 1);
  CHECK(next.last_not_kept().empty());
  const yoke::program_cache copy = next;
  CHECK(copy.counters().compiled == 1);
}

TEST_CASE("a module of a hit says what the compile said", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  (void)on.compile("a", {.cache = &cache});
  auto items = cache.disk().list();
  REQUIRE(items.size() == 1);
  CHECK(items[0].compiler == "script 1");
  // Another log in the entry shows that it is the entry's that is told, not the driver's.
  const std::string file = file_of(scratch / "cache", items[0].name);
  auto entry = yoke::detail::decode_entry(bytes_of(contents(file)));
  REQUIRE(entry.has_value());
  CHECK(entry->log == "the driver's log of kernel.archetype");
  entry->log = "stored";
  REQUIRE(cache.disk().store(*entry));
  cache.clear_memory();
  CHECK(yoke::compile(on.context, "a", {.cache = &cache}).build_log() == "stored");
}

TEST_CASE("logs of several devices come back one by one", "[cache]") {
  using yoke::detail::joined_logs;
  using yoke::detail::split_logs;
  CHECK(split_logs(joined_logs({"3:x"}), 1) == std::vector<std::string>{"3:x"});
  const std::vector<std::string> two{"", "warning:\n12:3"};
  CHECK(split_logs(joined_logs(two), 2) == two);
  CHECK(split_logs(joined_logs(two), 3).empty());
  for (const char* damaged : {"", "1", "1:", "2:a", ":", "x:y", "99999999999:a", "1:a1:b1:c", "-1:a"}) {
    INFO(damaged);
    CHECK(split_logs(damaged, 2).empty());
  }
}

TEST_CASE("everything that a program depends on makes another program", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  std::filesystem::create_directories(scratch / "folder");
  const std::vector<yoke::compile_options> all{
      {},
      {.options = {"-w", "-g"}},
      {.options = {"-g", "-w"}},
      {.options = {"-w"}},
      {.include_folders = {scratch / "folder"}},
      {.defines = {{"N", 1}}},
      {.defines = {{"N", 2}}},
      {.defines = {{"N", 1}, {"M", 1}}},
      {.standard = "c++17"},
      {.name = "other.cl"},
      {.language = yoke::source_language::portable},
      {.header_digest = bytes_of("1")},
      {.header_digest = bytes_of("2")},
  };
  for (int round = 0; round < 2; ++round) {
    for (yoke::compile_options each : all) {
      each.cache = &cache;
      (void)on.compile("a", each);
    }
  }
  CHECK(script().compiled == static_cast<int>(all.size()));
  CHECK(cache.counters().from_memory == all.size());
  script().target = "another device";
  (void)on.compile("a", {.cache = &cache});
  CHECK(script().compiled == static_cast<int>(all.size()) + 1);
}

TEST_CASE("with a compiler only its own programs are found, without one the newest", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto compile = [&] {
    const auto cache = cache_in(scratch / "cache");
    return on.compile("a", {.cache = &cache});
  };
  const auto with = [](const char* guess, const char* compiler) {
    script().guess = guess;
    script().compiler = compiler;
    script().opened = 0;
  };
  CHECK(compile() == expected("a"));
  with("script 2", "script 2");
  CHECK(compile() == expected("a", "script 2"));
  with("script 1", "script 1");
  CHECK(compile() == expected("a"));
  CHECK(script().opened == 0);
  CHECK(script().compiled == 2);

  SECTION("a wrong guess costs opening the compiler and nothing else") {
    with("script 3", "script 2");
    CHECK(compile() == expected("a", "script 2"));
    CHECK(script().opened == 1);
    with("", "script 1");
    CHECK(compile() == expected("a"));
    CHECK(script().opened == 1);
    CHECK(script().compiled == 2);
  }
  SECTION("the newest") {
    plan().later = 100;
    with("script 3", "script 3");
    CHECK(compile() == expected("a", "script 3"));
    with("", "");
    CHECK(compile() == expected("a", "script 3"));
    CHECK(script().compiled == 3);
    const auto cache = cache_in(scratch / "cache");
    CHECK_THROWS_AS(on.compile("b", {.cache = &cache}), yoke::unsupported_error);
  }
}

TEST_CASE("a program that the driver refuses goes, and is compiled once more", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  {
    const auto cache = cache_in(scratch / "cache");
    (void)on.compile("a", {.cache = &cache});
  }
  int refusals = 0;
  script().on_load = [&] {
    ++refusals;
    yoke::detail::throw_error(yoke::errc::incompatible_binary, "refused", {});
  };
  const auto cache = cache_in(scratch / "cache");
  CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
  CHECK(refusals == 1);
  CHECK(script().compiled == 2);
  CHECK(cache.counters().refused == 1);
  CHECK(cache.counters().from_disk == 0);
  CHECK(cache.disk().counters().stores == 1);
  CHECK(cache.disk().list().size() == 1);

  SECTION("from memory too") {
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    CHECK(refusals == 2);
    CHECK(script().compiled == 3);
    CHECK(cache.size() == 0);
    CHECK(cache.disk().list().empty());
    script().on_load = {};
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    CHECK(script().compiled == 4);
    CHECK(cache.disk().list().size() == 1);
  }
  SECTION("but not for want of memory, or with a context that is lost") {
    for (const yoke::errc code : {yoke::errc::out_of_memory, yoke::errc::context_lost}) {
      script().on_load = [&] { yoke::detail::throw_error(code, "not now", {}); };
      CHECK_THROWS_AS(on.compile("a", {.cache = &cache}), yoke::error);
      CHECK(script().compiled == 2);
      CHECK(cache.disk().list().size() == 1);
    }
    script().on_load = {};
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    CHECK(script().compiled == 2);
  }
}

TEST_CASE("programs used least recently leave the memory, and are read from the folder again", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const std::size_t each = expected("a").size();
  const auto cache_of = [&](std::uint64_t bytes, std::string folder) {
    return yoke::program_cache{
        {.enabled = !folder.empty(), .folder = folder, .max_memory_bytes = bytes}, {}, faulty_files()};
  };
  const auto cache = cache_of(2 * each, scratch / "cache");
  const auto use = [&](const char* source) { CHECK(on.compile(source, {.cache = &cache}) == expected(source)); };
  use("a");
  use("b");
  CHECK(cache.size() == 2);
  use("a");
  CHECK(cache.counters().from_memory == 1);
  use("c");  // instead of b
  CHECK(cache.size() == 2);
  use("a");
  CHECK(cache.counters().from_memory == 2);
  CHECK(cache.counters().from_disk == 0);
  use("b");  // instead of c
  CHECK(cache.counters().from_disk == 1);
  use("a");
  CHECK(cache.counters().from_memory == 3);
  use("c");
  CHECK(cache.counters().from_disk == 2);
  CHECK(cache.counters().compiled == 3);
  cache.clear_memory();
  use("a");
  use("b");
  CHECK(cache.size() == 2);

  // One that is larger than all, and a cache that may keep nothing.
  const auto small = cache_of(each - 1, scratch / "cache");
  CHECK(on.compile("a", {.cache = &small}) == expected("a"));
  CHECK(on.compile("a", {.cache = &small}) == expected("a"));
  CHECK(small.size() == 0);
  CHECK(small.counters().from_disk == 2);

  // Without a folder the memory is all there is.
  const auto alone = cache_of(each, {});
  for (const char* const source : {"a", "b", "c", "a"}) {
    CHECK(on.compile(source, {.cache = &alone}) == expected(source));
  }
  CHECK(alone.size() == 3);
  CHECK(alone.counters().from_memory == 1);
  CHECK(alone.counters().compiled == 3);
}

TEST_CASE("what depends on headers that cannot be followed is not kept without a digest", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  std::filesystem::create_directories(scratch / "headers");
  const auto compile = [&](yoke::compile_options options, const std::string& source) {
    options.cache = &cache;
    options.include_folders = {scratch / "headers"};
    (void)on.compile(source, options);
  };
  std::uint64_t not_kept = 0;
  const auto check_not_kept = [&](const yoke::compile_options& options, const std::string& source, const char* why) {
    const int before = script().compiled;
    compile(options, source);
    compile(options, source);
    CHECK(script().compiled == before + 2);
    CHECK(cache.counters().not_kept == (not_kept += 2));
    CHECK_THAT(cache.last_not_kept(), ContainsSubstring(why));
    CHECK(cache.size() == 0);
    CHECK(cache.disk().list().empty());
  };
  check_not_kept({}, "\n#include \"none.h\"", "\"none.h\" in line 2 of kernel.archetype is in none of the folders");
  check_not_kept({.name = "mine.cl"}, "#include NAME", "mine.cl: line 1 includes by a macro");
  check_not_kept({.options = {"-include x.h"}}, "a", "option \"-include\" may name a file");
  check_not_kept({.defines = {{"HAS", "__has_include(<x.h>)"}}}, "a", "define \"HAS\" may ask for a header");

  const int before = script().compiled;
  for (int round = 0; round < 2; ++round) {
    compile({.header_digest = bytes_of("one")}, "#include NAME");
    compile({.header_digest = bytes_of("two")}, "#include NAME");
  }
  CHECK(script().compiled == before + 2);
  CHECK(cache.counters().not_kept == not_kept);
  CHECK(cache.disk().list().size() == 2);
}

TEST_CASE("a header that changes, or that comes before another, makes another program", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  for (const char* each : {"one", "two"}) std::filesystem::create_directories(scratch / each);
  write_file(scratch / "two/a.h", "#include \"b.h\"\n");
  write_file(scratch / "two/b.h", "int b;\n");
  const auto compiles = [&] {
    const int before = script().compiled;
    const auto cache = cache_in(scratch / "cache");
    (void)on.compile("#include \"a.h\"", {.include_folders = {scratch / "one", scratch / "two"}, .cache = &cache});
    CHECK(cache.last_not_kept().empty());
    return script().compiled - before;
  };
  CHECK(compiles() == 1);
  CHECK(compiles() == 0);
  write_file(scratch / "two/b.h", "int c;\n");
  CHECK(compiles() == 1);
  CHECK(compiles() == 0);
  write_file(scratch / "one/b.h", "int c;\n");
  CHECK(compiles() == 1);
  CHECK(compiles() == 0);
  std::filesystem::remove(scratch / "one/b.h");
  CHECK(compiles() == 0);  // as it was before
  write_file(scratch / "two/b.h", "int b;\n");
  CHECK(compiles() == 0);
  write_file(scratch / "two/c.h", "nobody includes this");
  CHECK(compiles() == 0);
}

TEST_CASE("a header that changes while the program is compiled keeps the program out", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  write_file(scratch / "a.h", "one");
  const yoke::compile_options options{.include_folders = {scratch / ""}, .cache = &cache};
  script().on_compile = [&] { write_file(scratch / "a.h", "two"); };
  (void)on.compile("#include <a.h>", options);
  CHECK(cache.disk().list().empty());
  CHECK(cache.size() == 0);
  CHECK(cache.counters().not_kept == 1);
  CHECK_THAT(cache.last_not_kept(), StartsWith("a header has changed"));
  script().on_compile = {};
  (void)on.compile("#include <a.h>", options);
  CHECK(cache.disk().list().size() == 1);
  CHECK(script().compiled == 2);
}

TEST_CASE("8 threads that compile one program compile it once, and get a module each", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  std::atomic<int> right{0};
  const auto run = [&](const auto& body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back(body);
    for (std::thread& each : threads) each.join();
  };
  script().on_compile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  run([&] { right += on.compile("a", {.cache = &cache}) == expected("a") ? 1 : 0; });
  CHECK(right == 8);
  CHECK(script().compiled == 1);
  CHECK(cache.counters().compiled == 1);
  CHECK(cache.counters().from_memory == 7);

  SECTION("what cannot be kept is compiled by each") {
    script().exports = false;
    std::atomic<int> made{0};
    run([&] { made += yoke::compile(on.context, "b", {.cache = &cache}).kernel_names().empty() ? 0 : 1; });
    CHECK(made == 8);
    CHECK(script().compiled == 9);
    CHECK_THAT(cache.last_not_kept(), ContainsSubstring("no bytes"));
    CHECK(cache.size() == 1);
  }
  SECTION("a failure reaches all who waited, and is not kept") {
    std::atomic<int> failed{0};
    script().on_compile = [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      yoke::detail::throw_error(yoke::errc::build_failed, "broken", {});
    };
    run([&] {
      try {
        (void)on.compile("b", {.cache = &cache});
      } catch (const yoke::error& e) {
        failed += e.code() == yoke::errc::build_failed ? 1 : 0;
      }
    });
    CHECK(failed == 8);
    CHECK(cache.disk().list().size() == 1);
    script().on_compile = {};
    CHECK(on.compile("b", {.cache = &cache}) == expected("b"));
  }
  CHECK(on.driver.alive() == 1);  // the context
}

TEST_CASE("no folder, and no trouble with it, keeps a program from being compiled", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto check = [&](const yoke::program_cache& cache, yoke::cache_state state) {
    script().compiled = 0;
    CHECK(cache.disk().state() == state);
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    return script().compiled;
  };
  SECTION("memory is left") {
    std::filesystem::create_directories(scratch / "open");
    REQUIRE(::chmod((scratch / "open").c_str(), 0777) == 0);
    CHECK(check(cache_in(scratch / "open"), yoke::cache_state::refused) == 1);
    std::filesystem::create_symlink(scratch / "open", scratch / "link");
    CHECK(check(cache_in(scratch / "link"), yoke::cache_state::refused) == 1);
    CHECK(check(yoke::program_cache{{}, {}}, yoke::cache_state::no_folder) == 1);
    CHECK(check(yoke::program_cache{{.enabled = false}, {}}, yoke::cache_state::off) == 1);
    CHECK(files_below(scratch / "open").empty());
  }
  SECTION("YOKE_CACHE=off leaves nothing") {
    yoke::environment off;
    off.cache = "off";
    const yoke::program_cache cache{{.folder = scratch / "cache"}, off};
    CHECK(check(cache, yoke::cache_state::off) == 2);
    CHECK(cache.size() == 0);
    CHECK(cache.last_not_kept() == "YOKE_CACHE is off");
  }
  SECTION("each file call in turn fails") {
    int calls = 0;
    {
      const auto cache = cache_in(scratch / "first");
      plan().calls = 0;
      CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
      calls = plan().calls;
    }
    REQUIRE(calls >= 8);
    for (int at = 0; at < calls; ++at) {
      INFO("call " << at);
      plan() = {};
      const std::string folder = scratch / ("folder" + std::to_string(at));
      const auto cache = cache_in(folder);
      plan().calls = 0;
      plan().at = at;
      CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
      plan().at = -1;
      CHECK(files_below(folder, ".tmp-").empty());
      const auto next = cache_in(folder);
      CHECK(on.compile("a", {.cache = &next}) == expected("a"));
      CHECK(next.disk().counters().damaged == 0);
    }
  }
}

TEST_CASE("a compile that is killed at any file call leaves the next one right", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto compile = [&] {
    const auto cache = cache_in(scratch / "cache");
    return on.compile("a", {.cache = &cache}) == expected("a") && cache.disk().counters().damaged == 0;
  };
  int killed = 0;
  for (int at = 0;; ++at) {
    std::filesystem::remove_all(scratch / "cache");
    const pid_t child = ::fork();
    if (child == 0) {
      plan().at = at;
      plan().kill = true;
      plan().calls = 0;
      ::_exit(compile() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    INFO("call " << at);
    CHECK(compile());
    CHECK(compile());
    if (WIFEXITED(status)) {
      CHECK(WEXITSTATUS(status) == 0);
      break;
    }
    CHECK(WTERMSIG(status) == SIGKILL);
    ++killed;
  }
  CHECK(killed >= 8);
}

TEST_CASE("entries that do not show up, folders that go away and clocks that are wrong spoil nothing", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  const auto compile = [&] {
    cache.clear_memory();
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
  };
  compile();
  plan().hide = [](const std::string& name) { return name.size() == 64 + 1 + 16; };
  compile();
  CHECK(script().compiled == 2);
  plan().hide = {};
  compile();
  CHECK(script().compiled == 2);
  plan().later = -400 * 24 * 3600;  // what is stored is in the future
  compile();
  CHECK(script().compiled == 2);
  plan().later = 0;
  std::filesystem::remove_all(scratch / "cache");
  compile();
  compile();
  CHECK(script().compiled == 4);
  std::filesystem::create_directories(scratch / "elsewhere");
  std::filesystem::create_symlink(scratch / "elsewhere", scratch / "cache");
  compile();
  CHECK(script().compiled == 5);
  CHECK(files_below(scratch / "elsewhere").empty());
}

TEST_CASE("an entry that was damaged is compiled anew", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  std::string name;
  {
    const auto cache = cache_in(scratch / "cache");
    (void)on.compile("a", {.cache = &cache});
    name = cache.disk().list().at(0).name;
  }
  const std::string file = file_of(scratch / "cache", name);
  const std::string good = contents(file);
  for (const std::size_t at : {std::size_t{0}, good.size() / 3, good.size() / 2, good.size() - 1}) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    write_file(file, flipped);
    const int before = script().compiled;
    const auto cache = cache_in(scratch / "cache");
    CHECK(on.compile("a", {.cache = &cache}) == expected("a"));
    CHECK(script().compiled == before + 1);
    CHECK(cache.disk().counters().stores == 1);
    CHECK(contents(file).size() == good.size());
  }
}

TEST_CASE("what compile stores has no source text, no paths and no options", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  script().on_compile = {};
  const auto cache = cache_in(scratch / "cache");
  write_file(scratch / "secret_header.h", "int secret_content;");
  const auto module = yoke::compile(on.context, "#include <secret_header.h>\nint secret_source;",
                                    {.options = {"-secret_option"},
                                     .include_folders = {scratch / ""},
                                     .defines = {{"secret_define", 1}},
                                     .name = "named.cl",
                                     .cache = &cache});
  const auto items = cache.disk().list();
  REQUIRE(items.size() == 1);
  auto entry = yoke::detail::decode_entry(bytes_of(contents(file_of(scratch / "cache", items[0].name))));
  REQUIRE(entry.has_value());
  entry->payload.clear();  // the driver's own, here its source
  CHECK_THAT(text_of(yoke::detail::encode_entry(*entry)),
             !ContainsSubstring("secret") && !ContainsSubstring(scratch / ""));
}

TEST_CASE("a handle of a cache that was moved from is still one of it", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  yoke::program_cache cache = cache_in(scratch / "cache");
  const yoke::program_cache moved = std::move(cache);
  CHECK(on.compile("a", {.cache = &cache}) == expected("a"));  // NOLINT: that is what is asked
  CHECK(moved.size() == 1);
  CHECK(cache.counters().compiled == 1);
  yoke::disk_cache disk = moved.disk();
  const yoke::disk_cache same = std::move(disk);
  CHECK(disk.folder() == same.folder());  // NOLINT
  CHECK(disk.state() == yoke::cache_state::on);
}

TEST_CASE("intermediate code goes through the cache: what the driver makes of it is kept, and no compiler is asked",
          "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  const auto cache = cache_in(scratch / "cache");
  const auto load = [&](const yoke::program_cache* with, const std::string& code, yoke::compile_options options = {}) {
    options.cache = with;
    return text_of(yoke::load_intermediate(on.context, bytes_of(code), options).export_binary());
  };
  CHECK(load(nullptr, "one") == "module of one");
  CHECK(script().compiled == 1);
  CHECK(load(&cache, "one") == "machine code of one");
  CHECK(script().compiled == 2);
  CHECK(cache.disk().counters().stores == 1);
  CHECK(load(&cache, "one") == "machine code of one");
  CHECK(cache.counters().from_memory == 1);
  const auto next = cache_in(scratch / "cache");
  CHECK(load(&next, "one") == "machine code of one");
  CHECK(next.counters().from_disk == 1);
  CHECK(yoke::load_intermediate(on.context, bytes_of("one"), {.cache = &next}).build_log() ==
        "the driver's log of kernel.archetype");
  CHECK(script().compiled == 2);
  CHECK(script().opened == 0);  // the compiler of sources has no part in it
  CHECK(cache.disk().list().at(0).compiler == "the driver 1");

  CHECK(load(&next, "two") == "machine code of two");
  CHECK(load(&next, "one", {.options = {"-w"}}) == "machine code of one");
  CHECK(load(&next, "one", {.standard = "c++20"}) == "machine code of one");
  CHECK(load(&next, "one", {.math = {.contract = false}}) == "machine code of one");
  CHECK(script().compiled == 6);
  script().target = "another device";
  CHECK(load(&next, "one") == "machine code of one");
  CHECK(script().compiled == 7);
  CHECK(cache.disk().list().size() == 6);
  // A source of the same text is another program.
  CHECK(on.compile("one", {.cache = &next}) == expected("one"));
  CHECK(script().compiled == 8);

  script().on_compile = [] { yoke::detail::throw_error(yoke::errc::build_failed, "broken", {}); };
  for (int round = 0; round < 2; ++round) CHECK_THROWS_AS(load(&next, "three"), yoke::error);
  CHECK(script().compiled == 10);
  CHECK(cache.disk().list().size() == 7);
  script().on_compile = {};
  CHECK(load(&next, "three") == "machine code of three");
}

TEST_CASE("8 threads that load one intermediate code compile it once", "[cache]") {
  const fresh_plan guard;
  const compiling_rig on;
  const yoke::program_cache cache{{.enabled = false}, {}};
  script().on_compile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto module = yoke::load_intermediate(on.context, bytes_of("code"), {.cache = &cache});
      right += text_of(module.export_binary()) == "machine code of code" ? 1 : 0;
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 8);
  CHECK(script().compiled == 1);
  CHECK(cache.counters().from_memory == 7);
}

TEST_CASE(
    "a header in no folder belongs to a compiler that looks nowhere else, and one that appears is another program",
    "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  script().closed = true;
  fs::create_directories(scratch / "toolkit");
  write_file(scratch / "toolkit/half.h", "#ifndef RTC\n#include <utility>\n#endif\n#include \"half.hpp\"\n");
  write_file(scratch / "toolkit/half.hpp", "int one;\n");
  const auto compiles = [&](const std::string& source) {
    const int before = script().compiled;
    const auto cache = cache_in(scratch / "cache");
    (void)on.compile(source, {.include_folders = {scratch / "toolkit"}, .cache = &cache});
    CHECK(cache.last_not_kept().empty());
    return script().compiled - before;
  };
  const std::string source = "#include <half.h>\n";
  CHECK(compiles(source) == 1);
  CHECK(compiles(source) == 0);
  write_file(scratch / "toolkit/half.hpp", "int two;\n");
  CHECK(compiles(source) == 1);
  CHECK(compiles(source) == 0);
  write_file(scratch / "toolkit/utility", "int mine;\n");
  CHECK(compiles(source) == 1);
  CHECK(compiles(source) == 0);
  fs::remove(scratch / "toolkit/utility");
  CHECK(compiles(source) == 0);  // as it was before

  // What stands before the source needs a header, too, where it has structs with such members.
  script().language.own_include = "\n#include <cuda_";
  script().language.prelude = "#define A\n#include <cuda_half.h>\n";
  write_file(scratch / "toolkit/cuda_half.h", "int three;\n");
  CHECK(compiles("YOKE_KERNEL f() {}") == 1);
  CHECK(compiles("YOKE_KERNEL f() {}") == 0);
  write_file(scratch / "toolkit/cuda_half.h", "int four;\n");
  CHECK(compiles("YOKE_KERNEL f() {}") == 1);
  script().closed = false;
  const auto cache = cache_in(scratch / "cache");
  (void)on.compile("YOKE_KERNEL f() {}", {.include_folders = {scratch / "toolkit"}, .cache = &cache});
  CHECK_THAT(cache.last_not_kept(), ContainsSubstring("need a header of Script's"));
  (void)on.compile(source, {.include_folders = {scratch / "toolkit"}, .cache = &cache});
  CHECK_THAT(cache.last_not_kept(), ContainsSubstring("<utility> in line 2 of"));
}

TEST_CASE("a hit reads one file of the cache, asks nobody for a compiler, and loads one program", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const compiling_rig on;
  {
    const auto cache = cache_in(scratch / "cache");
    (void)on.compile("a", {.cache = &cache});
    (void)on.compile("b", {.cache = &cache});
    (void)yoke::load_intermediate(on.context, bytes_of("c"), {.cache = &cache});
  }
  const auto cache = cache_in(scratch / "cache");
  const auto check_hit = [&](std::size_t reads, const auto& get) {
    plan().log.clear();
    script().opened = script().compiled = script().loaded = 0;
    get();
    CHECK(static_cast<std::size_t>(std::count(plan().log.begin(), plan().log.end(), "read")) == reads);
    CHECK(plan().log.size() == 7 * reads);  // two are opened, looked at and closed: a folder, and a file in it
    CHECK(script().opened == 0);
    CHECK(script().compiled == 0);
    CHECK(script().loaded == 1);
  };
  const auto compile = [&] { CHECK(on.compile("a", {.cache = &cache}) == expected("a")); };
  const auto load = [&] { (void)yoke::load_intermediate(on.context, bytes_of("c"), {.cache = &cache}); };
  check_hit(1, compile);
  check_hit(0, compile);  // in memory no file at all
  check_hit(1, load);
  check_hit(0, load);
}
