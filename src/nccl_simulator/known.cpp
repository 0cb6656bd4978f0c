// SPDX-License-Identifier: MIT
// Finds the process's communicators, and says why calls are refused.
#include "known.hpp"

#include <unistd.h>

#include <mutex>

namespace yoke::nccl_simulator {

namespace {

/// All communicators, living and ended. Never freed, so that a handle used too late is found.
struct known_state {
  std::mutex mutex;
  std::vector<std::unique_ptr<communicator>> all;
};
known_state& known() {
  static known_state* const once = new known_state;
  return *once;
}

}  // namespace

std::string& last_error_of_thread() {
  thread_local std::string text;
  return text;
}
abi::status refuse(abi::status code, const std::string& why) {
  last_error_of_thread() = why;
  return code;
}

abi::communicator make_known(std::unique_ptr<communicator> made) {
  known_state& all = known();
  const std::lock_guard lock(all.mutex);
  all.all.push_back(std::move(made));
  return reinterpret_cast<abi::communicator>(all.all.back().get());
}
communicator* living(abi::communicator handle) {
  auto* const which = reinterpret_cast<communicator*>(handle);
  known_state& all = known();
  const std::lock_guard lock(all.mutex);
  for (const auto& each : all.all) {
    if (each.get() == which) return which->now == stage::alive ? which : nullptr;
  }
  return nullptr;
}

std::vector<communicator*> leave(communicator& of) {
  if (of.shared->slot(of.rank).made != 1) return {&of};
  int ranks_here = 0;
  for (int rank = 0; rank < of.size; ++rank) {
    if (of.shared->slot(rank).process == ::getpid()) ++ranks_here;
  }
  known_state& all = known();
  const std::lock_guard lock(all.mutex);
  of.has_left = true;
  std::vector<communicator*> left;
  for (const auto& each : all.all) {
    if (each->has_left && each->shared->path() == of.shared->path()) left.push_back(each.get());
  }
  if (static_cast<int>(left.size()) < ranks_here) left.clear();
  return left;
}

abi::status injected(const communicator* of, int rank, const char* call) {
  const settings& set = the_settings();
  if (set.failing_call != call) return abi::success;
  const int which = of != nullptr ? of->rank : rank;
  if (set.failing_rank >= 0 && set.failing_rank != which) return abi::success;
  return refuse(set.failure, std::string(call) + " fails because YOKE_NCCL_SIMULATOR_FAIL says so");
}

abi::status ready(const communicator& of) {
  if (of.jobs != 0) {
    return refuse(abi::invalid_argument,
                  "Attempt to use communicator before the previous operation returned ncclSuccess");
  }
  if (of.async_error != abi::success) return refuse(of.async_error, "the communicator has failed before");
  return abi::success;
}

}  // namespace yoke::nccl_simulator
