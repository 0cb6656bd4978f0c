// SPDX-License-Identifier: MIT
// The workers' loop and the rules of the legacy default stream.
#include "stream.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "capture.hpp"
#include "context.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace yoke::simulator {

namespace {

void delay() {
  const unsigned most = the_settings().delay_us;
  if (most == 0) return;
  thread_local std::minstd_rand numbers{std::random_device{}()};
  std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<unsigned>(0, most)(numbers)));
}

bool all_done(const std::vector<ticket>& tickets) {
  for (const ticket& each : tickets) {
    if (!each.done()) return false;
  }
  return true;
}

void run_command(driver_lock& lock, stream& on) {
  command next = std::move(on.queue.front());
  on.queue.pop_front();
  state().changed.wait(lock, [&] { return all_done(next.after); });
  next.after.clear();
  const bool runs = next.work != nullptr && (next.always || on.owner.error == abi::success);
  lock.unlock();
  delay();
  if (runs) next.work();
  next.work = nullptr;  // what it owns goes before anybody hears that it is done
  lock.lock();
  ++on.completed;
  state().changed.notify_all();
}

/// Effects: runs what the stream holds until it closes.
void serve(driver_lock& lock, const std::shared_ptr<stream>& on) {
  for (;;) {
    state().changed.wait(lock, [&] { return on->closing || !on->queue.empty(); });
    if (on->queue.empty()) break;
    run_command(lock, *on);
  }
  std::erase(on->owner.streams, on);
}

// A worker never ends: it keeps the stacks that kernels ran on for the next stream.
void work(stream_worker* self) {
  ::pthread_setname_np(::pthread_self(), "yoke-sim-stream");
  driver_lock lock(driver_mutex());
  for (;;) {
    state().changed.wait(lock, [&] { return self->serves != nullptr; });
    serve(lock, self->serves);
    self->serves.reset();
    state().idle_workers.push_back(self);
  }
}

void give_worker(const std::shared_ptr<stream>& to) {
  driver_state& all = state();
  if (all.idle_workers.empty()) {
    all.workers.push_back(std::make_unique<stream_worker>());
    all.idle_workers.reserve(all.workers.size());
    std::thread(work, all.workers.back().get()).detach();  // at exit it may still wait; nobody could join it
    all.idle_workers.push_back(all.workers.back().get());
  }
  all.idle_workers.back()->serves = to;
  all.idle_workers.pop_back();
  to->has_worker = true;
}

// What was put into these streams before must be done first.
void follow_default_stream(const stream& to, command& what) {
  context& in = to.owner;
  if (to.kind == stream_kind::legacy) {
    for (const std::shared_ptr<stream>& each : in.streams) {
      if (each->kind != stream_kind::legacy && each->is_blocking() && each->completed < each->submitted) {
        what.after.push_back(latest_ticket(*each));
      }
    }
  } else if (to.is_blocking() && in.legacy->completed < in.legacy->submitted) {
    what.after.push_back(latest_ticket(*in.legacy));
  }
}

/// Effects: brings the stream's order up to date with the rules of the default streams.
void order_after_default_stream(stream& to) {
  context& in = to.owner;
  if (!state().memory.has_ordered_blocks()) {
    to.order.clear();
    in.departed.clear();
    return;
  }
  const auto follow = [&](const stream& other) {
    to.order.join(other.order);
    to.order.join(other.id, other.submitted);
  };
  if (to.kind == stream_kind::legacy) {
    to.order.join(in.departed);
    for (const std::shared_ptr<stream>& each : in.streams) {
      if (each->kind != stream_kind::legacy && each->is_blocking()) follow(*each);
    }
  } else if (to.is_blocking()) {
    follow(*in.legacy);
  }
}

}  // namespace

