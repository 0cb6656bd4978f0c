// SPDX-License-Identifier: MIT
// Compiled programs in a folder of the user's, shared by processes.
#ifndef YOKE_PROGRAM_CACHE_DISK_CACHE_HPP
#define YOKE_PROGRAM_CACHE_DISK_CACHE_HPP

#include <yoke/core/environment.hpp>
#include <yoke/program/cache/cache_entry.hpp>

#include <memory>

namespace yoke::inline v0_1 {

namespace detail {
struct file_functions;
YOKE_API const file_functions& system_files() noexcept;
}  // namespace detail

/// Whether a disk cache stores anything, and why not.
enum class cache_state : std::uint8_t {
  on,
  off,        ///< switched off by the program or by `YOKE_CACHE=off`
  no_folder,  ///< no folder is named: neither by the program nor by any variable
  refused,    ///< the folder could not be opened, or somebody else may write to it
};

/// Options of a disk cache.
struct disk_cache_options {
  bool enabled = true;
  /// An absolute path; empty: `YOKE_CACHE_DIR`, `$XDG_CACHE_HOME/yoke`, `$HOME/.cache/yoke` or, on Windows,
  /// `%LOCALAPPDATA%\yoke\cache`.
  std::string folder{};
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< least recently used entries go when there is more
  std::string shared_folder{};                       ///< a second folder, only read: an absolute path; empty: none
  std::uint32_t shared_owner = 0;                    ///< the user to whom that folder and all in it must belong
};

/// Counts of a disk cache's actions so far.
struct cache_counters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t stores = 0;
  std::uint64_t failures = 0;  ///< file calls that failed; `last_failure()` names the last
  std::uint64_t damaged = 0;   ///< entries that were found damaged, and removed
  std::uint64_t evicted = 0;   ///< entries that made room
  std::uint64_t swept = 0;     ///< files that a killed process left behind
};

/// The state of an entry in the folder.
enum class cache_condition : std::uint8_t { good, damaged, other_schema };

/// One entry in the folder.
struct cache_item {
  std::string name;      ///< of the file: the key, a dot, and 16 digits for the compiler
  std::string compiler;  ///< empty unless the entry is good
  std::uint64_t bytes = 0;
  std::uint64_t created = 0;    ///< seconds since 1970
  std::uint64_t last_used = 0;  ///< seconds since 1970, to a day
  cache_condition condition = cache_condition::good;
};

/// The result of pruning.
struct cache_pruned {
  std::uint64_t removed = 0;
  std::uint64_t removed_bytes = 0;
  std::uint64_t kept = 0;
  std::uint64_t kept_bytes = 0;
  std::uint64_t swept = 0;
};

/// A folder of compiled programs. Copies are handles to one cache.
///
/// Trouble with files throws nothing: a program that cannot be read is compiled, and one that cannot be stored is
/// still used; `counters()`, `reason()` and `last_failure()` say so. There is no lock between
/// processes: entries appear whole, by a rename, and any doubt about one makes it a miss.
/// Thread safety: safe, also for any number of processes, and after a fork without `exec`.
class disk_cache {
 public:
  /// Effects: opens the folder, or makes it (0700). It must be a folder, no link, of the
  /// effective user, and nobody else may write to it; folders above it must belong to that user or to root.
  /// Throws: `std::bad_alloc`; `state()` tells if the folder is refused.
  YOKE_API explicit disk_cache(const disk_cache_options& options = {},
                               const environment& variables = process_environment(),
                               const detail::file_functions& files = detail::system_files());

  // Moving copies: a cache is never empty.
  disk_cache(const disk_cache&) = default;
  disk_cache& operator=(const disk_cache&) = default;
  ~disk_cache() = default;

  /// Whether programs are stored. The shared folder is read in every state but `off`.
  [[nodiscard]] YOKE_API cache_state state() const noexcept;
  /// Returns: why the state is not `on`, which variables were ignored, why the shared folder is not read; else "".
  [[nodiscard]] YOKE_API const std::string& reason() const noexcept;
  /// Returns: the own folder's path, with "/" between its steps; "" without one.
  [[nodiscard]] YOKE_API const std::string& folder() const noexcept;
  [[nodiscard]] YOKE_API cache_counters counters() const noexcept;
  /// Returns: the last file call that failed, and why: "write: No space left on device"; "" when none did.
  [[nodiscard]] YOKE_API std::string last_failure() const;

  /// Returns: the program that `compiler` made for a key; any compiler's newest if `compiler` is empty,
  /// because none is installed. Anything else counts as none, and is removed from the own folder.
  [[nodiscard]] YOKE_API std::optional<cache_entry> find(const cache_key& key,
                                                         std::string_view compiler = {}) const noexcept;

  /// Effects: stores a program under its key and compiler, in place of an older one; a `created` of 0 becomes the current
  /// time. Now and then makes room. Returns: whether it is stored.
  YOKE_API bool store(cache_entry entry) const noexcept;

  /// Effects: removes an entry, for example one that the driver refused to load. Returns: whether there was one.
  YOKE_API bool remove(const cache_key& key, std::string_view compiler) const noexcept;

  /// Returns: every entry of the own folder, each read and checked. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::vector<cache_item> list() const;

  /// Effects: removes damaged entries. Returns: the removed ones; an entry that cannot be removed, such as a folder, is a
  /// failure. Throws: `std::bad_alloc`.
  YOKE_API std::vector<cache_item> remove_damaged() const;

  /// Effects: removes entries that were not used for `max_age_seconds`, then the least recently used ones until all
  /// have at most `max_bytes`, and the files that killed processes left behind more than an hour ago.
  /// Throws: `std::bad_alloc`.
  YOKE_API cache_pruned prune(std::uint64_t max_bytes, std::uint64_t max_age_seconds = ~std::uint64_t{0}) const;

  /// Effects: removes every entry and every file that is being written. Returns: how many. Throws: `std::bad_alloc`.
  YOKE_API std::uint64_t clear() const;

 private:
  class keeper;
  std::shared_ptr<keeper> keeper_;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/disk_cache.ipp>
#endif

#endif
