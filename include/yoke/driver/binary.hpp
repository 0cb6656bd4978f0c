// SPDX-License-Identifier: MIT
// The container of program binaries. Its identity and checksum are checked before a driver gets any bytes.
#ifndef YOKE_DRIVER_BINARY_HPP
#define YOKE_DRIVER_BINARY_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/sha256.hpp>
#include <yoke/core/text.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

// Layout: magic (8) | entries (u32) | per entry: identity length (u32), identity, payload length (u64), payload, facts
// length (u64), facts | extra length (u64), extra | SHA-256 of everything before. Integers are little endian. The magic
// ends in the version. The extra bytes are for the code above the port, which stores its own facts of a program there.
inline constexpr char binary_magic[8] = {'Y', 'O', 'K', 'E', 'C', 'L', '0', '3'};

struct binary_entry {
  std::string identity;
  std::span<const std::byte> payload;
  std::span<const std::byte> facts{};  ///< facts that the backend stores about the payload
};

template <class Integer>
void put(std::vector<std::byte>& out, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}
inline void put_bytes(std::vector<std::byte>& out, const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  out.insert(out.end(), first, first + bytes);
}

[[gnu::cold]] inline std::vector<std::byte> pack_binary(const std::vector<binary_entry>& entries) {
  std::vector<std::byte> out;
  put_bytes(out, binary_magic, sizeof binary_magic);
  put(out, static_cast<std::uint32_t>(entries.size()));
  for (const binary_entry& entry : entries) {
    put(out, static_cast<std::uint32_t>(entry.identity.size()));
    put_bytes(out, entry.identity.data(), entry.identity.size());
    put(out, static_cast<std::uint64_t>(entry.payload.size()));
    put_bytes(out, entry.payload.data(), entry.payload.size());
    put(out, static_cast<std::uint64_t>(entry.facts.size()));
    put_bytes(out, entry.facts.data(), entry.facts.size());
  }
  put(out, std::uint64_t{0});  // no extra bytes
  const auto digest = sha256(out);
  put_bytes(out, digest.data(), digest.size());
  return out;
}

/// Returns: whether the bytes begin with the container's magic.
[[gnu::cold]] inline bool is_packed(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= sizeof binary_magic && std::memcmp(bytes.data(), binary_magic, sizeof binary_magic) == 0;
}
/// Returns: the container with extra bytes appended. Requires: `packed` is from `pack_binary` and has no extra bytes.
[[gnu::cold]] inline std::vector<std::byte> pack_extra(std::span<const std::byte> packed,
                                                       std::span<const std::byte> extra) {
  std::vector<std::byte> out(packed.begin(), packed.end() - 32 - 8);
  put(out, std::uint64_t{extra.size()});
  put_bytes(out, extra.data(), extra.size());
  const auto digest = sha256(out);
  put_bytes(out, digest.data(), digest.size());
  return out;
}

/// Reads numbers and bytes in order, and never past the end.
class bounded_reader {
 public:
  explicit bounded_reader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  template <class Integer>
  bool get(Integer& value) noexcept {
    if (bytes_.size() < sizeof value) return false;
    value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) {
      value = static_cast<Integer>(value | (static_cast<Integer>(bytes_[i]) << (8 * i)));
    }
    bytes_ = bytes_.subspan(sizeof value);
    return true;
  }
  bool take(std::uint64_t count, std::span<const std::byte>& part) noexcept {
    if (count > bytes_.size()) return false;
    part = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

/// Returns: the little-endian number at an offset; 0 beyond the end.
template <class Number>
Number number_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  Number value = 0;
  if (at < bytes.size()) (void)bounded_reader{bytes.subspan(static_cast<std::size_t>(at))}.get(value);
  return value;
}

/// Returns: whether a table of `count` rows of `each` bytes at `begin` lies within `size`.
[[gnu::cold]] inline bool table_fits(std::uint64_t begin, std::uint64_t each, std::uint64_t count,
                                     std::size_t size) noexcept {
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;
  return !__builtin_mul_overflow(each, count, &bytes) && !__builtin_add_overflow(begin, bytes, &end) && end <= size;
}

/// Returns: the entries, and the extra bytes. Throws: `logic_error` (`errc::incompatible_binary`) for any damage.
[[gnu::cold]] inline std::vector<binary_entry> unpack_binary(std::span<const std::byte> bytes,
                                                             const source_location& where,
                                                             std::span<const std::byte>* extra = nullptr) {
  const auto refuse = [&](const char* why) {
    throw_error(errc::incompatible_binary, where, "binary of ", bytes.size(), " bytes: ", why);
  };
  if (bytes.size() < sizeof binary_magic + 4 + 8 + 32) refuse("too short to be one that export_binary() wrote");
  if (std::memcmp(bytes.data(), binary_magic, sizeof binary_magic - 2) != 0) {
    refuse("not one that export_binary() wrote");
  }
  if (std::memcmp(bytes.data(), binary_magic, sizeof binary_magic) != 0) {
    refuse("not one that export_binary() of this version of the library wrote");
  }
  const auto body = bytes.first(bytes.size() - 32);
  const auto digest = sha256(body);
  if (!std::equal(digest.begin(), digest.end(), bytes.end() - 32)) refuse("its checksum does not fit: it is damaged");
  std::vector<binary_entry> entries;
  bounded_reader reader{body.subspan(sizeof binary_magic)};
  std::uint32_t count = 0;
  (void)reader.get(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t name_length = 0;
    std::uint64_t length = 0;
    std::uint64_t facts_length = 0;
    std::span<const std::byte> name;
    std::span<const std::byte> payload;
    std::span<const std::byte> facts;
    if (!reader.get(name_length) || !reader.take(name_length, name) || !reader.get(length) ||
        !reader.take(length, payload) || payload.empty() || !reader.get(facts_length) ||
        !reader.take(facts_length, facts)) {
      refuse("its entries are damaged");
    }
    entries.push_back({std::string(reinterpret_cast<const char*>(name.data()), name.size()), payload, facts});
  }
  if (entries.empty()) refuse("its entries are damaged");
  std::uint64_t extra_length = 0;
  std::span<const std::byte> rest;
  if (!reader.get(extra_length) || !reader.take(extra_length, rest)) refuse("its end is damaged");
  if (!reader.empty()) refuse("its entries are damaged");
  if (extra != nullptr) *extra = rest;
  return entries;
}

}  // namespace yoke::inline v0_1::detail

#endif
