// SPDX-License-Identifier: MIT
// Bodies of prepare.hpp.
#ifndef YOKE_PREPARE_IPP
#define YOKE_PREPARE_IPP

#include <yoke/prepare.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace yoke::inline v0_1 {

namespace detail {

/// Jobs, and the threads that run them.
class prepared_jobs {
 public:
  explicit prepared_jobs(std::vector<std::function<void()>> jobs) : jobs_(std::move(jobs)), left_(jobs_.size()) {
    const std::size_t most = (std::max)(std::size_t{std::thread::hardware_concurrency()}, std::size_t{1});
    threads_.reserve((std::min)(most, jobs_.size()));
    try {
      while (threads_.size() < threads_.capacity()) threads_.emplace_back([this] { run(); });
    } catch (...) {  // no thread, or no memory for it: those that began take the other jobs
      if (threads_.empty()) run();
    }
  }
  prepared_jobs(const prepared_jobs&) = delete;
  prepared_jobs& operator=(const prepared_jobs&) = delete;
  ~prepared_jobs() {
    for (std::thread& each : threads_) each.join();
  }

  [[nodiscard]] bool are_done() const {
    const std::lock_guard lock(mutex_);
    return left_ == 0;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return left_ == 0; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  void run() noexcept {
    for (;;) {
      std::function<void()> job;
      {
        const std::lock_guard lock(mutex_);
        if (next_ == jobs_.size()) return;
        job = std::move(jobs_[next_++]);
      }
      std::exception_ptr thrown;
      try {
        job();
      } catch (...) {
        thrown = std::current_exception();
      }
      job = nullptr;  // ends what it holds before anybody learns that it is done
      const std::lock_guard lock(mutex_);
      if (thrown && !thrown_) thrown_ = std::move(thrown);
      if (--left_ == 0) changed_.notify_all();
    }
  }

  std::vector<std::function<void()>> jobs_;
  std::size_t next_ = 0;
  std::size_t left_;
  std::exception_ptr thrown_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace detail

preparation::preparation(std::vector<std::function<void()>> jobs)
    : jobs_(std::make_unique<detail::prepared_jobs>(std::move(jobs))) {}
preparation::preparation() noexcept = default;
preparation::preparation(preparation&& other) noexcept = default;
preparation& preparation::operator=(preparation&& other) noexcept = default;
preparation::~preparation() = default;
bool preparation::is_ready() const noexcept { return jobs_ == nullptr || jobs_->are_done(); }
void preparation::wait() {
  if (jobs_ != nullptr) jobs_->wait();
}

}  // namespace yoke::inline v0_1

#endif
