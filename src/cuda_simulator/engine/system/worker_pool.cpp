// SPDX-License-Identifier: MIT
// The helpers' loop.
#include "engine/system/worker_pool.hpp"

#include <algorithm>
#include <system_error>

namespace yoke::simulator {

worker_pool::worker_pool(unsigned threads) : helpers_(threads > 1 ? threads - 1 : 0) {}

worker_pool::~worker_pool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void worker_pool::start_threads() {
  try {
    while (threads_.size() < helpers_) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Without helpers the caller does it all.
  }
}

void worker_pool::run(unsigned helpers, const std::function<void()>& body) {
  const unsigned wanted = std::min(helpers, helpers_);
  if (wanted == 0) {
    body();
    return;
  }
  job mine{&body, wanted, 0};
  {
    const std::lock_guard lock(mutex_);
    start_threads();
    jobs_.push_back(&mine);
  }
  if (wanted == 1) {
    wake_.notify_one();
  } else {
    wake_.notify_all();
  }
  body();
  std::unique_lock lock(mutex_);
  jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), &mine), jobs_.end());  // who has not come is not needed any more
  done_.wait(lock, [&] { return mine.running == 0; });
}

void worker_pool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    job& taken = *jobs_.front();
    ++taken.running;
    if (--taken.wanted == 0) jobs_.pop_front();
    lock.unlock();
    (*taken.body)();
    lock.lock();
    if (--taken.running == 0) done_.notify_all();
  }
}

}  // namespace yoke::simulator
