// SPDX-License-Identifier: MIT
// Selects the parts of the dialect's prelude that a source uses.
#ifndef YOKE_LANGUAGE_DIALECT_HPP
#define YOKE_LANGUAGE_DIALECT_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the prelude for a source: the text before the first part, and the parts for the source's words, each after
/// a `#line` that names it in messages. A text that joins words or includes other texts gets all parts, which is only
/// slower. Thread safety: safe.
YOKE_API std::string dialect_for(std::string_view prelude, const std::vector<std::string_view>& texts);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/dialect.ipp>
#endif

#endif
