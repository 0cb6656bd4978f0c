// SPDX-License-Identifier: MIT
// Error categories over lists of codes, and their exceptions.
#ifndef YOKE_DRIVER_CUDA_CODE_CATEGORY_HPP
#define YOKE_DRIVER_CUDA_CODE_CATEGORY_HPP

#include <yoke/driver/cuda/code_facts.hpp>
#include <yoke/driver/cuda/error.hpp>

#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

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

// A category is made at its first use and never destroyed.
#define YOKE_CODE_CATEGORY(function, name, facts)                                                                      \
  const std::error_category& function() noexcept {                                                                     \
    alignas(code_category) static unsigned char place[sizeof(code_category)];                                          \
    static const code_category& instance = *::new (static_cast<void*>(place)) code_category(name, facts);              \
    return instance;                                                                                                   \
  }

/// Throws: the exception of a class.
[[noreturn, gnu::cold]] inline void throw_as(thrown_as what, const std::error_code& code, const char* call,
                                             std::string_view message, const source_location& where) {
  switch (what) {
    case thrown_as::memory: throw memory_error(code, call, message, where);
    case thrown_as::logic: throw logic_error(code, call, message, where);
    case thrown_as::launch: throw launch_error(code, call, message, where);
    case thrown_as::unsupported: throw unsupported_error(code, call, message, where);
    case thrown_as::compile: throw compile_error(code, call, message, {}, where);
    case thrown_as::lost: throw context_lost_error(code, call, message, where);
    case thrown_as::communication: throw communication_error(code, call, message, where);
    case thrown_as::runtime: break;
  }
  throw runtime_error(code, call, message, where);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
