// SPDX-License-Identifier: MIT
// Where the threads of a block meet: the block's barrier, the warp's intrinsics, the grid's barrier; and what is wrong
// when they do not.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "block.hpp"

namespace yoke::simulator {

using yoke_simulator::meeting;
using yoke_simulator::place;

namespace {

std::string text_of(const extent3& value) {
  std::string text(1, '(');
  text.append(std::to_string(value[0])).append(", ").append(std::to_string(value[1])).append(", ");
  return text.append(std::to_string(value[2])).append(1, ')');
}

bool same_line(const place& a, const place& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}
bool same_place(const place& a, const place& b) { return a.column == b.column && same_line(a, b); }

std::string hexadecimal(unsigned value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[value >> shift & 0xf];
  return text;
}

std::string named(meeting kind, const place& where, bool with_column = false) {
  const std::string column = with_column ? ":" + std::to_string(where.column) : "";
  return std::string(name_of(kind)) + " at " + where.file + "(" + std::to_string(where.line) + column + ")";
}

}  // namespace

const char* name_of(meeting kind) {
  switch (kind) {
    case meeting::syncthreads: return "__syncthreads";
    case meeting::syncthreads_count: return "__syncthreads_count";
    case meeting::syncthreads_and: return "__syncthreads_and";
    case meeting::syncthreads_or: return "__syncthreads_or";
    case meeting::grid_sync: return "the grid's sync";
    case meeting::syncwarp: return "__syncwarp";
    case meeting::shuffle: return "a warp shuffle";
    case meeting::vote: return "a warp vote";
    case meeting::match: return "a warp match";
    case meeting::reduction: return "a warp reduction";
    case meeting::activemask: return "__activemask";
  }
  return "a barrier";
}

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

// Those that have ended do not count, as on GPUs from Volta on.
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

// The lanes that got to one place while no other could go on are those that run together there.
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

// --- ends, the grid, and standstill ----------------------------------------------------------------------------------

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

void block_run::yield() {
  const unsigned thread = current_;
  if (live_ == 1 && !is_cooperative()) {  // only another OS thread can change what it waits for
    std::this_thread::yield();
  }
  spinners_.push_back(thread);
  wait(condition::ready, threads_[thread].kind, threads_[thread].where);
}

// Everybody who is left asks again and again for something that has not come yet.
bool block_run::try_spinners() {
  if (spinners_.empty()) return false;
  for (const unsigned each : spinners_) ready_.push_back(each);
  spinners_.clear();
  if (std::exchange(progress_, false)) {
    idle_rounds_ = 0;
    return true;
  }
  if (++idle_rounds_ % 64 != 0) return true;
  const auto now = std::chrono::steady_clock::now();
  if (idle_rounds_ == 64) idle_since_ = now;
  if (now - idle_since_ > state_.shape.patience) {
    record_failure(launch_status::no_progress,
                   "no progress: the threads of block " + text_of(index_) + " only wait in loops; " + standstill());
  }
  std::this_thread::yield();
  return true;
}

/// Returns: `finished` where the threads can go on after all.
block_run::outcome block_run::stuck() {
  if (!spinners_.empty()) {
    const bool others_may_help = is_cooperative();
    try_spinners();
    return others_may_help ? outcome::spinning : outcome::finished;
  }
  if (at_grid_ == live_) return outcome::at_grid_barrier;
  record_failure(launch_status::no_progress,
                 "no progress: block " + text_of(index_) + " cannot go on: " + standstill());
  return outcome::failed;
}

/// Who waits where, told once for each place.
std::string block_run::standstill() const {
  struct group {
    const gpu_thread* first;
    unsigned count;
  };
  std::vector<group> groups;
  for (const gpu_thread& each : threads_) {
    if (each.now == condition::done || each.now == condition::fresh || each.now == condition::ready) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const group& one) {
      return one.first->kind == each.kind && same_place(one.first->where, each.where);
    });
    if (same != groups.end()) {
      ++same->count;
    } else if (groups.size() < 8) {
      groups.push_back(group{&each, 1});
    }
  }
  std::string text;
  for (const group& each : groups) {
    if (!text.empty()) text += ", ";
    text += std::to_string(each.count) + " in " + named(each.first->kind, each.first->where);
    if (each.first->now == condition::in_warp) text += " for the mask " + hexadecimal(each.first->mask);
  }
  const std::size_t ended = threads_.size() - live_;
  if (ended > 0) text += (text.empty() ? "" : ", ") + std::to_string(ended) + " have ended";
  return "of its threads wait " + (text.empty() ? "none at a barrier" : text);
}

std::string block_run::position(unsigned thread) const {
  const extent3& block = state_.shape.block;
  return text_of({thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]});
}

void block_run::record_failure(launch_status status, const std::string& text) {
  failed_ = true;
  state_.fail(status, state_.what.name + ": " + text);
}

void block_run::fail(launch_status status, const std::string& text) {
  const std::string who = current_ == nobody ? "" : ", thread " + position(current_);
  record_failure(status, text + ", in block " + text_of(index_) + who);
}

bool block_run::report_stack_overflow(std::uintptr_t address) const noexcept {
  if (current_ == nobody || threads_[current_].on == nullptr) return false;
  const gpu_thread& self = threads_[current_];
  if (!self.on->place.is_guard(address)) return false;
  char text[400];
  const int length = std::snprintf(
      text, sizeof text,
      "yoke CUDA simulator: %.200s: stack overflow, in block (%u, %u, %u), thread (%u, %u, %u): its %zu bytes are used "
      "up; CU_LIMIT_STACK_SIZE is %zu\n",
      state_.what.name.c_str(), index_[0], index_[1], index_[2], self.index[0], self.index[1], self.index[2],
      self.on->place.stack_bytes(), state_.shape.stack_bytes);
  return length > 0 && ::write(2, text, std::min(static_cast<std::size_t>(length), sizeof text - 1)) > 0;
}

void block_run::abandon() { threads_[current_].on->place.switch_to(runners_.main()); }

}  // namespace yoke::simulator
