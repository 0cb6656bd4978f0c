// SPDX-License-Identifier: MIT
// The word that has new host memory filled with zeros.
#ifndef YOKE_CORE_ZEROED_HPP
#define YOKE_CORE_ZEROED_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI {

/// Has every byte of new host memory be zero: `pagelocked_array<float> a{ctx, n, yoke::zeroed};`
struct zeroed_t {
  explicit zeroed_t() = default;
};
inline constexpr zeroed_t zeroed{};

}  // namespace yoke::inline YOKE_ABI

#endif
