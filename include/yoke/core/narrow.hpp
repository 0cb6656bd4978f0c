// SPDX-License-Identifier: MIT
// Range-checked conversions of the integers that callers give as sizes.
#ifndef YOKE_CORE_NARROW_HPP
#define YOKE_CORE_NARROW_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1 {

/// An integer that counts something: every integer type but `bool` and the character types.
template <class T>
concept integer =
    std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool> && !std::same_as<std::remove_cv_t<T>, char> &&
    !std::same_as<std::remove_cv_t<T>, wchar_t> && !std::same_as<std::remove_cv_t<T>, char8_t> &&
    !std::same_as<std::remove_cv_t<T>, char16_t> && !std::same_as<std::remove_cv_t<T>, char32_t>;

namespace detail {

/// The greatest and least values of an integer type of at most 64 bits; spares the include of <limits>.
template <std::integral T>
inline constexpr T greatest_of = static_cast<T>(~0ULL >> (64 - sizeof(T) * 8 + (std::is_signed_v<T> ? 1 : 0)));
template <std::integral T>
inline constexpr T least_of = std::is_signed_v<T> ? static_cast<T>(-greatest_of<T> - 1) : T{};

template <integer To, integer From>
constexpr To narrow(From value, const char* name, const source_location& where) {
  if (!std::in_range<To>(value)) [[unlikely]] {
    throw_error(errc::out_of_range, text(name, " is ", value, ", outside ", least_of<To>, " .. ", greatest_of<To>),
                where);
  }
  return static_cast<To>(value);
}

[[noreturn, gnu::cold]] YOKE_API void throw_no_enumerator(const char* name, unsigned long long value,
                                                          const std::string& all, const source_location& where);
template <class Enumeration>
[[noreturn, gnu::cold]] void refuse_enumerator(const char* name, Enumeration value,
                                               std::initializer_list<Enumeration> all, const source_location& where) {
  std::string known;
  for (const Enumeration each : all) {
    known += text(known.empty() ? "" : ", ", static_cast<unsigned long long>(each));
  }
  throw_no_enumerator(name, static_cast<unsigned long long>(value), known, where);
}
/// Throws: `logic_error` if `value` is not in `all`, the enumeration's values.
template <class Enumeration>
void check_enumerator(const char* name, Enumeration value, std::initializer_list<Enumeration> all,
                      const source_location& where) {
  for (const Enumeration each : all) {
    if (each == value) return;
  }
  refuse_enumerator(name, value, all, where);
}

/// Returns: the count. Throws: `logic_error` when so many elements of `element_bytes` bytes exceed the address space.
template <integer From>
constexpr std::size_t element_count(From value, std::size_t element_bytes, const source_location& where) {
  const auto count = narrow<std::size_t>(value, "element count", where);
  if (count > static_cast<std::size_t>(greatest_of<std::ptrdiff_t>) / element_bytes) [[unlikely]] {
    throw_error(errc::out_of_range,
                text("element count ", count, " times ", element_bytes, " bytes exceeds the address space"), where);
  }
  return count;
}

}  // namespace detail

/// Converts an integer to another integer type, exactly.
/// Returns: the value. Throws: `logic_error` (`errc::out_of_range`) when `To` cannot hold it. Thread safety: safe.
template <integer To, integer From>
constexpr To narrow(From value, const source_location& where = source_location::current()) {
  return detail::narrow<To>(value, "value", where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/narrow.ipp>
#endif

#endif
