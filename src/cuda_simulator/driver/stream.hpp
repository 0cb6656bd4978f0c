// SPDX-License-Identifier: MIT
// Streams: queues with a worker thread each, and tickets to wait for what was put in.
#ifndef YOKE_SIMULATOR_DRIVER_STREAM_HPP
#define YOKE_SIMULATOR_DRIVER_STREAM_HPP

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"

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

/// A thread, and the stream that it serves now.
struct stream_worker {
  std::shared_ptr<stream> serves{};
};

/// Effects: puts a command at the end of the queue, behind the legacy stream's or the blocking streams' where that is
/// the rule. Returns: what to wait for.
ticket submit(stream& to, command what);
ticket submit(stream& to, std::function<void()> work);

/// Returns: the next command of the stream, which nobody has put in yet.
ticket next_ticket(stream& to);
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

/// Effects: waits, without the lock meanwhile.
void wait_for(driver_lock& lock, const ticket& what);
/// Effects: waits for what the context's streams hold now.
void wait_for_all(driver_lock& lock, context& of);

/// Returns: the stream that the handle stands for: null and 1 the legacy stream and 2 the thread's own of the current
/// context. Throws: refusal, also when the stream's context has an error; when the stream is captured, which that invalidates.
stream& stream_of(abi::stream handle);

/// Returns: the same, also of a stream that is captured. Throws: refusal, also when the capture is invalid.
stream& recording_stream_of(abi::stream handle);
/// Returns: the same, whatever becomes of a capture.
stream& known_stream_of(abi::stream handle);

/// Effects: calls it, during which the thread may not call the driver.
void run_host_function(abi::host_function function, void* data);
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
  std::shared_ptr<shared_recordings> shared{};  ///< of events that other processes open
  std::uint64_t number = 0;                     ///< of `latest` among those
  bool is_opened = false;                       ///< it is another process's
  std::shared_ptr<capture> captured_in{};       ///< of the latest record, if that was captured
  std::vector<std::size_t> frontier{};          ///< the nodes before it

  /// Returns: the latest recording, if another process made it.
  std::optional<std::uint64_t> recorded_elsewhere() const;
};

}  // namespace yoke::simulator

#endif
