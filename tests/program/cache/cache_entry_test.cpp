// SPDX-License-Identifier: MIT
// The format of cache entries: what is written is read, and anything else is a miss.
#include <support/catch.hpp>
#include <support/faults/damaged_bytes.hpp>
#include <support/sample.hpp>

#include <program/cache/cache_rig.hpp>

#include <yoke/core/sha256.hpp>

#include <cstdint>
#include <random>

using namespace yoke_test;
using yoke::detail::decode_entry;
using yoke::detail::encode_entry;

namespace {

yoke::cache_entry some_entry() {
  yoke::cache_entry entry = fake_compile(numbered_key(1));
  entry.created = 1'700'000'000;
  return entry;
}

/// Effects: gives bytes the checksum that belongs to them.
void seal(std::vector<std::byte>& bytes) {
  const auto digest = yoke::detail::sha256(std::span{bytes}.first(bytes.size() - 32));
  std::copy(digest.begin(), digest.end(), bytes.end() - 32);
}

void put(std::vector<std::byte>& bytes, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

constexpr std::size_t first_length = 56;
constexpr std::size_t lengths = 5;

}  // namespace

TEST_CASE("an entry comes back as it went", "[cache]") {
  const yoke::cache_entry entry = some_entry();
  const auto bytes = encode_entry(entry);
  CHECK(bytes.size() == yoke::detail::encoded_size(entry));
  const auto back = decode_entry(bytes);
  REQUIRE(back.has_value());
  CHECK(*back == entry);
  CHECK(encode_entry(*back) == bytes);

  const auto empty = decode_entry(encode_entry({}));
  REQUIRE(empty.has_value());
  CHECK(*empty == yoke::cache_entry{});
  CHECK(encode_entry({}).size() == yoke::detail::cache_entry_minimum);
}

TEST_CASE("every prefix and every flipped bit of an entry is a miss", "[cache]") {
  yoke::cache_entry entry = some_entry();
  const std::size_t rest = yoke::detail::encoded_size(entry) - entry.payload.size();
  const std::size_t size = runs_whole() ? 4096 : rest + 200;  // each flip is hashed
  entry.payload.resize(size - rest, std::byte{0x5a});
  auto bytes = encode_entry(entry);
  REQUIRE(bytes.size() == size);
  const auto accepts = [](std::span<const std::byte> some) { return decode_entry(some).has_value(); };
  CHECK(accepted_prefixes(bytes, accepts) == 0);
  CHECK(accepted_flips(bytes, accepts) == 0);
  CHECK(decode_entry(bytes).has_value());
  bytes.push_back(std::byte{});
  CHECK_FALSE(decode_entry(bytes).has_value());
}

TEST_CASE("lengths that do not fit are a miss under a right checksum", "[cache]") {
  const auto good = encode_entry(some_entry());
  for (std::size_t which = 0; which < lengths; ++which) {
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0},
                                       ~std::uint64_t{0} / 36 + 1, std::uint64_t{good.size()}}) {
      auto bytes = good;
      put(bytes, first_length + 8 * which, length);
      seal(bytes);
      INFO("length " << which << " is " << length);
      CHECK_FALSE(decode_entry(bytes).has_value());
    }
  }
  SECTION("two lengths whose sum overflows to the right one") {
    auto bytes = good;
    const auto length = [&](std::size_t at) {
      yoke::detail::entry_reader reader{std::span{bytes}.subspan(first_length + 8 * at, 8)};
      return reader.number(8);
    };
    const std::uint64_t sum = length(1) + length(2);
    put(bytes, first_length + 8, std::uint64_t{1} << 63);
    put(bytes, first_length + 16, sum - (std::uint64_t{1} << 63));
    seal(bytes);
    CHECK_FALSE(decode_entry(bytes).has_value());
  }
  SECTION("a byte moved from one part to its neighbour is another entry, never the same") {
    auto bytes = good;
    put(bytes, first_length + 8, 9);  // "fake 1.0" and the log's first letter
    put(bytes, first_length + 16, 70);
    seal(bytes);
    const auto moved = decode_entry(bytes);
    REQUIRE(moved.has_value());
    CHECK_FALSE(*moved == some_entry());
  }
}

TEST_CASE("another magic, schema or flag is a miss under a right checksum", "[cache]") {
  for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{12}}) {
    auto bytes = encode_entry(some_entry());
    bytes[at] ^= std::byte{0x10};
    seal(bytes);
    CHECK_FALSE(decode_entry(bytes).has_value());
    CHECK(yoke::detail::is_other_schema(bytes) == (at == 8));
  }
  CHECK_FALSE(yoke::detail::is_other_schema({}));
}

TEST_CASE("an entry reader stays within its range", "[cache]") {
  const auto bytes = bytes_of("\x01\x02\x03\x04\x05");
  yoke::detail::entry_reader reader{bytes};
  CHECK(reader.number(4) == 0x04030201);
  CHECK(reader.take(0).empty());
  CHECK(reader.good());
  CHECK(reader.remaining() == 1);
  CHECK(reader.take(~std::uint64_t{0}).empty());
  CHECK_FALSE(reader.good());
  CHECK(reader.remaining() == 0);
  CHECK(reader.number(1) == 0);
  CHECK_FALSE(reader.good());
}

TEST_CASE("random entries make the round trip, and random flips are found", "[cache]") {
  std::mt19937_64 random{20240229};
  const auto some_bytes = [&](std::size_t limit) {
    std::vector<std::byte> bytes(random() % limit);
    for (std::byte& each : bytes) each = static_cast<std::byte>(random());
    return bytes;
  };
  for (int round = 0; round < 200; ++round) {
    yoke::cache_entry entry;
    entry.key.fields.resize(random() % 20);
    for (auto& field : entry.key.fields) {
      field.field = static_cast<yoke::cache_field>(static_cast<std::uint32_t>(random()));
      for (std::byte& each : field.digest) each = static_cast<std::byte>(random());
    }
    entry.compiler = text_of(some_bytes(40));
    entry.created = random();
    entry.log = text_of(some_bytes(400));
    entry.signatures = some_bytes(400);
    entry.payload = some_bytes(2000);
    auto bytes = encode_entry(entry);
    const auto back = decode_entry(bytes);
    REQUIRE(back.has_value());
    REQUIRE(*back == entry);
    const auto original = bytes;
    const std::size_t flips = 1 + random() % 8;
    for (std::size_t i = 0; i < flips; ++i) {
      const std::size_t bit = random() % (8 * bytes.size());
      bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    }
    REQUIRE((bytes == original || !decode_entry(bytes).has_value()));
  }
}

TEST_CASE("an entry holds no source text, no options and no names of headers", "[cache]") {
  auto inputs = some_inputs("__kernel void top_secret() {}");
  inputs.options = {"-I/home/somebody/include"};
  inputs.headers = {{"/home/somebody/include/secret.h", "int hidden;"}};
  const yoke::cache_entry entry{
      .key = yoke::make_cache_key(inputs), .compiler = "fake 1.0", .payload = bytes_of("code")};
  const std::string raw = text_of(encode_entry(entry));
  for (const char* text : {"secret", "home", "somebody", "hidden", "kernel.cu", "580.65"}) {
    CHECK(raw.find(text) == std::string::npos);
  }
  CHECK(raw.find("code") != std::string::npos);
}
