// SPDX-License-Identifier: MIT
// The inputs of a compiled program, and the cache key computed from them.
#ifndef YOKE_PROGRAM_CACHE_CACHE_KEY_HPP
#define YOKE_PROGRAM_CACHE_CACHE_KEY_HPP

#include <yoke/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

/// A SHA-256 digest.
using cache_digest = std::array<std::byte, 32>;

/// The kinds of a key's fields; the numbers are part of the format and never change their meaning.
enum class cache_field : std::uint32_t {
  schema = 1,       ///< the format of keys and entries
  library,          ///< yoke's version
  prelude,          ///< the text before the source
  backend,          ///< "cuda", "opencl"
  product,          ///< the kind of stored program: "cubin", "ptx", "binary", "spirv"
  driver,           ///< its version, if the product depends on it
  target,           ///< the device's full identity: `sm_90a`; platform, name, version, features
  standard,         ///< the language standard
  option,           ///< one option
  header_name,      ///< how the source includes a header
  header_content,   ///< the content of that header
  name_expression,  ///< one name that the compiler is asked for
  signature,        ///< one registered signature
  source_name,      ///< the source's name in messages and `__FILE__`
  source,           ///< the text itself
  extra,            ///< the caller's digest of inputs that the library cannot see
};

/// One field of a key, stored as a digest instead of its text.
struct cache_field_digest {
  cache_field field{};
  cache_digest digest{};

  friend bool operator==(const cache_field_digest&, const cache_field_digest&) = default;
};

/// Identifies a compiled program.
struct cache_key {
  cache_digest id{};                         ///< the digest of all fields with their tags and lengths
  std::vector<cache_field_digest> fields{};  ///< a digest of each field, to compare entries and explain misses

  /// Returns: `id` as 64 hexadecimal digits.
  [[nodiscard]] YOKE_API std::string name() const;

  friend bool operator==(const cache_key&, const cache_key&) = default;
};

/// Makes a key, field by field. Each field is framed by its tag and length, so that different lists of fields always
/// give different bytes.
class cache_key_builder {
 public:
  /// Effects: appends a field. Requires: `bytes` is not empty for `cache_field::extra`.
  /// Returns: `*this`. Throws: `logic_error` (`errc::invalid_argument`); `std::bad_alloc`.
  YOKE_API cache_key_builder& add(cache_field field, std::string_view bytes);

  /// Returns: for each field its tag (4 bytes), its length (8 bytes, both little endian) and its bytes.
  [[nodiscard]] const std::string& material() const noexcept { return material_; }

  /// Returns: the key of the fields so far. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API cache_key finish() const;

 private:
  std::string material_;
  std::vector<cache_field_digest> fields_;
};

/// Everything that a compiled program depends on except the compiler's version, which the entry holds: finding it may
/// require opening the compiler, and a machine without a compiler may use programs of another one.
struct cache_inputs {
  std::string library = YOKE_VERSION_STRING;
  std::string prelude{};
  std::string backend{};
  std::string product{};
  std::string driver{};
  std::string target{};
  std::string standard{};
  std::vector<std::string> options{};                          ///< in order, in canonical spelling
  std::vector<std::pair<std::string, std::string>> headers{};  ///< name and content of every header
  std::vector<std::string> name_expressions{};
  std::vector<std::string> signatures{};
  std::string source_name{};
  std::string source{};
  std::vector<std::byte> extra{};  ///< the caller's digest; empty: none
};

/// Returns: the key of a program, the schema's number included. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API cache_key make_cache_key(const cache_inputs& inputs);

namespace detail {
/// The number of the format of keys and entries.
inline constexpr std::uint32_t cache_schema = 1;

std::string hex_text(std::span<const std::byte> bytes);
cache_digest digest_of(std::string_view text) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/cache_key.ipp>
#endif

#endif
