// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/array_programs.hpp.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_IPP
#define YOKE_ARRAY_EVALUATION_ARRAY_PROGRAMS_IPP

#include <yoke/array/evaluation/array_programs.hpp>
#include <yoke/program/cache/program_cache.hpp>

namespace yoke::inline v0_1::detail {

array_cache::array_cache(std::unique_ptr<program_cache> cache) noexcept : cache_(std::move(cache)) {}
array_cache::array_cache(array_cache&&) noexcept = default;
array_cache::~array_cache() = default;

array_cache default_array_cache() { return array_cache(std::make_unique<program_cache>()); }
array_cache copied_array_cache(const program_cache& cache) {
  return array_cache(std::make_unique<program_cache>(cache));
}

/// A line in one of the program's own texts. Number 0: the log names none.
struct text_line {
  std::size_t number = 0;
  std::string_view shown;
};
/// Returns: the line number behind the character at `mark`, as in "NAME(3)" and "NAME:3"; 0 without digits.
std::size_t line_number(std::string_view log, std::size_t mark) {
  std::size_t line = 0;
  for (std::size_t k = mark + 1; k < log.size() && log[k] >= '0' && log[k] <= '9'; ++k) {
    line = 10 * line + static_cast<std::size_t>(log[k] - '0');
  }
  return line;
}
std::string_view line_at(std::string_view source, std::size_t begin) {
  return source.substr(begin, source.find('\n', begin) - begin);
}
/// Returns: the line in the log of a compiler that obeys `#line`.
text_line named_line(std::string_view log, std::string_view source) {
  const std::string_view prefix = given_text_prefix;
  for (std::size_t at = log.find(prefix); at != std::string_view::npos; at = log.find(prefix, at + 1)) {
    const std::size_t end = log.find_first_of("(:\"\n", at);
    if (end == std::string_view::npos || log[end] == '"' || log[end] == '\n') continue;
    const std::size_t line = line_number(log, end);
    const std::string head = text("#line 1 \"", log.substr(at, end - at), "\"\n");
    std::size_t begin = source.find(head);
    if (line == 0 || begin == std::string_view::npos) continue;
    begin += head.size();
    for (std::size_t k = 1; k < line && begin != 0; ++k) begin = source.find('\n', begin) + 1;
    if (begin != 0) return {line, line_at(source, begin)};
  }
  return {};
}
/// Returns: the line in the log of a compiler that ignores `#line` and counts from the start of the source.
text_line counted_line(std::string_view log, std::string_view source, std::string_view name) {
  const std::string mark = text(name, ":");
  for (std::size_t at = log.find(mark); at != std::string_view::npos; at = log.find(mark, at + 1)) {
    if (at != 0 && log[at - 1] != '\n') continue;
    const std::size_t line = line_number(log, at + mark.size() - 1);
    const std::string head = text("#line 1 \"", given_text_prefix);
    std::size_t begin = 0;
    std::size_t text_begins = 0;  // the line of the source where the text begins
    for (std::size_t k = 1; k < line; ++k) {
      if (source.substr(begin, 6) == "#line ") text_begins = source.substr(begin, head.size()) == head ? k + 1 : 0;
      begin = source.find('\n', begin) + 1;
      if (begin == 0) return {};
    }
    if (text_begins != 0) return {line - text_begins + 1, line_at(source, begin)};
  }
  return {};
}

void throw_for_given_text(const compile_error& of, std::string_view source, std::string_view name,
                          const source_location& where) {
  text_line found = named_line(of.log(), source);
  if (found.number == 0) found = counted_line(of.log(), source, name);
  if (found.number == 0) throw;  // the error is about the library's part of the source
  throw compile_error(
      of.code(), "", text("line ", found.number, " of the given text does not compile: ", found.shown, "\n", of.log()),
      {of.log(), of.options(), of.source(), of.command_line(), of.standard_output(), of.standard_error()}, where);
}

void throw_has_array_cache(const source_location& where) {
  throw_error(errc::invalid_argument,
              "the arrays of this context have a cache already: give them another before they compile", where);
}

}  // namespace yoke::inline v0_1::detail

#endif
