// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/error.hpp: names, conditions, exception classes, all from one list of codes.
#ifndef YOKE_DRIVER_CUDA_ERROR_IPP
#define YOKE_DRIVER_CUDA_ERROR_IPP

#include <yoke/driver/cuda/error.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/code_category.hpp>

#include <atomic>
#include <cstring>
#include <new>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace yoke::inline v0_1::cuda {

namespace detail {

YOKE_CODE_CATEGORY(cuda_category_instance, "yoke.cuda", &facts_of)
YOKE_CODE_CATEGORY(nvrtc_category_instance, "yoke.nvrtc", &nvrtc_facts_of)
YOKE_CODE_CATEGORY(nvjitlink_category_instance, "yoke.nvjitlink", &nvjitlink_facts_of)

inline constinit std::atomic<bool> initialized_process{false};

void note_initialized_process() noexcept {
  if (initialized_process.exchange(true)) return;
#if !defined(_WIN32)  // Windows does not fork
  ::pthread_atfork(nullptr, nullptr, [] { forked.is_so.store(true); });
#endif
}
bool is_forked_process() noexcept { return forked.is_so.load(yoke::detail::order::relaxed); }

void throw_failure(int code, const char* call, std::string_view message, const source_location& where) {
  const code_facts facts = facts_of(code);
  thrown_as thrown = facts.thrown;
  // For a refused shape or too much shared memory, drivers say only "invalid value".
  const bool launch =
      std::strncmp(call, "cuLaunchKernel", 14) == 0 || std::strcmp(call, "cuLaunchCooperativeKernel") == 0;
  if (launch &&
      (code == abi::error_invalid_value || code == abi::error_out_of_memory || code == abi::error_not_supported)) {
    thrown = thrown_as::launch;
  }
  if (code == abi::error_not_initialized && is_forked_process()) {
    message = "this process was forked after CUDA was initialised, and CUDA does not work in it: fork first, or exec";
  }
  std::string longer;
  if (code == abi::error_not_permitted && message.empty()) {
    message = longer = yoke::detail::text(facts.text, "; a function that a stream calls may not use CUDA");
  }
  throw_as(thrown, {code, cuda_category_instance()}, call, message.empty() ? facts.text : message, where);
}

void throw_nvrtc_failure(int code, const char* call, std::string_view message, const source_location& where) {
  const code_facts facts = nvrtc_facts_of(code);
  throw_as(facts.thrown, {code, nvrtc_category_instance()}, call, message.empty() ? facts.text : message, where);
}

void throw_nvjitlink_failure(int code, const char* call, std::string_view message, const source_location& where) {
  const code_facts facts = nvjitlink_facts_of(code);
  throw_as(facts.thrown, {code, nvjitlink_category_instance()}, call, message.empty() ? facts.text : message, where);
}

bool is_about_input(const std::error_code& code, bool logged) noexcept {
  const bool driver = is_of(code, cuda_category_instance());
  const thrown_as thrown = (driver ? facts_of(code.value()) : nvjitlink_facts_of(code.value())).thrown;
  // Drivers may give a general code when their log explains the failure.
  return thrown == thrown_as::compile || (logged && (thrown == thrown_as::logic || thrown == thrown_as::runtime));
}

bool is_ended(int code) noexcept {
  return code == abi::error_deinitialized || code == abi::error_context_is_destroyed ||
         code == abi::error_invalid_context || (code == abi::error_not_initialized && is_forked_process());
}

bool is_sticky(int code) noexcept {
  return facts_of(code).thrown == thrown_as::lost && code != abi::error_context_is_destroyed;
}

}  // namespace detail

const std::error_category& error_category() noexcept { return detail::cuda_category_instance(); }
const std::error_category& nvrtc_error_category() noexcept { return detail::nvrtc_category_instance(); }
const std::error_category& nvjitlink_error_category() noexcept { return detail::nvjitlink_category_instance(); }
const char* error_name(int code) noexcept { return detail::facts_of(code).name; }
const char* error_text(int code) noexcept { return detail::facts_of(code).text; }
const char* nvrtc_error_name(int code) noexcept { return detail::nvrtc_facts_of(code).name; }
const char* nvrtc_error_text(int code) noexcept { return detail::nvrtc_facts_of(code).text; }

}  // namespace yoke::inline v0_1::cuda

#endif
