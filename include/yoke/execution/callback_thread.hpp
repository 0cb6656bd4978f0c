// SPDX-License-Identifier: MIT
// The thread that runs completion callbacks: never one of the driver's.
#ifndef YOKE_EXECUTION_CALLBACK_THREAD_HPP
#define YOKE_EXECUTION_CALLBACK_THREAD_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/core/owner.hpp>
#include <yoke/core/shared.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Something to run once a command is done.
class pending_callback {
 public:
  pending_callback() = default;
  pending_callback(const pending_callback&) = delete;
  pending_callback& operator=(const pending_callback&) = delete;
  virtual ~pending_callback() = default;
  /// Effects: asks for the command's status.
  virtual void ask() noexcept = 0;
  /// Effects: runs the callback if the status was final when last asked for. Returns: whether it ran.
  virtual bool run() noexcept = 0;
};

/// One thread a context, started by the first callback. It asks for the status of pending commands, at growing
/// intervals up to a millisecond, because drivers do not call back for commands that failed (PoCL), and because user
/// code must not run on a driver's thread.
class callback_thread {
 public:
  callback_thread() noexcept = default;
  callback_thread(const callback_thread&) = delete;
  callback_thread& operator=(const callback_thread&) = delete;
  YOKE_API ~callback_thread();

  /// Effects: waits until every pending callback has run, then runs `last`. On the callback thread itself, where nobody
  /// can wait, it leaves both to the thread.
  YOKE_API void finish(owner<pending_callback> last) noexcept;

  /// Effects: has the callback run on the thread. Throws: `std::bad_alloc`, `std::system_error`.
  YOKE_API void add(owner<pending_callback> callback);

  /// What runs on the thread. It may outlive this, and then takes nothing any more.
  class worker;
  /// Returns: the worker; starts the thread. Throws: `std::bad_alloc`, `std::system_error`.
  [[nodiscard]] YOKE_API const shared<worker>& start();
  /// Effects: as `add`, from threads that know no more than the worker. Returns: whether it was taken.
  static bool hand_over(worker& to, owner<pending_callback> callback);

 private:
  atomic<shared<worker>*> worker_{nullptr};
};

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/execution/impl/callback_thread.ipp>
#endif

#endif
