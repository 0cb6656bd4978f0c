// SPDX-License-Identifier: MIT
// C++ types and constants as a kernel's source spells them: for definitions, and for instances of templates.
#ifndef YOKE_PROGRAM_SPECIALISE_HPP
#define YOKE_PROGRAM_SPECIALISE_HPP

#include <yoke/core/type_name.hpp>
#include <yoke/program/compile.hpp>

#include <type_traits>

namespace yoke::inline YOKE_ABI {

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

/// Returns: a type in words that OpenCL C and C++ both have.
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
    // The least number has no literal of its own.
    return "(-" + std::to_string(-(static_cast<long long>(Value) + 1)) + " - 1)";
  } else {
    constexpr unsigned long long most_signed = ~0ULL >> 1U;
    const std::string digits = std::to_string(static_cast<unsigned long long>(Value));
    return static_cast<unsigned long long>(Value) > most_signed ? digits + "u" : digits;
  }
}

/// Returns: one argument of a specialisation, in OpenCL C and C++, or in C++ alone.
template <class A>
std::string specialised(bool cxx) {
  if constexpr (is_value_of<A>::value) {
    return constant_text<A::value>();
  } else {
    static_assert(std::is_same_v<A, std::remove_cv_t<A>>, "a definition is of a type without const or volatile");
    static_assert(common_type_name<A>()[0] != '\0',
                  "this type has no name in kernels: specialise yoke::device_type_name for it");
    const std::string name = cxx ? cxx_type_name<A>() : "";
    return name.empty() ? common_type_name<A>() : name;
  }
}

}  // namespace detail

/// Definitions of types and constants, one for each name:
/// `compile(ctx, source, {.defines = specialise<float, value_of<256>>("T", "BLOCK")})`.
/// A type is spelled in words that OpenCL C and CUDA C++ both have ("unsigned int"), and as in kernels' signatures
/// otherwise; a struct has the name that `device_type_name` says.
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class... A, class... Names>
[[nodiscard]] std::vector<define> specialise(Names... names) {
  static_assert(sizeof...(A) == sizeof...(Names), "specialise takes one name for each type or constant");
  if constexpr (sizeof...(A) == sizeof...(Names)) {
    return {define(std::string(names), detail::specialised<A>(false))...};
  } else {
    return {};
  }
}

/// The name of a template's instance, for `cuda::compile_options::name_expressions` and `get_kernel`:
/// `instance_name<float, value_of<4>>("scale")` is "scale<float, 4>".
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class... A>
[[nodiscard]] std::string instance_name(const std::string& of) {
  static_assert(sizeof...(A) > 0, "an instance has arguments");
  std::string list;
  ((list += (list.empty() ? "" : ", ") + detail::specialised<A>(true)), ...);
  return of + "<" + list + ">";
}

}  // namespace yoke::inline YOKE_ABI

#endif
