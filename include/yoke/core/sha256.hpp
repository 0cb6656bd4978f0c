// SPDX-License-Identifier: MIT
// SHA-256, for the checksums of program binaries.
#ifndef YOKE_CORE_SHA256_HPP
#define YOKE_CORE_SHA256_HPP

#include <yoke/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace yoke::inline v0_1::detail {

/// Returns: the SHA-256 digest of the bytes (FIPS 180-4).
YOKE_API std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/sha256.ipp>
#endif

#endif
