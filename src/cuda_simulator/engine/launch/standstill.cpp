// SPDX-License-Identifier: MIT
// Handles threads that wait in loops, blocks that cannot go on, and the failure of launches.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "engine/launch/block.hpp"
#include "engine/launch/places.hpp"

namespace yoke::simulator {

void block_run::yield() {
  const unsigned thread = current_;
  if (live_ == 1 && !is_cooperative()) {  // only another OS thread can change what it waits for
    std::this_thread::yield();
  }
  spinners_.push_back(thread);
  wait(condition::ready, threads_[thread].kind, threads_[thread].where);
}

// All remaining threads poll for something that has not come yet.
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

/// Returns: the waiting threads by place, each place once.
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
  text = text.empty() ? "none of its threads waits at a barrier" : "of its threads wait " + text;
  const std::size_t ended = threads_.size() - live_;
  return ended == 0 ? text : text + ", " + std::to_string(ended) + (ended == 1 ? " has ended" : " have ended");
}

std::string block_run::position(unsigned thread) const {
  const extent3& block = state_.shape.block;
  return text_of({thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]});
}

void block_run::record_failure(launch_status status, const std::string& text) {
  failed_ = true;
  state_.fail(status, state_.what.readable + ": " + text);
}

void block_run::fail(launch_status status, const std::string& text) {
  const std::string who = current_ == nobody ? "" : ", thread " + position(current_);
  record_failure(status, text + ", in block " + text_of(index_) + who);
}

bool block_run::report_stack_overflow(std::uintptr_t address) const noexcept {
  if (!is_stack_overflow(address)) return false;
  const gpu_thread& self = threads_[current_];
  char text[400];
  const int length = std::snprintf(
      text, sizeof text,
      "yoke CUDA simulator: %.200s: stack overflow, in block (%u, %u, %u), thread (%u, %u, %u): its %zu bytes are used "
      "up; CU_LIMIT_STACK_SIZE is %zu\n",
      state_.what.readable.c_str(), index_[0], index_[1], index_[2], self.index[0], self.index[1], self.index[2],
      self.on->place.stack_bytes(), state_.shape.stack_bytes);
  return length > 0 && ::write(2, text, std::min(static_cast<std::size_t>(length), sizeof text - 1)) > 0;
}

bool block_run::report_fault(const char* signal, const char* place, const std::uintptr_t* address) const noexcept {
  if (current_ == nobody) return false;
  const extent3& thread = threads_[current_].index;
  char number[32] = "";
  if (address != nullptr) std::snprintf(number, sizeof number, " 0x%zx", static_cast<std::size_t>(*address));
  char text[400];
  const int length = std::snprintf(text, sizeof text,
                                   "yoke CUDA simulator: %.200s: %s %s%s, in block (%u, %u, %u), thread (%u, %u, %u)\n",
                                   state_.what.readable.c_str(), signal, place, number, index_[0], index_[1], index_[2],
                                   thread[0], thread[1], thread[2]);
  return length > 0 && ::write(2, text, std::min(static_cast<std::size_t>(length), sizeof text - 1)) > 0;
}

void block_run::abandon() { threads_[current_].on->place.switch_to(runners_.main()); }

}  // namespace yoke::simulator
