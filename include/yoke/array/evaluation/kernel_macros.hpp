// SPDX-License-Identifier: MIT
// Definitions of the macros that a kernel's text uses.
#ifndef YOKE_ARRAY_EVALUATION_KERNEL_MACROS_HPP
#define YOKE_ARRAY_EVALUATION_KERNEL_MACROS_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// A macro: a name, with or without parameters, and a value: a word, a number, or statements of any number of lines.
struct kernel_macro {
  kernel_macro(std::string_view its_name, std::string_view its_value) : name(its_name), value(its_value) {}
  template <std::integral Number>
  kernel_macro(std::string_view its_name, Number its_value) : name(its_name), value(std::to_string(its_value)) {}

  std::string_view name;
  std::string value;
};

/// Returns: a text with definitions of the macros before it and `#undef` of each behind it, so that another text can
/// define them again.
[[nodiscard]] std::string with_macros(std::initializer_list<kernel_macro> macros, std::string_view of);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/kernel_macros.ipp>
#endif

#endif
