// SPDX-License-Identifier: MIT
// Bodies of program/cache/cache_key.hpp.
#ifndef YOKE_PROGRAM_CACHE_CACHE_KEY_IPP
#define YOKE_PROGRAM_CACHE_CACHE_KEY_IPP

#include <yoke/core/error.hpp>
#include <yoke/core/sha256.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/cache/cache_key.hpp>

namespace yoke::inline v0_1 {

namespace detail {

std::string hex_text(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const std::byte each : bytes) out += hex_digits(std::to_integer<unsigned>(each), 2);
  return out;
}

cache_digest digest_of(std::string_view text) noexcept {
  return sha256(std::as_bytes(std::span{text.data(), text.size()}));
}

void append_little_endian(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}

}  // namespace detail

std::string cache_key::name() const { return detail::hex_text(id); }

cache_key_builder& cache_key_builder::add(cache_field field, std::string_view bytes) {
  if (field == cache_field::extra && bytes.empty()) {
    detail::throw_error(errc::invalid_argument, "the extra digest of a cache key is empty; it has at least 1 byte",
                        source_location::current());
  }
  fields_.push_back({field, detail::digest_of(bytes)});
  detail::append_little_endian(material_, static_cast<std::uint32_t>(field), 4);
  detail::append_little_endian(material_, bytes.size(), 8);
  material_ += bytes;
  return *this;
}

cache_key cache_key_builder::finish() const { return {detail::digest_of(material_), fields_}; }

cache_key make_cache_key(const cache_inputs& inputs) {
  cache_key_builder builder;
  std::string schema;
  detail::append_little_endian(schema, detail::cache_schema, 4);
  builder.add(cache_field::schema, schema)
      .add(cache_field::library, inputs.library)
      .add(cache_field::prelude, inputs.prelude)
      .add(cache_field::backend, inputs.backend)
      .add(cache_field::product, inputs.product)
      .add(cache_field::driver, inputs.driver)
      .add(cache_field::target, inputs.target)
      .add(cache_field::standard, inputs.standard);
  for (const std::string& each : inputs.options) builder.add(cache_field::option, each);
  for (const auto& [name, content] : inputs.headers) {
    builder.add(cache_field::header_name, name).add(cache_field::header_content, content);
  }
  for (const std::string& each : inputs.name_expressions) builder.add(cache_field::name_expression, each);
  for (const std::string& each : inputs.signatures) builder.add(cache_field::signature, each);
  builder.add(cache_field::source_name, inputs.source_name).add(cache_field::source, inputs.source);
  if (!inputs.extra.empty()) {
    builder.add(cache_field::extra, {reinterpret_cast<const char*>(inputs.extra.data()), inputs.extra.size()});
  }
  return builder.finish();
}

}  // namespace yoke::inline v0_1

#endif
