// SPDX-License-Identifier: MIT
// Streams: queues with a worker thread each, and tickets to wait for what was put in.
#ifndef YOKE_SIMULATOR_DRIVER_STREAM_HPP
#define YOKE_SIMULATOR_DRIVER_STREAM_HPP

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "call.hpp"

namespace yoke::simulator {

struct context;
struct stream;

/// The n-th command of a stream.
struct ticket {
  std::shared_ptr<stream> on;
  std::uint64_t number = 0;
  bool done() const;
};

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
  bool has_worker = false;
  bool closing = false;  ///< the worker leaves when the queue is empty

  /// Whether it and the legacy stream wait for each other.
  bool is_blocking() const { return kind != stream_kind::created || (flags & abi::stream_non_blocking) == 0; }
};

/// A thread, and the stream that it serves now.
struct stream_worker {
  std::shared_ptr<stream> serves{};
};

/// Effects: puts a command at the end of the queue, behind the legacy stream's or the blocking streams' where that is
/// the rule. Returns: what to wait for.
ticket submit(stream& to, command what);
ticket submit(stream& to, std::function<void()> work);

/// Effects: waits, without the lock meanwhile.
void wait_for(driver_lock& lock, const ticket& what);
/// Effects: waits for what the context's streams hold now.
void wait_for_all(driver_lock& lock, context& of);

/// Returns: the stream that the handle stands for: null and 1 the legacy stream and 2 the thread's own of the current
/// context. Throws: refusal, also when the stream's context has an error.
stream& stream_of(abi::stream handle);

/// Whether this thread runs a host function now, which may not call the driver.
bool runs_host_function() noexcept;

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
};

}  // namespace yoke::simulator

#endif
