// SPDX-License-Identifier: MIT
// Signatures of kernels as bytes in a cache's entry.
#ifndef YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_HPP
#define YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_HPP

#include <yoke/driver/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the bytes: a version, the number of kernels, for each its name and number of parameters, and for each
/// parameter address space, const, type and name; nothing for no kernels. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::byte> encode_signatures(const std::vector<typed_kernel>& kernels);

/// Returns: the kernels; none unless every byte is as `encode_signatures` writes it, so that the driver's description
/// counts. It makes no more elements than the bytes can hold. Throws: `std::bad_alloc`.
YOKE_API std::vector<typed_kernel> decode_signatures(std::span<const std::byte> bytes);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/kernel_signatures.ipp>
#endif

#endif
