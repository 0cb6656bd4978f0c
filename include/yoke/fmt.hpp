// SPDX-License-Identifier: MIT
// Formatters for {fmt}; opt-in, because the library itself needs no fmt.
#ifndef YOKE_FMT_HPP
#define YOKE_FMT_HPP

#include <yoke/yoke.hpp>

#include <fmt/format.h>

namespace yoke::inline YOKE_ABI::detail {

constexpr const char* word(device_kind value) noexcept {
  constexpr const char* words[] = {"gpu", "accelerator", "cpu", "other"};
  return words[static_cast<std::size_t>(value)];
}
constexpr const char* word(event_status value) noexcept {
  constexpr const char* words[] = {"queued", "submitted", "running", "complete", "failed"};
  return words[static_cast<std::size_t>(value)];
}
constexpr const char* word(signature_check value) noexcept {
  constexpr const char* words[] = {"types", "names", "sizes", "count", "nothing"};
  return words[static_cast<std::size_t>(value)];
}

/// Formats an enumerator by its name, with the options of a string.
template <class Enum>
struct word_formatter : fmt::formatter<const char*> {
  template <class Context>
  auto format(Enum value, Context& context) const {
    return fmt::formatter<const char*>::format(word(value), context);
  }
};

}  // namespace yoke::inline YOKE_ABI::detail

template <>
struct fmt::formatter<yoke::device_kind> : yoke::detail::word_formatter<yoke::device_kind> {};
template <>
struct fmt::formatter<yoke::event_status> : yoke::detail::word_formatter<yoke::event_status> {};
template <>
struct fmt::formatter<yoke::signature_check> : yoke::detail::word_formatter<yoke::signature_check> {};

/// An extent as "{x, y, z}".
template <>
struct fmt::formatter<yoke::extent3> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const yoke::extent3& value, Context& context) const {
    return fmt::format_to(context.out(), "{{{}, {}, {}}}", value.x, value.y, value.z);
  }
};

/// A device as "name (platform)". Effects: asks the driver for both.
template <class Port>
struct fmt::formatter<yoke::device<Port>> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const yoke::device<Port>& value, Context& context) const {
    const yoke::device_summary facts = value.summary();
    return fmt::format_to(context.out(), "{} ({})", facts.name, facts.platform);
  }
};

#endif
