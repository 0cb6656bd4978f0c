// SPDX-License-Identifier: MIT
// Finds words that cannot be names in some kernel language: keywords, types, constants and reserved names.
#ifndef YOKE_LANGUAGE_DEVICE_WORDS_HPP
#define YOKE_LANGUAGE_DEVICE_WORDS_HPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: the language in which the word cannot name a struct or member; "" if it can in every language.
[[nodiscard]] YOKE_API std::string_view language_of_word(std::string_view word) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/device_words.ipp>
#endif

#endif
