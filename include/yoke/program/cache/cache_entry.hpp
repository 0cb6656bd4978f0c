// SPDX-License-Identifier: MIT
// The cache's entry for a compiled program, and its encoding as bytes.
#ifndef YOKE_PROGRAM_CACHE_CACHE_ENTRY_HPP
#define YOKE_PROGRAM_CACHE_CACHE_ENTRY_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace yoke::inline v0_1 {

/// One compiled program. It holds neither source text nor paths nor code for the host.
struct cache_entry {
  cache_key key{};
  std::string compiler{};               ///< name and full version of the compiler: "NVRTC 13.0.48"
  std::uint64_t created = 0;            ///< seconds since 1970; 0: `disk_cache::store` fills it in
  std::string log{};                    ///< the build log, which a hit returns again
  std::vector<std::byte> signatures{};  ///< the kernels' signatures from `encode_signatures`; empty: none
  std::vector<std::byte> payload{};     ///< the bytes that the driver loads

  friend bool operator==(const cache_entry&, const cache_entry&) = default;
};

namespace detail {

/// The largest entry in bytes; larger ones are neither written nor read.
inline constexpr std::uint64_t cache_entry_limit = std::uint64_t{256} << 20;
/// The smallest entry in bytes: without fields and contents.
inline constexpr std::uint64_t cache_entry_minimum = 96 + 32;

/// Takes numbers and bytes from the front of a range and checks the bounds. Only this class computes with sizes read
/// from a file.
class entry_reader {
 public:
  explicit entry_reader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::size_t remaining() const noexcept { return rest_.size(); }
  /// Whether every call so far had enough bytes.
  [[nodiscard]] bool good() const noexcept { return good_; }
  /// Returns: the next `size` bytes; if fewer are left, none, and `good()` stays false.
  YOKE_API std::span<const std::byte> take(std::uint64_t size) noexcept;
  /// Returns: the next number of `bytes` bytes, little endian; 0 if there are fewer.
  YOKE_API std::uint64_t number(unsigned bytes) noexcept;

 private:
  std::span<const std::byte> rest_;
  bool good_ = true;
};

/// Returns: the size of the encoded entry in bytes.
YOKE_API std::uint64_t encoded_size(const cache_entry& entry) noexcept;

/// Returns: the encoded entry: magic, schema, flags, key, creation, five lengths, the fields' digests, compiler, log,
/// signatures, payload, and the SHA-256 of all these. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::byte> encode_entry(const cache_entry& entry);

/// Returns: the entry; none unless every byte is as `encode_entry` writes it, or if memory runs out. Checks the
/// checksum and every length before it allocates, and allocates less than the size of `bytes`. Throws: nothing.
YOKE_API std::optional<cache_entry> decode_entry(std::span<const std::byte> bytes) noexcept;

/// Returns: whether the bytes begin as an entry of another schema, written by another version of the library.
YOKE_API bool is_other_schema(std::span<const std::byte> bytes) noexcept;

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/cache_entry.ipp>
#endif

#endif
