// SPDX-License-Identifier: MIT
// Bodies of program/cache/disk_cache.hpp: reads, writes and removes entries in the folder.
#ifndef YOKE_PROGRAM_CACHE_DISK_CACHE_IPP
#define YOKE_PROGRAM_CACHE_DISK_CACHE_IPP

#include <yoke/core/file.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/cache/cache_folder.hpp>
#include <yoke/program/cache/disk_cache.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>

namespace yoke::inline v0_1 {

class disk_cache::keeper {
 public:
  using file_functions = detail::file_functions;
  using open_file = detail::open_file;

  keeper(const disk_cache_options& options, const environment& variables, const file_functions& files)
      : files_(files),
        owner_(files.user()),
        shared_owner_(options.shared_owner),
        max_bytes_(options.max_bytes),
        own_(files, -1),
        shared_(files, -1) {
    choose(options, variables);
    if (state == cache_state::off) return;
    std::string why;
    if (!path.empty()) {
      own_ = detail::open_trusted_folder(files_, path, owner_, true, why);
      state = own_ ? cache_state::on : cache_state::refused;
      if (!own_) note(why);
    }
    if (!options.shared_folder.empty()) {
      const std::string shared = detail::with_slashes(options.shared_folder);
      shared_ = detail::open_trusted_folder(files_, shared, shared_owner_, false, why);
      if (!shared_) note("shared: " + why);
    }
  }

  cache_state state = cache_state::no_folder;
  std::string reason;
  std::string path;

  [[nodiscard]] cache_counters counters() const noexcept {
    return {.hits = hits_,
            .misses = misses_,
            .stores = stores_,
            .failures = failures_,
            .damaged = damaged_,
            .evicted = evicted_,
            .swept = swept_};
  }

  [[nodiscard]] std::string last_failure() const {
    const std::lock_guard lock(mutex_);
    return last_failure_;
  }

  std::optional<cache_entry> find(const cache_key& key, std::string_view compiler) {
    for (const bool own : {true, false}) {
      if (std::optional<cache_entry> found = find_in(own, key, compiler)) {
        ++hits_;
        return found;
      }
    }
    count_miss();
    return std::nullopt;
  }
  void count_miss() noexcept { ++misses_; }

  bool store(cache_entry& entry) {
    if (!own_) return false;
    const std::int64_t now = files_.now();
    if (entry.created == 0) entry.created = static_cast<std::uint64_t>(now);
    const std::uint64_t size = detail::encoded_size(entry);
    if (size > std::min(max_bytes_, detail::cache_entry_limit)) return fail("size", -EFBIG);
    const std::string name = detail::entry_name(entry.key, entry.compiler);
    const std::string shard_name = name.substr(0, 2);
    const std::vector<std::byte> bytes = detail::encode_entry(entry);
    const std::uint64_t random = files_.random();
    const std::string temporary = detail::text(".tmp-", detail::process_number(), "-", detail::thread_number(), "-",
                                               detail::hex_text(std::as_bytes(std::span{&random, 1})));
    int made = files_.make_folder(own_.number(), shard_name.c_str(), 0700);
    if (made < 0 && made != -EEXIST) return fail("mkdir", made);
    const open_file shard = open_shard(true, shard_name);
    if (!shard) return fail("open", shard.number());
    if (!publish(shard.number(), temporary.c_str(), name.c_str(), bytes)) return false;
    ++stores_;
    make_room(size);
    return true;
  }

  bool remove(const cache_key& key, std::string_view compiler) {
    const std::string name = detail::entry_name(key, compiler);
    const open_file shard = open_shard(true, name.substr(0, 2));
    return shard && files_.remove(shard.number(), name.c_str()) == 0;
  }

  /// Effects: calls `f(shard, name)` for every name in every shard of the own folder.
  template <class Function>
  void for_each_name(Function f) {
    if (!own_) return;
    std::vector<std::string> shards;
    if (const int code = files_.list(own_.number(), shards); code < 0) fail("list", code);
    std::sort(shards.begin(), shards.end());
    for (const std::string& each : shards) {
      if (!detail::is_shard_name(each)) continue;
      const open_file shard = open_shard(true, each);
      if (!shard) {
        if (shard.number() != -ENOENT) fail("open", shard.number());
        continue;
      }
      std::vector<std::string> names;
      if (const int code = files_.list(shard.number(), names); code < 0) fail("list", code);
      std::sort(names.begin(), names.end());
      for (const std::string& name : names) f(shard.number(), name);
    }
  }

