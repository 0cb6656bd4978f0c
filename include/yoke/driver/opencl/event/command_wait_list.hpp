// SPDX-License-Identifier: MIT
// The events that a command waits for.
#ifndef YOKE_DRIVER_OPENCL_EVENT_COMMAND_WAIT_LIST_HPP
#define YOKE_DRIVER_OPENCL_EVENT_COMMAND_WAIT_LIST_HPP

#include <yoke/driver/opencl/event/event.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>

#include <span>

namespace yoke::inline v0_1::opencl::detail {

/// The events that a command waits for. None can fail between the check for failed events and the command's enqueueing.
class command_wait_list {
 public:
  command_wait_list(const abi::functions* table, abi::queue stream, std::span<const abi::event> after,
                    const source_location& where)
      : from_here_(table, !after.empty()), after_(after) {
    if (!after.empty()) prepare_wait_list(table, stream, after, where);
  }
  [[nodiscard]] abi::uint size() const noexcept { return static_cast<abi::uint>(after_.size()); }
  [[nodiscard]] const abi::event* data() const noexcept { return after_.empty() ? nullptr : after_.data(); }

 private:
  no_failure_meanwhile from_here_;
  std::span<const abi::event> after_;
};

}  // namespace yoke::inline v0_1::opencl::detail

#endif
