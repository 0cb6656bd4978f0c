// SPDX-License-Identifier: MIT
// Host twins of the device's 2- and 4-vectors, with the device's alignment.
#ifndef YOKE_CORE_VECTOR_TYPES_HPP
#define YOKE_CORE_VECTOR_TYPES_HPP

#include <yoke/core/config.hpp>

#include <cstdint>

namespace yoke::inline YOKE_ABI {

struct alignas(8) float2 {
  float x, y;
  [[nodiscard]] friend constexpr bool operator==(const float2&, const float2&) noexcept = default;
};
struct alignas(16) float4 {
  float x, y, z, w;
  [[nodiscard]] friend constexpr bool operator==(const float4&, const float4&) noexcept = default;
};
struct alignas(8) int2 {
  std::int32_t x, y;
  [[nodiscard]] friend constexpr bool operator==(const int2&, const int2&) noexcept = default;
};
struct alignas(16) int4 {
  std::int32_t x, y, z, w;
  [[nodiscard]] friend constexpr bool operator==(const int4&, const int4&) noexcept = default;
};

}  // namespace yoke::inline YOKE_ABI

#endif
