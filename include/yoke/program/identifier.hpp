// SPDX-License-Identifier: MIT
// What every kernel language takes as a name.
#ifndef YOKE_PROGRAM_IDENTIFIER_HPP
#define YOKE_PROGRAM_IDENTIFIER_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: whether a text is letters, digits and underscores, with no digit first.
inline bool is_identifier(std::string_view text) noexcept {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  for (const char letter : text) {
    if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
          letter == '_')) {
      return false;
    }
  }
  return true;
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
