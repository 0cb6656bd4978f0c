// SPDX-License-Identifier: MIT
// The exception classes, the portable error conditions and their category.
#ifndef YOKE_CORE_ERROR_HPP
#define YOKE_CORE_ERROR_HPP

#include <yoke/core/shared.hpp>
#include <yoke/core/source_location.hpp>
#include <yoke/core/text.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace yoke::inline v0_1 {

/// The kinds of errors, the same on every backend: `e.code() == yoke::errc::out_of_memory`.
enum class errc {
  success = 0,
  out_of_memory,        ///< device, page-locked or driver memory is exhausted
  invalid_argument,     ///< a value the call cannot take
  out_of_range,         ///< an index, offset or count past the end
  size_mismatch,        ///< source and destination, or host and device, disagree in size
  misaligned,           ///< an offset breaks the device's alignment
  wrong_context,        ///< objects of different contexts were used together
  empty_handle,         ///< a moved-from, released or default-constructed handle was used
  mapped,               ///< memory was used by the device while mapped for the host
  unsupported,          ///< the device or driver lacks the feature
  driver_unavailable,   ///< no driver library could be opened
  no_device,            ///< no device, or none that fits the specification
  build_failed,         ///< the kernel compiler refused the source
  incompatible_binary,  ///< a program binary is damaged or was made for another device
  kernel_not_found,     ///< the module has no kernel of that name
  signature_mismatch,   ///< the kernel's parameters are not the ones asked for
  launch_failed,        ///< the shape or the resources of a launch were refused
  command_failed,       ///< a command that had been enqueued ended with an error
  context_lost,         ///< the context is unusable from now on
  invalid_handle,       ///< the driver does not know the handle
  context_ended,       ///< other code or the driver ended the lost context, or it belongs to the parent of this process
  singular,            ///< a matrix that has to be inverted has a pivot of 0
  not_positive,        ///< a matrix is not positive definite
  not_converged,       ///< an iteration did not converge, or the numbers were not finite
  rank_lost,           ///< another rank of a communicator has failed, has ended, or left without the operation
  timed_out,           ///< an operation of several ranks did not end before its deadline
  mismatched_ranks,    ///< ranks called different operations, or the same one with different sizes, types or roots
  communicator_ended,  ///< a communicator was used after it had failed or ended
};

/// The category of `errc`. It compares by name, so that two copies of the library agree.
/// Returns: a reference that stays valid for the life of the program.
/// Throws: nothing. Thread safety: safe.
YOKE_API const std::error_category& error_category() noexcept;

/// Thread safety: safe.
inline std::error_condition make_error_condition(errc value) noexcept {
  return {static_cast<int>(value), error_category()};
}
inline std::error_code make_error_code(errc value) noexcept { return {static_cast<int>(value), error_category()}; }

/// The base of the library's exceptions.
class YOKE_API_TYPE error : public std::runtime_error {
 public:
  /// Effects: composes `what()` from the message, the driver's call and code, and the place.
  YOKE_API error(std::error_code code, const char* call, std::string_view message, const source_location& where);

  /// The driver's own code; an `errc` when the library itself refused.
  [[nodiscard]] const std::error_code& code() const noexcept { return code_; }
  /// The driver call that failed, for example "clCreateBuffer"; "" when the library itself refused.
  [[nodiscard]] const char* call() const noexcept { return call_; }
  /// The caller's place.
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 private:
  std::error_code code_;
  const char* call_;
  source_location where_;
};

/// An allocation failed: no memory is left, or too much was asked for. A program's own memory resource throws it, too:
/// `throw yoke::memory_error(make_error_code(yoke::errc::out_of_memory), "my_resource::allocate", "budget spent",
/// where);`
class YOKE_API_TYPE memory_error : public error {
  using error::error;
};
/// The program asked for something that cannot work: sizes, ranges, alignment, foreign or empty handles.
class YOKE_API_TYPE logic_error : public error {
  using error::error;
};
/// A launch was refused: shape, resources or limits.
class YOKE_API_TYPE launch_error : public error {
  using error::error;
};
/// The driver or a command failed while running.
class YOKE_API_TYPE runtime_error : public error {
  using error::error;
};
/// The device, driver or build lacks a feature, or the machine lacks a driver.
class YOKE_API_TYPE unsupported_error : public error {
  using error::error;
};
/// The context is lost: nothing that belongs to it works.
class YOKE_API_TYPE context_lost_error : public error {
  using error::error;
};
/// The numbers of a matrix have no such result: it is singular, not positive definite, or an iteration did not converge.
class YOKE_API_TYPE numeric_error : public error {
  using error::error;
};

/// Ranks of a communicator do not fit together, one of them is lost or late, or the library between them failed.
class YOKE_API_TYPE communication_error : public runtime_error {
  using runtime_error::runtime_error;
};

/// The kernel compiler refused a source.
class YOKE_API_TYPE compile_error : public error {
 public:
  struct details {
    std::string log;                ///< the compiler's messages, with file and line
    std::string options;            ///< the options as the compiler got them
    std::string source;             ///< the user's text, without the prelude
    std::string command_line;       ///< a command that reproduces the build by hand
    std::string standard_output{};  ///< the standard output of a compiler that is a program
    std::string standard_error{};   ///< its standard error
  };

  YOKE_API compile_error(std::error_code code, const char* call, std::string_view message, details facts,
                         const source_location& where);

  [[nodiscard]] const std::string& log() const noexcept { return details_->log; }
  [[nodiscard]] const std::string& options() const noexcept { return details_->options; }
  [[nodiscard]] const std::string& source() const noexcept { return details_->source; }
  [[nodiscard]] const std::string& command_line() const noexcept { return details_->command_line; }
  [[nodiscard]] const std::string& standard_output() const noexcept { return details_->standard_output; }
  [[nodiscard]] const std::string& standard_error() const noexcept { return details_->standard_error; }

 private:
  detail::shared<const details> details_;  // shared: copying the exception must not throw
};

namespace detail {
/// Throws: the subclass of `error` that fits the code.
[[noreturn, gnu::cold]] YOKE_API void throw_error(errc code, std::string_view message, const source_location& where);
/// Joins the message from parts here, so that callers hold no code that joins and frees strings.
[[noreturn, gnu::cold]] YOKE_API void throw_joined(errc code, const source_location& where, const text_part* parts,
                                                   std::size_t count);
template <class... Parts>
[[noreturn, gnu::cold]] void throw_error(errc code, const source_location& where, const Parts&... parts) {
  const text_part list[]{text_part(parts)...};
  throw_joined(code, where, list, sizeof...(parts));
}
/// Throws: `logic_error`: "this stream is empty ...".
[[noreturn, gnu::cold]] YOKE_API void throw_empty_handle(const char* noun, const source_location& where);
}  // namespace detail

}  // namespace yoke::inline v0_1

template <>
struct std::is_error_condition_enum<yoke::errc> : std::true_type {};

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/error.ipp>
#endif

#endif
