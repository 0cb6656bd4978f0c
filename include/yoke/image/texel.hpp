// SPDX-License-Identifier: MIT
// Texel types, which determine an image's format and the type that kernels read and write.
#ifndef YOKE_IMAGE_TEXEL_HPP
#define YOKE_IMAGE_TEXEL_HPP

#include <yoke/core/half.hpp>
#include <yoke/core/vector_types.hpp>
#include <yoke/driver/image_types.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace yoke::inline v0_1 {

/// A texel of `N` channels of integers that stand for numbers from 0 to 1; kernels read them as `float`.
/// Example: `yoke::unorm<std::uint8_t, 4>{{255, 128, 0, 255}}`
template <class Integer, std::size_t N = 1>
struct unorm {
  static_assert(std::same_as<Integer, std::uint8_t> || std::same_as<Integer, std::uint16_t>,
                "texels of 0 to 1 are stored as std::uint8_t or std::uint16_t");
  Integer channels[N];
  [[nodiscard]] friend constexpr bool operator==(const unorm&, const unorm&) noexcept = default;
};
/// The same for numbers from -1 to 1.
template <class Integer, std::size_t N = 1>
struct snorm {
  static_assert(std::same_as<Integer, std::int8_t> || std::same_as<Integer, std::int16_t>,
                "texels of -1 to 1 are stored as std::int8_t or std::int16_t");
  Integer channels[N];
  [[nodiscard]] friend constexpr bool operator==(const snorm&, const snorm&) noexcept = default;
};
/// A colour in sRGB and its alpha. Kernels read linear colours from 0 to 1.
struct srgba8 {
  std::uint8_t channels[4];
  [[nodiscard]] friend constexpr bool operator==(const srgba8&, const srgba8&) noexcept = default;
};

namespace detail {

template <class T>
inline constexpr int channel_number = -1;
template <>
inline constexpr int channel_number<std::int8_t> = static_cast<int>(channel_type::signed8);
template <>
inline constexpr int channel_number<std::int16_t> = static_cast<int>(channel_type::signed16);
template <>
inline constexpr int channel_number<std::int32_t> = static_cast<int>(channel_type::signed32);
template <>
inline constexpr int channel_number<std::uint8_t> = static_cast<int>(channel_type::unsigned8);
template <>
inline constexpr int channel_number<std::uint16_t> = static_cast<int>(channel_type::unsigned16);
template <>
inline constexpr int channel_number<std::uint32_t> = static_cast<int>(channel_type::unsigned32);
template <>
inline constexpr int channel_number<half> = static_cast<int>(channel_type::half_float);
template <>
inline constexpr int channel_number<float> = static_cast<int>(channel_type::float32);

template <class T, std::size_t N>
struct vec_or_scalar {
  using type = vec<T, N>;
};
template <class T>
struct vec_or_scalar<T, 1> {
  using type = T;
};

/// The type that kernels read for `N` channels of a type.
template <channel_type Type, std::size_t N>
using texel_value = typename vec_or_scalar<
    std::conditional_t<is_read_as_float(Type), float,
                       std::conditional_t<(Type <= channel_type::signed32), std::int32_t, std::uint32_t>>,
    N>::type;

template <channel_type Type, std::size_t N>
struct texel_facts {
  static_assert(N == 1 || N == 2 || N == 4, "texels have 1, 2 or 4 channels");
  static constexpr image_format format{Type, static_cast<std::uint8_t>(N)};
  using value_type = texel_value<Type, N>;
};

}  // namespace detail

/// The `format` of an image with texels of type `T`, and the `value_type` that kernels read and write. For your own
/// type, derive a specialisation from the traits of a type with the same size and meaning.
/// Example: `template <> struct yoke::texel_traits<my_pixel> : yoke::texel_traits<yoke::unorm<std::uint8_t, 4>> {};`
template <class T>
struct texel_traits;

template <class T>
  requires(detail::channel_number<T> >= 0)
struct texel_traits<T> : detail::texel_facts<static_cast<channel_type>(detail::channel_number<T>), 1> {};
template <class T, std::size_t N>
  requires(detail::channel_number<T> >= 0 && N != 3)
struct texel_traits<vec<T, N>> : detail::texel_facts<static_cast<channel_type>(detail::channel_number<T>), N> {};
template <class Integer, std::size_t N>
struct texel_traits<unorm<Integer, N>>
    : detail::texel_facts<sizeof(Integer) == 1 ? channel_type::unorm8 : channel_type::unorm16, N> {};
template <class Integer, std::size_t N>
struct texel_traits<snorm<Integer, N>>
    : detail::texel_facts<sizeof(Integer) == 1 ? channel_type::snorm8 : channel_type::snorm16, N> {};
template <>
struct texel_traits<srgba8> : detail::texel_facts<channel_type::srgb8, 4> {};

/// A type that images can hold.
template <class T>
concept texel = std::is_trivially_copyable_v<T> && requires {
  { texel_traits<T>::format } -> std::convertible_to<image_format>;
  typename texel_traits<T>::value_type;
} && sizeof(T) == detail::texel_bytes(texel_traits<T>::format);

/// Views the elements of a contiguous range as texels: four `std::uint8_t` as one `unorm<std::uint8_t, 4>`.
/// Requires: the range outlives the view.
/// Throws: `logic_error` unless the range has a whole number of texels and is aligned for them. Thread safety: a value.
/// Example: `yoke::copy(yoke::as_texels<pixel>(png.bytes), image, stream);`
template <texel T, class Range>
[[nodiscard]] auto as_texels(Range&& range, const source_location& where = source_location::current()) {
  using given = std::remove_pointer_t<decltype(std::data(range))>;
  using seen = std::conditional_t<std::is_const_v<given>, const T, T>;
  static_assert(std::is_trivially_copyable_v<given>, "texels are seen in plain data");
  static_assert(std::is_lvalue_reference_v<Range> || std::ranges::enable_borrowed_range<std::remove_cvref_t<Range>>,
                "the range ends with the statement: pass a variable");
  const std::size_t bytes = std::size(range) * sizeof(given);
  auto* const first = std::data(range);
  if (bytes % sizeof(T) != 0) {
    detail::throw_error(errc::size_mismatch, where, "a range of ", bytes, " bytes is no whole number of texels of ",
                        sizeof(T), " bytes");
  }
  if (reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0) {
    detail::throw_error(errc::misaligned, where, "a range at an address that is no multiple of ", alignof(T),
                        " holds no such texels");
  }
  return std::span<seen>(reinterpret_cast<seen*>(first), bytes / sizeof(T));
}

}  // namespace yoke::inline v0_1

#endif