  std::vector<cache_item> list(bool remove_damaged) {
    std::vector<cache_item> items;
    for_each_name([&](int shard, const std::string& name) {
      if (!detail::is_entry_name(name)) return;
      reading found = read(shard, name, owner_);
      if (found.outcome == reading::missing) return;
      cache_item item{.name = name, .compiler = {}, .bytes = found.bytes, .last_used = found.last_used};
      if (found.outcome == reading::other_schema) {
        item.condition = cache_condition::other_schema;
      } else if (found.entry && detail::entry_name(found.entry->key, found.entry->compiler) == name) {
        item.compiler = std::move(found.entry->compiler);
        item.created = found.entry->created;
      } else {
        item.condition = cache_condition::damaged;
        if (remove_damaged && !removed(shard, name)) return;  // cannot be removed: a folder of that name
        damaged_ += remove_damaged ? 1u : 0u;
      }
      items.push_back(std::move(item));
    });
    return items;
  }

  cache_pruned prune(std::uint64_t max_bytes, std::uint64_t max_age_seconds) {
    struct candidate {
      std::string name;
      std::uint64_t bytes;
      std::int64_t last_used;
    };
    cache_pruned result;
    std::vector<candidate> all;
    const std::int64_t now = files_.now();
    for_each_name([&](int shard, const std::string& name) {
      const bool temporary = detail::is_temporary_name(name);
      if (!temporary && !detail::is_entry_name(name)) return;
      const open_file file{files_, files_.open(shard, name.c_str(), entry_flags, 0)};
      detail::file_facts facts;
      if (!file || files_.facts(file.number(), facts) < 0) return;
      // Ignore a time in the future: it does not tell the last use.
      const std::int64_t stamp = facts.modified > now + detail::cache_day ? 0 : facts.modified;
      if (temporary) {
        if (now - stamp > detail::cache_hour && removed(shard, name)) ++result.swept;
        return;
      }
      all.push_back({name, facts.bytes, stamp});
    });
    std::sort(all.begin(), all.end(), [](const candidate& a, const candidate& b) {
      return a.last_used != b.last_used ? a.last_used > b.last_used : a.name < b.name;
    });
    for (const candidate& each : all) {
      const std::int64_t age = now - each.last_used;
      const bool old = age > 0 && static_cast<std::uint64_t>(age) > max_age_seconds;
      const bool fits = each.bytes <= max_bytes && result.kept_bytes <= max_bytes - each.bytes;
      if (!old && fits) {
        ++result.kept;
        result.kept_bytes += each.bytes;
        continue;
      }
      max_bytes = old ? max_bytes : result.kept_bytes;  // entries older than a removed one are removed, too
      const open_file shard = open_shard(true, each.name.substr(0, 2));
      if (shard && removed(shard.number(), each.name)) {
        ++result.removed;
        result.removed_bytes += each.bytes;
      }
    }
    evicted_ += result.removed;
    swept_ += result.swept;
    return result;
  }

  std::uint64_t clear() {
    std::uint64_t count = 0;
    for_each_name([&](int shard, const std::string& name) {
      if (!detail::is_entry_name(name) && !detail::is_temporary_name(name)) return;
      if (removed(shard, name)) ++count;
    });
    return count;
  }

 private:
  static constexpr int entry_flags = detail::open_no_link;

  struct reading {
    enum kind : std::uint8_t { missing, damaged, other_schema, good } outcome = missing;
    std::optional<cache_entry> entry{};
    std::uint64_t bytes = 0;
    std::uint64_t last_used = 0;
  };

  void note(const std::string& why) {
    if (!reason.empty()) reason += "; ";
    reason += why;
  }

  /// Effects: sets state, path and reason from the options and the variables.
  void choose(const disk_cache_options& options, const environment& variables) {
    if (!options.enabled || variables.cache == "off") {
      state = cache_state::off;
      reason = options.enabled ? "YOKE_CACHE is off" : "the program has switched it off";
      return;
    }
    if (!variables.cache.empty() && variables.cache != "on") note("YOKE_CACHE is neither on nor off: ignored");
    if (!options.folder.empty()) {
      path = detail::with_slashes(options.folder);
      return;
    }
    const auto take = [&](const char* name, const std::string& value, const char* below) {
      if (!path.empty() || value.empty()) return;
      const std::string folder = detail::with_slashes(value);  // `is_plain_path` expects "/"
      if (detail::is_plain_path(folder)) {
        path = folder + below;
      } else {
        note(detail::text(name, " is no absolute path, has a step upwards (..) or a control character: ignored"));
      }
    };
    take("YOKE_CACHE_DIR", variables.cache_folder, "");
    take("XDG_CACHE_HOME", variables.xdg_cache_home, "/yoke");
    take("HOME", variables.home, "/.cache/yoke");
    take("LOCALAPPDATA", variables.local_app_data, "/yoke/cache");
    if (path.empty())
      note("no folder: neither the program nor YOKE_CACHE_DIR, XDG_CACHE_HOME, HOME or LOCALAPPDATA names one");
  }

