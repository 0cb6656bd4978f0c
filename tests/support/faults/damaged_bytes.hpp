// SPDX-License-Identifier: MIT
// Readers against damage: what ends early, and every flip of one bit.
#ifndef YOKE_TESTS_SUPPORT_DAMAGED_BYTES_HPP
#define YOKE_TESTS_SUPPORT_DAMAGED_BYTES_HPP

#include <cstddef>
#include <span>
#include <vector>

namespace yoke_test {

/// Returns: of how many beginnings of the bytes, each shorter than they are, `accepts` says yes.
template <class Accepts>
std::size_t accepted_prefixes(std::span<const std::byte> bytes, Accepts accepts) {
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) accepted += accepts(bytes.first(size)) ? 1U : 0U;
  return accepted;
}

/// Returns: of how many copies of the bytes, each with another bit flipped, `accepts` says yes.
template <class Accepts>
std::size_t accepted_flips(std::vector<std::byte> bytes, Accepts accepts) {
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    accepted += accepts(std::span<const std::byte>(bytes)) ? 1U : 0U;
    bytes[bit / 8] ^= mask;
  }
  return accepted;
}

}  // namespace yoke_test

#endif
