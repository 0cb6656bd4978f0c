// SPDX-License-Identifier: MIT
// OS threads that help the callers of launches.
#ifndef YOKE_SIMULATOR_ENGINE_SYSTEM_WORKER_POOL_HPP
#define YOKE_SIMULATOR_ENGINE_SYSTEM_WORKER_POOL_HPP

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace yoke::simulator {

/// Thread safety: run() from any thread at any time. Destruction waits for the threads; no run() may be under way then.
class worker_pool {
 public:
  /// Effects: the threads themselves start with the first run that wants help. `threads` counts the calling one.
  explicit worker_pool(unsigned threads = std::thread::hardware_concurrency());
  ~worker_pool();
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  /// Effects: calls `body` on this thread, and on up to `helpers` others that have nothing to do meanwhile.
  /// Requires: body throws nothing and is content to be called once. Returns: when every call has ended.
  void run(unsigned helpers, const std::function<void()>& body);

 private:
  struct job {
    const std::function<void()>* body;
    unsigned wanted;
    unsigned running;
  };
  void work();
  void start_threads();

  const unsigned helpers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<job*> jobs_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace yoke::simulator

#endif