  /// Effects: counts a failure. Returns: false.
  bool fail(const char* call, std::int64_t code) noexcept {
    ++failures_;
    try {
      std::string message = std::string(call) + ": " + detail::error_text(code);
      const std::lock_guard lock(mutex_);
      last_failure_ = std::move(message);
    } catch (...) {  // out of memory: only the count reports it
    }
    return false;
  }

  open_file open_shard(bool own, const std::string& name) const {
    const open_file& folder = own ? own_ : shared_;
    if (!folder) return {files_, -ENOENT};
    open_file shard{files_, files_.open(folder.number(), name.c_str(), detail::open_folder | detail::open_no_link, 0)};
    if (!shard) return shard;
    detail::file_facts facts;
    const int code = files_.facts(shard.number(), facts);
    if (code < 0) return {files_, code};
    if (!facts.folder || !detail::is_own(facts, own ? owner_ : shared_owner_)) return {files_, -EACCES};
    return shard;
  }

  /// Returns: the entry in a file of a shard, and the file's facts.
  reading read(int shard, const std::string& name, std::uint32_t owner) {
    reading result;
    open_file file{files_, files_.open(shard, name.c_str(), entry_flags, 0)};
    if (file.number() == -ELOOP || file.number() == -ENXIO) {  // a link; a socket
      result.outcome = reading::damaged;
      return result;
    }
    if (!file) {
      if (file.number() != -ENOENT) fail("open", file.number());
      return result;
    }
    detail::file_facts facts;
    if (const int code = files_.facts(file.number(), facts); code < 0) {
      fail("fstat", code);
      return result;
    }
    if (facts.links == 0) return result;  // replaced or removed since the open: a miss, not damage
    result.outcome = reading::damaged;
    result.bytes = facts.bytes;
    result.last_used = facts.modified < 0 ? 0 : static_cast<std::uint64_t>(facts.modified);
    if (!facts.regular || !detail::is_own(facts, owner) || facts.links != 1 ||
        facts.bytes < detail::cache_entry_minimum || facts.bytes > detail::cache_entry_limit) {
      return result;
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(facts.bytes));
    for (std::size_t done = 0; done < bytes.size();) {
      const std::int64_t got = files_.read(file.number(), bytes.data() + done, bytes.size() - done);
      if (got == -EINTR) continue;
      if (got < 0) {
        fail("read", got);
        result.outcome = reading::missing;
        return result;
      }
      if (got == 0) return result;  // shorter than its size
      done += static_cast<std::size_t>(got);
    }
    result.entry = detail::decode_entry(bytes);
    if (result.entry) {
      result.outcome = reading::good;
    } else if (detail::is_other_schema(bytes)) {
      result.outcome = reading::other_schema;
    }
    return result;
  }

  /// Effects: removes a file; counts a failure unless another process was first. Returns: whether it removed the file.
  bool removed(int shard, const std::string& name) noexcept {
    const int code = files_.remove(shard, name.c_str());
    if (code < 0 && code != -ENOENT) fail("unlink", code);
    return code == 0;
  }
  void drop(int shard, const std::string& name) noexcept {
    files_.remove(shard, name.c_str());
    ++damaged_;
  }

  /// Returns: the entry in a file if it has the key; else none, and a damaged file of the own folder is removed.
  std::optional<cache_entry> take(bool own, int shard, const std::string& name, const cache_key& key,
                                  std::uint64_t& last_used) {
    reading found = read(shard, name, own ? owner_ : shared_owner_);
    if (found.outcome == reading::missing || found.outcome == reading::other_schema) return std::nullopt;
    if (!found.entry || !(found.entry->key == key) ||
        detail::entry_name(found.entry->key, found.entry->compiler) != name) {
      if (own) drop(shard, name);
      return std::nullopt;
    }
    last_used = found.last_used;
    return std::move(found.entry);
  }

  std::optional<cache_entry> find_in(bool own, const cache_key& key, std::string_view compiler) {
    std::string name = detail::entry_name(key, compiler);
    const open_file shard = open_shard(own, name.substr(0, 2));
    if (!shard) {
      if (shard.number() != -ENOENT) fail("open", shard.number());
      return std::nullopt;
    }
    std::optional<cache_entry> best;
    std::uint64_t last_used = 0;
    if (!compiler.empty()) {
      best = take(own, shard.number(), name, key, last_used);
    } else {
      std::vector<std::string> names;
      if (const int code = files_.list(shard.number(), names); code < 0) fail("list", code);
      std::sort(names.begin(), names.end());
      const auto to_come = static_cast<std::uint64_t>(files_.now() + detail::cache_day);
      std::uint64_t newest = 0;
      const std::string prefix = name.substr(0, 65);
      for (const std::string& each : names) {
        if (!detail::is_entry_name(each) || each.compare(0, prefix.size(), prefix) != 0) continue;
        std::uint64_t used = 0;
        std::optional<cache_entry> found = take(own, shard.number(), each, key, used);
        if (!found) continue;
        const std::uint64_t created = found->created > to_come ? 0 : found->created;  // ignore times in the future
        if (best && created <= newest) continue;
        newest = created;
        last_used = used;
        name = each;
        best = std::move(found);
      }
    }
    if (best && own) stamp(shard.number(), name, static_cast<std::int64_t>(last_used));
    return best;
  }

