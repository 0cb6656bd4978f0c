// SPDX-License-Identifier: MIT
// Finds the offset of a struct's member from a pointer to member.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_MEMBER_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_MEMBER_HPP

#include <yoke/memory/device_span.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace yoke::inline v0_1::detail {

template <class Struct, class Member>
struct member_facts;
template <class Struct, class Of, class T>
  requires std::same_as<Struct, Of> || std::derived_from<Struct, Of>
struct member_facts<Struct, T Of::*> {
  static_assert(std::is_standard_layout_v<Struct>, "members are reached in standard-layout structs alone");
  static_assert(device_element<T>,
                "a member of an array's elements is a value or a built-in array of values: no pointer or const member");
  using type = T;
};
template <class Struct, auto Member>
using type_of_member = typename member_facts<Struct, decltype(Member)>::type;

/// The type that a pointer to member points to; it may be a built-in array.
template <class Member>
struct pointed_member;
template <class Of, class T>
struct pointed_member<T Of::*> {
  using type = T;
};
template <auto Member>
using pointed_member_t = typename pointed_member<decltype(Member)>::type;
template <auto Member>
inline constexpr bool is_array_member = std::is_array_v<pointed_member_t<Member>>;

/// The text that reads a member of `$0`.
template <std::size_t Size>
struct member_text {
  char text[Size]{};
};
template <auto Member>
[[nodiscard]] consteval auto member_words() {
  // "... Member = &sim::particle::mass]"
  constexpr std::string_view whole = __PRETTY_FUNCTION__;
  constexpr std::size_t end = whole.find_last_not_of("])");
  constexpr std::size_t begin = whole.find_last_of(":&", end);
  member_text<end - begin + 4> made{{'$', '0', '.'}};
  for (std::size_t i = begin + 1; i <= end; ++i) made.text[i - begin + 2] = whole[i];
  return made;
}

/// Returns: the offset of a member in its struct, in bytes.
template <class Struct, auto Member>
[[nodiscard]] std::size_t member_offset() noexcept {
  // The union gives the members addresses without constructing the struct.
  union storage {
    std::byte bytes;
    Struct value;
    storage() noexcept : bytes{} {}
  };
  const storage place;
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(std::addressof(place.value.*Member)) -
                                  &place.bytes);
}

}  // namespace yoke::inline v0_1::detail

#endif
