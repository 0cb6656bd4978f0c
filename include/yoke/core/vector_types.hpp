// SPDX-License-Identifier: MIT
// Vector types of the host with the size, alignment and component order of the device's.
#ifndef YOKE_CORE_VECTOR_TYPES_HPP
#define YOKE_CORE_VECTOR_TYPES_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1 {

/// A vector of `N` components of `T`, laid out as in OpenCL C and the dialect: aligned to its size. `yoke::float3` does
/// not exist, because OpenCL C gives vectors of three the size and alignment of four, and CUDA does not: use
/// `opencl::float3` or `cuda::float3`. Components are `x`, `y`, `z`, `w`, or `s[8]`, `s[16]`. Thread safety: a value.
template <class T, std::size_t N>
struct vec;

template <class T>
struct alignas(2 * sizeof(T)) vec<T, 2> {
  T x, y;
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};
template <class T>
struct alignas(4 * sizeof(T)) vec<T, 3> {
  T x, y, z;
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};
template <class T>
struct alignas(4 * sizeof(T)) vec<T, 4> {
  T x, y, z, w;
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};
template <class T>
struct alignas(8 * sizeof(T)) vec<T, 8> {
  T s[8];
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};
template <class T>
struct alignas(16 * sizeof(T)) vec<T, 16> {
  T s[16];
  [[nodiscard]] friend constexpr bool operator==(const vec&, const vec&) noexcept = default;
};

#define YOKE_D_VECTORS(name, type)                                                                                     \
  using name##2 = vec<type, 2>;                                                                                        \
  using name##4 = vec<type, 4>;                                                                                        \
  using name##8 = vec<type, 8>;                                                                                        \
  using name##16 = vec<type, 16>;
YOKE_D_VECTORS(char, std::int8_t)
YOKE_D_VECTORS(uchar, std::uint8_t)
YOKE_D_VECTORS(short, std::int16_t)
YOKE_D_VECTORS(ushort, std::uint16_t)
YOKE_D_VECTORS(int, std::int32_t)
YOKE_D_VECTORS(uint, std::uint32_t)
YOKE_D_VECTORS(long, std::int64_t)
YOKE_D_VECTORS(ulong, std::uint64_t)
YOKE_D_VECTORS(float, float)
YOKE_D_VECTORS(double, double)
#undef YOKE_D_VECTORS

}  // namespace yoke::inline v0_1

#endif
