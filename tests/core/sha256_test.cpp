// SPDX-License-Identifier: MIT
// SHA-256 against the published vectors, and across every padding length.
#include <support/catch.hpp>

#include <yoke/core/sha256.hpp>

#include <set>
#include <string>

namespace {

std::string digest(const std::string& text) {
  const auto bytes = yoke::detail::sha256(std::as_bytes(std::span{text.data(), text.size()}));
  std::string out;
  for (const std::byte each : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    out += digits[static_cast<unsigned>(each) >> 4];
    out += digits[static_cast<unsigned>(each) & 15u];
  }
  return out;
}

}  // namespace

TEST_CASE("SHA-256 gives NIST's digests", "[core]") {
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqr"
               "stnopqrstu") == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(digest(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // One byte, and zeros around the block length (NIST's byte-oriented short vectors).
  CHECK(digest(std::string(1, '\xbd')) == "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  CHECK(digest(std::string(55, '\0')) == "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
  CHECK(digest(std::string(56, '\0')) == "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
  CHECK(digest(std::string(64, '\0')) == "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

TEST_CASE("SHA-256 tells every length and every byte apart", "[core]") {
  std::set<std::string> seen;
  for (std::size_t length = 0; length <= 130; ++length) seen.insert(digest(std::string(length, 'x')));
  CHECK(seen.size() == 131);
  std::string text(130, 'x');
  for (char& each : text) {
    each = 'y';
    seen.insert(digest(text));
    each = 'x';
  }
  CHECK(seen.size() == 131 + 130);
}
