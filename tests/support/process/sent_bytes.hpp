// SPDX-License-Identifier: MIT
// Bytes that a test sends to its child by an environment variable.
#ifndef YOKE_TESTS_SUPPORT_SENT_BYTES_HPP
#define YOKE_TESTS_SUPPORT_SENT_BYTES_HPP

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace yoke_test {

/// Returns: the object's bytes as hexadecimal digits.
template <class Sent>
std::string hex(const Sent& sent) {
  static_assert(std::is_trivially_copyable_v<Sent>);
  std::string text;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&sent);
  for (std::size_t each = 0; each < sizeof sent; ++each) {
    text += "0123456789abcdef"[bytes[each] >> 4];
    text += "0123456789abcdef"[bytes[each] & 15];
  }
  return text;
}

/// Returns: what the parent wrote into that variable by `hex`.
template <class Sent>
Sent sent_by(const char* variable) {
  static_assert(std::is_trivially_copyable_v<Sent>);
  const char* const value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  if (text.size() != 2 * sizeof(Sent))
    throw std::runtime_error(std::string(variable) + " is not set, or of another size");
  Sent sent{};
  auto* const bytes = reinterpret_cast<unsigned char*>(&sent);
  for (std::size_t each = 0; each < sizeof sent; ++each) {
    bytes[each] = static_cast<unsigned char>(std::stoi(text.substr(2 * each, 2), nullptr, 16));
  }
  return sent;
}

}  // namespace yoke_test

#endif
