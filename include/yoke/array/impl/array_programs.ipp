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

YOKE_COLD void throw_for_given_text(const compile_error& of, std::string_view source, const source_location& where) {
  const std::string_view log = of.log();
  const std::string_view prefix = given_text_prefix;
  for (std::size_t at = log.find(prefix); at != std::string_view::npos; at = log.find(prefix, at + 1)) {
    // "text of NAME(3)" or "text of NAME:3"
    const std::size_t end = log.find_first_of("(:\"\n", at);
    if (end == std::string_view::npos || log[end] == '"' || log[end] == '\n') continue;
    std::size_t line = 0;
    for (std::size_t k = end + 1; k < log.size() && log[k] >= '0' && log[k] <= '9'; ++k) {
      line = 10 * line + static_cast<std::size_t>(log[k] - '0');
    }
    const std::string head = text("#line 1 \"", log.substr(at, end - at), "\"\n");
    std::size_t begin = source.find(head);
    if (line == 0 || begin == std::string_view::npos) continue;
    begin += head.size();
    for (std::size_t k = 1; k < line && begin != 0; ++k) begin = source.find('\n', begin) + 1;
    if (begin == 0) continue;
    const std::string_view shown = source.substr(begin, source.find('\n', begin) - begin);
    throw compile_error(
        of.code(), "", text("line ", line, " of the given text does not compile: ", shown, "\n", log),
        {of.log(), of.options(), of.source(), of.command_line(), of.standard_output(), of.standard_error()}, where);
  }
  throw;  // about the kernel itself
}

YOKE_COLD void throw_has_array_cache(const source_location& where) {
  throw_error(errc::invalid_argument,
              "the arrays of this context have a cache already: give them another before they compile", where);
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
