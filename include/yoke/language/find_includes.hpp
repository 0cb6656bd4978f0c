// SPDX-License-Identifier: MIT
// Finds the includes of a text, whatever its conditions.
#ifndef YOKE_LANGUAGE_FIND_INCLUDES_HPP
#define YOKE_LANGUAGE_FIND_INCLUDES_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// One `#include` or `__has_include`.
struct include_directive {
  std::string name;
  bool quoted = false;   ///< whether it is "name" instead of <name>
  std::size_t line = 0;  ///< the line in the text, from 1

  friend bool operator==(const include_directive&, const include_directive&) = default;
};

/// The includes of a text.
struct include_list {
  std::vector<include_directive> directives{};  ///< in the order of the text, in all branches
  std::string problem{};  ///< why an include cannot be followed: "line 3 includes by a macro"; else ""
};

/// Finds the includes of a text. If C and C++ read its comments, literals, raw strings or continued lines differently,
/// lists the includes of both readings. Ignores conditions.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API include_list find_includes(std::string_view text);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/find_includes.ipp>
#endif

#endif
