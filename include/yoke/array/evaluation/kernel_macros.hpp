// SPDX-License-Identifier: MIT
// The macros by which a kernel's text knows types, numbers and statements.
#ifndef YOKE_ARRAY_EVALUATION_KERNEL_MACROS_HPP
#define YOKE_ARRAY_EVALUATION_KERNEL_MACROS_HPP

#include <yoke/core/config.hpp>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// A macro: its name, with parameters or without, and a word, statements of any number of lines, or a number.
struct kernel_macro {
  kernel_macro(std::string_view its_name, std::string_view its_value) : name(its_name), value(its_value) {}
  template <std::integral Number>
  kernel_macro(std::string_view its_name, Number its_value) : name(its_name), value(std::to_string(its_value)) {}

  std::string_view name;
  std::string value;
};

/// Returns: a text behind definitions of these macros, which end with it. Another text may define them again.
[[nodiscard]] std::string with_macros(std::initializer_list<kernel_macro> macros, std::string_view of);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/kernel_macros.ipp>
#endif

#endif
