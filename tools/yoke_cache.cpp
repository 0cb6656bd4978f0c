// SPDX-License-Identifier: MIT
// Looks after the folder of compiled programs: where it is, what is in it, whether that is whole, and makes room.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <yoke/core/file.hpp>
#include <yoke/core/file_functions.hpp>
#include <yoke/program/cache/disk_cache.hpp>

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

/// Effects: prints JSON; bytes that are no UTF-8, as a path may have them, become U+FFFD.
void print(const json& document) { fmt::print("{}\n", document.dump(2, ' ', false, json::error_handler_t::replace)); }

/// Whether the folder was to be made, which this tool never does: it looks after what is there.
bool& folder_is_missing() {
  static bool is = false;
  return is;
}
const yoke::detail::file_functions& files_without_making() {
  static const yoke::detail::file_functions functions = [] {
    yoke::detail::file_functions all = yoke::detail::system_files();
    all.make_folder = [](int, const char*, unsigned) -> int {
      folder_is_missing() = true;
      return -ENOENT;
    };
    return all;
  }();
  return functions;
}

int show_where(const yoke::disk_cache& cache, const command& how) {
  const char* const state = folder_is_missing() ? "not there yet" : state_name(cache.state());
  if (how.as_json) {
    print({{"state", state}, {"folder", cache.folder()}, {"reason", cache.reason()}});
  } else {
    fmt::print("{}\n", cache.folder().empty() ? "-" : printable(cache.folder()));
    fmt::print("state   {}\n", state);
    if (!cache.reason().empty()) fmt::print("why     {}\n", printable(cache.reason()));
  }
  return cache.state() == yoke::cache_state::on || folder_is_missing() ? EXIT_SUCCESS : EXIT_FAILURE;
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
  // One pass removes, the next tells what is left: other processes may use the folder meanwhile.
  std::vector<yoke::cache_item> damaged;
  if (how.remove) damaged = cache.remove_damaged();
  const std::size_t removed = damaged.size();
  const auto items = cache.list();
  for (const auto& each : items) {
    if (each.condition == yoke::cache_condition::damaged) damaged.push_back(each);
  }
  const std::size_t checked = items.size() + removed;
  if (how.as_json) {
    json names = json::array();
    for (const auto& each : damaged) names.push_back(each.name);
    print({{"checked", checked}, {"damaged", names}, {"removed", removed}});
  } else {
    show_items(damaged, false);
    fmt::print("{} entries, {} damaged, {} removed\n", checked, damaged.size(), removed);
  }
  return damaged.size() == removed ? EXIT_SUCCESS : EXIT_FAILURE;
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

/// Effects: does what is asked for. Returns: how the program ends.
int run(int (*action)(const yoke::disk_cache&, const command&), const command& how) {
  const yoke::disk_cache cache{{.folder = how.folder}, yoke::process_environment(), files_without_making()};
  // Nothing has been stored yet; but a folder that somebody names has to be there.
  const bool is_empty = folder_is_missing() && how.folder.empty();
  if (action != show_where && cache.state() != yoke::cache_state::on && !is_empty) {
    fmt::print(stderr, "There is no cache: {}\n", printable(cache.reason()));
    return EXIT_FAILURE;
  }
  int result = action(cache, how);
  if (action != show_where && cache.counters().failures != 0) {
    fmt::print(stderr, "{} calls failed, the last of them {}\n", cache.counters().failures,
               printable(cache.last_failure()));
    result = EXIT_FAILURE;
  }
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "error: the output cannot be written\n");
    result = EXIT_FAILURE;
  }
  return result;
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
    sub->add_option("--folder", how.folder, "the folder; by default that of YOKE_CACHE_DIR, XDG_CACHE_HOME or HOME")
        ->check([](const std::string& folder) { return folder.empty() ? std::string("is empty") : std::string(); });
    sub->add_flag("--json", how.as_json, "JSON instead of text");
    sub->callback([&action, what] { action = what; });
    return sub;
  };
  add("where", "says where the folder is, and why there is none", show_where);
  add("list", "lists the entries", list);
  add("verify", "reads and checks every entry", verify)
      ->add_flag("--remove", how.remove, "remove those that are damaged");
  CLI::App* const pruning = add("prune", "removes what was not used for long, and what killed processes left", prune);
  // The parser would take -1 for the largest number there is.
  const auto number = [](const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::string() : "\"" + printable(text) + "\" is no number of digits alone";
  };
  pruning->add_option("--max-bytes", how.max_bytes, "how much to keep")->capture_default_str()->check(number);
  pruning->add_option("--max-age", how.max_age, "remove what was not used for so many days; 0: whatever its age")
      ->check(number)
      ->check(CLI::Range(0, 36500));
  add("clear", "removes every entry", clear);
  try {
    app.parse(count, arguments);
    return run(action, how);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? EXIT_SUCCESS : 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return EXIT_FAILURE;
}
