// SPDX-License-Identifier: MIT
// Bodies of array/array_programs.hpp.
#ifndef YOKE_ARRAY_IMPL_ARRAY_PROGRAMS_IPP
#define YOKE_ARRAY_IMPL_ARRAY_PROGRAMS_IPP

#include <yoke/array/array_programs.hpp>
#include <yoke/program/cache/program_cache.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_INLINE array_cache::array_cache(std::unique_ptr<program_cache> cache) noexcept : cache_(std::move(cache)) {}
YOKE_INLINE array_cache::array_cache(array_cache&&) noexcept = default;
YOKE_INLINE array_cache::~array_cache() = default;

YOKE_COLD array_cache default_array_cache() { return array_cache(std::make_unique<program_cache>()); }
YOKE_COLD array_cache copied_array_cache(const program_cache& cache) {
  return array_cache(std::make_unique<program_cache>(cache));
}

YOKE_COLD void throw_has_array_cache(const source_location& where) {
  throw_error(errc::invalid_argument,
              "the arrays of this context have a cache already: give them another before they compile", where);
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
