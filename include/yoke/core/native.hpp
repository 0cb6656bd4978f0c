// SPDX-License-Identifier: MIT
// Errors for native handles that cannot be adopted or borrowed.
#ifndef YOKE_CORE_NATIVE_HPP
#define YOKE_CORE_NATIVE_HPP

#include <yoke/core/error.hpp>

#include <cstdint>
#include <cstring>
#include <string>

namespace yoke::inline v0_1::detail {

/// Returns: the handle as a number; for a pointer its address.
template <class Native>
std::uint64_t native_value(const Native& native) noexcept {
  static_assert(sizeof native <= sizeof(std::uint64_t));
  std::uint64_t value = 0;
  std::memcpy(&value, &native, sizeof native);
  return value;
}

/// Returns: "the native stream 0x7f00".
[[nodiscard]] YOKE_API std::string native_text(const char* noun, std::uint64_t value);
/// Throws: `logic_error` for a null handle; `noun` is "stream", "memory", ...
[[noreturn, gnu::cold]] YOKE_API void throw_null_native(const char* noun, const source_location& where);
/// Throws: `logic_error` (`errc::wrong_context`) for a handle that belongs to another "context" or "module".
[[noreturn, gnu::cold]] YOKE_API void throw_foreign_native(const char* noun, std::uint64_t value, const char* owner,
                                                           const source_location& where);
/// Throws: `logic_error` with the driver's code for a handle that the driver does not know.
[[noreturn, gnu::cold]] YOKE_API void throw_unknown_native(const char* noun, std::uint64_t value,
                                                           const logic_error& cause, const source_location& where);
/// Effects: calls `ask`, which asks the driver about a native handle. Returns: its answer.
/// Throws: as `ask`, but replaces a `logic_error` by one that names the handle.
template <class Native, class Ask>
auto ask_native(const char* noun, const Native& native, const source_location& where, Ask&& ask) {
  try {
    return ask();
  } catch (const logic_error& cause) {
    throw_unknown_native(noun, native_value(native), cause, where);
  }
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/native.ipp>
#endif

#endif
