// SPDX-License-Identifier: MIT
// One block of a launch on one OS thread: its threads as fibers, and where they meet.
#ifndef YOKE_SIMULATOR_ENGINE_LAUNCH_BLOCK_HPP
#define YOKE_SIMULATOR_ENGINE_LAUNCH_BLOCK_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/launch/launch.hpp"
#include "engine/system/fiber.hpp"

namespace yoke::simulator {

/// The state that all blocks of a launch share.
struct launch_state {
  const kernel& what;
  const launch_shape& shape;
  const char* arguments;
  unsigned block_threads;
  std::atomic<unsigned long long> next_block{0};
  std::atomic<bool> failed{false};
  std::atomic<unsigned> os_threads{0};  ///< that run blocks now
  std::mutex mutex{};
  launch_result result{};

  /// Effects: keeps the first failure of the launch.
  void fail(launch_status status, std::string text) { fail(launch_result{status, std::move(text), {}}); }
  void fail(launch_result failure);
};

class block_run;

/// A fiber that runs GPU threads, one after another for as long as none of them waits.
struct runner {
  explicit runner(std::size_t stack_bytes);
  block_run* block = nullptr;
  fiber place;
};

/// The runners of an OS thread, kept from block to block and from launch to launch.
class runner_pool {
 public:
  /// Returns: this thread's. Throws: std::bad_alloc from take() if there is no more memory for stacks.
  static runner_pool& of_this_thread();
  runner* take(block_run& block, std::size_t stack_bytes);
  void give_back(runner* idle) { idle_.push_back(idle); }
  fiber& main() noexcept { return main_; }

 private:
  fiber main_;
  std::vector<std::unique_ptr<runner>> all_;
  std::vector<runner*> idle_;
};

class block_run {
 public:
  enum class outcome { finished, failed, at_grid_barrier, spinning };

  block_run(launch_state& state, const image::thread_view& view, unsigned long long index);
  ~block_run();
  block_run(const block_run&) = delete;
  block_run& operator=(const block_run&) = delete;

  /// Effects: runs the threads until none can go on. Requires: the block's shared memory is in place.
  outcome resume();
  /// Effects: lets the threads go that wait at the grid's barrier.
  void pass_grid_barrier();

  /// The block whose threads run on this OS thread now.
  static block_run* running();

  /// Whether an address is in the block's shared memory.
  bool is_shared(const void* address) const noexcept {
    return std::less_equal<const char*>{}(view_.shared, static_cast<const char*>(address)) &&
           std::less<const char*>{}(static_cast<const char*>(address), view_.shared + view_.shared_bytes);
  }

  // The services of the engine for kernels, on the fiber of the calling GPU thread.
  int block_barrier(yoke_simulator::meeting kind, int vote, yoke_simulator::place where);
  void warp_meeting(yoke_simulator::meeting kind, unsigned mask, void* slot, yoke_simulator::resolve_function resolve,
                    yoke_simulator::place where);
  unsigned active_mask(yoke_simulator::place where);
  void grid_barrier(yoke_simulator::place where);
  void yield();
  bool is_cooperative() const { return state_.shape.cooperative; }
  /// Effects: ends the launch, naming the running thread.
  void fail(launch_status status, const std::string& text);
  bool has_failed() const { return failed_; }
  /// Effects: ends the launch, naming the running thread. Safe in a signal handler while the thread runs code of the
  /// kernel's image, which holds no lock.
  void fail_access(memory_fault fault);
  /// Whether the code at that address belongs to the kernel's image, and a thread runs it.
  bool runs_code(const void* at) const noexcept;
  /// Effects: checks all watched bytes, on behalf of the running thread if there is one; an overwritten one ends the
  /// launch.
  void look_around();
  /// Whether the running thread's stack ends at that address.
  bool is_stack_overflow(std::uintptr_t address) const noexcept {
    return current_ != nobody && threads_[current_].on != nullptr && threads_[current_].on->place.is_guard(address);
  }
  /// Effects: if the address is at the end of the running thread's stack, reports that on stderr. Safe in a signal
  /// handler: it takes no memory and no lock. Returns: whether it reported.
  bool report_stack_overflow(std::uintptr_t address) const noexcept;
  /// Effects: writes a line to stderr that names the signal, the place with its address, if there is one, and the
  /// running thread. For a signal's handler, as above. Returns: whether a thread was running.
  bool report_fault(const char* signal, const char* place, const std::uintptr_t* address) const noexcept;
  /// Effects: leaves the calling GPU thread for good; does not return.
  void abandon();

  /// A runner's work: threads that have not begun, until there are none.
  void run_threads(runner& self);
  void leave(runner& idle);

 private:
  enum class condition : unsigned char { fresh, ready, at_block_barrier, in_warp, at_active_mask, at_grid, done };
  struct gpu_thread {
    condition now = condition::fresh;
    yoke_simulator::meeting kind{};
    runner* on = nullptr;
    extent3 index{};
    yoke_simulator::place where{};
    int vote = 0;
    unsigned mask = 0;
    void* slot = nullptr;
    yoke_simulator::resolve_function resolve = nullptr;
  };

  void wait(condition why, yoke_simulator::meeting kind, yoke_simulator::place where);
  void make_current(unsigned thread);
  unsigned begin_thread(runner& on);
  fiber& next_place();
  void release(unsigned thread);
  void finish_thread();
  void meet_at_block_barrier();
  void meet_in_warp(unsigned warp);
  bool warp_group_complete(unsigned warp, unsigned mask) const;
  void resolve_warp_group(unsigned warp, unsigned mask);
  bool resolve_active_masks();
  bool try_spinners();
  outcome stuck();
  std::string standstill() const;
  std::string position(unsigned thread) const;
  void record_failure(launch_status status, const std::string& text);
  /// Effects: checks watched bytes on behalf of the running thread: all of them a limited number of times, then those
  /// next to the kernel's memory.
  void look_nearby() {
    if (whole_looks_ > 0) {
      --whole_looks_;
      look_around();
      return;
    }
    for (const watched_bytes& each : state_.shape.watched) {
      if (std::memcmp(each.at + each.near_offset, each.expected + each.near_offset, each.near_bytes) != 0) {
        fail_overrun(each);
        return;
      }
    }
  }
  void fail_overrun(const watched_bytes& where);

  launch_state& state_;
  const image::thread_view& view_;
  extent3 index_;
  runner_pool& runners_;
  std::vector<gpu_thread> threads_;
  std::deque<unsigned> ready_;
  std::vector<unsigned> spinners_;
  std::array<unsigned, 32> alive_{};    // by warp: the lanes that have not ended
  std::array<unsigned, 32> in_warp_{};  // by warp: the lanes that wait for others of it
  unsigned next_ = 0;                   // the first thread that has not begun
  extent3 next_index_{};                // and its threadIdx, kept without divisions
  static constexpr unsigned nobody = ~0u;
  unsigned current_ = nobody;
  unsigned live_ = 0;
  unsigned at_barrier_ = 0;
  unsigned at_grid_ = 0;
  int barrier_result_ = 0;
  unsigned long long whole_looks_;
  bool failed_ = false;
  bool progress_ = true;
  unsigned idle_rounds_ = 0;
  std::chrono::steady_clock::time_point idle_since_{};
};

}  // namespace yoke::simulator

#endif
