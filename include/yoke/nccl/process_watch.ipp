// SPDX-License-Identifier: MIT
// Bodies of nccl/process_watch.hpp.
#ifndef YOKE_NCCL_PROCESS_WATCH_IPP
#define YOKE_NCCL_PROCESS_WATCH_IPP

#include <yoke/nccl/process_watch.hpp>

#include <yoke/nccl/engine.hpp>

#include <algorithm>
#include <thread>
#include <utility>

namespace yoke::inline v0_1::nccl::detail {

process_exit& process_exit::of_process() {
  struct waits {
    process_exit* all;
    ~waits() { all->wait(); }
  };
  // Never freed: its threads may outlive the wait.
  static process_exit* const once = new process_exit;
  static const waits at_exit{once};
  return *once;
}
void process_exit::enter(std::chrono::nanoseconds within) noexcept {
  const std::lock_guard lock(mutex_);
  ++running_;
  within_ = (std::max)(within_, within);
}
void process_exit::leave() noexcept {
  const std::lock_guard lock(mutex_);
  --running_;
  changed_.notify_all();
}
void process_exit::run(std::function<void()> act, std::chrono::nanoseconds within) {
  enter(within);
  try {
    std::thread([this, act = std::move(act)]() mutable {
      act();
      act = nullptr;  // what it keeps may be the last of a communicator
      leave();
    }).detach();
  } catch (...) {
    leave();
    throw;
  }
}
void process_exit::wait() noexcept {
  std::unique_lock lock(mutex_);
  (void)changed_.wait_for(lock, (std::min)(within_, longest_wait), [&] { return running_ == 0; });
}
late_threads::late_threads(std::size_t count, std::function<void(std::size_t)> act,
                           std::chrono::nanoseconds exit_within)
    : all_(std::make_shared<meeting>()) {
  all_->act = std::move(act);
  all_->left = count;
  all_->exit_within = exit_within;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      if (exit_within.count() > 0) {
        process_exit::of_process().run([all = all_, i] { all->run(i); }, exit_within);
      } else {
        std::thread([all = all_, i] { all->run(i); }).detach();
      }
    } catch (...) {  // without a thread there is no deadline
      all_->run(i);
    }
  }
}
void late_threads::meeting::run(std::size_t number) noexcept {
  act(number);
  const std::lock_guard lock(mutex);
  --left;
  changed.notify_all();
}
bool late_threads::wait(std::chrono::nanoseconds within) const {
  std::unique_lock lock(all_->mutex);
  return all_->changed.wait_for(lock, (std::min)(within, longest_wait), [&] { return all_->left == 0; });
}
void own_ranks::add(cuda::abi::context each) {
  const std::lock_guard lock(mutex_);
  contexts_.push_back(each);
}
bool own_ranks::have(cuda::abi::context one) const {
  const std::lock_guard lock(mutex_);
  return std::find(contexts_.begin(), contexts_.end(), one) != contexts_.end();
}
void process_watch::add(const std::shared_ptr<engine>& of) {
  const std::lock_guard lock(mutex_);
  all_.push_back(of);
  if (runs_) return;
  try {
    std::thread([this] { run(); }).detach();
  } catch (...) {
    all_.pop_back();
    throw;
  }
  runs_ = true;
}
void process_watch::remove(const engine* of) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [&](const std::shared_ptr<engine>& each) { return each.get() == of; });
  changed_.notify_all();
}
std::vector<std::shared_ptr<engine>> process_watch::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}
std::shared_ptr<own_ranks> process_watch::ranks_of(const unique_id& id) {
  const auto made = std::make_shared<own_ranks>();  // must not end under the lock
  const std::lock_guard lock(ranks_mutex_);
  for (const known_ranks& each : ranks_) {
    if (each.id.bytes != id.bytes) continue;
    if (std::shared_ptr<own_ranks> living = each.living.lock()) return living;
  }
  ranks_.push_back({id, made.get(), made});
  return made;
}
void process_watch::forget(const own_ranks* which) noexcept {
  const std::lock_guard lock(ranks_mutex_);
  std::erase_if(ranks_, [&](const known_ranks& each) { return each.which == which; });
}
own_ranks::~own_ranks() { process_watch::of_process().forget(this); }
process_watch& process_watch::of_process() {
  static process_watch* const once = new process_watch;
  return *once;
}
void process_watch::run() {
  std::unique_lock lock(mutex_);
  while (!all_.empty()) {
    changed_.wait_for(lock, std::chrono::milliseconds(50));
    std::vector<std::shared_ptr<engine>> some = all_;
    lock.unlock();
    for (const auto& each : some) engine::look(each, std::chrono::steady_clock::now());
    some.clear();
    lock.lock();
  }
  runs_ = false;
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif
