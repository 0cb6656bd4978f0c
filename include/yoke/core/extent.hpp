// SPDX-License-Identifier: MIT
// Three-dimensional counts, made from any integers.
#ifndef YOKE_CORE_EXTENT_HPP
#define YOKE_CORE_EXTENT_HPP

#include <yoke/core/narrow.hpp>

namespace yoke::inline YOKE_ABI {

/// Up to three counts, x fastest: `16`, `{32, 8}` or `{8, 8, 4}`.
struct extent3 {
  std::size_t x = 1;
  std::size_t y = 1;
  std::size_t z = 1;

  constexpr extent3() noexcept = default;
  /// Throws: `logic_error` when a count is negative.
  template <integer X>
  constexpr extent3(X first, const source_location& where = source_location::current())  // NOLINT: 16 is a shape
      : x(detail::narrow<std::size_t>(first, "extent x", where)) {}
  template <integer X, integer Y>
  constexpr extent3(X first, Y second, const source_location& where = source_location::current())
      : x(detail::narrow<std::size_t>(first, "extent x", where)),
        y(detail::narrow<std::size_t>(second, "extent y", where)) {}
  template <integer X, integer Y, integer Z>
  constexpr extent3(X first, Y second, Z third, const source_location& where = source_location::current())
      : x(detail::narrow<std::size_t>(first, "extent x", where)),
        y(detail::narrow<std::size_t>(second, "extent y", where)),
        z(detail::narrow<std::size_t>(third, "extent z", where)) {}

  [[nodiscard]] friend constexpr bool operator==(const extent3&, const extent3&) noexcept = default;
};

}  // namespace yoke::inline YOKE_ABI

#endif
