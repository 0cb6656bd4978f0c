// SPDX-License-Identifier: MIT
// Makes contexts, gives threads their context stacks, and finds the current context.
#include "machine/stream/context.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "machine/base/handles.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"

namespace yoke::simulator {

namespace {

// The thread's own streams finish their work.
void forget_thread(void* record) {
  const driver_lock lock(driver_mutex());
  auto* const gone = static_cast<thread_record*>(record);
  for (const std::unique_ptr<context>& each : state<context_state>().contexts) {
    const auto found = each->per_thread.find(gone);
    if (found == each->per_thread.end()) continue;
    found->second->closing = true;
    note_departure(*found->second);
    // If it has work left, the context still waits for it; the worker then removes it.
    const std::shared_ptr<stream> left = found->second;
    if (left->completed == left->submitted) std::erase(each->streams, left);
    each->per_thread.erase(found);
  }
  state<stream_state>().changed.notify_all();
  std::erase_if(state<context_state>().threads, [&](const auto& each) { return each.get() == gone; });
}

::pthread_key_t thread_key() {
  static const ::pthread_key_t key = [] {
    ::pthread_key_t made{};
    if (::pthread_key_create(&made, forget_thread) != 0) throw std::bad_alloc();
    return made;
  }();
  return key;
}

// Measured in a fresh context on a device of compute capability 9.0.
constexpr std::array<std::size_t, 10> fresh_limits{1024, 8650752, 8388608, 2, 2048, 64, 0, 0, 0, 0};

}  // namespace

// Not a thread_local object: the main thread's are destroyed while static objects still call the driver.
thread_record& this_thread_record() {
  if (void* const known = ::pthread_getspecific(thread_key())) return *static_cast<thread_record*>(known);
  auto& threads = state<context_state>().threads;
  threads.push_back(std::make_unique<thread_record>());
  thread_record& fresh = *threads.back();
  ::pthread_setspecific(thread_key(), &fresh);
  return fresh;
}

void check_context(const context& which) {
  require(which.alive, abi::error_context_is_destroyed);
  require(which.error == abi::success, which.error);
}

context* top_context() {
  const std::vector<context*>& stack = this_thread_record().stack;
  return stack.empty() ? nullptr : stack.back();
}

context& current_context() {
  context* const top = top_context();
  require(top != nullptr, abi::error_invalid_context);
  check_context(*top);
  return *top;
}

context& context_of(abi::context handle) {
  for (const std::unique_ptr<context>& each : state<context_state>().contexts) {
    if (each->handle == handle) return *each;
  }
  refuse(abi::error_invalid_context);
}

stream& per_thread_stream(context& in) {
  std::shared_ptr<stream>& mine = in.per_thread[&this_thread_record()];
  if (mine == nullptr) {
    mine = std::make_shared<stream>(in, stream_kind::per_thread, 0, 0);
    in.streams.push_back(mine);
  }
  return *mine;
}

context& make_context(int device, unsigned flags, bool is_primary) {
  auto& all = state<context_state>().contexts;
  auto made = std::make_unique<context>();
  made->device = device;
  made->flags = flags;
  made->is_primary = is_primary;
  constexpr auto kind = static_cast<std::uintptr_t>(handle_kind::context) << handle_kind_shift;
  made->handle = reinterpret_cast<abi::context>(kind + 16 * (all.size() + 1));
  all.push_back(std::move(made));
  context& kept = *all.back();
  if (!is_primary) activate(kept);
  return kept;
}

void activate(context& which) {
  which.alive = true;
  which.id = ++state<context_state>().made;
  which.limits = fresh_limits;
  which.cache = abi::cache_config::prefer_none;
  which.legacy = std::make_shared<stream>(which, stream_kind::legacy, 0, 0);
  which.streams = {which.legacy};
}

void break_context(context& which, abi::status code, const std::string& why) {
  if (which.error != abi::success) return;
  which.error = code;
  say(why);
}

}  // namespace yoke::simulator
