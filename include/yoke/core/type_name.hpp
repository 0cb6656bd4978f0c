// SPDX-License-Identifier: MIT
// How a host type is called in a kernel's source.
#ifndef YOKE_CORE_TYPE_NAME_HPP
#define YOKE_CORE_TYPE_NAME_HPP

#include <yoke/core/vector_types.hpp>

#include <cstddef>
#include <type_traits>

namespace yoke::inline YOKE_ABI {

namespace detail {
template <class T>
constexpr const char* builtin_type_name() noexcept {
  if constexpr (std::is_same_v<T, float>) {
    return "float";
  } else if constexpr (std::is_same_v<T, double>) {
    return "double";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_enum_v<T>) {
    return builtin_type_name<std::underlying_type_t<T>>();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) {
      return is_signed ? "char" : "uchar";
    } else if constexpr (sizeof(T) == 2) {
      return is_signed ? "short" : "ushort";
    } else if constexpr (sizeof(T) == 4) {
      return is_signed ? "int" : "uint";
    } else {
      return is_signed ? "long" : "ulong";
    }
  } else {
    return "";
  }
}
}  // namespace detail

/// The name of `T` in a kernel, in OpenCL C's spelling; "" for a type the library does not know.
/// Specialise it for a type of your own whose name in kernels is a built-in one: `cl_float4` is "float4".
template <class T>
inline constexpr const char* device_type_name = detail::builtin_type_name<T>();

namespace detail {
template <class T>
constexpr const char* cxx_type_name() noexcept {
  if constexpr (std::is_same_v<T, char>) {
    return "char";
  } else if constexpr (std::is_same_v<T, signed char>) {
    return "signed char";
  } else if constexpr (std::is_same_v<T, unsigned char>) {
    return "unsigned char";
  } else if constexpr (std::is_same_v<T, unsigned short>) {
    return "unsigned short";
  } else if constexpr (std::is_same_v<T, unsigned>) {
    return "unsigned int";
  } else if constexpr (std::is_same_v<T, unsigned long>) {
    return "unsigned long";
  } else if constexpr (std::is_same_v<T, long long>) {
    return "long long";
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    return "unsigned long long";
  } else if constexpr (std::is_same_v<T, short> || std::is_same_v<T, int> || std::is_same_v<T, long> ||
                       !(std::is_integral_v<T> || std::is_enum_v<T>)) {
    return device_type_name<T>;
  } else {
    return "";  // an enumeration, or a character type of its own
  }
}
}  // namespace detail

template <>
inline constexpr const char* device_type_name<float2> = "float2";
template <>
inline constexpr const char* device_type_name<float4> = "float4";
template <>
inline constexpr const char* device_type_name<int2> = "int2";
template <>
inline constexpr const char* device_type_name<int4> = "int4";

}  // namespace yoke::inline YOKE_ABI

#endif
