// SPDX-License-Identifier: MIT
// The place in the caller's code that an error reports.
#ifndef YOKE_CORE_SOURCE_LOCATION_HPP
#define YOKE_CORE_SOURCE_LOCATION_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline v0_1 {

/// A place in the caller's code. Replaces `std::source_location`, which Clang 14 with libstdc++ 12 lacks.
class source_location {
 public:
  constexpr source_location() noexcept = default;

  /// Returns: as a default argument, the file, line and function of the call.
  static constexpr source_location current(const char* file = __builtin_FILE(),
                                           const char* function = __builtin_FUNCTION(),
                                           unsigned line = __builtin_LINE()) noexcept {
    source_location result;
    result.file_ = file;
    result.function_ = function;
    result.line_ = line;
    return result;
  }

  [[nodiscard]] constexpr const char* file_name() const noexcept { return file_; }
  [[nodiscard]] constexpr const char* function_name() const noexcept { return function_; }
  [[nodiscard]] constexpr unsigned line() const noexcept { return line_; }

 private:
  const char* file_ = "";
  const char* function_ = "";
  unsigned line_ = 0;
};

}  // namespace yoke::inline v0_1

#endif
