// SPDX-License-Identifier: MIT
// A compiled program as the cache stores it, and the bytes it becomes.
#ifndef YOKE_PROGRAM_CACHE_CACHE_ENTRY_HPP
#define YOKE_PROGRAM_CACHE_CACHE_ENTRY_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace yoke::inline v0_1 {

/// One compiled program: no source text, no paths, nothing that the host executes.
struct cache_entry {
  cache_key key{};
  std::string compiler{};               ///< name and full version of the compiler: "NVRTC 13.0.48"
  std::uint64_t created = 0;            ///< seconds since 1970; 0: `disk_cache::store` fills it in
  std::string log{};                    ///< the build log, so that a hit says what the compile said
  std::vector<std::byte> signatures{};  ///< what `encode_signatures` makes of the kernels'; empty: none
  std::vector<std::byte> payload{};     ///< what the driver loads

  friend bool operator==(const cache_entry&, const cache_entry&) = default;
};

namespace detail {

/// The largest entry: larger ones are neither written nor read.
inline constexpr std::uint64_t cache_entry_limit = std::uint64_t{256} << 20;
/// An entry of no fields and no bytes.
inline constexpr std::uint64_t cache_entry_minimum = 96 + 32;

/// Takes numbers and bytes from the front of a range and never leaves it: only this class computes with sizes read
/// from a file.
class entry_reader {
 public:
  explicit entry_reader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::size_t remaining() const noexcept { return rest_.size(); }
  /// Whether every call so far had enough bytes.
  [[nodiscard]] bool good() const noexcept { return good_; }
  /// Returns: the next `size` bytes; if there are fewer, none, and `good()` is false from now on.
  YOKE_API std::span<const std::byte> take(std::uint64_t size) noexcept;
  /// Returns: the next number of `bytes` bytes, little endian; 0 if there are fewer.
  YOKE_API std::uint64_t number(unsigned bytes) noexcept;

 private:
  std::span<const std::byte> rest_;
  bool good_ = true;
};

/// Returns: the size of the entry's bytes.
YOKE_API std::uint64_t encoded_size(const cache_entry& entry) noexcept;

/// Returns: the bytes: magic, schema, flags, key, creation, five lengths, the fields' digests, compiler, log,
/// signatures, payload, and the SHA-256 of all before. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::byte> encode_entry(const cache_entry& entry);

/// Returns: the entry; none unless every byte is as `encode_entry` writes it. It checks the checksum and every length
/// before it allocates, and allocates less than the bytes' own size. Throws: nothing; without memory it returns none.
YOKE_API std::optional<cache_entry> decode_entry(std::span<const std::byte> bytes) noexcept;

/// Returns: whether the bytes begin as an entry of another schema, which another version of the library may read.
YOKE_API bool is_other_schema(std::span<const std::byte> bytes) noexcept;

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/cache_entry.ipp>
#endif

#endif
