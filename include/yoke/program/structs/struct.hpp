// SPDX-License-Identifier: MIT
// Registers host structs that kernels share, checks them at compile time and describes them to kernel compilers.
#ifndef YOKE_PROGRAM_STRUCTS_STRUCT_HPP
#define YOKE_PROGRAM_STRUCTS_STRUCT_HPP

#include <yoke/core/half.hpp>
#include <yoke/core/type_name.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <cstddef>
#include <type_traits>
#include <typeinfo>

namespace yoke::inline v0_1 {

// The compiler's first error names one of these when a struct cannot be shared.
template <class>
struct in_struct;
template <std::size_t>
struct member_number;
template <class>
struct member_type;
template <std::size_t>
struct host_bytes;
template <std::size_t>
struct device_bytes;
template <class Struct>
struct shared_struct_is_not_standard_layout;
template <class Struct>
struct shared_struct_is_not_trivially_copyable;
template <class Struct>
struct shared_struct_has_no_members;
template <class Struct, class Number, class Type>
struct shared_struct_member_has_no_device_type;
template <class Struct, class Number, class Host, class Device>
struct shared_struct_member_lies_elsewhere;
template <class Struct, class Host, class Device>
struct shared_struct_has_another_size;
template <class Struct, class Host, class Device>
struct shared_struct_has_another_alignment;

namespace detail {

/// Returns: whether at least one kernel language has the member's type. Excludes `bool`, which differs between
/// languages, and pointers, which are valid on the host only.
template <class T>
constexpr bool has_device_type() noexcept {
  if constexpr (std::is_array_v<T>) {
    return std::extent_v<T> != 0 && has_device_type<std::remove_extent_t<T>>();
  } else {
    using plain = std::remove_const_t<T>;
    return !std::is_same_v<plain, bool> && !std::is_volatile_v<T> &&
           (device_type<plain>::opencl_c[0] != '\0' || device_type<plain>::cuda[0] != '\0');
  }
}

/// Ends the compilation for a struct that kernels cannot share.
template <class T>
constexpr bool check_struct_itself() {
  if constexpr (!std::is_standard_layout_v<T>) {
    (void)sizeof(shared_struct_is_not_standard_layout<in_struct<T>>);
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    (void)sizeof(shared_struct_is_not_trivially_copyable<in_struct<T>>);
  }
  return true;
}

/// One member as a type, so that its offset is a compile-time constant.
template <class Member, std::size_t Offset>
struct placed_member {};

constexpr std::size_t aligned(std::size_t at, std::size_t to) noexcept { return (at + to - 1) / to * to; }

template <class T, std::size_t Number, std::size_t End, std::size_t Alignment>
constexpr bool check_members() {
  constexpr std::size_t size = aligned(End, Alignment);
  if constexpr (Number == 0) {
    (void)sizeof(shared_struct_has_no_members<in_struct<T>>);
  } else if constexpr (size != sizeof(T)) {
    (void)sizeof(shared_struct_has_another_size<in_struct<T>, host_bytes<sizeof(T)>, device_bytes<size>>);
  } else if constexpr (alignof(T) > Alignment) {
    (void)sizeof(shared_struct_has_another_alignment<in_struct<T>, host_bytes<alignof(T)>, device_bytes<Alignment>>);
  }
  return true;
}
/// Lays the members out as kernel compilers do and compares the offsets. The first `Number` members end at `End`.
template <class T, std::size_t Number, std::size_t End, std::size_t Alignment, class Member, std::size_t Offset,
          class... Rest>
constexpr bool check_members(placed_member<Member, Offset>, Rest... rest) {
  constexpr std::size_t to = device_type<std::remove_const_t<std::remove_all_extents_t<Member>>>::alignment;
  constexpr std::size_t place = aligned(End, to);
  if constexpr (!has_device_type<Member>()) {
    (void)sizeof(shared_struct_member_has_no_device_type<in_struct<T>, member_number<Number + 1>, member_type<Member>>);
  } else if constexpr (place != Offset) {
    (void)sizeof(shared_struct_member_lies_elsewhere<in_struct<T>, member_number<Number + 1>, host_bytes<Offset>,
                                                     device_bytes<place>>);
  }
  return check_members<T, Number + 1, Offset + sizeof(Member), (to > Alignment ? to : Alignment)>(rest...);
}

/// Begins the list of members, so that a comma can precede each member.
struct no_member {};
template <class T, class... Members>
constexpr bool check_all_members(no_member, Members... members) {
  return check_members<T, 0, 0, 1>(members...);
}

/// Returns: the part of a name behind the last "::".
constexpr const char* last_name(const char* name) noexcept {
  const char* last = name;
  for (; *name != '\0'; ++name) {
    if (*name == ':' || *name == ' ') last = name + 1;
  }
  return last;
}

template <class T>
std::string host_name() {
  return std::string(vec_size<T> == 3 ? "opencl::" : "") + device_type_name<T>;
}

}  // namespace detail

namespace detail {

template <class T>
constexpr const char* function_of_type() noexcept {
  return __PRETTY_FUNCTION__;
}
/// Returns: a type's full name, "sim::particle"; with RTTI, the same for every compiler.
template <class T>
std::string whole_name() {
#if defined(__GXX_RTTI)
  return readable_type_name(typeid(T).name());
#else
  const std::string name = function_of_type<T>();
  const std::size_t begin = name.find("T = ");
  const std::size_t end = name.rfind(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return name.substr(begin + 4, end - begin - 4);
#endif
}

struct struct_describer {
  struct_description* into;

  template <class Member>
  void member(const char* name, std::size_t offset) const {
    using element = std::remove_const_t<std::remove_all_extents_t<Member>>;
    struct_member made;
    made.name = name;
    made.opencl_c = device_type<element>::opencl_c;
    if constexpr (std::is_enum_v<element>) {
      made.cuda = device_type<std::underlying_type_t<element>>::cuda;
    } else {
      made.cuda = device_type<element>::cuda;
    }
    made.dialect = device_type<element>::dialect;
    made.host = host_name<element>();
    made.offset = offset;
    made.bytes = sizeof(Member);
    add_extents<Member>(made.extents);
    into->members.push_back(std::move(made));
    if constexpr (registered_struct<element>) {
      struct_description within = describe_struct<element>();
      for (const struct_description& each : into->nested) {
        if (each == within) return;  // `struct_source` reports a different struct of that name
      }
      into->nested.push_back(std::move(within));
    }
  }
  template <class Member>
  static void add_extents(std::vector<std::size_t>& to) {
    if constexpr (std::is_array_v<Member>) {
      to.push_back(std::extent_v<Member>);
      add_extents<std::remove_extent_t<Member>>(to);
    }
  }
};

}  // namespace detail

template <detail::registered_struct T>
struct_description describe_struct() {
  struct_description made{device_struct<T>::name, sizeof(T), alignof(T)};
  made.host = detail::whole_name<T>();
  device_struct<T>::visit(detail::struct_describer{&made});
  return made;
}

/// Returns: a registered struct's definition and checks as text, to paste into a source.
template <detail::registered_struct T>
[[nodiscard]] std::string struct_source(struct_words words = struct_words::native) {
  const struct_description made = describe_struct<T>();
  return struct_source(std::span(&made, 1), words);
}

}  // namespace yoke::inline v0_1

// Applies a macro to each member of a list, by repeated expansion in four rounds of four.
#define YOKE_D_AGAIN(...) YOKE_D_AGAIN3(YOKE_D_AGAIN3(YOKE_D_AGAIN3(YOKE_D_AGAIN3(__VA_ARGS__))))
#define YOKE_D_AGAIN3(...) YOKE_D_AGAIN2(YOKE_D_AGAIN2(YOKE_D_AGAIN2(YOKE_D_AGAIN2(__VA_ARGS__))))
#define YOKE_D_AGAIN2(...) YOKE_D_AGAIN1(YOKE_D_AGAIN1(YOKE_D_AGAIN1(YOKE_D_AGAIN1(__VA_ARGS__))))
#define YOKE_D_AGAIN1(...) __VA_ARGS__
#define YOKE_D_PARENTHESES ()
#define YOKE_D_EACH(macro, type, first, ...)                                                                           \
  macro(type, first) __VA_OPT__(YOKE_D_EACH_AGAIN YOKE_D_PARENTHESES(macro, type, __VA_ARGS__))
#define YOKE_D_EACH_AGAIN() YOKE_D_EACH
#define YOKE_D_FOR_EACH(macro, type, ...) __VA_OPT__(YOKE_D_AGAIN(YOKE_D_EACH(macro, type, __VA_ARGS__)))
#define YOKE_D_VISIT_MEMBER(type, name)                                                                                \
  visitor.template member<decltype(type::name)>(#name, __builtin_offsetof(type, name));
#define YOKE_D_PLACE_MEMBER(type, name)                                                                                \
  , ::yoke::detail::placed_member<decltype(type::name), __builtin_offsetof(type, name)> {}

/// Registers a struct that kernels share, under its own name without namespaces: `YOKE_STRUCT(sim::particle, position,
/// mass);` after its definition, outside of every namespace. Name all members in order, up to 64: numbers, vectors,
/// `half`, complex numbers, registered structs, and arrays of these, but not `bool` and pointers.
///
/// Does not compile if the struct is not of standard layout, is not trivially copyable, has other members, or differs
/// from the layout of kernel compilers. Pass `describe_struct<T>()` in `compile_options::types`; signatures use the
/// struct by its name.
#define YOKE_STRUCT(type, ...) YOKE_STRUCT_AS(type, ::yoke::detail::last_name(#type) __VA_OPT__(, ) __VA_ARGS__)

/// The same under another name in kernels: `YOKE_STRUCT_AS(sim::particle, "sim_particle", position, mass);`.
#define YOKE_STRUCT_AS(type, kernels_name, ...)                                                                        \
  static_assert(::yoke::detail::check_struct_itself<type>());                                                          \
  template <>                                                                                                          \
  struct yoke::device_struct<type> {                                                                                   \
    static constexpr const char* name = kernels_name;                                                                  \
    template <class Visitor>                                                                                           \
    static void visit([[maybe_unused]] const Visitor& visitor) {                                                       \
      YOKE_D_FOR_EACH(YOKE_D_VISIT_MEMBER, type, __VA_ARGS__)                                                          \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  [[maybe_unused]] inline constexpr const char* yoke::device_type_name<type> = yoke::device_struct<type>::name;        \
  static_assert(::yoke::detail::check_all_members<type>(                                                               \
      ::yoke::detail::no_member {} YOKE_D_FOR_EACH(YOKE_D_PLACE_MEMBER, type, __VA_ARGS__)))

#endif
