// SPDX-License-Identifier: MIT
// Streams with their queues, tickets for the commands in them, and events.
#ifndef YOKE_SIMULATOR_MACHINE_STREAM_STREAM_HPP
#define YOKE_SIMULATOR_MACHINE_STREAM_STREAM_HPP

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"

namespace yoke::simulator {

struct capture;
struct context;
class shared_recordings;
struct stream;

/// The commands of other streams, up to which the program has ordered itself after them; kept only while stream-ordered
/// memory exists.
class order_clock {
 public:
  void join(unsigned long long stream_id, std::uint64_t number);
  void join(const order_clock& other);
  bool covers(unsigned long long stream_id, std::uint64_t number) const;
  void clear() { seen_.clear(); }

 private:
  std::vector<std::pair<unsigned long long, std::uint64_t>> seen_{};
};

/// The n-th command of a stream.
struct ticket {
  std::shared_ptr<stream> on{};
  std::uint64_t number = 0;
  order_clock before{};  ///< work ordered before it, besides its stream's own commands
  bool done() const;
  /// Whether the program has ordered this command after the other one, or both are the same.
  bool is_behind(const ticket& other) const;
};

/// Whether all of them are done.
bool are_done(const std::vector<ticket>& tickets);

struct command {
  std::function<void()> work;  ///< called without the lock; null for a mere wait
  std::vector<ticket> after;   ///< commands of other streams
  bool always = false;         ///< runs in a context with an error too
};

enum class stream_kind { legacy, per_thread, created };

/// Thread safety: the driver's lock.
struct stream : std::enable_shared_from_this<stream> {
  stream(context& in, stream_kind what, unsigned with_flags, int with_priority);

  context& owner;
  const stream_kind kind;
  const unsigned flags;
  const int priority;
  const unsigned long long id;
  abi::stream handle = nullptr;
  std::deque<command> queue{};
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  order_clock order{};                   ///< work ordered before the next command
  std::shared_ptr<capture> capturing{};  ///< the capture that takes its commands
  std::vector<std::size_t> frontier{};   ///< the captured nodes before the next one
  bool has_worker = false;
  bool closing = false;  ///< the worker leaves when the queue is empty

  /// Whether it and the legacy stream wait for each other.
  bool is_blocking() const { return kind != stream_kind::created || (flags & abi::stream_non_blocking) == 0; }
};

/// Returns: the last command in the queue.
ticket latest_ticket(stream& of);
/// Effects: notes that the work of an ending blocking stream precedes later commands of the legacy stream.
void note_departure(const stream& gone);
/// Whether the context has an error, or the process ends: running work stops. Takes the driver's lock.
bool is_over(const context& in);
/// Effects: later commands of the stream count as ordered after all present work of other streams.
void join_all_streams(stream& which);
/// Returns: "stream 0x20000000010", or the name of a default stream.
std::string text_of(const stream& which);

/// Returns: the stream of the handle, captured or not: null and 1 are the legacy stream and 2 the thread's own of the
/// current context. Throws: refusal, also when the stream's context has an error.
stream& known_stream_of(abi::stream handle);

/// A point in a stream whose time a worker notes, now or later.
struct recording {
  ticket at;
  std::chrono::steady_clock::time_point when{};
  bool stamped = false;
};

struct event {
  context& owner;
  unsigned flags;
  std::shared_ptr<recording> latest{};
  std::shared_ptr<shared_recordings> shared{};  ///< for events that other processes open
  std::uint64_t number = 0;                     ///< of `latest` among those
  bool is_opened = false;                       ///< opened from another process
  std::shared_ptr<capture> captured_in{};       ///< the capture of the latest record, if it was captured
  std::vector<std::size_t> frontier{};          ///< the nodes before it

  /// Returns: the latest recording, if another process made it.
  std::optional<std::uint64_t> recorded_elsewhere() const;
};

/// Thread safety: the driver's lock.
struct stream_state {
  handle_table<stream, abi::stream, handle_kind::stream> streams{};
  handle_table<event, abi::event, handle_kind::event> events{};
  std::condition_variable changed{};  ///< a command was enqueued or is done, or a stream closes
  unsigned long long made = 0;
};

}  // namespace yoke::simulator

#endif
