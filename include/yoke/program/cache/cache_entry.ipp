// SPDX-License-Identifier: MIT
// Bodies of program/cache/cache_entry.hpp.
#ifndef YOKE_PROGRAM_CACHE_CACHE_ENTRY_IPP
#define YOKE_PROGRAM_CACHE_CACHE_ENTRY_IPP

#include <yoke/core/sha256.hpp>
#include <yoke/program/cache/cache_entry.hpp>

#include <algorithm>
#include <cstring>

namespace yoke::inline v0_1::detail {

inline constexpr std::string_view cache_magic = "yokecach";
inline constexpr std::uint64_t cache_field_bytes = 4 + 32;  // a tag and a digest

std::span<const std::byte> entry_reader::take(std::uint64_t size) noexcept {
  if (size > rest_.size()) {
    good_ = false;
    rest_ = {};
    return {};
  }
  const auto taken = rest_.first(static_cast<std::size_t>(size));
  rest_ = rest_.subspan(taken.size());
  return taken;
}

std::uint64_t entry_reader::number(unsigned bytes) noexcept {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const std::byte each : take(bytes)) {
    value |= std::to_integer<std::uint64_t>(each) << shift;
    shift += 8;
  }
  return value;
}

std::uint64_t encoded_size(const cache_entry& entry) noexcept {
  return cache_entry_minimum + cache_field_bytes * entry.key.fields.size() + entry.compiler.size() + entry.log.size() +
         entry.signatures.size() + entry.payload.size();
}

std::vector<std::byte> encode_entry(const cache_entry& entry) {
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(encoded_size(entry)));
  const auto append = [&out](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  const auto append_number = [&out](std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  append(cache_magic.data(), cache_magic.size());
  append_number(cache_schema, 4);
  append_number(0, 4);  // flags: none yet
  append(entry.key.id.data(), entry.key.id.size());
  append_number(entry.created, 8);
  append_number(entry.key.fields.size(), 8);
  append_number(entry.compiler.size(), 8);
  append_number(entry.log.size(), 8);
  append_number(entry.signatures.size(), 8);
  append_number(entry.payload.size(), 8);
  for (const cache_field_digest& each : entry.key.fields) {
    append_number(static_cast<std::uint32_t>(each.field), 4);
    append(each.digest.data(), each.digest.size());
  }
  append(entry.compiler.data(), entry.compiler.size());
  append(entry.log.data(), entry.log.size());
  append(entry.signatures.data(), entry.signatures.size());
  append(entry.payload.data(), entry.payload.size());
  const cache_digest seal = sha256(out);
  append(seal.data(), seal.size());
  return out;
}

std::optional<cache_entry> decode_entry(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < cache_entry_minimum || bytes.size() > cache_entry_limit) return std::nullopt;
  const auto sealed = bytes.first(bytes.size() - sizeof(cache_digest));
  entry_reader reader{sealed};
  if (std::memcmp(reader.take(cache_magic.size()).data(), cache_magic.data(), cache_magic.size()) != 0 ||
      reader.number(4) != cache_schema || reader.number(4) != 0) {
    return std::nullopt;
  }
  const auto id = reader.take(sizeof(cache_digest));
  const std::uint64_t created = reader.number(8);
  const std::uint64_t field_count = reader.number(8);
  const std::uint64_t compiler_bytes = reader.number(8);
  const std::uint64_t log_bytes = reader.number(8);
  const std::uint64_t signature_bytes = reader.number(8);
  const std::uint64_t payload_bytes = reader.number(8);
  if (field_count > reader.remaining() / cache_field_bytes) return std::nullopt;
  entry_reader fields{reader.take(field_count * cache_field_bytes)};
  const auto compiler = reader.take(compiler_bytes);
  const auto log = reader.take(log_bytes);
  const auto signatures = reader.take(signature_bytes);
  const auto payload = reader.take(payload_bytes);
  if (!reader.good() || reader.remaining() != 0) return std::nullopt;
  const cache_digest seal = sha256(sealed);
  if (!std::equal(seal.begin(), seal.end(), bytes.end() - static_cast<std::ptrdiff_t>(seal.size()))) {
    return std::nullopt;
  }
  try {
    const auto as_text = [](std::span<const std::byte> part) {
      return std::string(reinterpret_cast<const char*>(part.data()), part.size());
    };
    cache_entry entry;
    std::copy(id.begin(), id.end(), entry.key.id.begin());
    entry.key.fields.resize(static_cast<std::size_t>(field_count));
    for (cache_field_digest& each : entry.key.fields) {
      each.field = static_cast<cache_field>(static_cast<std::uint32_t>(fields.number(4)));
      const auto digest = fields.take(sizeof(cache_digest));
      std::copy(digest.begin(), digest.end(), each.digest.begin());
    }
    entry.compiler = as_text(compiler);
    entry.created = created;
    entry.log = as_text(log);
    entry.signatures.assign(signatures.begin(), signatures.end());
    entry.payload.assign(payload.begin(), payload.end());
    return entry;
  } catch (...) {  // out of memory: a miss
    return std::nullopt;
  }
}

bool is_other_schema(std::span<const std::byte> bytes) noexcept {
  entry_reader reader{bytes};
  const auto magic = reader.take(cache_magic.size());
  const std::uint64_t schema = reader.number(4);
  return reader.good() && std::memcmp(magic.data(), cache_magic.data(), cache_magic.size()) == 0 &&
         schema != cache_schema;
}

}  // namespace yoke::inline v0_1::detail

#endif
