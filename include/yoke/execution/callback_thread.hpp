// SPDX-License-Identifier: MIT
// The library's own thread that runs completion callbacks.
#ifndef YOKE_EXECUTION_CALLBACK_THREAD_HPP
#define YOKE_EXECUTION_CALLBACK_THREAD_HPP

#include <yoke/core/shared.hpp>

namespace yoke::inline v0_1::detail {

/// A callback that runs once its command has ended.
class pending_callback {
 public:
  pending_callback() = default;
  pending_callback(const pending_callback&) = delete;
  pending_callback& operator=(const pending_callback&) = delete;
  virtual ~pending_callback() = default;
  /// Effects: asks the driver for the command's status.
  virtual void ask() noexcept = 0;
  /// Effects: runs the callback if the last status was final. Returns: whether it ran.
  virtual bool run() noexcept = 0;
};

/// One thread for each context, started by the first callback. It polls the status of pending commands at growing
/// intervals of up to a millisecond, because PoCL does not call back for commands that failed and a driver's thread
/// must not run user code.
class callback_thread {
 public:
  callback_thread() noexcept = default;
  callback_thread(const callback_thread&) = delete;
  callback_thread& operator=(const callback_thread&) = delete;
  YOKE_API ~callback_thread();

  /// Effects: waits until every pending callback has run, then runs `last`. Called on the callback thread itself, it
  /// returns at once, and the thread does both later.
  YOKE_API void finish(owner<pending_callback> last) noexcept;

  /// Effects: hands the callback to the thread, which runs it. Throws: `std::bad_alloc`, `std::system_error`.
  YOKE_API void add(owner<pending_callback> callback);

  /// The thread's own state. It may outlive this object, and then rejects callbacks.
  class worker;
  /// Effects: starts the thread if it does not run yet. Returns: its worker. Throws: `std::bad_alloc`,
  /// `std::system_error`.
  [[nodiscard]] YOKE_API const shared<worker>& start();
  /// Effects: as `add`, for threads that know only the worker. Returns: whether the worker accepted the callback.
  static bool hand_over(worker& to, owner<pending_callback> callback);

 private:
  atomic<shared<worker>*> worker_{nullptr};
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/callback_thread.ipp>
#endif

#endif