  /// Effects: stamps the entry as used now, at most once a day.
  void stamp(int shard, const std::string& name, std::int64_t last_used) {
    const std::int64_t now = files_.now();
    if (last_used <= now && now - last_used <= detail::cache_day) return;
    const open_file file{files_, files_.open(shard, name.c_str(), entry_flags, 0)};
    if (file) files_.touch(file.number(), now);
  }

  /// Effects: writes the bytes under a temporary name and renames the file once they are on the disk.
  bool publish(int shard, const char* temporary, const char* name, std::span<const std::byte> bytes) noexcept {
    open_file file{files_, files_.open(shard, temporary, detail::open_new | detail::open_no_link, 0600)};
    if (!file) return fail("open", file.number());
    const auto give_up = [&](const char* call, std::int64_t code) {
      files_.remove(shard, temporary);
      return fail(call, code);
    };
    while (!bytes.empty()) {
      const std::int64_t put = files_.write(file.number(), bytes.data(), bytes.size());
      if (put == -EINTR) continue;
      if (put <= 0) return give_up("write", put == 0 ? -EIO : put);
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    files_.touch(file.number(), files_.now());  // all stamps use this machine's clock, not a file server's
    int code = files_.synchronize(file.number());
    while (code == -EINTR) code = files_.synchronize(file.number());
    if (code < 0) return give_up("fsync", code);
    if (code = file.close(); code < 0) return give_up("close", code);
    if (code = files_.rename(shard, temporary, name); code < 0) return give_up("rename", code);
    return true;
  }

  /// Effects: prunes at this process's first store, and whenever it has stored a sixteenth of the limit since.
  void make_room(std::uint64_t stored) {
    const std::uint64_t since = stored_since_.fetch_add(stored) + stored;
    if (pruned_once_.exchange(true) && since <= max_bytes_ / 16) return;
    stored_since_ = 0;
    prune(max_bytes_, ~std::uint64_t{0});
  }

  const file_functions& files_;
  const std::uint32_t owner_;
  const std::uint32_t shared_owner_;
  const std::uint64_t max_bytes_;
  open_file own_;
  open_file shared_;
  std::atomic<std::uint64_t> hits_{0}, misses_{0}, stores_{0}, failures_{0}, damaged_{0}, evicted_{0}, swept_{0};
  std::atomic<std::uint64_t> stored_since_{0};
  std::atomic<bool> pruned_once_{false};
  mutable std::mutex mutex_;  // guards `last_failure_`
  std::string last_failure_;
};

disk_cache::disk_cache(const disk_cache_options& options, const environment& variables,
                       const detail::file_functions& files)
    : keeper_(std::make_shared<keeper>(options, variables, files)) {}

cache_state disk_cache::state() const noexcept { return keeper_->state; }
const std::string& disk_cache::reason() const noexcept { return keeper_->reason; }
const std::string& disk_cache::folder() const noexcept { return keeper_->path; }
cache_counters disk_cache::counters() const noexcept { return keeper_->counters(); }
std::string disk_cache::last_failure() const { return keeper_->last_failure(); }

std::optional<cache_entry> disk_cache::find(const cache_key& key, std::string_view compiler) const noexcept {
  try {
    return keeper_->find(key, compiler);
  } catch (...) {  // out of memory: a miss
    keeper_->count_miss();
    return std::nullopt;
  }
}

bool disk_cache::store(cache_entry entry) const noexcept {
  try {
    return keeper_->store(entry);
  } catch (...) {  // out of memory: not stored
    return false;
  }
}

bool disk_cache::remove(const cache_key& key, std::string_view compiler) const noexcept {
  try {
    return keeper_->remove(key, compiler);
  } catch (...) {
    return false;
  }
}

std::vector<cache_item> disk_cache::list() const { return keeper_->list(false); }

std::vector<cache_item> disk_cache::remove_damaged() const {
  std::vector<cache_item> items = keeper_->list(true);
  std::erase_if(items, [](const cache_item& each) { return each.condition != cache_condition::damaged; });
  return items;
}

cache_pruned disk_cache::prune(std::uint64_t max_bytes, std::uint64_t max_age_seconds) const {
  return keeper_->prune(max_bytes, max_age_seconds);
}

std::uint64_t disk_cache::clear() const { return keeper_->clear(); }

}  // namespace yoke::inline v0_1

#endif
