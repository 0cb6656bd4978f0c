// SPDX-License-Identifier: MIT
// The cache of the kernels that arrays compile.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_HPP
#define YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_HPP

#include <yoke/array/evaluation/complex_functions.hpp>
#include <yoke/program/compile.hpp>

#include <memory>

namespace yoke::inline v0_1 {

namespace detail {

/// A context's cache of programs.
class array_cache {
 public:
  YOKE_API explicit array_cache(std::unique_ptr<program_cache> cache) noexcept;
  YOKE_API array_cache(array_cache&&) noexcept;
  YOKE_API ~array_cache();
  [[nodiscard]] const program_cache& cache() const noexcept { return *cache_; }

 private:
  std::unique_ptr<program_cache> cache_;
};
/// Returns: a cache in the folder of the user, or in that of `YOKE_CACHE_DIR`; or a copy of one.
YOKE_API array_cache default_array_cache();
YOKE_API array_cache copied_array_cache(const program_cache& cache);
[[noreturn, gnu::cold]] YOKE_API void throw_has_array_cache(const source_location& where);

template <class Port>
[[nodiscard]] const program_cache& array_programs_of(context_state<Port>& in) {
  return in.attached.template get<array_cache>([] { return default_array_cache(); }).cache();
}

/// What the names of files begin with that stand for texts that the program gave.
inline constexpr const char* given_text_prefix = "text of ";
/// Throws: the error again, with the line of the program's own text that it is about, if it is about one of `source`, whose name the
/// compiler knows.
[[noreturn, gnu::cold]] YOKE_API void throw_for_given_text(const compile_error& of, std::string_view source,
                                                           std::string_view name, const source_location& where);

/// Compiles a source for arrays, with the functions of complex numbers that it names. Throws: as `compile`.
template <class Port>
[[nodiscard]] module<Port> compile_for_arrays(const context<Port>& context, std::string_view source,
                                              compile_options options, const source_location& where) {
  if (options.cache == nullptr) options.cache = &array_programs_of(context.state(where));
  const std::string functions = complex_functions(source);
  const std::string joined = functions.empty() ? std::string() : functions + std::string(source);
  const std::string_view whole = functions.empty() ? source : joined;
  try {
    return compile(context, whole, options, where);
  } catch (const compile_error& e) {
    throw_for_given_text(e, whole, options.name, where);
  }
}

}  // namespace detail

/// Returns: the cache that arrays of a context compile their kernels with. Its counters say what was compiled. It is in the
/// folder of `program_cache` unless `use_array_programs` gave another; `YOKE_CACHE=off` turns it off.
/// Throws: `logic_error` for an empty context; `std::bad_alloc`.
template <class Port>
[[nodiscard]] const program_cache& array_programs(const context<Port>& context,
                                                  const source_location& where = source_location::current()) {
  return detail::array_programs_of(context.state(where));
}
/// Makes arrays of a context use a cache, before the first one compiles.
/// Throws: `logic_error` when the context's arrays have a cache already; `std::bad_alloc`.
template <class Port>
void use_array_programs(const context<Port>& context, const program_cache& cache,
                        const source_location& where = source_location::current()) {
  bool taken = false;
  (void)context.state(where).attached.template get<detail::array_cache>([&] {
    taken = true;
    return detail::copied_array_cache(cache);
  });
  if (!taken) detail::throw_has_array_cache(where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/array_programs.ipp>
#endif

#endif