void order_clock::join(unsigned long long stream_id, std::uint64_t number) {
  const auto found =
      std::find_if(seen_.begin(), seen_.end(), [&](const auto& each) { return each.first == stream_id; });
  if (found == seen_.end()) {
    seen_.emplace_back(stream_id, number);
  } else {
    found->second = std::max(found->second, number);
  }
}
void order_clock::join(const order_clock& other) {
  for (const auto& [stream_id, number] : other.seen_) join(stream_id, number);
}
bool order_clock::covers(unsigned long long stream_id, std::uint64_t number) const {
  return std::any_of(seen_.begin(), seen_.end(),
                     [&](const auto& each) { return each.first == stream_id && each.second >= number; });
}

bool ticket::is_behind(const ticket& other) const {
  return (on == other.on && number >= other.number) || before.covers(other.on->id, other.number);
}

ticket next_ticket(stream& to) {
  order_after_default_stream(to);
  return {to.shared_from_this(), to.submitted + 1, to.order};
}
ticket latest_ticket(stream& of) { return {of.shared_from_this(), of.submitted, of.order}; }

void note_departure(const stream& gone) {
  if (!gone.is_blocking()) return;
  gone.owner.departed.join(gone.order);
  gone.owner.departed.join(gone.id, gone.submitted);
}

bool is_over(const context& in) {
  const driver_lock lock(driver_mutex());
  return in.error != abi::success || state().closed;
}

void join_all_streams(stream& which) {
  for (const std::unique_ptr<context>& each : state().contexts) {
    for (const std::shared_ptr<stream>& other : each->streams) {
      if (other.get() != &which) which.order.join(other->id, other->submitted);
    }
  }
}

std::string text_of(const stream& which) {
  if (which.kind == stream_kind::legacy) return "the default stream";
  if (which.kind == stream_kind::per_thread) return "a thread's default stream";
  char text[40];
  std::snprintf(text, sizeof text, "stream %p", static_cast<const void*>(which.handle));
  return text;
}

stream::stream(context& in, stream_kind what, unsigned with_flags, int with_priority)
    : owner(in), kind(what), flags(with_flags), priority(with_priority), id(++state().streams_made) {}

bool ticket::done() const { return on == nullptr || on->completed >= number; }

ticket submit(stream& to, command what) {
  follow_default_stream(to, what);
  order_after_default_stream(to);
  const std::shared_ptr<stream> shared = to.shared_from_this();
  if (state().memory.has_ordered_blocks()) {
    for (const ticket& each : what.after) {
      to.order.join(each.before);
      to.order.join(each.on->id, each.number);
    }
  }
  if (!to.has_worker) give_worker(shared);
  to.queue.push_back(std::move(what));
  ++to.submitted;
  state().changed.notify_all();
  return latest_ticket(to);
}

ticket submit(stream& to, std::function<void()> work) { return submit(to, command{std::move(work), {}, false}); }

void wait_for(driver_lock& lock, const ticket& what) {
  state().changed.wait(lock, [&] { return what.done(); });
  state().memory.observe(what);
}

void wait_for_all(driver_lock& lock, context& of) {
  std::vector<ticket> tickets;
  for (const std::shared_ptr<stream>& each : of.streams) tickets.push_back(latest_ticket(*each));
  state().changed.wait(lock, [&] { return all_done(tickets); });
  for (const ticket& each : tickets) state().memory.observe(each);
}

namespace {

stream& find_stream(abi::stream handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0 || number == abi::legacy_stream) return *current_context().legacy;
  if (number == abi::per_thread_stream) return per_thread_stream(current_context());
  return *find_object(state().streams, handle);
}

}  // namespace

stream& known_stream_of(abi::stream handle) {
  stream& found = find_stream(handle);
  check_context(found.owner);
  return found;
}
stream& recording_stream_of(abi::stream handle) {
  stream& found = known_stream_of(handle);
  if (found.capturing != nullptr) {
    require(!found.capturing->invalid, abi::error_stream_capture_invalidated);
  } else if (found.kind == stream_kind::legacy) {
    refuse_implicit_wait(found.owner);
  }
  return found;
}
stream& stream_of(abi::stream handle) {
  stream& found = recording_stream_of(handle);
  if (found.capturing != nullptr) refuse_in_capture(*found.capturing, abi::error_stream_capture_unsupported);
  return found;
}

}  // namespace yoke::simulator
