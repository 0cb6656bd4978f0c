// SPDX-License-Identifier: MIT
// Holds a stream back, so that tests can see what is not done yet.
#ifndef YOKE_TESTS_SUPPORT_GATE_HPP
#define YOKE_TESTS_SUPPORT_GATE_HPP

#include <support/devices/backends.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace yoke_test {

/// What stands in a stream and lets nothing enqueued behind it start until it opens.
///
/// While it is closed the host may enqueue, but may neither wait nor make or free what a driver synchronises for: on
/// CUDA plain allocations, page-locked memory, contexts, and a kernel's first launch. Thread safety: `open` is safe.
template <class Backend>
class gate;

/// A user event that the stream waits for.
template <>
class gate<opencl_backend> {
 public:
  explicit gate(const opencl_backend::stream& in) : event_(in.context_of()) { in.wait(event_.as_event()); }
  ~gate() { open(); }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  void open() {
    if (closed_.exchange(false)) event_.complete();
  }

 private:
  yoke::opencl::user_event event_;
  std::atomic<bool> closed_{true};
};

/// A host function that does not return. It gives up after a while: a test that waits behind it fails and does not hang.
template <>
class gate<cuda_backend> {
 public:
  explicit gate(const cuda_backend::stream& in) : state_(std::make_shared<state>()) {
    auto kept = std::make_unique<std::shared_ptr<state>>(state_);
    if (cuda_backend::driver().launch_host_function(in.native_handle(), &stand, kept.get()) != 0) {
      throw std::runtime_error("a host function was refused");
    }
    (void)kept.release();  // its own from here on
  }
  ~gate() { open(); }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  void open() {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
  }

 private:
  struct state {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  static void stand(void* data) {
    const std::unique_ptr<std::shared_ptr<state>> kept(static_cast<std::shared_ptr<state>*>(data));
    state& here = **kept;
    std::unique_lock lock(here.mutex);
    here.changed.wait_for(lock, std::chrono::seconds(30), [&] { return here.open; });
  }
  std::shared_ptr<state> state_;
};

template <class Port>
gate(const yoke::stream<Port>&) -> gate<backend_of<Port>>;

/// Opens a gate a little later, on another thread. Effects: the end waits for that.
template <class Gate>
std::jthread open_soon(Gate& which) {
  return std::jthread([&which] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    which.open();
  });
}

}  // namespace yoke_test

#endif
