// SPDX-License-Identifier: MIT
// An option that may be left open.
#ifndef YOKE_CORE_SETTING_HPP
#define YOKE_CORE_SETTING_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI {

/// A value, or none. The same as `std::optional` for small values, at a small part of its cost for a compiler.
/// Requires: `*` needs a value. Thread safety: a value.
template <class T>
class setting {
 public:
  constexpr setting() noexcept = default;
  constexpr setting(T value) noexcept : value_(value), is_set_(true) {}  // NOLINT: a value

  [[nodiscard]] constexpr bool has_value() const noexcept { return is_set_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return is_set_; }
  [[nodiscard]] constexpr T operator*() const noexcept { return value_; }
  [[nodiscard]] constexpr T value_or(T other) const noexcept { return is_set_ ? value_ : other; }
  constexpr void reset() noexcept { *this = setting(); }
  [[nodiscard]] friend constexpr bool operator==(setting left, setting right) noexcept {
    return left.is_set_ == right.is_set_ && left.value_ == right.value_;
  }

 private:
  T value_{};
  bool is_set_ = false;
};

}  // namespace yoke::inline YOKE_ABI

#endif
