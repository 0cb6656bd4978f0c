// SPDX-License-Identifier: MIT
// Threads for NCCL's calls that may not return, one that looks for those that do not, and what a process has of each id.
#ifndef YOKE_NCCL_PROCESS_WATCH_HPP
#define YOKE_NCCL_PROCESS_WATCH_HPP

#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/nccl/unique_id.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::nccl::detail {

class engine;

/// Conditions wait for no time beyond a year.
inline constexpr std::chrono::nanoseconds longest_wait = std::chrono::hours(8760);

/// Calls that end communicators, on threads that nobody joins. Without `process_exit`, the process's exit would free
/// what they use in NCCL and in CUDA. Thread safety: safe.
class process_exit {
 public:
  /// Effects: from now on the process's exit waits, before it ends NCCL.
  static process_exit& of_process();
  /// Effects: one more call is under way. The exit waits for it, at most `within`.
  void enter(std::chrono::nanoseconds within) noexcept;
  void leave() noexcept;
  /// Effects: calls `act`, which throws nothing, on a thread of its own. Throws: `std::system_error`, before the call.
  void run(std::function<void()> act, std::chrono::nanoseconds within);

 private:
  void wait() noexcept;

  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::size_t running_ = 0;
  std::chrono::nanoseconds within_{0};
};

/// Calls `act(0)` to `act(count - 1)`, each on a thread of its own. `act` keeps what they use, and throws nothing.
class late_threads {
 public:
  /// `exit_within`: how long the process's exit waits for them. Throws: `std::bad_alloc`, before any call.
  late_threads(std::size_t count, std::function<void(std::size_t)> act, std::chrono::nanoseconds exit_within);
  /// Returns: whether all have returned in time; the others go on, also once this object is gone.
  [[nodiscard]] bool wait(std::chrono::nanoseconds within) const;

 private:
  struct meeting {
    std::function<void(std::size_t)> act{};
    std::mutex mutex{};
    std::condition_variable changed{};
    std::size_t left = 0;
    std::chrono::nanoseconds exit_within{0};

    void run(std::size_t number) noexcept;
  };
  std::shared_ptr<meeting> all_;
};
/// Effects: as `late_threads`. Returns: as its `wait`.
[[nodiscard]] inline bool run_apart(std::size_t count, std::function<void(std::size_t)> act,
                                    std::chrono::nanoseconds within, std::chrono::nanoseconds exit_within = {}) {
  return late_threads(count, std::move(act), exit_within).wait(within);
}

/// The GPUs of the ranks that the process has of one communicator. NCCL frees what they have together, when the last of
/// them ends. Thread safety: safe.
class own_ranks {
 public:
  own_ranks() = default;
  own_ranks(const own_ranks&) = delete;
  own_ranks& operator=(const own_ranks&) = delete;
  ~own_ranks();
  void add(cuda::abi::context each);
  [[nodiscard]] bool have(cuda::abi::context one) const;

 private:
  mutable std::mutex mutex_{};
  std::vector<cuda::abi::context> contexts_{};
};

/// A thread of the process that looks for calls that do not return.
class process_watch {
 public:
  void add(const std::shared_ptr<engine>& of);
  void remove(const engine* of) noexcept;
  /// Returns: the engines that are neither failed nor ended. Throws: `std::bad_alloc`.
  [[nodiscard]] std::vector<std::shared_ptr<engine>> all() const;
  /// Returns: the ranks of a communicator, which its engines share. Throws: `std::bad_alloc`.
  [[nodiscard]] std::shared_ptr<own_ranks> ranks_of(const unique_id& id);
  /// Effects: the last engine of these ranks is gone.
  void forget(const own_ranks* which) noexcept;
  /// Never freed: its thread may outlive `main`.
  static process_watch& of_process();

 private:
  void run();

  mutable std::mutex mutex_{};
  std::condition_variable changed_{};
  std::vector<std::shared_ptr<engine>> all_{};
  bool runs_ = false;

  struct known_ranks {
    unique_id id;
    const own_ranks* which;
    std::weak_ptr<own_ranks> living;
  };
  std::mutex ranks_mutex_{};
  std::vector<known_ranks> ranks_{};
};

}  // namespace yoke::inline v0_1::nccl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/process_watch.ipp>
#endif

#endif
