// SPDX-License-Identifier: MIT
// The program cache for the kernels of arrays, and the compilation of these kernels.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_HPP
#define YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_HPP

#include <yoke/array/evaluation/complex_functions.hpp>
#include <yoke/program/compile.hpp>

#include <memory>

namespace yoke::inline v0_1 {

namespace detail {

/// The cache that a context attaches for its arrays' kernels.
class array_cache {
 public:
  YOKE_API explicit array_cache(std::unique_ptr<program_cache> cache) noexcept;
  YOKE_API array_cache(array_cache&&) noexcept;
  YOKE_API ~array_cache();
  [[nodiscard]] const program_cache& cache() const noexcept { return *cache_; }

 private:
  std::unique_ptr<program_cache> cache_;
};
/// Returns: a cache in the default folder, which `YOKE_CACHE_DIR` changes; or a copy of a cache.
YOKE_API array_cache default_array_cache();
YOKE_API array_cache copied_array_cache(const program_cache& cache);
[[noreturn, gnu::cold]] YOKE_API void throw_has_array_cache(const source_location& where);

template <class Port>
[[nodiscard]] const program_cache& array_programs_of(context_state<Port>& in) {
  return in.attached.template get<array_cache>([] { return default_array_cache(); }).cache();
}

/// Prefix of the file names by which `#line` marks the program's own texts in a kernel.
inline constexpr const char* given_text_prefix = "text of ";
/// Rethrows the current error. If it is about a text of the program inside `source`, the new message names the line of
/// this text. `name` is the file name of `source` for the compiler.
[[noreturn, gnu::cold]] YOKE_API void throw_for_given_text(const compile_error& of, std::string_view source,
                                                           std::string_view name, const source_location& where);

/// Compiles a source for arrays, with the complex functions that it calls. Throws: as `compile`.
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
// The library compiles it for any port. Where this is not seen, another instance hides the library's symbol.
extern template YOKE_API module<any_port> compile_for_arrays(const context<any_port>&, std::string_view,
                                                             compile_options, const source_location&);

}  // namespace detail

/// Returns: the cache for the kernels of a context's arrays; its counters tell how many were compiled. It uses the
/// folder of `program_cache` unless `use_array_programs` set another cache; `YOKE_CACHE=off` turns it off.
/// Throws: `logic_error` for an empty context; `std::bad_alloc`.
template <class Port>
[[nodiscard]] const program_cache& array_programs(const context<Port>& context,
                                                  const source_location& where = source_location::current()) {
  return detail::array_programs_of(context.state(where));
}
/// Sets the cache for the kernels of a context's arrays. Call it before the first array compiles a kernel.
/// Throws: `logic_error` when the context already has a cache for arrays; `std::bad_alloc`.
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
