// SPDX-License-Identifier: MIT
// Philox 4x32-10 on the host: 128 random bits from a counter and a key.
#ifndef YOKE_ALGORITHM_PHILOX_HPP
#define YOKE_ALGORITHM_PHILOX_HPP

#include <yoke/core/config.hpp>

#include <array>
#include <cstdint>

namespace yoke::inline v0_1 {

/// Four random words from a counter and a key: Philox 4x32 with ten rounds. Different counters give different words.
/// The kernel function `yoke_philox4x32` gives the same words.
///
/// Throws: nothing. Thread safety: safe. Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                                std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t one = std::uint64_t{0xd2511f53} * counter[0];
    const std::uint64_t other = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(other >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(other),
               static_cast<std::uint32_t>(one >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(one)};
    key = {key[0] + 0x9e3779b9U, key[1] + 0xbb67ae85U};
  }
  return counter;
}

}  // namespace yoke::inline v0_1

#endif
