// SPDX-License-Identifier: MIT
// The includes of a text, without its conditions.
#ifndef YOKE_LANGUAGE_FIND_INCLUDES_HPP
#define YOKE_LANGUAGE_FIND_INCLUDES_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// One `#include`, or one `__has_include`.
struct include_directive {
  std::string name;
  bool quoted = false;   ///< "name", not <name>
  std::size_t line = 0;  ///< of the text, from 1

  friend bool operator==(const include_directive&, const include_directive&) = default;
};

/// What a text includes.
struct include_list {
  std::vector<include_directive> directives{};  ///< in the order of the text, those in branches not taken too
  std::string problem{};  ///< what keeps an include from being followed: "line 3 includes by a macro"; "" when nothing
};

/// Finds the includes of a text. It reads comments, literals, raw strings and continued lines as C and as C++ do, and lists the
/// includes of both readings. It ignores conditions.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API include_list find_includes(std::string_view text);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/find_includes.ipp>
#endif

#endif
