// SPDX-License-Identifier: MIT
// Bodies of core/text.hpp.
#ifndef YOKE_CORE_IMPL_TEXT_IPP
#define YOKE_CORE_IMPL_TEXT_IPP

#include <yoke/core/text.hpp>

namespace yoke::inline YOKE_ABI {

YOKE_COLD void detail::text_part::append_to(std::string& out) const {
  switch (what_) {
    case kind::word: out.append(std::string_view(word_, static_cast<std::size_t>(size_or_number_))); return;
    case kind::number: out += std::to_string(size_or_number_); return;
    case kind::negative: out += '-' + std::to_string(0 - size_or_number_); return;
  }
}

YOKE_COLD std::string detail::joined_text(const text_part* parts, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) parts[i].append_to(out);
  return out;
}

YOKE_COLD std::string detail::hex_digits(unsigned long long value, std::size_t least) {
  std::string out;
  for (; value != 0 || out.size() < least; value /= 16) out.insert(out.begin(), "0123456789abcdef"[value % 16]);
  return out;
}

YOKE_COLD std::string detail::shortened(std::string_view whole) {
  constexpr std::size_t most = 80;
  return whole.size() <= most ? std::string(whole) : std::string(whole.substr(0, most)) + "...";
}

}  // namespace yoke::inline YOKE_ABI

#endif
