// SPDX-License-Identifier: MIT
// The disk cache: what is stored is found, by the right key and compiler, and makes room in time.
#include <support/catch.hpp>

#include <program/cache/cache_folder.hpp>
#include <support/faults/damaged_bytes.hpp>

#include <algorithm>
#include <optional>

using namespace yoke_test;

TEST_CASE("a stored program is found again, by this process and by the next", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto key = numbered_key(1);
  yoke::cache_entry stored = fake_compile(key);
  stored.created = 12345;
  {
    const auto cache = open_cache(scratch / "made/on/the/way");
    CHECK(cache.state() == yoke::cache_state::on);
    CHECK(cache.reason().empty());
    CHECK(cache.folder() == scratch / "made/on/the/way");
    CHECK_FALSE(cache.find(key, "fake 1.0").has_value());
    CHECK(cache.store(stored));
    CHECK(cache.find(key, "fake 1.0") == stored);
    const auto counters = cache.counters();
    CHECK(counters.hits == 1);
    CHECK(counters.misses == 1);
    CHECK(counters.stores == 1);
    CHECK(counters.failures == 0);
    CHECK(cache.last_failure().empty());
  }
  const auto next = open_cache(scratch / "made/on/the/way");
  CHECK(next.find(key, "fake 1.0") == stored);
  CHECK_FALSE(next.find(numbered_key(2), "fake 1.0").has_value());
  CHECK_FALSE(next.find(key, "fake 1.1").has_value());
  CHECK(files_below(scratch / "made").size() == 1);

  CHECK(next.remove(key, "fake 1.0"));
  CHECK_FALSE(next.remove(key, "fake 1.0"));
  CHECK_FALSE(next.find(key, "fake 1.0").has_value());
}

TEST_CASE("without a compiler the newest program wins, with one its own", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  const auto key = numbered_key(1);
  const auto with = [&](const char* compiler, std::uint64_t created) {
    yoke::cache_entry entry = fake_compile(key, compiler);
    entry.created = created;
    CHECK(cache.store(entry));
  };
  with("fake 1.0", 3000);
  with("fake 2.0", 5000);
  with("fake 0.9", 4000);
  REQUIRE(cache.find(key).has_value());
  CHECK(cache.find(key)->compiler == "fake 2.0");
  CHECK(cache.find(key, "fake 1.0")->compiler == "fake 1.0");
  CHECK(cache.find(key, "fake 0.9")->compiler == "fake 0.9");
  CHECK(cache.remove(key, "fake 2.0"));
  CHECK(cache.find(key)->compiler == "fake 0.9");
  with("from the future", ~std::uint64_t{0} / 2);  // a clock that was wrong once must not win for ever
  CHECK(cache.find(key)->compiler == "fake 0.9");
  CHECK(cache.remove(key, "fake 0.9"));
  CHECK(cache.remove(key, "fake 1.0"));
  CHECK(cache.find(key)->compiler == "from the future");
}

