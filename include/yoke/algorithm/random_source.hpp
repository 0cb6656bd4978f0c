// SPDX-License-Identifier: MIT
// The sources of random numbers: functions for the program's kernels, and the kernels that fill arrays.
#ifndef YOKE_ALGORITHM_RANDOM_SOURCE_HPP
#define YOKE_ALGORITHM_RANDOM_SOURCE_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/program/source/embedded_header.hpp>

#include <cstdint>
#include <string>

namespace yoke::inline v0_1 {

/// The header `yoke_random.h` for `.headers` of a compilation: random numbers for the program's kernels, in the
/// dialect.
///
/// Throws: `std::bad_alloc`. Thread safety: safe.
/// Example: `compile(ctx, "#include \"yoke_random.h\"\n...", {.headers = {yoke::random_header()}})`
[[nodiscard]] YOKE_API embedded_header random_header();

namespace detail {

/// The kinds of random numbers that a kernel fills an array with.
enum class random_kind : std::uint8_t { bits, uniform, normal, integers };

/// Returns: the words of a block of four that one element uses.
[[nodiscard]] constexpr std::uint32_t random_words(random_kind kind, const value_type_name& element) noexcept {
  const std::uint32_t words = element.bytes <= 4 ? 1 : element.bytes == 8 ? 2 : 4;
  return kind == random_kind::integers ? 2 * words : words;
}

/// Returns: the source of `yoke_r_fill`, in which each thread writes the numbers of `blocks` blocks. A linear kernel
/// writes elements without gaps. A counting kernel starts at a position in device memory, which `yoke_r_go_on` advances.
[[nodiscard]] YOKE_API std::string random_source(random_kind kind, const value_type_name& element, bool is_linear,
                                                 bool counts, std::int64_t blocks);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/random_source.ipp>
#endif

#endif
