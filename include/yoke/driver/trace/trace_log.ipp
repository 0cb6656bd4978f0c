// SPDX-License-Identifier: MIT
// Bodies of driver/trace/trace_log.hpp.
#ifndef YOKE_DRIVER_TRACE_TRACE_LOG_IPP
#define YOKE_DRIVER_TRACE_TRACE_LOG_IPP

#include <yoke/driver/trace/trace_log.hpp>

#include <chrono>
#include <utility>

namespace yoke::inline v0_1::detail {

inline constinit std::atomic<trace_log*> the_trace_log{nullptr};

/// Returns: this thread's number, from 1.
std::uint32_t trace_thread() noexcept {
  static constinit std::atomic<std::uint32_t> threads{0};
  thread_local const std::uint32_t mine = ++threads;
  return mine;
}

trace_log& trace_log::instance() {
  if (trace_log* const log = the_trace_log.load(std::memory_order_acquire)) return *log;
  trace_log* const fresh = new trace_log;  // never destroyed: other code may call the driver while the program ends
  trace_log* there = nullptr;
  if (the_trace_log.compare_exchange_strong(there, fresh)) return *fresh;
  delete fresh;
  return *there;
}

trace_log* trace_log::if_open() noexcept {
  trace_log* const log = the_trace_log.load(std::memory_order_acquire);
  return log != nullptr && log->open_.load(std::memory_order_acquire) ? log : nullptr;
}

std::int64_t trace_log::now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool trace_log::open(std::size_t limit, bool times_work) {
  const std::lock_guard lock(mutex_);
  if (open_) return false;
  content_ = {};
  ++trace_;
  limit_ = limit;
  times_work_ = times_work;
  open_ = true;
  return true;
}

void trace_log::close() noexcept { open_ = false; }

std::size_t trace_log::add(traced_call call, std::uint64_t trace) noexcept {
  call.thread = trace_thread();
  try {
    const std::lock_guard lock(mutex_);
    if (trace != trace_ || !open_) return none;
    if (content_.calls.size() < limit_) {
      content_.calls.push_back(call);
      return content_.calls.size() - 1;
    }
    ++content_.left_out;
  } catch (...) {  // out of memory: the trace loses the entry, the program goes on
    const std::lock_guard lock(mutex_);
    ++content_.left_out;
  }
  return none;
}

void trace_log::add(const traced_work& work) noexcept {
  const std::lock_guard lock(mutex_);
  if (work.trace != trace_) return;
  try {
    content_.work.push_back(work);
  } catch (...) {
    ++content_.untimed;
  }
}

void trace_log::add_untimed(std::uint64_t count) noexcept {
  const std::lock_guard lock(mutex_);
  content_.untimed += count;
}

const char* trace_log::keep(std::string_view text) {
  const std::lock_guard lock(mutex_);
  return texts_.emplace(text).first->c_str();
}

void trace_log::name_device(const void* device, std::string name) {
  const std::lock_guard lock(mutex_);
  content_.devices[device] = std::move(name);
}

trace_content trace_log::copy() const {
  const std::lock_guard lock(mutex_);
  return content_;
}
trace_content trace_log::take() noexcept {
  const std::lock_guard lock(mutex_);
  ++trace_;
  return std::exchange(content_, {});
}

}  // namespace yoke::inline v0_1::detail

#endif
