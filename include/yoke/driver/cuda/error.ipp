// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/error.hpp: names, conditions, exception classes, all from one list of codes.
#ifndef YOKE_DRIVER_CUDA_ERROR_IPP
#define YOKE_DRIVER_CUDA_ERROR_IPP

#include <yoke/driver/cuda/error.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/code_facts.hpp>

#include <atomic>
#include <cstring>
#include <new>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace yoke::inline v0_1::cuda {

namespace detail {

inline bool same(const std::error_condition& left, const std::error_condition& right) noexcept {
  return left.value() == right.value() && std::strcmp(left.category().name(), right.category().name()) == 0;
}

/// A category over one list of codes.
class code_category final : public std::error_category {
 public:
  using facts_function = code_facts (*)(int) noexcept;
  constexpr code_category(const char* name, facts_function facts) noexcept : name_(name), facts_(facts) {}

  using std::error_category::equivalent;
  const char* name() const noexcept override { return name_; }
  [[gnu::cold]] std::string message(int value) const override { return facts_(value).name; }
  std::error_condition default_error_condition(int value) const noexcept override {
    const errc condition = facts_(value).condition;
    if (condition == errc::success) return {value, *this};
    return make_error_condition(condition);
  }
  bool equivalent(const std::error_code& code, int condition) const noexcept override {
    return code.value() == condition && is_of(code, *this);
  }
  bool equivalent(int code, const std::error_condition& condition) const noexcept override {
    return same(default_error_condition(code), condition) ||
           (facts_ == static_cast<facts_function>(&facts_of) &&
            same(make_error_condition(errc::context_ended), condition) && is_ended(code));
  }

 private:
  const char* name_;
  facts_function facts_;
};

// Each category is made at its first use and never destroyed.
#define YOKE_CODE_CATEGORY(function, name, facts)                                                                      \
  const std::error_category& function() noexcept {                                                                     \
    alignas(code_category) static unsigned char place[sizeof(code_category)];                                          \
    static const code_category& instance = *::new (static_cast<void*>(place)) code_category(name, facts);              \
    return instance;                                                                                                   \
  }

YOKE_CODE_CATEGORY(cuda_category_instance, "yoke.cuda", &facts_of)
YOKE_CODE_CATEGORY(nvrtc_category_instance, "yoke.nvrtc", &nvrtc_facts_of)
YOKE_CODE_CATEGORY(nvjitlink_category_instance, "yoke.nvjitlink", &nvjitlink_facts_of)

#undef YOKE_CODE_CATEGORY

[[noreturn]] void throw_as(thrown_as what, const std::error_code& code, const char* call, std::string_view message,
                           const source_location& where) {
  switch (what) {
    case thrown_as::memory: throw memory_error(code, call, message, where);
    case thrown_as::logic: throw logic_error(code, call, message, where);
    case thrown_as::launch: throw launch_error(code, call, message, where);
    case thrown_as::unsupported: throw unsupported_error(code, call, message, where);
    case thrown_as::compile: throw compile_error(code, call, message, {}, where);
    case thrown_as::lost: throw context_lost_error(code, call, message, where);
    case thrown_as::runtime: break;
  }
  throw runtime_error(code, call, message, where);
}

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
