// SPDX-License-Identifier: MIT
// Pointer types in C++ spelling, from a demangler's text: "int const*" becomes "const int*".
#ifndef YOKE_DRIVER_POINTER_TYPES_HPP
#define YOKE_DRIVER_POINTER_TYPES_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// The parts of a demangled type: "int const* const*" points to a const "int const*".
struct pointer_parts {
  bool is_pointer = false;
  bool is_const = false;       ///< whether the pointee is const
  std::string_view pointee{};  ///< the whole type if it is not a pointer
};
inline pointer_parts parts_of(std::string_view type) noexcept {
  const auto drop = [&](std::string_view end) {
    if (type.size() <= end.size() || type.substr(type.size() - end.size()) != end) return false;
    type.remove_suffix(end.size());
    return true;
  };
  pointer_parts parts;
  parts.is_pointer = drop("*");
  parts.is_const = parts.is_pointer && drop(" const");
  parts.pointee = type;
  return parts;
}

/// Returns: the C++ spelling of a pointer to a demangled type: "const float*", "const int* const*".
inline std::string pointer_text(std::string_view pointee, bool is_const) {
  const pointer_parts inner = parts_of(pointee);
  if (!inner.is_pointer) return std::string(is_const ? "const " : "").append(pointee) + "*";
  return pointer_text(inner.pointee, inner.is_const) + (is_const ? " const*" : "*");
}

}  // namespace yoke::inline v0_1::detail

#endif
