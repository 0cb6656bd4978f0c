// SPDX-License-Identifier: MIT
// Finds streams by their handles, and orders tickets of several streams.
#include "machine/stream/stream.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "machine/base/state.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/shared_recordings.hpp"

namespace yoke::simulator {

void order_clock::join(unsigned long long stream_id, std::uint64_t number) {
  const auto found =
      std::find_if(seen_.begin(), seen_.end(), [&](const auto& each) { return each.first == stream_id; });
  if (found == seen_.end()) {
    seen_.emplace_back(stream_id, number);
  } else {
    found->second = std::max(found->second, number);
  }
}
void order_clock::join(const order_clock& other) {
  for (const auto& [stream_id, number] : other.seen_) join(stream_id, number);
}
bool order_clock::covers(unsigned long long stream_id, std::uint64_t number) const {
  return std::any_of(seen_.begin(), seen_.end(),
                     [&](const auto& each) { return each.first == stream_id && each.second >= number; });
}

bool ticket::is_behind(const ticket& other) const {
  return (on == other.on && number >= other.number) || before.covers(other.on->id, other.number);
}

ticket latest_ticket(stream& of) { return {of.shared_from_this(), of.submitted, of.order}; }

void note_departure(const stream& gone) {
  if (!gone.is_blocking()) return;
  gone.owner.departed.join(gone.order);
  gone.owner.departed.join(gone.id, gone.submitted);
}

bool is_over(const context& in) {
  const driver_lock lock(driver_mutex());
  return in.error != abi::success || state<process_state>().closed;
}

void join_all_streams(stream& which) {
  for (const std::unique_ptr<context>& each : state<context_state>().contexts) {
    for (const std::shared_ptr<stream>& other : each->streams) {
      if (other.get() != &which) which.order.join(other->id, other->submitted);
    }
  }
}

std::string text_of(const stream& which) {
  if (which.kind == stream_kind::legacy) return "the default stream";
  if (which.kind == stream_kind::per_thread) return "a thread's default stream";
  char text[40];
  std::snprintf(text, sizeof text, "stream %p", static_cast<const void*>(which.handle));
  return text;
}

stream::stream(context& in, stream_kind what, unsigned with_flags, int with_priority)
    : owner(in), kind(what), flags(with_flags), priority(with_priority), id(++state<stream_state>().made) {}

bool are_done(const std::vector<ticket>& tickets) {
  for (const ticket& each : tickets) {
    if (!each.done()) return false;
  }
  return true;
}

bool ticket::done() const { return on == nullptr || on->completed >= number; }

namespace {

stream& find_stream(abi::stream handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0 || number == abi::legacy_stream) return *current_context().legacy;
  if (number == abi::per_thread_stream) return per_thread_stream(current_context());
  return *find_object(state<stream_state>().streams, handle);
}

}  // namespace

stream& known_stream_of(abi::stream handle) {
  stream& found = find_stream(handle);
  check_context(found.owner);
  return found;
}

std::optional<std::uint64_t> event::recorded_elsewhere() const {
  const std::uint64_t newest = shared != nullptr ? shared->latest() : number;
  return newest != number ? std::optional(newest) : std::nullopt;
}

}  // namespace yoke::simulator
