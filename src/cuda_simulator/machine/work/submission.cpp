// SPDX-License-Identifier: MIT
// The workers' loop, and the ordering rules of the default streams.
#include "machine/work/submission.hpp"

#include <pthread.h>

#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "machine/base/call.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator {

namespace {

void delay() {
  const unsigned most = the_settings().delay_us;
  if (most == 0) return;
  thread_local std::minstd_rand numbers{std::random_device{}()};
  std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<unsigned>(0, most)(numbers)));
}

void run_command(driver_lock& lock, stream& on) {
  command next = std::move(on.queue.front());
  on.queue.pop_front();
  state<stream_state>().changed.wait(lock, [&] { return are_done(next.after); });
  next.after.clear();
  const bool runs = next.work != nullptr && (next.always || on.owner.error == abi::success);
  lock.unlock();
  delay();
  if (runs) next.work();
  next.work = nullptr;  // releases captured objects before waiters see the command done
  lock.lock();
  ++on.completed;
  state<stream_state>().changed.notify_all();
}

/// Effects: runs the stream's commands until it closes.
void serve(driver_lock& lock, const std::shared_ptr<stream>& on) {
  for (;;) {
    state<stream_state>().changed.wait(lock, [&] { return on->closing || !on->queue.empty(); });
    if (on->queue.empty()) break;
    run_command(lock, *on);
  }
  std::erase(on->owner.streams, on);
}

/// A thread, and the stream that it serves now.
struct stream_worker {
  std::shared_ptr<stream> serves{};
};

/// Thread safety: the driver's lock.
struct worker_state {
  std::vector<std::unique_ptr<stream_worker>> workers{};
  std::vector<stream_worker*> idle{};
};

// A worker never ends: it keeps the stacks of kernels for the next stream.
void work(stream_worker* self) {
  ::pthread_setname_np(::pthread_self(), "yoke-sim-stream");
  driver_lock lock(driver_mutex());
  for (;;) {
    state<stream_state>().changed.wait(lock, [&] { return self->serves != nullptr; });
    serve(lock, self->serves);
    self->serves.reset();
    state<worker_state>().idle.push_back(self);
  }
}

void give_worker(const std::shared_ptr<stream>& to) {
  auto& all = state<worker_state>();
  if (all.idle.empty()) {
    all.workers.push_back(std::make_unique<stream_worker>());
    all.idle.reserve(all.workers.size());
    std::thread(work, all.workers.back().get()).detach();  // it may still wait at exit, when nobody could join it
    all.idle.push_back(all.workers.back().get());
  }
  all.idle.back()->serves = to;
  all.idle.pop_back();
  to->has_worker = true;
}

// Adds the present commands of the other streams as prerequisites.
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

/// Effects: updates the stream's order by the rules of the default streams.
void order_after_default_stream(stream& to) {
  context& in = to.owner;
  if (!state<memory_table>().has_ordered_blocks()) {
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

ticket next_ticket(stream& to) {
  order_after_default_stream(to);
  return {to.shared_from_this(), to.submitted + 1, to.order};
}

ticket submit(stream& to, command what) {
  follow_default_stream(to, what);
  order_after_default_stream(to);
  const std::shared_ptr<stream> shared = to.shared_from_this();
  if (state<memory_table>().has_ordered_blocks()) {
    for (const ticket& each : what.after) {
      to.order.join(each.before);
      to.order.join(each.on->id, each.number);
    }
  }
  if (!to.has_worker) give_worker(shared);
  to.queue.push_back(std::move(what));
  ++to.submitted;
  state<stream_state>().changed.notify_all();
  return latest_ticket(to);
}

ticket submit(stream& to, std::function<void()> work) { return submit(to, command{std::move(work), {}, false}); }

}  // namespace yoke::simulator
