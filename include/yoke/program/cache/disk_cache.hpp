// SPDX-License-Identifier: MIT
// The cache of compiled programs in a folder, which processes share.
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

/// Whether a disk cache stores programs, and if not, why.
enum class cache_state : std::uint8_t {
  on,
  off,        ///< switched off by the program or by `YOKE_CACHE=off`
  no_folder,  ///< neither the program nor a variable names a folder
  refused,    ///< the folder could not be opened, or somebody else may write to it
};

/// Options of a disk cache.
struct disk_cache_options {
  bool enabled = true;
  /// An absolute path; empty: `YOKE_CACHE_DIR`, `$XDG_CACHE_HOME/yoke`, `$HOME/.cache/yoke` or, on Windows,
  /// `%LOCALAPPDATA%\yoke\cache`.
  std::string folder{};
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< beyond this, the least recently used entries are removed
  std::string shared_folder{};                       ///< a second, read-only folder: an absolute path; empty: none
  std::uint32_t shared_owner = 0;                    ///< the user who must own that folder and all in it
  /// The bytes of programs that a `program_cache` also keeps in memory while it has a folder; beyond this, those used
  /// least recently leave.
  std::uint64_t max_memory_bytes = std::uint64_t{1} << 25;
};

/// Counts of a disk cache's actions so far.
struct cache_counters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t stores = 0;
  std::uint64_t failures = 0;  ///< failed file calls; `last_failure()` describes the last one
  std::uint64_t damaged = 0;   ///< damaged entries that were removed
  std::uint64_t evicted = 0;   ///< entries removed to make room
  std::uint64_t swept = 0;     ///< removed files that a killed process had left behind
};

/// The state of an entry in the folder.
enum class cache_condition : std::uint8_t { good, damaged, other_schema };

/// One entry in the folder.
struct cache_item {
  std::string name;      ///< the file's name: the key, a dot, and 16 digits for the compiler
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

/// A folder of compiled programs. Copies share one cache.
///
/// File errors do not throw: a program that cannot be read is compiled, one that cannot be stored is still used, and
/// `counters()`, `reason()` and `last_failure()` report it. Processes need no lock: a rename makes each entry appear
/// whole, and any doubt about an entry makes it a miss.
/// Thread safety: safe, also between any number of processes, and after a fork without `exec`.
class disk_cache {
 public:
  /// Effects: opens the folder, or makes it (mode 0700). It must be a folder, not a link, that the effective user owns
  /// and nobody else may write to; folders above it must belong to that user or to root.
  /// Throws: `std::bad_alloc`. If the folder is refused, `state()` and `reason()` say so.
  YOKE_API explicit disk_cache(const disk_cache_options& options = {},
                               const environment& variables = process_environment(),
                               const detail::file_functions& files = detail::system_files());

  // No move operations: moving copies, so that a cache is never empty.
  disk_cache(const disk_cache&) = default;
  disk_cache& operator=(const disk_cache&) = default;
  ~disk_cache() = default;

  /// Whether programs are stored. The shared folder is read in every state but `off`.
  [[nodiscard]] YOKE_API cache_state state() const noexcept;
  /// Returns: why the state is not `on`, which variables are ignored, and why the shared folder is not read; else "".
  [[nodiscard]] YOKE_API const std::string& reason() const noexcept;
  /// Returns: the own folder's path with "/" as separator; "" without one.
  [[nodiscard]] YOKE_API const std::string& folder() const noexcept;
  [[nodiscard]] YOKE_API cache_counters counters() const noexcept;
  /// Returns: the last failed file call and its reason, "write: No space left on device"; "" if none failed.
  [[nodiscard]] YOKE_API std::string last_failure() const;

  /// Returns: the program that `compiler` made for a key, or any compiler's newest if `compiler` is empty because none
  /// is installed; else none. Removes damaged entries from the own folder.
  [[nodiscard]] YOKE_API std::optional<cache_entry> find(const cache_key& key,
                                                         std::string_view compiler = {}) const noexcept;

  /// Effects: stores a program under its key and compiler, and replaces an older one; a `created` of 0 becomes the
  /// current time. Now and then removes old entries. Returns: whether it was stored.
  YOKE_API bool store(cache_entry entry) const noexcept;

  /// Effects: removes an entry, for example one that the driver refused to load. Returns: whether it existed.
  YOKE_API bool remove(const cache_key& key, std::string_view compiler) const noexcept;

  /// Returns: every entry of the own folder, each read and checked. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::vector<cache_item> list() const;

  /// Effects: removes damaged entries; counts a failure for each that cannot be removed, such as a folder.
  /// Returns: the removed ones. Throws: `std::bad_alloc`.
  YOKE_API std::vector<cache_item> remove_damaged() const;

  /// Effects: removes entries that were not used for `max_age_seconds`, then the least recently used ones until the
  /// rest has at most `max_bytes`, and files that killed processes left behind more than an hour ago.
  /// Throws: `std::bad_alloc`.
  YOKE_API cache_pruned prune(std::uint64_t max_bytes, std::uint64_t max_age_seconds = ~std::uint64_t{0}) const;

  /// Effects: removes every entry and every unfinished file. Returns: how many. Throws: `std::bad_alloc`.
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
