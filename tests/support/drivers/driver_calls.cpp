// SPDX-License-Identifier: MIT
// Bodies of the common half of the interposers.
#include <support/drivers/driver_calls.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace yoke_test {

driver_calls::driver_calls(std::span<const entry_facts> entries)
    : entries_(entries), excluded_(entries.size()), hooks_(entries.size()) {}

std::size_t driver_calls::mark() const {
  const std::lock_guard lock(mutex_);
  return log_.size();
}

std::vector<std::string> driver_calls::calls(std::size_t since) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (std::size_t i = since; i < log_.size(); ++i) names.emplace_back(entries_[log_[i]].name);
  return names;
}

std::size_t driver_calls::count(std::string_view name, std::size_t since) const {
  const std::size_t which = index_of(name);
  const std::lock_guard lock(mutex_);
  std::size_t found = 0;
  for (std::size_t i = since; i < log_.size(); ++i) found += log_[i] == which ? 1U : 0U;
  return found;
}

std::size_t driver_calls::count_all(std::size_t since) const {
  const std::lock_guard lock(mutex_);
  return log_.size() - std::min(since, log_.size());
}

void driver_calls::clear_log() {
  const std::lock_guard lock(mutex_);
  log_.clear();
}

void driver_calls::arm(std::optional<std::size_t> only, std::size_t nth, fault_mode mode, int code, fault_scope scope) {
  if (nth == 0) throw std::invalid_argument("calls count from 1");
  fault planned{only, nth, mode, code, {}, 0};
  if (scope == fault_scope::this_thread) planned.thread = std::this_thread::get_id();
  const std::lock_guard lock(mutex_);
  faults_.push_back(planned);
}

void driver_calls::fail_call(std::size_t n, fault_mode mode, int code, fault_scope scope) {
  arm(std::nullopt, n, mode, code, scope);
}

void driver_calls::fail_function(std::string_view name, std::size_t nth, fault_mode mode, int code, fault_scope scope) {
  arm(index_of(name), nth, mode, code, scope);
}

void driver_calls::exclude(std::string_view name) {
  const std::size_t index = index_of(name);
  const std::lock_guard lock(mutex_);
  excluded_[index] = true;
}

void driver_calls::disarm() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

std::optional<injection> driver_calls::injected() const {
  const std::lock_guard lock(mutex_);
  return injections_.empty() ? std::nullopt : std::optional(injections_.front());
}

std::vector<injection> driver_calls::injections() const {
  const std::lock_guard lock(mutex_);
  return injections_;
}

void driver_calls::on_call(std::string_view name, std::function<void()> hook) {
  const std::size_t index = index_of(name);
  const std::lock_guard lock(mutex_);
  hooks_[index] = std::move(hook);
}

std::optional<int> driver_calls::strike(std::size_t index) {
  std::optional<int> code;
  for (fault& each : faults_) {
    if (each.only ? *each.only != index : excluded_[index]) continue;
    if (each.thread && *each.thread != std::this_thread::get_id()) continue;
    ++each.seen;
    const bool strikes = each.seen == each.nth || (each.mode == fault_mode::for_ever && each.seen > each.nth);
    if (strikes && !code) code = each.code;
  }
  return code;
}

std::optional<int> driver_calls::begin(std::size_t index, const failure_kind& kind) {
  std::optional<int> code;
  std::function<void()> hook;
  {
    const std::lock_guard lock(mutex_);
    log_.push_back(index);
    hook = hooks_[index];
    code = strike(index);
    if (code) injections_.push_back({kind, std::string(entries_[index].name), entries_[index].symbol, *code});
  }
  if (hook) hook();
  return code;
}

}  // namespace yoke_test
