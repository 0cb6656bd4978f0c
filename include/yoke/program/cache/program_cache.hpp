// SPDX-License-Identifier: MIT
// The cache of compiled programs: in memory, backed by a folder.
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
/// Effects: makes the builder load the program from the cache, else compile it. Throws: as the builder.
YOKE_API void build_through(const program_cache& cache, const cached_program& program, program_builder& builder);

/// Returns: the inputs of a request for its cache key. Throws: `std::bad_alloc`.
YOKE_API cache_inputs inputs_of(const compile_request& request, const build_target& target);
}  // namespace detail

/// Counts of the programs that went through a cache.
struct program_cache_counters {
  std::uint64_t from_memory = 0;  ///< loaded from memory, also after waiting for another thread
  std::uint64_t from_disk = 0;    ///< loaded from a file
  std::uint64_t compiled = 0;     ///< compiled, successfully or not
  std::uint64_t not_kept = 0;     ///< of those, not kept in the cache; `last_not_kept()` says why
  std::uint64_t refused = 0;      ///< refused by the driver, so removed and compiled anew
};

/// Compiled programs of any device and backend, for `compile_options::cache`. Copies share one cache.
///
/// `compile` looks in memory, then in the folder; if both lack the program, it compiles and keeps it in both. When
/// several threads ask for one program, the first makes it and the others wait. The cache keeps bytes, from which each
/// `compile` loads a module of its own. It keeps only programs whose inputs are all known: see
/// `compile_options::header_digest`.
/// Thread safety: safe; after `fork` as `memory_cache`.
class program_cache {
 public:
  /// Effects: opens the folder as `disk_cache` does. Without a folder it keeps programs in memory only; with
  /// `YOKE_CACHE=off` it keeps none. Throws: `std::bad_alloc`.
  YOKE_API explicit program_cache(const disk_cache_options& options = {},
                                  const environment& variables = process_environment(),
                                  const detail::file_functions& files = detail::system_files());

  // No move operations: moving copies, so that a cache is never empty.
  program_cache(const program_cache&) = default;
  program_cache& operator=(const program_cache&) = default;
  ~program_cache() = default;

  /// The folder: its state, counters and entries.
  [[nodiscard]] YOKE_API const disk_cache& disk() const noexcept;
  [[nodiscard]] YOKE_API program_cache_counters counters() const noexcept;
  /// Returns: why a program was last not kept: "\"a.h\" in line 3 of kernel.cl is in none of the folders given ..."; ""
  /// if all were kept. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API std::string last_not_kept() const;
  /// Returns: the number of programs in memory.
  [[nodiscard]] YOKE_API std::size_t size() const;
  /// Effects: forgets the programs in memory, but neither their modules nor the folder.
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
