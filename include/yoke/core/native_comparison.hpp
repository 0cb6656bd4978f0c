// SPDX-License-Identifier: MIT
// Equality, order and hashes of handles, by the driver's object.
#ifndef YOKE_CORE_NATIVE_COMPARISON_HPP
#define YOKE_CORE_NATIVE_COMPARISON_HPP

#include <yoke/core/native.hpp>

#include <compare>
#include <concepts>
#include <string>  // std::hash, which <functional> has among much else

namespace yoke::inline v0_1::detail {

/// Whether a handle is compared by its native object: false where that object is another handle's, too.
template <class Handle>
inline constexpr bool compares_native = true;

/// Base of handles that are compared by their driver objects; `Derived` supplies `native_handle()`.
template <class Derived>
struct compared_by_native {
  using compared_handle = Derived;  // for `std::hash`

  /// Whether two handles have the same native object, or none; does not compare what is in it. `std::hash` matches it.
  /// Throws: nothing.
  [[nodiscard]] friend bool operator==(const Derived& left, const Derived& right) noexcept {
    return native_value(left.native_handle()) == native_value(right.native_handle());
  }
  /// Orders handles by their native objects, for keys of maps. Throws: nothing.
  [[nodiscard]] friend std::strong_ordering operator<=>(const Derived& left, const Derived& right) noexcept {
    return native_value(left.native_handle()) <=> native_value(right.native_handle());
  }
};
struct not_compared {};

}  // namespace yoke::inline v0_1::detail

template <class Handle>
  requires std::derived_from<Handle, yoke::detail::compared_by_native<typename Handle::compared_handle>>
struct std::hash<Handle> {
  std::size_t operator()(const Handle& of) const noexcept {
    return std::hash<std::uint64_t>{}(yoke::detail::native_value(of.native_handle()));
  }
};

#endif
