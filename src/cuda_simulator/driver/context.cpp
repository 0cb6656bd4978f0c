// SPDX-License-Identifier: MIT
// Contexts' lives, and the stacks.
#include "context.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "library.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace yoke::simulator {

namespace {

void close_stream(driver_state& all, const std::shared_ptr<stream>& each) {
  each->closing = true;
  if (each->handle != nullptr) all.streams.orphan(each->handle);
}

// The thread's stream finishes what it holds.
void forget_thread(void* record) {
  driver_state& all = state();
  const driver_lock lock(driver_mutex());
  auto* const gone = static_cast<thread_record*>(record);
  for (const std::unique_ptr<context>& each : all.contexts) {
    const auto found = each->per_thread.find(gone);
    if (found == each->per_thread.end()) continue;
    found->second->closing = true;
    note_departure(*found->second);
    // With work left the context waits for it still; the worker takes it out then.
    const std::shared_ptr<stream> left = found->second;
    if (left->completed == left->submitted) std::erase(each->streams, left);
    each->per_thread.erase(found);
  }
  all.changed.notify_all();
  std::erase_if(all.threads, [&](const auto& each) { return each.get() == gone; });
}

::pthread_key_t thread_key() {
  static const ::pthread_key_t key = [] {
    ::pthread_key_t made{};
    if (::pthread_key_create(&made, forget_thread) != 0) throw std::bad_alloc();
    return made;
  }();
  return key;
}

// As a device of compute capability 9.0 reports them for a fresh context.
constexpr std::array<std::size_t, 10> fresh_limits{1024, 8650752, 8388608, 2, 2048, 64, 0, 0, 0, 0};

}  // namespace

// Not a thread_local object: those of the main thread are gone while static objects still call the driver.
thread_record& this_thread_record() {
  if (void* const known = ::pthread_getspecific(thread_key())) return *static_cast<thread_record*>(known);
  state().threads.push_back(std::make_unique<thread_record>());
  thread_record& fresh = *state().threads.back();
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
  for (const std::unique_ptr<context>& each : state().contexts) {
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
  driver_state& all = state();
  auto made = std::make_unique<context>();
  made->device = device;
  made->flags = flags;
  made->is_primary = is_primary;
  constexpr auto kind = static_cast<std::uintptr_t>(handle_kind::context) << handle_kind_shift;
  made->handle = reinterpret_cast<abi::context>(kind + 16 * (all.contexts.size() + 1));
  all.contexts.push_back(std::move(made));
  context& kept = *all.contexts.back();
  if (!is_primary) activate(kept);
  return kept;
}

void activate(context& which) {
  which.alive = true;
  which.id = ++state().contexts_made;
  which.limits = fresh_limits;
  which.cache = abi::cache_config::prefer_none;
  which.legacy = std::make_shared<stream>(which, stream_kind::legacy, 0, 0);
  which.streams = {which.legacy};
}

void tear_down(driver_lock& lock, context& which) {
  driver_state& all = state();
  which.alive = false;
  wait_for_all(lock, which);
  for (const ticket& each : all.memory.users_of(which)) wait_for(lock, each);
  for (const std::shared_ptr<stream>& each : which.streams) {
    close_stream(all, each);
    all.objects.depart(&which, object_kind::stream, reinterpret_cast<std::uintptr_t>(each->handle));
  }
  which.streams.clear();
  which.per_thread.clear();
  which.legacy.reset();
  all.changed.notify_all();
  all.events.orphan_if(
      [&](const event& each) { return &each.owner == &which; },
      [&](abi::event each) { all.objects.depart(&which, object_kind::event, reinterpret_cast<std::uintptr_t>(each)); });
  forget_instances(which);
  release_arrays(which);
  for (const std::uintptr_t base : all.memory.release_context(which)) {
    using enum object_kind;
    for (const object_kind kind : {device_memory, host_memory, registered_range, imported_memory})
      all.objects.depart(&which, kind, base);
  }
  for (const std::unique_ptr<context>& each : all.contexts) each->peers.erase(&which);
  which.peers.clear();
}

void wait_for_users(driver_lock& lock, const memory_block& block) {
  std::vector<ticket> others;
  for (const memory_use& each : block.uses) others.push_back(each.at);
  wait_for_all(lock, *block.owner);
  for (const ticket& each : others) wait_for(lock, each);
}

void break_context(context& which, abi::status code, const std::string& why) {
  if (which.error != abi::success) return;
  which.error = code;
  say(why);
}

void check_work(context& done) {
  release_idle(done.device);
  const unsigned long launches = std::exchange(done.new_launches, 0);
  const std::vector<std::string> overruns =
      launches > 0 ? state().memory.take_overruns(done) : std::vector<std::string>();
  for (const std::string& each : overruns) {
    std::string why = each + "; noticed at a synchronisation after kernel " + done.latest_kernel.data();
    if (launches > 1) why += ", the last of " + std::to_string(launches) + " launches since the one before";
    if (done.error != abi::success) say(why);
    break_context(done, abi::error_illegal_address, why);
  }
  require(done.error == abi::success, done.error);
}

}  // namespace yoke::simulator
