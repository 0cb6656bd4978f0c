// SPDX-License-Identifier: MIT
// Encodes kernel signatures as bytes of a cache entry.
#ifndef YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_HPP
#define YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_HPP

#include <yoke/driver/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: a version, the number of kernels, for each kernel its name and number of parameters, and for each parameter
/// its address space, const, type and name; empty without kernels. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::byte> encode_signatures(const std::vector<typed_kernel>& kernels);

/// Returns: the kernels; none unless every byte is as `encode_signatures` writes it: callers then rely on the driver's
/// description. Allocates at most as many elements as the bytes can hold. Throws: `std::bad_alloc`.
YOKE_API std::vector<typed_kernel> decode_signatures(std::span<const std::byte> bytes);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/kernel_signatures.ipp>
#endif

#endif
