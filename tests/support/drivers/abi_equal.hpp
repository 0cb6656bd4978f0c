// SPDX-License-Identifier: MIT
// Whether two function types are the same to a caller's machine code, although their enumerations and structures differ.
#ifndef YOKE_TESTS_SUPPORT_ABI_EQUAL_HPP
#define YOKE_TESTS_SUPPORT_ABI_EQUAL_HPP

#include <type_traits>

namespace yoke_test {

/// Whether two structures were compared field by field; specialised where that is done.
template <class Ours, class Theirs>
inline constexpr bool same_layout = std::is_same_v<Ours, Theirs>;

template <class T>
inline constexpr bool is_whole = std::is_integral_v<T> || std::is_enum_v<T>;

template <class Ours, class Theirs>
constexpr bool abi_equal_type();

/// Behind a pointer, where constness is part of the promise.
template <class Ours, class Theirs>
constexpr bool abi_equal_pointee() {
  if constexpr (std::is_const_v<Ours> != std::is_const_v<Theirs>) {
    return false;
  } else {
    return abi_equal_type<std::remove_const_t<Ours>, std::remove_const_t<Theirs>>();
  }
}

template <class Ours, class Theirs>
struct abi_equal_function : std::false_type {};
template <class R1, class... A1, class R2, class... A2>
  requires(sizeof...(A1) == sizeof...(A2))
struct abi_equal_function<R1(A1...), R2(A2...)>
    : std::bool_constant<abi_equal_type<R1, R2>() && (abi_equal_type<A1, A2>() && ...)> {};

template <class Ours, class Theirs>
constexpr bool abi_equal_type() {
  if constexpr (std::is_same_v<Ours, Theirs>) {
    return true;
  } else if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    return abi_equal_pointee<std::remove_pointer_t<Ours>, std::remove_pointer_t<Theirs>>();
  } else if constexpr (std::is_function_v<Ours> && std::is_function_v<Theirs>) {
    return abi_equal_function<Ours, Theirs>::value;
  } else if constexpr ((std::is_class_v<Ours> || std::is_union_v<Ours>)&&(std::is_class_v<Theirs> ||
                                                                          std::is_union_v<Theirs>)) {
    return same_layout<Ours, Theirs>;
  } else if constexpr (std::is_enum_v<Ours> || std::is_enum_v<Theirs>) {
    // An enumeration is passed as the integer below it; two plain integers must be the same type.
    return is_whole<Ours> && is_whole<Theirs> && sizeof(Ours) == sizeof(Theirs);
  } else {
    return false;
  }
}

/// Whether a caller may use one in the place of the other.
template <class Ours, class Theirs>
inline constexpr bool abi_equal = abi_equal_type<Ours, Theirs>();

}  // namespace yoke_test

#endif
