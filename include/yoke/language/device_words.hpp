// SPDX-License-Identifier: MIT
// Words that are no names in one kernel language at least: keywords, types, constants and reserved names.
#ifndef YOKE_LANGUAGE_DEVICE_WORDS_HPP
#define YOKE_LANGUAGE_DEVICE_WORDS_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: which language a word is of that cannot name a member or a struct there; "" for a name that is one everywhere.
[[nodiscard]] YOKE_API std::string_view language_of_word(std::string_view word) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/device_words.ipp>
#endif

#endif
