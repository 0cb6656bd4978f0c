// SPDX-License-Identifier: MIT
// Sorts block sizes of a pool into bins.
#ifndef YOKE_MEMORY_POOL_BINS_HPP
#define YOKE_MEMORY_POOL_BINS_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace yoke::inline v0_1::detail {

/// Returns: the bin of a size, computed as in PyOpenCL's and PyCUDA's pools. Requires: `leading_bits` is at most 16.
[[nodiscard]] YOKE_API std::size_t pool_bin_number(std::uint64_t bytes, unsigned leading_bits) noexcept;
/// Returns: the block size of a bin in bytes, which is the largest size in the bin.
[[nodiscard]] YOKE_API std::uint64_t pool_alloc_size(std::size_t bin, unsigned leading_bits) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/pool_bins.ipp>
#endif

#endif
