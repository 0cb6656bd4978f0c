// SPDX-License-Identifier: MIT
// Entries about events.
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/graph/capture.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/shared_recordings.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

namespace {

// In a child of fork() the driver reports success for its events (measured on 580.159).
constexpr abi::status all_is_well = abi::success;

event& event_of(abi::event handle) {
  const std::shared_ptr<event> found = find_object(state<stream_state>().events, handle);
  check_context(found->owner);
  return *found;
}

void record(abi::event handle, abi::stream on) {
  event& which = event_of(handle);
  stream& at = recording_stream_of(on);
  require(&at.owner == &which.owner, abi::error_invalid_handle);
  which.captured_in = at.capturing;
  which.frontier = at.frontier;
  if (at.capturing != nullptr) return;
  auto fresh = std::make_shared<recording>();
  const std::uint64_t number = which.shared != nullptr ? which.shared->begin() : 0;
  // The worker writes without the lock; readers wait for the ticket first. Other processes are notified in any case.
  command stamp{[fresh, shared = which.shared, number] {
                  fresh->when = std::chrono::steady_clock::now();
                  fresh->stamped = true;
                  if (shared != nullptr) shared->complete(number);
                },
                {},
                which.shared != nullptr};
  fresh->at = submit(at, std::move(stamp));
  which.number = number;
  which.latest = std::move(fresh);
}

}  // namespace

abi::status event_create(abi::event* result, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    constexpr unsigned known = abi::event_blocking_sync | abi::event_disable_timing | abi::event_interprocess;
    require(result != nullptr && (flags & ~known) == 0);
    const bool shared = (flags & abi::event_interprocess) != 0;
    require(!shared || (flags & abi::event_disable_timing) != 0);
    const auto made = std::make_shared<event>(event{current, flags});
    if (shared) {
      made->shared = shared_recordings::make(current.device);
      require(made->shared != nullptr, abi::error_out_of_memory);
    }
    *result = state<stream_state>().events.add(made);
    state<ledger>().add(object_kind::event, *result);
  });
}

abi::status event_destroy(abi::event handle) {
  return entry(
      [&] {
        state<ledger>().remove(object_kind::event, handle);
        event_of(handle);
        state<stream_state>().events.remove(handle);
      },
      all_is_well);
}

abi::status event_record(abi::event handle, abi::stream on) {
  return stream_entry(on, [&] { record(handle, on); });
}

abi::status event_record_with_flags(abi::event handle, abi::stream on, unsigned flags) {
  return stream_entry(on, [&] {
    require((flags & ~abi::event_record_external) == 0);
    record(handle, on);
  });
}

abi::status event_query(abi::event handle) {
  return entry(
      [&] {
        const event& which = event_of(handle);
        require(which.captured_in == nullptr, abi::error_captured_event);
        if (const auto number = which.recorded_elsewhere()) {
          return which.shared->is_done(*number) ? abi::success : abi::error_not_ready;
        }
        if (which.latest == nullptr) return abi::success;
        if (!which.latest->at.done()) return abi::error_not_ready;
        state<memory_table>().observe(which.latest->at);
        return abi::success;
      },
      all_is_well);
}

abi::status event_synchronize(abi::event handle) {
  return entry(
      [&](driver_lock& lock) {
        event& which = event_of(handle);
        require(which.captured_in == nullptr, abi::error_captured_event);
        context& owner = which.owner;
        if (const auto number = which.recorded_elsewhere()) {
          const std::shared_ptr<shared_recordings> kept = which.shared;
          lock.unlock();
          kept->wait(*number);
          lock.lock();
          return;
        }
        if (which.latest == nullptr) return;
        const ticket at = which.latest->at;  // a later record does not prolong the wait
        wait_for(lock, at);
        check_work(owner);
      },
      all_is_well);
}

abi::status event_elapsed_time(float* milliseconds, abi::event from, abi::event to) {
  return entry([&] {
    const event& first = event_of(from);
    const event& last = event_of(to);
    require(milliseconds != nullptr);
    const bool timed = ((first.flags | last.flags) & abi::event_disable_timing) == 0;
    require(timed && &first.owner == &last.owner, abi::error_invalid_handle);
    require(first.latest != nullptr && last.latest != nullptr, abi::error_invalid_handle);
    require(first.latest->at.done() && last.latest->at.done(), abi::error_not_ready);
    require(first.latest->stamped && last.latest->stamped, abi::error_invalid_handle);
    *milliseconds = std::chrono::duration<float, std::milli>(last.latest->when - first.latest->when).count();
  });
}

}  // namespace yoke::simulator::entries
