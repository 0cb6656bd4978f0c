// SPDX-License-Identifier: MIT
// Bodies of core/native.hpp.
#ifndef YOKE_CORE_NATIVE_IPP
#define YOKE_CORE_NATIVE_IPP

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>

namespace yoke::inline v0_1::detail {

std::string native_text(const char* noun, std::uint64_t value) {
  return text("the native ", noun, " 0x", hex_digits(value));
}

void throw_null_native(const char* noun, const source_location& where) {
  throw_error(errc::invalid_argument, where, "the native ", noun, " is null");
}
void throw_foreign_native(const char* noun, std::uint64_t value, const char* owner, const source_location& where) {
  throw_error(errc::wrong_context, where, native_text(noun, value), " is of another ", owner);
}
void throw_unknown_native(const char* noun, std::uint64_t value, const logic_error& cause,
                          const source_location& where) {
  throw logic_error(cause.code(), cause.call(), text(native_text(noun, value), " is not known to the driver"), where);
}

}  // namespace yoke::inline v0_1::detail

#endif
