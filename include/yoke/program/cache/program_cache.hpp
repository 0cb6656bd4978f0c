// SPDX-License-Identifier: MIT
// The cache of compiled programs: memory, and a folder behind it.
#ifndef YOKE_PROGRAM_CACHE_PROGRAM_CACHE_HPP
#define YOKE_PROGRAM_CACHE_PROGRAM_CACHE_HPP

#include <yoke/program/cache/disk_cache.hpp>

namespace yoke::inline v0_1 {

struct compile_request;
struct build_target;
class program_cache;

namespace detail {
class program_builder;
struct cached_program;
/// Effects: makes the builder load a kept program, else compile it. Throws: what the builder throws.
YOKE_API void build_through(const program_cache& cache, const cached_program& program, program_builder& builder);

/// Returns: the parts of a request that a cache's key contains. Throws: `std::bad_alloc`.
YOKE_API cache_inputs inputs_of(const compile_request& request, const build_target& target);
}  // namespace detail

/// Counts of the programs that went through a cache.
struct program_cache_counters {
  std::uint64_t from_memory = 0;  ///< loaded from what this process had, or waited for
  std::uint64_t from_disk = 0;    ///< loaded from a file
  std::uint64_t compiled = 0;     ///< compiled; what failed too
  std::uint64_t not_kept = 0;     ///< of those: compiled without the cache, `last_not_kept()` says why
  std::uint64_t refused = 0;      ///< kept, refused by the driver, removed and compiled anew
};

/// Compiled programs for `compile_options::cache`, of any device and backend. Copies are handles to one cache.
///
/// The cache looks in memory, then in the folder; otherwise it compiles and keeps the program in both. When several threads
/// ask for one program, the first makes it and the others wait. It keeps bytes: each `compile` loads a module of
/// its own from them. It keeps only programs with known inputs: see `compile_options::header_digest`.
/// Thread safety: safe; after `fork` as `memory_cache`.
class program_cache {
 public:
  /// Effects: opens the folder, as `disk_cache` does. With `YOKE_CACHE=off` it keeps nothing, not even in memory; without a
  /// folder it keeps programs in memory. Throws: `std::bad_alloc`.
  YOKE_API explicit program_cache(const disk_cache_options& options = {},
                                  const environment& variables = process_environment(),
                                  const detail::file_functions& files = detail::system_files());

  // Moving copies: a cache is never empty.
  program_cache(const program_cache&) = default;
  program_cache& operator=(const program_cache&) = default;
  ~program_cache() = default;

  /// The folder: its state, counters and entries.
  [[nodiscard]] YOKE_API const disk_cache& disk() const noexcept;
  [[nodiscard]] YOKE_API program_cache_counters counters() const noexcept;
  /// Returns: why the last unkept program was not kept: "\"a.h\" in line 3 of kernel.cl is in none of the folders
  /// given ..."; "" if all were kept. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string last_not_kept() const;
  /// Returns: the number of programs in memory.
  [[nodiscard]] YOKE_API std::size_t size() const;
  /// Effects: forgets the programs in memory; their modules stay, and so does the folder.
  YOKE_API void clear_memory() const;

 private:
  class keeper;
  friend YOKE_API void detail::build_through(const program_cache& cache, const detail::cached_program& program,
                                             detail::program_builder& builder);

  std::shared_ptr<keeper> keeper_;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/program_cache.ipp>

#include <memory>
#endif

#endif
