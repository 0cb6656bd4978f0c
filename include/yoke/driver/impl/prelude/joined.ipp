// SPDX-License-Identifier: MIT
// Texts joined into one when the library is compiled.
#ifndef YOKE_DRIVER_IMPL_PRELUDE_JOINED_IPP
#define YOKE_DRIVER_IMPL_PRELUDE_JOINED_IPP

#include <yoke/core/config.hpp>

#include <array>
#include <string_view>

namespace yoke::inline YOKE_ABI::detail {

/// A literal has no more than 64 Ki characters everywhere, and a file of this house no more than some hundred lines.
template <const std::string_view&... Texts>
struct text_join {
  static constexpr auto characters = [] {
    std::array<char, (Texts.size() + ...)> all{};
    std::size_t at = 0;
    const auto add = [&](std::string_view text) {
      for (const char each : text) all[at++] = each;
    };
    (add(Texts), ...);
    return all;
  }();
};
template <const std::string_view&... Texts>
inline constexpr std::string_view joined{text_join<Texts...>::characters.data(),
                                         text_join<Texts...>::characters.size()};

}  // namespace yoke::inline YOKE_ABI::detail

#endif
