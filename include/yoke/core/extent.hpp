// SPDX-License-Identifier: MIT
// Counts in up to three dimensions, made from any integers.
#ifndef YOKE_CORE_EXTENT_HPP
#define YOKE_CORE_EXTENT_HPP

#include <yoke/core/narrow.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// Throws: `logic_error` with the axis, its count and all counts.
[[noreturn, gnu::cold]] YOKE_API void throw_extent_count(const char* axis, text_part count, const text_part* all,
                                                         std::size_t counts, const source_location& where);
template <integer Count, integer... All>
[[noreturn, gnu::noinline, gnu::cold]] void refuse_extent_count(const char* axis, Count count,
                                                                const source_location& where, All... all) {
  const text_part list[]{all...};
  throw_extent_count(axis, count, list, sizeof...(all), where);
}
/// Returns: the count along one axis. Throws: `logic_error` with the whole extent.
template <integer Count, integer... All>
[[gnu::always_inline]] constexpr std::size_t extent_count(const char* axis, Count count, const source_location& where,
                                                          All... all) {
  // Copies `where` only on failure, so that it otherwise stays in registers.
  if (!std::in_range<std::size_t>(count)) [[unlikely]]
    refuse_extent_count(axis, count, source_location(where), all...);
  return static_cast<std::size_t>(count);
}
}  // namespace detail

/// Up to three counts, x fastest: `16`, `{32, 8}` or `{8, 8, 4}`.
struct extent3 {
  std::size_t x = 1;
  std::size_t y = 1;
  std::size_t z = 1;

  constexpr extent3() noexcept = default;
  /// Throws: `logic_error` with the whole extent for a negative count.
  template <integer X>
  [[gnu::always_inline]] constexpr extent3(
      X first, const source_location& where = source_location::current())  // NOLINT: 16 is a shape
      : x(detail::extent_count("x", first, where, first)) {}
  template <integer X, integer Y>
  [[gnu::always_inline]] constexpr extent3(X first, Y second, const source_location& where = source_location::current())
      : x(detail::extent_count("x", first, where, first, second)),
        y(detail::extent_count("y", second, where, first, second)) {}
  template <integer X, integer Y, integer Z>
  [[gnu::always_inline]] constexpr extent3(X first, Y second, Z third,
                                           const source_location& where = source_location::current())
      : x(detail::extent_count("x", first, where, first, second, third)),
        y(detail::extent_count("y", second, where, first, second, third)),
        z(detail::extent_count("z", third, where, first, second, third)) {}

  [[nodiscard]] friend constexpr bool operator==(const extent3&, const extent3&) noexcept = default;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/extent.ipp>
#endif

#endif
