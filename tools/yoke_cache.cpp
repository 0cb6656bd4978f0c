// SPDX-License-Identifier: MIT
// Looks after the folder of compiled programs: where it is, what is in it, whether that is whole, and makes room.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <yoke/program/disk_cache.hpp>

namespace {

using json = nlohmann::ordered_json;

const char* state_name(yoke::cache_state state) {
  switch (state) {
    case yoke::cache_state::on: return "on";
    case yoke::cache_state::off: return "off";
    case yoke::cache_state::no_folder: return "no folder";
    case yoke::cache_state::refused: return "refused";
  }
  return "unknown";
}

const char* condition_name(yoke::cache_condition condition) {
  switch (condition) {
    case yoke::cache_condition::good: return "good";
    case yoke::cache_condition::damaged: return "damaged";
    case yoke::cache_condition::other_schema: return "of another version";
  }
  return "unknown";
}

/// Returns: a time in UTC as "2026-01-31 23:59"; "-" for none.
std::string time_text(std::uint64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = {};
  if (seconds == 0 || ::gmtime_r(&time, &parts) == nullptr ||
      std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) == 0) {
    return "-";
  }
  return text;
}

/// Returns: text of others without control characters, which a terminal would obey, and without bytes that are no ASCII.
std::string printable(std::string text) {
  for (char& each : text) {
    if (each < ' ' || each > '~') each = '?';
  }
  return text;
}

struct command {
  std::string folder;
  bool as_json = false;
  bool remove = false;
  std::uint64_t max_bytes = yoke::disk_cache_options{}.max_bytes;
  std::uint64_t max_age = 0;  ///< in days; 0: any
};

void print(const json& document) { fmt::print("{}\n", document.dump(2)); }

int show_where(const yoke::disk_cache& cache, const command& how) {
  if (how.as_json) {
    print({{"state", state_name(cache.state())}, {"folder", cache.folder()}, {"reason", cache.reason()}});
  } else {
    fmt::print("{}\n", cache.folder().empty() ? "-" : cache.folder());
    fmt::print("state   {}\n", state_name(cache.state()));
    if (!cache.reason().empty()) fmt::print("why     {}\n", cache.reason());
  }
  return cache.state() == yoke::cache_state::on ? EXIT_SUCCESS : EXIT_FAILURE;
}

void show_items(const std::vector<yoke::cache_item>& items, bool as_json) {
  if (as_json) {
    json list = json::array();
    for (const auto& each : items) {
      list.push_back({{"name", each.name},
                      {"condition", condition_name(each.condition)},
                      {"bytes", each.bytes},
                      {"compiler", printable(each.compiler)},
                      {"created", each.created},
                      {"last_used", each.last_used}});
    }
    print({{"entries", list}});
    return;
  }
  for (const auto& each : items) {
    fmt::print("{}  {:>10}  {}  {}  {}\n", each.name, each.bytes, time_text(each.last_used),
               condition_name(each.condition), printable(each.compiler));
  }
}

int list(const yoke::disk_cache& cache, const command& how) {
  const auto items = cache.list();
  show_items(items, how.as_json);
  if (how.as_json) return EXIT_SUCCESS;
  std::uint64_t bytes = 0;
  for (const auto& each : items) bytes += each.bytes;
  fmt::print("{} entries, {} bytes\n", items.size(), bytes);
  return EXIT_SUCCESS;
}

int verify(const yoke::disk_cache& cache, const command& how) {
  const auto items = cache.list();
  std::vector<yoke::cache_item> damaged;
  for (const auto& each : items) {
    if (each.condition == yoke::cache_condition::damaged) damaged.push_back(each);
  }
  const std::size_t removed = how.remove ? cache.remove_damaged().size() : 0;
  if (how.as_json) {
    json names = json::array();
    for (const auto& each : damaged) names.push_back(each.name);
    print({{"checked", items.size()}, {"damaged", names}, {"removed", removed}});
  } else {
    show_items(damaged, false);
    fmt::print("{} entries, {} damaged, {} removed\n", items.size(), damaged.size(), removed);
  }
  return damaged.size() <= removed ? EXIT_SUCCESS : EXIT_FAILURE;
}

int prune(const yoke::disk_cache& cache, const command& how) {
  constexpr std::uint64_t day = 24 * 60 * 60;
  const auto done = how.max_age == 0 ? cache.prune(how.max_bytes) : cache.prune(how.max_bytes, how.max_age * day);
  if (how.as_json) {
    print({{"removed", done.removed},
           {"removed_bytes", done.removed_bytes},
           {"kept", done.kept},
           {"kept_bytes", done.kept_bytes},
           {"swept", done.swept}});
  } else {
    fmt::print("{} entries removed ({} bytes), {} kept ({} bytes), {} files left by killed processes removed\n",
               done.removed, done.removed_bytes, done.kept, done.kept_bytes, done.swept);
  }
  return EXIT_SUCCESS;
}

int clear(const yoke::disk_cache& cache, const command& how) {
  const std::uint64_t removed = cache.clear();
  if (how.as_json) {
    print({{"removed", removed}});
  } else {
    fmt::print("{} files removed\n", removed);
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** arguments) {
  command how;
  int (*action)(const yoke::disk_cache&, const command&) = nullptr;
  CLI::App app{"Looks after the folder of compiled programs."};
  app.require_subcommand(1);
  app.set_version_flag("--version", YOKE_VERSION_STRING);
  const auto add = [&](const char* name, const char* text, int (*what)(const yoke::disk_cache&, const command&)) {
    CLI::App* const sub = app.add_subcommand(name, text);
    sub->add_option("--folder", how.folder, "the folder; by default that of YOKE_CACHE_DIR, XDG_CACHE_HOME or HOME");
    sub->add_flag("--json", how.as_json, "JSON instead of text");
    sub->callback([&action, what] { action = what; });
    return sub;
  };
  add("where", "says where the folder is, and why there is none", show_where);
  add("list", "lists the entries", list);
  add("verify", "reads and checks every entry", verify)
      ->add_flag("--remove", how.remove, "remove those that are damaged");
  CLI::App* const pruning = add("prune", "removes what was not used for long, and what killed processes left", prune);
  pruning->add_option("--max-bytes", how.max_bytes, "how much to keep")->capture_default_str();
  pruning->add_option("--max-age", how.max_age, "remove what was not used for so many days; 0: whatever its age")
      ->check(CLI::Range(0, 36500));
  add("clear", "removes every entry", clear);
  try {
    app.parse(count, arguments);
    const yoke::disk_cache cache{{.folder = how.folder}};
    if (action != show_where && cache.state() != yoke::cache_state::on) {
      fmt::print(stderr, "There is no cache: {}\n", cache.reason());
      return EXIT_FAILURE;
    }
    return action(cache, how);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? EXIT_SUCCESS : 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return EXIT_FAILURE;
}
