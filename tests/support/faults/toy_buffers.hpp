// SPDX-License-Identifier: MIT
// A toy owner of driver objects, right or wrong on purpose: what the fault loops must accept and must find.
#ifndef YOKE_TESTS_SUPPORT_TOY_BUFFERS_HPP
#define YOKE_TESTS_SUPPORT_TOY_BUFFERS_HPP

#include <support/drivers/opencl_interposer.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/faults/allocation_pause.hpp>

#include <yoke/core/cleanup.hpp>
#include <yoke/core/error.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace yoke_test {

enum class toy_flaw {
  none,
  leaks_on_second_failure,
  swallows,
  names_nothing,
  wrong_code,
  wrong_class,
  foreign_exception,
  silent_cleanup,
  reports_twice,
  throwing_cleanup,
  double_release,
  forgets,
  loses_memory,
  loses_memory_on_failure,
};

class toy_category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "toy"; }
  std::string message(int) const override { return "failed"; }
};

[[noreturn]] inline void toy_throw(abi::status code, const char* call, toy_flaw flaw) {
  static const toy_category category;
  if (flaw == toy_flaw::foreign_exception) throw std::out_of_range("foreign");
  const std::error_code told{flaw == toy_flaw::wrong_code ? code - 1000 : code, category};
  const char* const named = flaw == toy_flaw::names_nothing ? "" : call;
  switch (flaw == toy_flaw::wrong_class ? 0 : code) {
    case -2: throw yoke::context_lost_error(told, named, "toy", {});
    case -4: throw yoke::memory_error(told, named, "toy", {});
    case -30: throw yoke::logic_error(told, named, "toy", {});
    case -59: throw yoke::unsupported_error(told, named, "toy", {});
    default: throw yoke::error(told, named, "toy", {});
  }
}

inline void toy_report(abi::status code, const char* call, toy_flaw flaw) {
  static const toy_category category;
  if (code == 0 || flaw == toy_flaw::silent_cleanup) return;
  yoke::detail::report_cleanup_failure({code, category}, call);
  if (flaw == toy_flaw::reports_twice) yoke::detail::report_cleanup_failure({code, category}, call);
}

/// A context made through an interposer's table.
class toy_context {
 public:
  toy_context(opencl_interposer& driver, toy_flaw flaw)
      : cl(*driver.table()), flaw_(flaw), device_(raw_devices().front()) {
    abi::status code = 0;
    native = cl.create_context(nullptr, 1, &device_, nullptr, nullptr, &code);
    if (native == nullptr) toy_throw(code, "clCreateContext", flaw);
  }
  toy_context(toy_context&& other) noexcept
      : cl(other.cl), native(std::exchange(other.native, nullptr)), flaw_(other.flaw_), device_(other.device_) {}
  ~toy_context() {
    if (native != nullptr) toy_report(cl.release_context(native), "clReleaseContext", flaw_);
  }

  const abi::functions& cl;
  abi::context native = nullptr;
  bool broken = false;

 private:
  toy_flaw flaw_;
  abi::device device_;
};

/// Two buffers, made together; one block of memory stands for the bookkeeping of a real owner.
class toy_buffers {
 public:
  toy_buffers(toy_context& context, toy_flaw flaw) : context_(context), flaw_(flaw), note_(new int[4]) {
    if (flaw == toy_flaw::loses_memory) lose(std::make_unique<int[]>(4));
    if (context.broken) toy_throw(-1, "broken", flaw);
    abi::status code = 0;
    first_ = create(code);
    if (first_ == nullptr) fail(code);
    second_ = create(code);
    if (second_ != nullptr || flaw == toy_flaw::swallows) return;
    if (flaw != toy_flaw::leaks_on_second_failure) release(first_);
    fail(code);
  }
  toy_buffers(const toy_buffers&) = delete;
  toy_buffers& operator=(const toy_buffers&) = delete;
  ~toy_buffers() noexcept(false) {
    release(second_);
    release(first_);
    if (flaw_ == toy_flaw::double_release) context_.cl.release_memory(first_);
  }

 private:
  abi::memory create(abi::status& code) {
    return context_.cl.create_buffer(context_.native, abi::mem_read_write, 64, nullptr, &code);
  }
  /// Lost to the toy, but not to a leak checker.
  static void lose(std::unique_ptr<int[]> block) {
    const allocation_pause no_allocation_faults;
    static std::vector<std::unique_ptr<int[]>> lost;
    lost.push_back(std::move(block));
  }
  [[noreturn]] void fail(abi::status code) {
    if (flaw_ == toy_flaw::forgets) context_.broken = true;
    if (flaw_ == toy_flaw::loses_memory_on_failure) lose(std::move(note_));
    toy_throw(code, "clCreateBuffer", flaw_);
  }
  void release(abi::memory memory) {
    if (memory == nullptr) return;
    const abi::status code = context_.cl.release_memory(memory);
    if (code != 0 && flaw_ == toy_flaw::throwing_cleanup) toy_throw(code, "clReleaseMemObject", flaw_);
    toy_report(code, "clReleaseMemObject", flaw_);
  }

  toy_context& context_;
  toy_flaw flaw_;
  std::unique_ptr<int[]> note_;
  abi::memory first_ = nullptr;
  abi::memory second_ = nullptr;
};

}  // namespace yoke_test

#endif
