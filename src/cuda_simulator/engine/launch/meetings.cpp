// SPDX-License-Identifier: MIT
// Lets the threads of a block meet: at its barrier, at the warp's intrinsics, at the grid's barrier; reports missing
// threads.
#include <algorithm>

#include "engine/launch/block.hpp"
#include "engine/launch/places.hpp"

namespace yoke::simulator {

using yoke_simulator::meeting;
using yoke_simulator::place;

// --- the block's barrier ---------------------------------------------------------------------------------------------

int block_run::block_barrier(meeting kind, int vote, place where) {
  gpu_thread& self = threads_[current_];
  self.kind = kind;
  self.where = where;
  self.vote = vote;
  self.now = condition::at_block_barrier;
  if (++at_barrier_ == live_) meet_at_block_barrier();
  if (!failed_ && self.now == condition::at_block_barrier) wait(condition::at_block_barrier, kind, where);
  return barrier_result_;
}

// Threads that have ended do not count, as on GPUs from Volta on.
void block_run::meet_at_block_barrier() {
  const gpu_thread* first = nullptr;
  int count = 0;
  for (const gpu_thread& each : threads_) {
    if (each.now != condition::at_block_barrier) continue;
    if (first == nullptr) first = &each;
    if (each.kind != first->kind || !same_place(each.where, first->where)) {
      const auto thread_of = [&](const gpu_thread* one) { return static_cast<unsigned>(one - threads_.data()); };
      const bool one_line = each.kind == first->kind && same_line(each.where, first->where);
      fail(launch_status::barrier_divergence, "barrier divergence: thread " + position(thread_of(first)) +
                                                  " waits in " + named(first->kind, first->where, one_line) +
                                                  ", thread " + position(thread_of(&each)) + " in " +
                                                  named(each.kind, each.where, one_line));
      return;
    }
    count += each.vote != 0 ? 1 : 0;
  }
  switch (first->kind) {
    case meeting::syncthreads_count: barrier_result_ = count; break;
    case meeting::syncthreads_and: barrier_result_ = count == static_cast<int>(live_); break;
    case meeting::syncthreads_or: barrier_result_ = count != 0; break;
    default: barrier_result_ = 0; break;
  }
  at_barrier_ = 0;
  for (unsigned each = 0; each < threads_.size(); ++each) {
    if (threads_[each].now == condition::at_block_barrier) release(each);
  }
}

// --- the warp's intrinsics -------------------------------------------------------------------------------------------

void block_run::warp_meeting(meeting kind, unsigned mask, void* slot, yoke_simulator::resolve_function resolve,
                             place where) {
  const unsigned warp = current_ / 32;
  const unsigned own = 1u << current_ % 32;
  if ((mask & own) == 0) {
    fail(launch_status::barrier_divergence, "lane " + std::to_string(current_ % 32) + " is not in the mask " +
                                                hexadecimal(mask) + " that it passes to " + named(kind, where));
    return;
  }
  gpu_thread& self = threads_[current_];
  self.kind = kind;
  self.where = where;
  self.mask = mask;
  self.slot = slot;
  self.resolve = resolve;
  self.now = condition::in_warp;
  in_warp_[warp] |= own;
  if (warp_group_complete(warp, mask)) resolve_warp_group(warp, mask);
  if (!failed_ && self.now == condition::in_warp) wait(condition::in_warp, kind, where);
}

// The lanes of the mask that have not ended all wait, for each other.
bool block_run::warp_group_complete(unsigned warp, unsigned mask) const {
  const unsigned needed = mask & alive_[warp];
  if (needed == 0 || (needed & ~in_warp_[warp]) != 0) return false;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((needed >> lane & 1u) != 0 && threads_[warp * 32 + lane].mask != mask) return false;
  }
  return true;
}

void block_run::resolve_warp_group(unsigned warp, unsigned mask) {
  const unsigned lanes = mask & alive_[warp];
  void* slots[32] = {};
  const gpu_thread* first = nullptr;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const gpu_thread& each = threads_[warp * 32 + lane];
    if (first == nullptr) first = &each;
    if (each.kind != first->kind || each.resolve != first->resolve) {
      fail(launch_status::barrier_divergence, "warp divergence: lanes of the mask " + hexadecimal(mask) +
                                                  " of one warp wait in " + named(first->kind, first->where) +
                                                  " and in " + named(each.kind, each.where));
      return;
    }
    slots[lane] = each.slot;
  }
  first->resolve(slots, lanes);
  in_warp_[warp] &= ~lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) != 0) release(warp * 32 + lane);
  }
}

void block_run::meet_in_warp(unsigned warp) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((in_warp_[warp] >> lane & 1u) == 0) continue;
    const unsigned mask = threads_[warp * 32 + lane].mask;
    if (warp_group_complete(warp, mask)) resolve_warp_group(warp, mask);
  }
}

unsigned block_run::active_mask(place where) {
  gpu_thread& self = threads_[current_];
  wait(condition::at_active_mask, meeting::activemask, where);
  return self.mask;
}

// The lanes that reached the same place while no other could go on run together there.
bool block_run::resolve_active_masks() {
  bool any = false;
  for (unsigned first = 0; first < threads_.size(); ++first) {
    if (threads_[first].now != condition::at_active_mask) continue;
    const unsigned warp = first / 32;
    const unsigned end = std::min(warp * 32 + 32, static_cast<unsigned>(threads_.size()));
    const place where = threads_[first].where;
    unsigned mask = 0;
    for (unsigned each = first; each < end; ++each) {
      const gpu_thread& other = threads_[each];
      if (other.now == condition::at_active_mask && same_place(other.where, where)) mask |= 1u << each % 32;
    }
    for (unsigned each = first; each < end; ++each) {
      if ((mask >> each % 32 & 1u) == 0) continue;
      threads_[each].mask = mask;
      release(each);
    }
    any = true;
  }
  return any;
}

// --- ends and the grid -----------------------------------------------------------------------------------------------

void block_run::finish_thread() {
  const unsigned warp = current_ / 32;
  threads_[current_].now = condition::done;
  alive_[warp] &= ~(1u << current_ % 32);
  --live_;
  progress_ = true;
  if (in_warp_[warp] != 0) meet_in_warp(warp);
  if (live_ > 0 && at_barrier_ == live_) meet_at_block_barrier();
}

void block_run::grid_barrier(place where) {
  if (!is_cooperative()) {
    fail(launch_status::not_cooperative, named(meeting::grid_sync, where) + " needs a cooperative launch");
    return;
  }
  ++at_grid_;
  wait(condition::at_grid, meeting::grid_sync, where);
}

void block_run::pass_grid_barrier() {
  at_grid_ = 0;
  for (unsigned each = 0; each < threads_.size(); ++each) {
    if (threads_[each].now == condition::at_grid) release(each);
  }
}

}  // namespace yoke::simulator
