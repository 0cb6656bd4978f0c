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

/// Up to which command the program has ordered itself behind other streams; only while there is stream-ordered memory.
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
  order_clock before{};  ///< what is ordered before it, besides its stream's own commands
  bool done() const;
  /// Whether the program has ordered this command behind that one, or it is that one.
  bool is_behind(const ticket& other) const;
};

/// Whether all of them are done.
bool are_done(const std::vector<ticket>& tickets);

struct command {
  std::function<void()> work;  ///< called without the lock; null where there is only something to wait for
  std::vector<ticket> after;   ///< of other streams
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
  order_clock order{};                   ///< what is ordered before the next command
  std::shared_ptr<capture> capturing{};  ///< what its commands go to instead
  std::vector<std::size_t> frontier{};   ///< the captured nodes that the next one comes behind
  bool has_worker = false;
  bool closing = false;  ///< the worker leaves when the queue is empty

  /// Whether it and the legacy stream wait for each other.
  bool is_blocking() const { return kind != stream_kind::created || (flags & abi::stream_non_blocking) == 0; }
};

/// Returns: the last command that was put in.
ticket latest_ticket(stream& of);
/// Effects: keeps in mind that a blocking stream, which goes, came before what the legacy stream gets from now on.
void note_departure(const stream& gone);
/// Whether the context has an error, or the process ends: work on its way stops. Takes the driver's lock.
bool is_over(const context& in);
/// Effects: what the stream gets from now on counts as ordered behind all that other streams have.
void join_all_streams(stream& which);
/// Returns: "stream 0x20000000010", or which default stream it is.
std::string text_of(const stream& which);

/// Returns: the stream that the handle stands for, be it captured or not: null and 1 the legacy stream and 2 the
/// thread's own of the current context. Throws: refusal, also when the stream's context has an error.
stream& known_stream_of(abi::stream handle);

/// A time that a worker took, or will take.
struct recording {
  ticket at;
  std::chrono::steady_clock::time_point when{};
  bool stamped = false;
};

struct event {
  context& owner;
  unsigned flags;
  std::shared_ptr<recording> latest{};
  std::shared_ptr<shared_recordings> shared{};  ///< of events that other processes open
  std::uint64_t number = 0;                     ///< of `latest` among those
  bool is_opened = false;                       ///< it is another process's
  std::shared_ptr<capture> captured_in{};       ///< of the latest record, if that was captured
  std::vector<std::size_t> frontier{};          ///< the nodes before it

  /// Returns: the latest recording, if another process made it.
  std::optional<std::uint64_t> recorded_elsewhere() const;
};

/// Thread safety: the driver's lock.
struct stream_state {
  handle_table<stream, abi::stream, handle_kind::stream> streams{};
  handle_table<event, abi::event, handle_kind::event> events{};
  std::condition_variable changed{};  ///< a command was put in or has been done, a stream closes
  unsigned long long made = 0;
};

}  // namespace yoke::simulator

#endif
