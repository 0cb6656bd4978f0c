// SPDX-License-Identifier: MIT
// The names that host types have in kernels.
#ifndef YOKE_CORE_TYPE_NAME_HPP
#define YOKE_CORE_TYPE_NAME_HPP

#include <yoke/core/vector_types.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace yoke::inline v0_1 {

namespace detail {

/// A short type name, composed at compile time.
struct short_name {
  char text[24]{};

  constexpr short_name(const char* begin, const char* stem, std::size_t number, const char* end) {
    if (*stem == '\0') return;  // the type has no name
    std::size_t at = 0;
    const auto add = [&](const char* from) {
      for (; *from != '\0'; ++from) text[at++] = *from;
    };
    add(begin);
    add(stem);
    if (number >= 10) text[at++] = static_cast<char>('0' + number / 10);
    text[at++] = static_cast<char>('0' + number % 10);
    add(end);
  }
};

template <class T>
inline constexpr std::size_t vec_size = 0;
template <class T, std::size_t N>
inline constexpr std::size_t vec_size<vec<T, N>> = N;
template <class T>
struct element_of_vec;
template <class T, std::size_t N>
struct element_of_vec<vec<T, N>> {
  using type = T;
};

/// `std::complex` and types with the same members and size: on the device a vector of two.
template <class T>
concept complex_number = std::is_class_v<T> && std::is_trivially_copyable_v<T> && requires(const T& value) {
  typename T::value_type;
  { value.real() } -> std::convertible_to<typename T::value_type>;
  { value.imag() } -> std::convertible_to<typename T::value_type>;
} && std::is_floating_point_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);

/// The type of a complex number's real and imaginary parts; for other types `T` itself.
template <class T>
struct part_type {
  using type = T;
};
template <complex_number T>
struct part_type<T> {
  using type = typename T::value_type;
};
template <class T>
using part_of = typename part_type<T>::type;

template <class T>
constexpr const char* opencl_vec_name() noexcept;

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
  } else if constexpr (vec_size<T> != 0) {
    return opencl_vec_name<T>();
  } else if constexpr (complex_number<T>) {
    return std::is_same_v<typename T::value_type, float>    ? "float2"
           : std::is_same_v<typename T::value_type, double> ? "double2"
                                                            : "";
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
inline constexpr short_name opencl_vec{"", device_type_name<typename element_of_vec<T>::type>, vec_size<T>, ""};
template <class T>
constexpr const char* opencl_vec_name() noexcept {
  return opencl_vec<T>.text;
}

/// A name that matches no type of CUDA, for vectors of three: CUDA's own have another layout.
template <class T>
inline constexpr short_name opencl_vec3{"yoke::opencl::", device_type_name<typename element_of_vec<T>::type>, 3, ""};

/// Returns: the stem of CUDA's vector names for an element type, as "float" of `float2`; "" if CUDA has no such
/// vectors.
template <class T>
constexpr const char* cuda_vec_stem() noexcept {
  if constexpr (std::is_same_v<T, long long>) {
    return "longlong";
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    return "ulonglong";
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>) {
    return device_type_name<T>;
  } else {
    return "";
  }
}
/// CUDA aligns its `double4` to 16 bytes; `double4_32a` and the like are aligned to their size.
template <class T>
inline constexpr short_name cuda_vec{
    "", vec_size<T> == 2 || vec_size<T> == 4 ? cuda_vec_stem<typename element_of_vec<T>::type>() : "", vec_size<T>,
    sizeof(T) == 32 ? "_32a" : ""};

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
  } else if constexpr (std::is_same_v<T, long>) {  // 4 bytes on Windows, also in CUDA C++
    return "long";
  } else if constexpr (std::is_same_v<T, unsigned long>) {
    return "unsigned long";
  } else if constexpr (std::is_same_v<T, long long>) {
    return "long long";
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    return "unsigned long long";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (vec_size<T> == 3) {
    return opencl_vec3<T>.text;
  } else if constexpr (vec_size<T> != 0) {
    return cuda_vec<T>.text;
  } else if constexpr (std::is_same_v<T, short> || std::is_same_v<T, int> ||
                       !(std::is_integral_v<T> || std::is_enum_v<T>)) {
    return device_type_name<T>;
  } else {
    return "";  // an enumeration, or a type such as wchar_t
  }
}
/// Returns: the type's name in the dialect, spelled as in OpenCL C; "" if CUDA lays the type out differently.
template <class T>
constexpr const char* dialect_type_name() noexcept {
  if constexpr (vec_size<T> == 0) {
    return device_type_name<T>;
  } else {
    constexpr bool is_wide_integer =
        vec_size<T> == 4 && std::is_integral_v<typename element_of_vec<T>::type> && sizeof(T) == 32;
    return cxx_type_name<T>()[0] == '\0' || vec_size<T> == 3 || is_wide_integer ? "" : device_type_name<T>;
  }
}
}  // namespace detail

/// The name of a host type in kernels, and its alignment there.
///
/// Built-in types, vectors, `half`, `bfloat16`, complex numbers and structs of `YOKE_STRUCT` have one. For a type of
/// your own, specialise `device_type_name` if each language has the same name for it, and this if the names differ. The
/// name is "" if a language does not have the type, or the library does not know it.
template <class T>
struct device_type {
  static constexpr const char* opencl_c = device_type_name<T>;
  static constexpr const char* cuda = detail::cxx_type_name<T>();         ///< in CUDA C++
  static constexpr const char* dialect = detail::dialect_type_name<T>();  ///< in the portable dialect
  static constexpr std::size_t alignment = detail::complex_number<T> ? sizeof(T) : alignof(T);
};

}  // namespace yoke::inline v0_1

#endif
