// SPDX-License-Identifier: MIT
// Bodies of memory/pool_bins.hpp.
#ifndef YOKE_MEMORY_POOL_BINS_IPP
#define YOKE_MEMORY_POOL_BINS_IPP

#include <yoke/memory/pool_bins.hpp>

#include <bit>

namespace yoke::inline v0_1::detail {

std::size_t pool_bin_number(std::uint64_t bytes, unsigned leading_bits) noexcept {
  const unsigned exponent = bytes == 0 ? 0 : 63 - static_cast<unsigned>(std::countl_zero(bytes));
  const std::uint64_t head =
      exponent >= leading_bits ? bytes >> (exponent - leading_bits) : bytes << (leading_bits - exponent);
  const std::uint64_t mantissa = head & ((std::uint64_t{1} << leading_bits) - 1);
  return std::size_t{exponent} << leading_bits | static_cast<std::size_t>(mantissa);
}
std::uint64_t pool_alloc_size(std::size_t bin, unsigned leading_bits) noexcept {
  const auto exponent = static_cast<unsigned>(bin >> leading_bits);
  const std::uint64_t one = std::uint64_t{1} << leading_bits;
  const std::uint64_t head = one | (bin & (one - 1));
  if (exponent < leading_bits) return head >> (leading_bits - exponent);
  const unsigned shift = exponent - leading_bits;
  return head << shift | ((std::uint64_t{1} << shift) - 1);
}

}  // namespace yoke::inline v0_1::detail

#endif
