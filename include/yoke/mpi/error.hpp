// SPDX-License-Identifier: MIT
// MPI's errors: their category, and the exceptions that they become.
#ifndef YOKE_MPI_ERROR_HPP
#define YOKE_MPI_ERROR_HPP

#include <yoke/core/error.hpp>
#include <yoke/mpi/functions.hpp>

#include <string>
#include <string_view>
#include <system_error>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

namespace detail {

/// The error classes of MPI. Their numbers differ between libraries, so that only the header's names are used.
class error_classes final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "mpi"; }
  [[nodiscard]] std::string message(int code) const override { return words(code); }
  [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
    switch (code) {
      case MPI_SUCCESS: return make_error_condition(errc::success);
      case MPI_ERR_NO_MEM: return make_error_condition(errc::out_of_memory);
      case MPI_ERR_RANK:
      case MPI_ERR_ROOT: return make_error_condition(errc::out_of_range);
      case MPI_ERR_TRUNCATE: return make_error_condition(errc::size_mismatch);
      case MPI_ERR_BUFFER:
      case MPI_ERR_COUNT:
      case MPI_ERR_TYPE:
      case MPI_ERR_TAG:
      case MPI_ERR_OP:
      case MPI_ERR_GROUP:
      case MPI_ERR_ARG: return make_error_condition(errc::invalid_argument);
      case MPI_ERR_COMM:
      case MPI_ERR_REQUEST: return make_error_condition(errc::invalid_handle);
      default: return make_error_condition(is_lost_rank(code) ? errc::rank_lost : errc::command_failed);
    }
  }

 private:
  static bool is_lost_rank([[maybe_unused]] int code) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
    return code == MPIX_ERR_PROC_FAILED;
#elif defined(MPI_ERR_PROC_ABORTED)
    return code == MPI_ERR_PROC_ABORTED;
#else
    return false;
#endif
  }
  static const char* words(int code) noexcept {
    switch (code) {
      case MPI_SUCCESS: return "success";
      case MPI_ERR_BUFFER: return "invalid buffer";
      case MPI_ERR_COUNT: return "invalid count";
      case MPI_ERR_TYPE: return "invalid datatype";
      case MPI_ERR_TAG: return "invalid tag";
      case MPI_ERR_COMM: return "invalid communicator";
      case MPI_ERR_RANK: return "invalid rank";
      case MPI_ERR_REQUEST: return "invalid request";
      case MPI_ERR_ROOT: return "invalid root";
      case MPI_ERR_GROUP: return "invalid group";
      case MPI_ERR_OP: return "invalid operation";
      case MPI_ERR_ARG: return "invalid argument";
      case MPI_ERR_TRUNCATE: return "a message was longer than the memory for it";
      case MPI_ERR_INTERN: return "internal error";
      case MPI_ERR_NO_MEM: return "out of memory";
      case MPI_ERR_OTHER: return "error of another kind";
      default: return is_lost_rank(code) ? "a rank is lost" : "unknown error";
    }
  }
};

}  // namespace detail

/// The category of MPI's error classes: `e.code().category() == yoke::mpi::error_category()`. Thread safety: safe.
[[nodiscard]] inline const std::error_category& error_category() noexcept {
  static const detail::error_classes category;
  return category;
}

namespace detail {

/// Returns: MPI's own words for a code.
[[nodiscard]] inline std::string mpi_words(const functions& mpi, int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (mpi.error_string(code, text, &length) != MPI_SUCCESS || length <= 0) return {};
  std::string words(text, static_cast<std::size_t>(length));
  for (char& each : words) {
    if (each == '\n') each = ' ';
  }
  return words;
}

/// Throws: `communication_error` with MPI's class of the code; its message is `what`, then MPI's own words.
[[noreturn, gnu::cold]] inline void throw_mpi(const functions& mpi, int code, const char* call, std::string what,
                                              const source_location& where) {
  int kind = MPI_ERR_OTHER;
  if (mpi.error_class(code, &kind) != MPI_SUCCESS) kind = MPI_ERR_OTHER;
  if (const std::string words = mpi_words(mpi, code); !words.empty()) what.append(": ").append(words);
  throw communication_error(std::error_code(kind, error_category()), call, what, where);
}

/// Effects: nothing on success. Throws: as `throw_mpi`; `what()` makes the message.
template <class What>
void check_mpi(const functions& mpi, int code, const char* call, What&& what, const source_location& where) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi(mpi, code, call, what(), where);
}

}  // namespace detail
}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
