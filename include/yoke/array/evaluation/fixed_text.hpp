// SPDX-License-Identifier: MIT
// A string literal as a template argument.
#ifndef YOKE_ARRAY_EVALUATION_FIXED_TEXT_HPP
#define YOKE_ARRAY_EVALUATION_FIXED_TEXT_HPP

#include <yoke/core/config.hpp>

#include <cstddef>

namespace yoke::inline v0_1 {

/// A string literal as a template argument: `reduce<"a + b", "0">(x)`. Thread safety: a value.
template <std::size_t Size>
struct fixed_text {
  consteval fixed_text(const char (&of)[Size]) noexcept {  // NOLINT: a literal is one
    for (std::size_t i = 0; i < Size; ++i) text[i] = of[i];
  }
  char text[Size]{};
};

}  // namespace yoke::inline v0_1

#endif
