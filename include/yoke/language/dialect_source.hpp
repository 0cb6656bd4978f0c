// SPDX-License-Identifier: MIT
// A source in the dialect, as the check of its words takes it.
#ifndef YOKE_LANGUAGE_DIALECT_SOURCE_HPP
#define YOKE_LANGUAGE_DIALECT_SOURCE_HPP

#include <yoke/core/config.hpp>

#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// A source in the dialect.
struct dialect_source {
  std::string_view text;
  std::string_view name;                   ///< in messages; a `#line` in the text changes it
  bool opencl;                             ///< whether to read strings and numbers as in C
  std::vector<std::string_view> others{};  ///< texts before it, whose words it may use
};

}  // namespace yoke::inline v0_1::detail

#endif
