// SPDX-License-Identifier: MIT
// Entries about streams.
#include <algorithm>
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/host_function.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/graph/capture.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/shared_recordings.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator::entries {

abi::status stream_create(abi::stream* result, unsigned flags, int priority) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && (flags & ~abi::stream_non_blocking) == 0);
    // A priority out of range is clamped, not refused.
    const int within = std::clamp(priority, greatest_priority, least_priority);
    auto made = std::make_shared<stream>(current, stream_kind::created, flags, within);
    current.streams.push_back(made);
    made->handle = state<stream_state>().streams.add(made);
    state<ledger>().add(object_kind::stream, made->handle);
    *result = made->handle;
  });
}

abi::status stream_destroy(abi::stream handle) {
  return entry([&] {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    require(number != 0 && number != abi::legacy_stream && number != abi::per_thread_stream, abi::error_invalid_handle);
    state<ledger>().remove(object_kind::stream, handle);
    stream& gone = stream_of(handle);
    // Its queued work still runs; the call does not wait for that. Until then the context keeps the stream.
    gone.closing = true;
    note_departure(gone);
    const std::shared_ptr<stream> kept = gone.shared_from_this();
    if (kept->completed == kept->submitted) std::erase(kept->owner.streams, kept);
    state<stream_state>().streams.remove(handle);
    state<stream_state>().changed.notify_all();
  });
}

namespace {

/// Whether the stream has work; the legacy stream counts all streams that it would wait for.
bool is_busy(const stream& which) {
  if (which.completed < which.submitted) return true;
  if (which.kind != stream_kind::legacy) return false;
  return std::any_of(which.owner.streams.begin(), which.owner.streams.end(),
                     [](const auto& each) { return each->is_blocking() && each->completed < each->submitted; });
}

}  // namespace

abi::status stream_query(abi::stream handle) {
  return stream_entry(handle, [&] {
    stream& which = stream_of(handle);
    if (is_busy(which)) return abi::error_not_ready;
    state<memory_table>().observe(next_ticket(which));
    return abi::success;
  });
}

abi::status stream_synchronize(abi::stream handle) {
  return stream_entry(handle, [&](driver_lock& lock) {
    stream& which = stream_of(handle);
    const bool all_blocking = which.kind == stream_kind::legacy && is_busy(which);
    const std::shared_ptr<stream> kept = which.shared_from_this();  // another thread may destroy the stream meanwhile
    wait_for(lock, all_blocking ? submit(which, command{}) : latest_ticket(which));
    if (kept->kind == stream_kind::legacy) state<memory_table>().observe(next_ticket(*kept));
    check_work(which.owner);
  });
}

namespace {

/// Effects: lets the stream wait for a recording of another process, which may stand for any work that this process has
/// signalled to it.
void wait_for_process(stream& which, std::shared_ptr<shared_recordings> recordings, std::uint64_t number) {
  join_all_streams(which);
  submit(which, [recordings = std::move(recordings), number] { recordings->wait(number); });
}

}  // namespace

abi::status stream_wait_event(abi::stream handle, abi::event event_handle, unsigned flags) {
  return stream_entry(handle, [&] {
    stream& which = recording_stream_of(handle);
    const std::shared_ptr<event> what = find_object(state<stream_state>().events, event_handle);
    require((flags & ~abi::event_wait_external) == 0);
    if (which.capturing != nullptr || what->captured_in != nullptr) return capture_wait(which, *what);
    if (const auto number = what->recorded_elsewhere()) {
      wait_for_process(which, what->shared, *number);
      return;
    }
    if (what->latest == nullptr) return;  // never recorded: nothing to wait for
    command wait;
    wait.after.push_back(what->latest->at);
    submit(which, std::move(wait));
  });
}

abi::status stream_get_context(abi::stream handle, abi::context* result) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(result != nullptr);
    *result = which.owner.handle;
  });
}

abi::status stream_get_flags(abi::stream handle, unsigned* flags) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(flags != nullptr);
    *flags = which.flags;
  });
}

abi::status stream_get_priority(abi::stream handle, int* priority) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(priority != nullptr);
    *priority = which.priority;
  });
}

abi::status stream_get_id(abi::stream handle, abi::ulong* id) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(id != nullptr);
    *id = which.id;
  });
}

abi::status stream_is_capturing(abi::stream handle, abi::capture_status* status) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(status != nullptr);
    const capture* const now = which.capturing.get();
    *status = now == nullptr ? abi::capture_status::none
              : now->invalid ? abi::capture_status::invalidated
                             : abi::capture_status::active;
  });
}

abi::status stream_get_capture_info(abi::stream handle, abi::capture_status* status, std::uint64_t* number) {
  return entry([&] {
    const stream& which = known_stream_of(handle);
    require(status != nullptr);
    const capture* const now = which.capturing.get();
    *status = now == nullptr ? abi::capture_status::none
              : now->invalid ? abi::capture_status::invalidated
                             : abi::capture_status::active;
    if (now != nullptr && number != nullptr) *number = now->number;
  });
}

abi::status thread_exchange_capture_mode(abi::capture_mode* mode) {
  return entry([&] {
    require(mode != nullptr && *mode <= abi::capture_mode::relaxed);
    thread_local auto now = abi::capture_mode::global;
    std::swap(now, *mode);
  });
}

abi::status cuYokeCaptureHostFunction(abi::stream handle, abi::host_function function, void* data,
                                      abi::host_function end) {
  return stream_entry(handle, [&] {
    stream& which = recording_stream_of(handle);
    require(function != nullptr && end != nullptr && which.capturing != nullptr);
    const std::size_t before = which.capturing->graph->nodes.size();
    capture_host_function(which, function, data);
    which.capturing->graph->nodes[before]->work.host_owner = std::shared_ptr<void>(data, end);
  });
}

abi::status launch_host_function(abi::stream handle, abi::host_function function, void* data) {
  return stream_entry(handle, [&] {
    stream& which = recording_stream_of(handle);
    require(function != nullptr);
    if (which.capturing != nullptr) return capture_host_function(which, function, data);
    // A callback may signal another thread, whose later work then follows the stream.
    const auto at = std::make_shared<ticket>();
    *at = submit(which, [function, data, at] {
      {
        const driver_lock lock(driver_mutex());
        state<memory_table>().observe(*at);
      }
      run_host_function(function, data);
    });
  });
}

}  // namespace yoke::simulator::entries
