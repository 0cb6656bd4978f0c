// SPDX-License-Identifier: MIT
// Spells C++ types and constants for kernel sources, as definitions and template arguments.
#ifndef YOKE_PROGRAM_SPECIALISE_HPP
#define YOKE_PROGRAM_SPECIALISE_HPP

#include <yoke/core/type_name.hpp>
#include <yoke/program/compile_options.hpp>

#include <type_traits>

namespace yoke::inline v0_1 {

/// A constant among types: `specialise<float, value_of<256>>("T", "BLOCK")`.
template <auto Value>
struct value_of {
  static_assert(std::is_integral_v<decltype(Value)> || std::is_enum_v<decltype(Value)>,
                "a constant of a kernel is a whole number or an enumerator");
  static constexpr auto value = Value;
};

namespace detail {

template <class T>
struct is_value_of : std::false_type {};
template <auto Value>
struct is_value_of<value_of<Value>> : std::true_type {};

/// Returns: a type's name that is valid in both OpenCL C and C++; "" for other types.
template <class T>
constexpr const char* common_type_name() noexcept {
  if constexpr (std::is_enum_v<T>) {
    return common_type_name<std::underlying_type_t<T>>();
  } else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, bool> || !std::is_integral_v<T>) {
    return device_type_name<T>;
  } else if constexpr (sizeof(T) == 1) {
    return std::is_signed_v<T> ? "signed char" : "unsigned char";
  } else if constexpr (sizeof(T) == 2) {
    return std::is_signed_v<T> ? "short" : "unsigned short";
  } else if constexpr (sizeof(T) == 4) {
    return std::is_signed_v<T> ? "int" : "unsigned int";
  } else {
    return std::is_signed_v<T> ? "long" : "unsigned long";
  }
}

template <auto Value>
std::string constant_text() {
  if constexpr (std::is_enum_v<decltype(Value)>) {
    return constant_text<static_cast<std::underlying_type_t<decltype(Value)>>(Value)>();
  } else if constexpr (std::is_signed_v<decltype(Value)> && Value < 0) {
    // The least integer cannot be written as one literal.
    return "(-" + std::to_string(-(static_cast<long long>(Value) + 1)) + " - 1)";
  } else {
    constexpr unsigned long long most_signed = ~0ULL >> 1U;
    const std::string digits = std::to_string(static_cast<unsigned long long>(Value));
    return static_cast<unsigned long long>(Value) > most_signed ? digits + "u" : digits;
  }
}

/// Whether OpenCL C and C++ share a name for a type.
template <class T>
constexpr bool is_common() noexcept {
  return std::is_arithmetic_v<T> || std::is_enum_v<T>;
}
template <class T>
constexpr bool has_name() noexcept {
  return common_type_name<T>()[0] != '\0' || device_type<T>::cuda[0] != '\0';
}
template <class T>
inline constexpr type_spelling spelling_of{device_type<T>::opencl_c, device_type<T>::cuda, device_type<T>::dialect};

/// Returns: a definition of a type or a constant.
template <class A>
define specialised(std::string name) {
  if constexpr (is_value_of<A>::value) {
    return define(std::move(name), constant_text<A::value>());
  } else {
    static_assert(std::is_same_v<A, std::remove_cv_t<A>>, "a definition is of a type without const or volatile");
    static_assert(has_name<A>(), "this type has no name in kernels: specialise yoke::device_type_name for it");
    define made(std::move(name), std::string(common_type_name<A>()));
    if constexpr (!is_common<A>()) made.type = &spelling_of<A>;
    return made;
  }
}

/// Whether CUDA C++ has a type; OpenCL's vectors of three have no usable name there.
template <class T>
constexpr bool cuda_has() noexcept {
  return device_type<T>::cuda[0] != '\0' && !(vec_size<T> == 3);
}
/// Returns: the spelling as a template argument in CUDA C++.
template <class A>
std::string template_argument() {
  if constexpr (is_value_of<A>::value) {
    return constant_text<A::value>();
  } else {
    static_assert(std::is_same_v<A, std::remove_cv_t<A>>, "an argument is a type without const or volatile");
    static_assert(has_name<A>(), "this type has no name in kernels: specialise yoke::device_type_name for it");
    if constexpr (is_common<A>() && device_type<A>::cuda[0] == '\0') {
      return common_type_name<A>();
    } else {
      static_assert(cuda_has<A>(), "CUDA C++ does not have this type");
      return device_type<A>::cuda;
    }
  }
}

}  // namespace detail

/// Definitions of types and constants, one for each name:
/// `compile(ctx, source, {.defines = specialise<float, value_of<256>>("T", "BLOCK")})`.
/// Number types get a name that all languages share ("unsigned int"); other types get their name in the source's
/// language: `half` is "half" in OpenCL C, "__half" in CUDA C++ and "yoke_half" in the dialect. `define::value` is the
/// name in OpenCL C. A struct has the name of its `device_type_name`. `compile` refuses a type that the source's
/// language lacks.
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class... A, class... Names>
[[nodiscard]] std::vector<define> specialise(Names... names) {
  static_assert(sizeof...(A) == sizeof...(Names), "specialise takes one name for each type or constant");
  if constexpr (sizeof...(A) == sizeof...(Names)) {
    return {detail::specialised<A>(std::string(names))...};
  } else {
    return {};
  }
}

/// The name of a template's instance, for `cuda::compile_options::name_expressions` and `get_kernel`:
/// `instance_name<float, value_of<4>>("scale")` is "scale<float, 4>". It uses CUDA C++'s type names, which the
/// dialect's names are aliases of.
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class... A>
[[nodiscard]] std::string instance_name(const std::string& of) {
  static_assert(sizeof...(A) > 0, "an instance has arguments");
  std::string list;
  ((list += (list.empty() ? "" : ", ") + detail::template_argument<A>()), ...);
  return of + "<" + list + ">";
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/compile.hpp>
#endif

#endif
