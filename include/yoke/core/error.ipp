// SPDX-License-Identifier: MIT
// Bodies of core/error.hpp: the category, the messages and the choice of the exception class.
#ifndef YOKE_CORE_ERROR_IPP
#define YOKE_CORE_ERROR_IPP

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>

#include <cstring>
#include <utility>

namespace yoke::inline v0_1 {

namespace detail {

class yoke_category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "yoke"; }

  [[gnu::cold]] std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::success: return "success";
      case errc::out_of_memory: return "out of memory";
      case errc::invalid_argument: return "invalid argument";
      case errc::out_of_range: return "out of range";
      case errc::size_mismatch: return "sizes do not match";
      case errc::misaligned: return "misaligned";
      case errc::wrong_context: return "objects of different contexts";
      case errc::empty_handle: return "empty handle";
      case errc::mapped: return "memory is mapped for the host";
      case errc::unsupported: return "unsupported";
      case errc::driver_unavailable: return "driver unavailable";
      case errc::no_device: return "no such device";
      case errc::build_failed: return "build failed";
      case errc::incompatible_binary: return "incompatible or damaged binary";
      case errc::kernel_not_found: return "no such kernel";
      case errc::signature_mismatch: return "kernel signature mismatch";
      case errc::launch_failed: return "launch refused";
      case errc::command_failed: return "command failed";
      case errc::context_lost: return "context lost";
      case errc::invalid_handle: return "invalid handle";
      case errc::context_ended: return "context ended";
      case errc::singular: return "singular matrix";
      case errc::not_positive: return "matrix is not positive definite";
      case errc::not_converged: return "not converged";
      case errc::rank_lost: return "another rank is lost";
      case errc::timed_out: return "deadline passed";
      case errc::mismatched_ranks: return "ranks do not match";
      case errc::communicator_ended: return "communicator ended";
    }
    return "unknown error";
  }

  // Compares by name: two shared objects may each hold a copy of this category.
  bool equivalent(const std::error_code& code, int condition) const noexcept override {
    const std::error_condition other = code.default_error_condition();
    return other.value() == condition && std::strcmp(other.category().name(), name()) == 0;
  }
  bool equivalent(int code, const std::error_condition& condition) const noexcept override {
    return condition.value() == code && std::strcmp(condition.category().name(), name()) == 0;
  }
};

// Its destructor does nothing, so that it works while the program ends.
inline const yoke_category yoke_category_instance{};

std::string describe(const std::error_code& code, const char* call, std::string_view message,
                     const source_location& where) {
  std::string out;
  out.reserve(message.size());
  for (const char letter : message) {
    if (letter == '\0') {
      out += "\\0";  // a NUL would end what()
    } else {
      out += letter;
    }
  }
  if (call != nullptr && *call != '\0') {
    out += text(message.empty() ? "[" : " [", call, ": ", code.message(), " (", code.value(), ")]");
  } else if (message.empty()) {
    out += code.message();
  }
  if (where.line() != 0) {
    out += text(" (at ", where.file_name(), ":", where.line(), ")");
  }
  return out;
}

}  // namespace detail

const std::error_category& error_category() noexcept { return detail::yoke_category_instance; }

error::error(std::error_code code, const char* call, std::string_view message, const source_location& where)
    : std::runtime_error(detail::describe(code, call, message, where)), code_(code), call_(call), where_(where) {}

compile_error::compile_error(std::error_code code, const char* call, std::string_view message, details facts,
                             const source_location& where)
    : error(code, call, message, where), details_(detail::make_shared<const details>(std::move(facts))) {}

void detail::throw_error(errc code, std::string_view message, const source_location& where) {
  const std::error_code value = make_error_code(code);
  switch (code) {
    case errc::out_of_memory: throw memory_error(value, "", message, where);
    case errc::unsupported:
    case errc::driver_unavailable:
    case errc::no_device: throw unsupported_error(value, "", message, where);
    case errc::launch_failed: throw launch_error(value, "", message, where);
    case errc::command_failed: throw runtime_error(value, "", message, where);
    case errc::build_failed: throw compile_error(value, "", message, {}, where);
    case errc::context_lost:
    case errc::context_ended: throw context_lost_error(value, "", message, where);
    case errc::singular:
    case errc::not_positive:
    case errc::not_converged: throw numeric_error(value, "", message, where);
    case errc::rank_lost:
    case errc::timed_out:
    case errc::mismatched_ranks:
    case errc::communicator_ended: throw communication_error(value, "", message, where);
    default: throw logic_error(value, "", message, where);
  }
}
void detail::throw_joined(errc code, const source_location& where, const text_part* parts, std::size_t count) {
  throw_error(code, joined_text(parts, count), where);
}

void detail::throw_empty_handle(const char* noun, const source_location& where) {
  throw_error(errc::empty_handle, where, "this ", noun, " is empty (moved from, released or never set)");
}

}  // namespace yoke::inline v0_1

#endif
