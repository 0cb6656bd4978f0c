// SPDX-License-Identifier: MIT
// The event of a copy: waited for, handed out or kept for PoCL.
#ifndef YOKE_DRIVER_OPENCL_EVENT_COPY_EVENT_HPP
#define YOKE_DRIVER_OPENCL_EVENT_COPY_EVENT_HPP

#include <yoke/driver/concepts.hpp>
#include <yoke/driver/opencl/event/ended_commands.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>

namespace yoke::inline v0_1::opencl::detail {

/// Effects: waits for a command and releases its event.
inline void wait_and_release(const abi::functions* table, abi::event event, const source_location& where) {
  const event_guard release_it{table, event};
  if (const abi::status code = table->wait_for_events(1, &event); code != 0) [[unlikely]]
    throw_failed_wait(table, event, code, where);
  if (!reads_tell_all(table)) [[unlikely]]
    check_ended_well(table, event, where);
}

/// The event of a copy: handed out, waited for, or not made if neither the caller nor PoCL needs it.
class copy_event {
 public:
  /// `tells_all`: a blocking copy has ended when it returns, and needs no event.
  copy_event(const abi::functions* table, completion<abi::event> done, bool tells_all = false) noexcept
      : kept_(table), done_(done), asked_(done.blocks() && !tells_all) {}
  [[nodiscard]] abi::boolean blocking() const noexcept { return done_.blocks() ? abi::yes : abi::no; }
  [[nodiscard]] abi::event* slot() noexcept { return done_.wanted() || asked_ ? &event_ : kept_.slot(); }
  /// Effects: waits for the enqueued command, or hands its event out.
  void finish(const abi::functions* table, const source_location& where) {
    if (done_.wanted()) return done_.give(event_);
    if (asked_) wait_and_release(table, event_, where);
  }

 private:
  kept_event kept_;
  completion<abi::event> done_;
  bool asked_;
  abi::event event_ = nullptr;
};

}  // namespace yoke::inline v0_1::opencl::detail

#endif
