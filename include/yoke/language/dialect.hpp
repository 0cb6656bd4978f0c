// SPDX-License-Identifier: MIT
// The parts of the dialect's prelude that a source uses.
#ifndef YOKE_LANGUAGE_DIALECT_HPP
#define YOKE_LANGUAGE_DIALECT_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the prelude for a source: the text before its first part, and the parts that have a word of the source,
/// each after a line that gives it its own name in messages. A text that joins words, or includes
/// others, gets everything: too much is only slower. Thread safety: safe.
YOKE_API std::string dialect_for(std::string_view prelude, const std::vector<std::string_view>& texts);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/dialect.ipp>
#endif

#endif
