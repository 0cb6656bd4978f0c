// SPDX-License-Identifier: MIT
// Schedules the threads of a block, and reports why none of them can go on.
#include "engine/launch/block.hpp"

#include <cstring>
#include <memory>
#include <thread>
#include <utility>

namespace yoke::simulator {

using yoke_simulator::meeting;
using yoke_simulator::place;

namespace {

thread_local block_run* running_block = nullptr;

void run_forever(void* argument) {
  runner& self = *static_cast<runner*>(argument);
  for (;;) {
    self.block->run_threads(self);
    self.block->leave(self);
  }
}

extent3 index_in(const extent3& extents, unsigned long long rank) {
  return {static_cast<unsigned>(rank % extents[0]), static_cast<unsigned>(rank / extents[0] % extents[1]),
          static_cast<unsigned>(rank / extents[0] / extents[1])};
}

void write(unsigned* variable, const extent3& value) { std::memcpy(variable, value.data(), sizeof value); }

}  // namespace

void launch_state::fail(launch_result failure) {
  const std::lock_guard lock(mutex);
  if (failed.exchange(true)) return;
  result = std::move(failure);
}

runner::runner(std::size_t stack_bytes) : place(&run_forever, this, stack_bytes) {}

runner_pool& runner_pool::of_this_thread() {
  thread_local runner_pool pool;
  return pool;
}

runner* runner_pool::take(block_run& block, std::size_t stack_bytes) {
  if (idle_.empty()) {
    all_.push_back(std::make_unique<runner>(stack_bytes));
    idle_.push_back(all_.back().get());
  }
  runner* const taken = idle_.back();
  taken->place.grow(stack_bytes);
  idle_.pop_back();
  taken->block = &block;
  return taken;
}

block_run* block_run::running() { return running_block; }

block_run::block_run(launch_state& state, const image::thread_view& view, unsigned long long index)
    : state_(state),
      view_(view),
      index_(index_in(state.shape.grid, index)),
      runners_(runner_pool::of_this_thread()),
      threads_(state.block_threads),
      live_(state.block_threads),
      whole_looks_(state.shape.whole_looks) {
  for (unsigned each = 0; each < live_; ++each) alive_[each / 32] |= 1u << each % 32;
}

block_run::~block_run() {
  // After a failure some stacks are in the middle of a kernel; they start anew.
  for (gpu_thread& each : threads_) {
    if (each.on == nullptr || each.now == condition::done) continue;
    each.on->place.restart();
    runners_.give_back(each.on);
  }
}

// --- who runs --------------------------------------------------------------------------------------------------------

block_run::outcome block_run::resume() {
  running_block = this;
  write(view_.variables.block_index, index_);
  outcome result = outcome::finished;
  for (;;) {
    if (failed_) {
      result = outcome::failed;
      break;
    }
    if (!ready_.empty() || next_ < threads_.size()) {
      fiber& first = next_place();
      if (&first != &runners_.main()) runners_.main().switch_to(first);
      current_ = nobody;
    } else if (live_ == 0) {
      break;
    } else if (!resolve_active_masks()) {
      result = stuck();
      if (result == outcome::finished) continue;
      break;
    }
  }
  running_block = nullptr;
  return result;
}

fiber& block_run::next_place() {
  if (failed_) return runners_.main();
  if (!ready_.empty()) {
    const unsigned thread = ready_.front();
    ready_.pop_front();
    return threads_[thread].on->place;
  }
  if (next_ < threads_.size()) {
    try {
      return runners_.take(*this, least_stack_bytes + state_.shape.stack_bytes)->place;
    } catch (const std::bad_alloc&) {
      record_failure(launch_status::out_of_memory, "there is no memory for the stack of another thread");
    }
  }
  return runners_.main();
}

void block_run::make_current(unsigned thread) {
  current_ = thread;
  *view_.variables.thread_rank = thread;
  write(view_.variables.thread_index, threads_[thread].index);
}

unsigned block_run::begin_thread(runner& on) {
  const unsigned thread = next_++;
  threads_[thread].on = &on;
  threads_[thread].index = next_index_;
  const extent3& block = state_.shape.block;
  if (++next_index_[0] == block[0]) {
    next_index_[0] = 0;
    if (++next_index_[1] == block[1]) {
      next_index_[1] = 0;
      ++next_index_[2];
    }
  }
  return thread;
}

void block_run::run_threads(runner& self) {
  const yoke_simulator::kernel_record& record = *state_.what.record;
  while (next_ < threads_.size() && !failed_) {
    make_current(begin_thread(self));
    bool thrown = false;
    try {
      record.call(record.function, state_.arguments);
    } catch (...) {
      thrown = true;
    }
    if (thrown) {
      fail(launch_status::exception, "an exception left the kernel");
      abandon();
    }
    look_nearby();
    finish_thread();
  }
}

void block_run::leave(runner& idle) {
  runners_.give_back(&idle);
  idle.place.switch_to(next_place());  // not this one again: every thread has begun, or the launch has failed
}

void block_run::wait(condition why, meeting kind, place where) {
  look_nearby();
  const unsigned thread = current_;
  gpu_thread& self = threads_[thread];
  self.now = why;
  self.kind = kind;
  self.where = where;
  self.on->place.switch_to(next_place());
  make_current(thread);
}

void block_run::release(unsigned thread) {
  threads_[thread].now = condition::ready;
  progress_ = true;
  if (thread != current_) ready_.push_back(thread);
}

}  // namespace yoke::simulator
