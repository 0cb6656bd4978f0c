// SPDX-License-Identifier: MIT
// Builds messages from words and numbers, on failure paths only.
#ifndef YOKE_CORE_TEXT_HPP
#define YOKE_CORE_TEXT_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace yoke::inline YOKE_ABI::detail {

[[gnu::cold]] inline void append_text(std::string& out, std::string_view part) { out.append(part); }
template <std::integral Number>
[[gnu::cold]] void append_text(std::string& out, Number part) {
  out += std::to_string(part);
}

/// Effects: joins the parts.
template <class... Parts>
[[gnu::cold]] std::string text(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

/// Returns: a number's hexadecimal digits, `least` of them or more.
[[gnu::cold]] inline std::string hex_digits(unsigned long long value, std::size_t least = 1) {
  std::string out;
  for (; value != 0 || out.size() < least; value /= 16) out.insert(out.begin(), "0123456789abcdef"[value % 16]);
  return out;
}

/// Returns: the text, or its beginning and "..." when it is too long for a message.
[[gnu::cold]] inline std::string shortened(std::string_view whole) {
  constexpr std::size_t most = 80;
  return whole.size() <= most ? std::string(whole) : std::string(whole.substr(0, most)) + "...";
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