TEST_CASE("storing again replaces what stood there", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  const auto key = numbered_key(1);
  yoke::cache_entry entry = fake_compile(key);
  CHECK(cache.store(entry));
  entry.payload = bytes_of("other");
  CHECK(cache.store(entry));
  CHECK(cache.find(key, "fake 1.0")->payload == bytes_of("other"));
  CHECK(cache.find(key, "fake 1.0")->created > 1'600'000'000);  // the time of day was filled in
  CHECK(files_below(scratch / "cache").size() == 1);
}

TEST_CASE("an entry under another's name is a miss", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  const auto a = numbered_key(1);
  const auto b = numbered_key(2);
  cache.store(fake_compile(a));
  cache.store(fake_compile(b));
  const std::string file = file_of(scratch / "cache", b);
  write_file(file, contents(file_of(scratch / "cache", a)));
  CHECK_FALSE(cache.find(b, "fake 1.0").has_value());
  CHECK(cache.counters().damaged == 1);
  CHECK_FALSE(fs::exists(file));
  CHECK(cache.find(a, "fake 1.0").has_value());

  SECTION("and so is one under the name of another compiler") {
    const std::string one = file_of(scratch / "cache", a);
    fs::rename(one, one.substr(0, one.size() - 16) + "0123456789abcdef");
    CHECK_FALSE(cache.find(a).has_value());
    CHECK(cache.counters().damaged == 2);
  }
  SECTION("and one of the same id whose fields differ") {
    yoke::cache_entry forged = fake_compile(a);
    forged.key.fields.pop_back();
    cache.store(forged);
    CHECK_FALSE(cache.find(a, "fake 1.0").has_value());
  }
}

TEST_CASE("disk and memory agree over a random sequence of operations", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  std::vector<std::optional<yoke::cache_entry>> expected(8);
  unsigned random = 12345;
  for (int round = 0; round < 300; ++round) {
    random = random * 1664525u + 1013904223u;
    const std::size_t which = (random >> 8) % expected.size();
    const auto key = numbered_key(static_cast<int>(which));
    if ((random >> 16) % 3 == 0) {
      yoke::cache_entry entry = fake_compile(key);
      entry.created = static_cast<std::uint64_t>(round + 1);
      entry.payload.push_back(static_cast<std::byte>(round));
      REQUIRE(cache.store(entry));
      expected[which] = entry;
    } else if ((random >> 16) % 3 == 1) {
      REQUIRE(cache.remove(key, "fake 1.0") == expected[which].has_value());
      expected[which].reset();
    }
    REQUIRE(cache.find(key, "fake 1.0") == expected[which]);
  }
}

TEST_CASE("uses are noted once a day", "[cache]") {
  const stored_entry on;
  const auto touches = [&] {
    plan().log.clear();
    CHECK(on.find().has_value());
    return std::count(plan().log.begin(), plan().log.end(), "touch");
  };
  CHECK(touches() == 0);
  plan().later = 25 * 3600;
  CHECK(touches() == 1);
  CHECK(touches() == 0);
  CHECK(on.cache.list().at(0).last_used >= static_cast<std::uint64_t>(faulty_files().now() - 3600));
}

TEST_CASE("what was not used for long makes room", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  constexpr int count = 10;
  for (int i = 0; i < count; ++i) cache.store(fake_compile(numbered_key(i)));
  for (int i = count - 1; i >= 0; --i) {  // the last one stored was used first
    plan().later += 2 * 24 * 3600;
    CHECK(cache.find(numbered_key(i), "fake 1.0").has_value());
  }
  const auto items = cache.list();
  REQUIRE(items.size() == count);
  const std::uint64_t each = items[0].bytes;

  auto pruned = cache.prune(4 * each + each / 2);
  CHECK(pruned.removed == 6);
  CHECK(pruned.removed_bytes == 6 * each);
  CHECK(pruned.kept == 4);
  CHECK(pruned.kept_bytes == 4 * each);
  CHECK(cache.counters().evicted == 6);
  for (int i = 0; i < count; ++i) {
    INFO(i);
    CHECK(file_of(scratch / "cache", numbered_key(i)).empty() == (i >= 4));
  }
  pruned = cache.prune(~std::uint64_t{0}, 3 * 24 * 3600);  // two were used in the last three days
  CHECK(pruned.kept == 2);
  pruned = cache.prune(0);
  CHECK(pruned.kept == 0);
  CHECK(cache.list().empty());
}

TEST_CASE("a cache keeps to its size by itself", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  yoke::cache_entry entry = fake_compile(numbered_key(0));
  entry.payload.resize(10'000);
  const yoke::disk_cache cache{{.folder = scratch / "cache", .max_bytes = 100'000}, {}, faulty_files()};
  for (int i = 0; i < 40; ++i) {
    plan().later += 60;
    entry.key = numbered_key(i);
    CHECK(cache.store(entry));
    std::uint64_t total = 0;
    for (const auto& item : cache.list()) total += item.bytes;
    REQUIRE(total <= 100'000);
  }
  CHECK(cache.counters().evicted >= 30);
  CHECK(cache.find(numbered_key(39), "fake 1.0").has_value());
  entry.payload.resize(100'001);
  CHECK_FALSE(cache.store(entry));
  CHECK_THAT(cache.last_failure(), StartsWith("size: "));
}

TEST_CASE("files that a killed process left are swept after an hour", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  cache.store(fake_compile(numbered_key(1)));
  const std::string left =
      (fs::path(file_of(scratch / "cache", numbered_key(1))).parent_path() / ".tmp-1-1-00").generic_string();
  write_file(left, "half an ent");
  CHECK(cache.prune(1 << 20).swept == 0);
  CHECK(fs::exists(left));
  plan().later = 3700;
  CHECK(cache.prune(1 << 20).swept == 1);
  CHECK_FALSE(fs::exists(left));
  CHECK(cache.counters().swept == 1);
  CHECK(cache.find(numbered_key(1), "fake 1.0").has_value());
}

TEST_CASE("the folder's entries are listed, checked and cleared; strangers' files stay", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  for (int i = 0; i < 3; ++i) cache.store(fake_compile(numbered_key(i)));
  const std::string damaged = file_of(scratch / "cache", numbered_key(1));
  write_file(damaged, contents(damaged).substr(1));
  write_file((fs::path(damaged).parent_path() / "notes.txt").string(), "mine");
  write_file(scratch / "cache/notes.txt", "mine");

  const auto items = cache.list();
  REQUIRE(items.size() == 3);
  int good = 0;
  for (const auto& each : items) {
    if (each.condition == yoke::cache_condition::good) {
      ++good;
      CHECK(each.compiler == "fake 1.0");
      CHECK(each.created > 1'600'000'000);
    } else {
      CHECK(each.condition == yoke::cache_condition::damaged);
      CHECK(damaged.find(each.name) != std::string::npos);
    }
  }
  CHECK(good == 2);
  CHECK(fs::exists(damaged));
  const auto removed = cache.remove_damaged();
  REQUIRE(removed.size() == 1);
  CHECK_FALSE(fs::exists(damaged));
  CHECK(cache.list().size() == 2);
  CHECK(cache.clear() == 2);
  CHECK(cache.list().empty());
  CHECK(files_below(scratch / "cache").size() == 2);
}

TEST_CASE("entries of another schema are a miss and are left to their own version", "[cache]") {
  const stored_entry on;
  std::string bytes = contents(on.file);
  bytes[8] = 2;
  const std::string other = on.file.substr(0, on.file.size() - 16) + "0123456789abcdef";
  write_file(other, bytes);
  CHECK(on.find().has_value());
  CHECK(on.cache.find(on.key)->compiler == "fake 1.0");
  CHECK(fs::exists(other));
  CHECK(on.cache.counters().damaged == 0);
  int foreign = 0;
  for (const auto& each : on.cache.list()) foreign += each.condition == yoke::cache_condition::other_schema ? 1 : 0;
  CHECK(foreign == 1);
  CHECK(on.cache.remove_damaged().empty());
  CHECK(on.cache.prune(0).removed == 2);  // both count for the size
}

TEST_CASE("times to come neither stay for ever nor stop anything", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  plan().later = 400 * 24 * 3600;
  cache.store(fake_compile(numbered_key(1)));
  CHECK(cache.find(numbered_key(1), "fake 1.0").has_value());
  plan().later = 2 * 24 * 3600 + 60;
  CHECK(cache.find(numbered_key(1), "fake 1.0").has_value());  // touched: now it has a time that was
  plan().later = 0;
  cache.store(fake_compile(numbered_key(2)));
  const std::uint64_t each = cache.list().at(0).bytes;
  CHECK(cache.prune(each).kept == 1);
  CHECK_FALSE(cache.find(numbered_key(1), "fake 1.0").has_value());  // two days to come is no time
  CHECK(cache.find(numbered_key(2), "fake 1.0").has_value());
}

TEST_CASE("a shared folder is read, never written", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto key = numbered_key(1);
  const auto owner = yoke::detail::system_files().user();
  open_cache(scratch / "shared").store(fake_compile(key));
  const auto with = [&](std::uint32_t trusted) {
    return yoke::disk_cache{
        {.folder = scratch / "own", .shared_folder = scratch / "shared", .shared_owner = trusted}, {}, faulty_files()};
  };
  SECTION("of the trusted owner") {
    const auto cache = with(owner);
    CHECK(cache.reason().empty());
    CHECK(cache.find(key, "fake 1.0").has_value());
    CHECK(cache.find(key).has_value());
    cache.store(fake_compile(numbered_key(2)));
    cache.clear();
    cache.prune(0);
    CHECK(files_below(scratch / "shared").size() == 1);
    write_file(file_of(scratch / "shared", key), "damaged");
    CHECK_FALSE(cache.find(key, "fake 1.0").has_value());
    CHECK(files_below(scratch / "shared").size() == 1);  // whose it is removes it
  }
  SECTION("of nobody else") {
    const auto cache = with(owner + 1);
    CHECK_THAT(cache.reason(), ContainsSubstring("shared") && ContainsSubstring("user"));
    CHECK(cache.state() == yoke::cache_state::on);
    CHECK_FALSE(cache.find(key, "fake 1.0").has_value());
  }
  SECTION("also where there is no folder of one's own") {
    const yoke::disk_cache cache{{.shared_folder = scratch / "shared", .shared_owner = owner}, {}, faulty_files()};
    CHECK(cache.state() == yoke::cache_state::no_folder);
    CHECK(cache.find(key, "fake 1.0").has_value());
    CHECK_FALSE(cache.store(fake_compile(key)));
  }
  SECTION("but not where it may be written by others, or an entry may") {
    grant(writable_by_all, file_of(scratch / "shared", key));
    CHECK_FALSE(with(owner).find(key, "fake 1.0").has_value());
    grant(writable_by_all, scratch / "shared");
    CHECK_THAT(with(owner).reason(), ContainsSubstring("written to by others"));
  }
}

TEST_CASE("a file of which any bit is flipped, or that ends early, is a miss and is replaced", "[cache]") {
  const stored_entry on;
  const std::string good = contents(on.file);
  REQUIRE(good.size() > 1000);
  const auto is_hit = [&](std::span<const std::byte> some) {
    write_file(on.file, text_of(some));
    return on.find().has_value();
  };
  CHECK(accepted_flips(bytes_of(good), is_hit) == 0);
  CHECK(accepted_prefixes(bytes_of(good), is_hit) == 0);
  // A flip of the schema's number looks like an entry of another version: it is left alone until it is replaced.
  const std::uint64_t damaged = on.cache.counters().damaged;
  CHECK(damaged >= 8 * good.size() - 32 + good.size());
  std::string bytes = good;
  bytes[8] ^= 64;
  write_file(on.file, bytes);
  CHECK(is_right(get_or_compile(on.cache, on.key), on.key));
  CHECK(on.cache.counters().damaged == damaged);
  CHECK(on.find().has_value());
  CHECK(files_below(on.scratch / "cache").size() == 1);
}

TEST_CASE("a hit reads one file, once", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  for (int i = 0; i < 5; ++i) cache.store(fake_compile(numbered_key(i)));
  cache.store(fake_compile(numbered_key(1), "fake 2.0"));
  plan().log.clear();
  plan().opened.clear();
  REQUIRE(cache.find(numbered_key(1), "fake 1.0").has_value());
  CHECK(plan().log == std::vector<std::string>{"open", "fstat", "open", "fstat", "read", "close", "close"});
  REQUIRE(plan().opened.size() == 2);  // the shard, and the file in it
  CHECK(plan().opened[1].name.size() == 64 + 1 + 16);
}

TEST_CASE("what cannot be removed or looked at is told, and not called removed", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const auto cache = open_cache(scratch / "cache");
  for (int i = 0; i < 3; ++i) cache.store(fake_compile(numbered_key(i)));
  SECTION("a folder by the name of an entry") {
    const std::string file = file_of(scratch / "cache", numbered_key(1));
    fs::remove(file);
    fs::create_directory(file);
    CHECK(cache.remove_damaged().empty());
    CHECK(cache.counters().damaged == 0);
    CHECK(cache.counters().failures == 1);
    CHECK_THAT(cache.last_failure(), StartsWith("unlink: "));
    CHECK(cache.prune(0).removed == 2);
#if defined(_WIN32)
    constexpr unsigned tried = 0;  // a folder has no bytes there: it may stay
#else
    constexpr unsigned tried = 1;
#endif
    CHECK(cache.counters().failures == 1 + tried);
    CHECK(cache.clear() == 0);
    CHECK(cache.counters().failures == 2 + tried);
    CHECK(fs::exists(file));
  }
  SECTION("a file system that became read-only") {
    plan().name = "unlink";
    plan().code = EROFS;
    CHECK(cache.clear() == 0);
    CHECK(cache.counters().failures == 3);
    CHECK(cache.prune(0).removed == 0);
    CHECK(cache.counters().failures == 6);
    CHECK(cache.list().size() == 3);
  }
  SECTION("what another process has removed is no failure") {
    plan().name = "unlink";
    plan().code = ENOENT;
    CHECK(cache.clear() == 0);
    CHECK(cache.counters().failures == 0);
  }
  SECTION("a folder of the shards' that is not trusted") {
    const std::string shard = fs::path(file_of(scratch / "cache", numbered_key(1))).parent_path().generic_string();
    grant(writable_by_all, shard);
    CHECK(cache.list().size() < 3);
    CHECK(cache.counters().failures == 1);
    CHECK_THAT(cache.last_failure(), StartsWith("open: "));
  }
}

#if defined(_WIN32)
TEST_CASE("a folder of Windows is opened step by step, whichever way its steps are parted", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  const std::string plain = scratch / "one/two";
  std::string native = plain;
  std::replace(native.begin(), native.end(), '/', '\\');
  plan().opened.clear();
  CHECK(open_cache(plain).state() == yoke::cache_state::on);
  const std::size_t steps = plan().opened.size();
  CHECK(steps > 3);
  const auto check_opened = [&](const yoke::disk_cache& cache, const std::string& folder) {
    CHECK(cache.state() == yoke::cache_state::on);
    CHECK(cache.folder() == folder);
    for (const auto& each : plan().opened) CHECK(each.name.find('\\') == std::string::npos);
  };
  plan().opened.clear();
  check_opened(open_cache(native), plain);
  plan().opened.clear();
  yoke::environment variables;
  variables.local_app_data = native;
  check_opened(yoke::disk_cache{{}, variables, faulty_files()}, plain + "/yoke/cache");
  CHECK(plan().opened.size() > steps);
}

TEST_CASE("a step upwards in a folder of Windows is refused", "[cache]") {
  const fresh_plan guard;
  const scratch_folder scratch;
  std::string native = scratch / "one/../two";
  std::replace(native.begin(), native.end(), '/', '\\');
  const auto cache = open_cache(native);
  CHECK(cache.state() == yoke::cache_state::refused);
  CHECK(cache.reason().find("has a step upwards") != std::string::npos);
  yoke::environment variables;
  variables.local_app_data = native;
  const yoke::disk_cache named{{}, variables, faulty_files()};
  CHECK(named.state() == yoke::cache_state::no_folder);
  CHECK(named.reason().find("LOCALAPPDATA is no absolute path, has a step upwards") != std::string::npos);
}
#endif
