// SPDX-License-Identifier: MIT
// Pointers as C++ spells them, from the types that a demangler writes: "int const*" is "const int*".
#ifndef YOKE_DRIVER_IMPL_POINTER_TYPES_IPP
#define YOKE_DRIVER_IMPL_POINTER_TYPES_IPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>

namespace yoke::inline YOKE_ABI::detail {

/// A type that a demangler wrote, taken apart: "int const* const*" points to a const "int const*".
struct pointer_parts {
  bool is_pointer = false;
  bool is_const = false;       ///< what it points to
  std::string_view pointee{};  ///< the whole type where it is no pointer
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

/// Returns: the pointer to a type, which a demangler wrote: "const float*", "const int* const*".
inline std::string pointer_text(std::string_view pointee, bool is_const) {
  const pointer_parts inner = parts_of(pointee);
  if (!inner.is_pointer) return std::string(is_const ? "const " : "").append(pointee) + "*";
  return pointer_text(inner.pointee, inner.is_const) + (is_const ? " const*" : "*");
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
