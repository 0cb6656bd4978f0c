// SPDX-License-Identifier: MIT
// NCCL's codes: their category and exceptions.
#ifndef YOKE_DRIVER_NCCL_ERROR_HPP
#define YOKE_DRIVER_NCCL_ERROR_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/nccl/functions.hpp>

namespace yoke::inline v0_1::nccl {

/// The category of NCCL's codes: `message()` is the code's name, for example "ncclRemoteError".
/// Compares by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& error_category() noexcept;

namespace detail {
/// Returns: the meaning of a code, with the words of `ncclGetLastError` if there are some. Throws: `std::bad_alloc`.
[[nodiscard]] YOKE_API std::string failure_text(const abi::functions& table, abi::communicator of, abi::status code);
/// Throws: the subclass of `yoke::error` that fits the code: `communication_error`, `logic_error`.
[[noreturn, gnu::cold]] YOKE_API void throw_failure(abi::status code, const char* call, std::string_view message,
                                                    const source_location& where);

/// NCCL's name of an entry point.
template <auto Member>
consteval const char* symbol() noexcept;
#define YOKE_SYMBOL(own, name, since, ...)                                                                             \
  template <>                                                                                                          \
  consteval const char* symbol<&abi::functions::own>() noexcept {                                                      \
    return name;                                                                                                       \
  }
YOKE_NCCL_FUNCTIONS(YOKE_SYMBOL)
#undef YOKE_SYMBOL
}  // namespace detail

}  // namespace yoke::inline v0_1::nccl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/nccl/error.ipp>
#endif

#endif
