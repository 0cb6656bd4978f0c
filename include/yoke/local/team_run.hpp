// SPDX-License-Identifier: MIT
// Runs the verbs of a team: each rank pulls what it needs out of the other ranks' memory, in its own stream.
#ifndef YOKE_LOCAL_TEAM_RUN_HPP
#define YOKE_LOCAL_TEAM_RUN_HPP

#include <yoke/distributed/deadline.hpp>
#include <yoke/distributed/exchange.hpp>
#include <yoke/driver/any/port.hpp>
#include <yoke/local/combine_run.hpp>
#include <yoke/local/team_state.hpp>

#include <array>
#include <exception>
#include <optional>

namespace yoke::inline v0_1::detail {

/// A rank of a team.
struct local_rank {
  shared<team_state> team{};
  int rank = 0;

  [[nodiscard]] int size() const noexcept { return team->size(); }
};

/// The verbs that only move elements, and those that reduce them.
enum class local_move : std::uint8_t { broadcast, all_gather, gather, scatter, all_to_all };
enum class local_reduction : std::uint8_t { all_reduce, reduce, reduce_scatter };

/// Device memory without gaps. Units: bytes.
template <class Port>
struct local_memory {
  typename Port::memory_handle memory{};
  std::size_t first = 0;
  std::size_t bytes = 0;
  typename Port::context_handle context{};

  [[nodiscard]] local_memory part(std::size_t begin, std::size_t size) const noexcept {
    return {memory, first + begin, size, context};
  }
  [[nodiscard]] memory_side<device_place<Port>, std::byte> side() const {
    return {.at = {memory, first}, .size = bytes, .context = context};
  }
  [[nodiscard]] friend bool operator==(const local_memory& left, const local_memory& right) noexcept {
    return left.memory == right.memory && left.first == right.first && left.context == right.context;
  }
};

/// Whether two streams wait for each other on the device, and copy out of each other's memory.
template <class Port>
[[nodiscard]] bool are_together(const stream<Port>& left, const stream<Port>& right) noexcept {
  const context_state<Port>& one = *left.context_of().shared();
  const context_state<Port>& two = *right.context_of().shared();
  if (!(one.port == two.port)) return false;
  if (one.native == two.native) return true;
  if (!port_traits<Port>::copies_between_contexts(one.port)) return false;
  if constexpr (may_wait_across_contexts<Port>) return one.port.waits_across_contexts();
  return waits_across_contexts<Port>;
}

/// Effects: enqueues a copy of one side to the other. Throws: as `copy`.
template <class From, class To, class Port>
void enqueue_sides(const From& from, const To& to, const stream<Port>& in, const source_location& where) {
  other_streams<Port> operation(in);
  const copy_plan plan = prepare_copy(operation, in, from, to, where);
  if (!plan.nothing) start_copy(in, from, to, plan, completion<typename Port::event_handle>::unwatched(), where);
}

/// Effects: enqueues a copy out of the memory of another rank, behind `ready`, if the streams are together. Else the
/// host reads in the other rank's stream, and writes in this one. Throws: `error`, `std::bad_alloc`.
template <class Port>
void pull_memory(const stream<Port>& in, const local_memory<Port>& to, const stream<Port>& other,
                 const local_memory<Port>& from, const event<Port>& ready, const source_location& where) {
  if (are_together(in, other)) {
    in.wait(ready, where);
    enqueue_sides(from.side(), to.side(), in, where);
    return;
  }
  std::vector<std::byte> between(to.bytes);
  const device_span<std::byte, Port> read(from.context, from.memory, from.first, from.bytes);
  const device_span<std::byte, Port> write(to.context, to.memory, to.first, to.bytes);
  copy(read, between, other, where);
  copy(between, device_span<std::byte, Port>(write), in, where);
}

/// The memory that one operation of a rank uses: ordered behind other streams' work, and without gaps.
template <class Port>
class local_operands {
 public:
  local_operands(const stream<Port>& in, const source_location& where) : in_(in), where_(where), others_(in) {}
  local_operands(const local_operands&) = delete;
  local_operands& operator=(const local_operands&) = delete;
  ~local_operands() = default;

  /// Throws: `logic_error` for memory that the stream cannot use.
  static void check(const stream<Port>& in, const message_range<Port>& of, const char* name,
                    const source_location& where) {
    if (of.bytes == 0) return;
    check_side(in, of.device_side(), name, where);
  }
  /// Effects: orders the stream behind other streams' work with the memory; packs it if it has gaps and is read.
  /// Returns: memory without gaps, in this operation's life. Throws: `error`, `std::bad_alloc`.
  [[nodiscard]] local_memory<Port> take(const message_range<Port>& of, memory_use kind, bool packs) {
    if (of.bytes == 0) return {};
    others_.use(of.uses, of.keep_alive.count(), kind, where_);
    if (!of.packing && of.host == nullptr) return {of.memory, of.first, of.bytes, of.context};
    const local_memory<Port> dense = temporary(of.bytes);
    if (packs) move(of, dense, true);
    if (kind == memory_use::writes) unpacked_.push_back({&of, dense});
    return dense;
  }
  /// Returns: memory of the stream's order, in this operation's life. Throws: `error`.
  [[nodiscard]] local_memory<Port> temporary(std::size_t bytes) {
    if (bytes == 0) return {};
    temporaries_.push_back(allocate_for_array<std::byte>(in_, bytes, where_));
    const auto& made = temporaries_.back();
    return {made.native_handle(), 0, bytes, in_.context_of().native_handle()};
  }
  /// Effects: enqueues the copies to the memory with gaps that was written. Throws: `error`.
  void unpack() {
    for (const auto& each : unpacked_) move(*each.of, each.dense, false);
    unpacked_.clear();
  }

 private:
  struct packed {
    const message_range<Port>* of;
    local_memory<Port> dense;
  };
  void move(const message_range<Port>& of, const local_memory<Port>& dense, bool packs) const {
    const device_span<std::byte, Port> whole(dense.context, dense.memory, dense.first, dense.bytes);
    if (of.packing) return packs ? of.packing->pack(in_, whole, where_) : of.packing->unpack(in_, whole, where_);
    if (packs) {
      enqueue_sides(of.host_side(), dense.side(), in_, where_);
    } else {
      enqueue_sides(dense.side(), of.host_side(), in_, where_);
    }
  }

  const stream<Port>& in_;
  source_location where_;
  other_streams<Port> others_;
  std::vector<device_allocation<std::byte, Port>> temporaries_;
  std::vector<packed> unpacked_;
};

/// Throws: `logic_error` for a source and a destination that overlap, unless the source begins `allowed` bytes behind the
/// destination.
template <class Port>
void check_apart_or_in_place(const stream<Port>& in, const rank_call& call, const message_range<Port>& from,
                             const message_range<Port>& into, std::ptrdiff_t allowed) {
  const auto is_plain = [](const message_range<Port>& of) {
    return of.bytes != 0 && !of.packing && of.host == nullptr;
  };
  if (!is_plain(from) || !is_plain(into)) return;
  std::uintptr_t from_base = 0;
  std::uintptr_t into_base = 0;
  const auto& port = in.context_of().port(call.where);
  if (!device_place<Port>::share_base(port, from.device_side().at, into.device_side().at, from_base, into_base)) return;
  from_base += from.first;
  into_base += into.first;
  if (from_base + from.bytes <= into_base || into_base + into.bytes <= from_base) return;
  if (static_cast<std::ptrdiff_t>(from_base - into_base) == allowed) return;
  throw_error(errc::invalid_argument, call.where, words_of(call),
              ": source and destination overlap; in place, one begins at the other's part of this rank");
}

/// Returns: what an exception says. Requires: one is being handled.
[[nodiscard]] YOKE_API std::string words_of_exception();
/// Effects: fails the team with the exception that is being handled, unless it came from the team itself.
YOKE_API void fail_by_exception(team_state& team, int rank, const char* verb) noexcept;

/// One operation in which all ranks take part.
template <class Port>
class local_operation {
 public:
  local_operation(const local_rank& at, const rank_call& call, const stream<Port>& in)
      : at_(at), call_(call), in_(in), operands_(in, call.where) {}
  local_operation(const local_operation&) = delete;
  local_operation& operator=(const local_operation&) = delete;
  ~local_operation() = default;

  [[nodiscard]] local_operands<Port>& operands() noexcept { return operands_; }

  /// Effects: calls `work()` between the first meeting and the last; after a failure, in which the other ranks may still
  /// read this rank's memory, waits for them.
  template <class Work>
  void run(const Work& work) {
    round_ = at_.team->begin(at_.rank, call_);
    try {
      work();
    } catch (...) {
      fail_by_exception(*at_.team, at_.rank, call_.verb);
      wait_here();
      at_.team->finish(*round_, at_.rank, true);
      throw;
    }
    at_.team->finish(*round_, at_.rank, false);
  }
  /// Effects: shows memory to the other ranks, and waits until all show theirs. Throws: `communication_error`, `error`.
  void share(const local_memory<Port>& from) {
    const std::size_t number = static_cast<std::size_t>(stage_);
    parts_[number].from = from;
    parts_[number].in = &in_;
    parts_[number].ready = in_.record({}, call_.where);
    in_.flush(call_.where);
    next_stage();
    if (stage_ == 1) at_.team->compare(*round_, at_.rank);
  }
  /// Effects: enqueues a copy of `to.bytes` bytes of what a rank shows, from the byte `first` on.
  void pull(int rank, std::size_t first, const local_memory<Port>& to) {
    if (to.bytes == 0) return;
    const part& of = part_of(rank, stage_ - 1);
    const local_memory<Port> from = of.from.part(first, to.bytes);
    if (rank == at_.rank && from == to) return;
    pull_memory(in_, to, *of.in, from, of.ready, call_.where);
  }
  /// Effects: later commands of the stream wait until the ranks for which `has_read(rank)` is true have read this rank's
  /// memory. Throws: `communication_error`, `error`.
  template <class HasRead>
  void end(const HasRead& has_read) {
    const std::size_t number = static_cast<std::size_t>(stage_);
    parts_[number].in = &in_;
    parts_[number].ready = in_.record({}, call_.where);
    in_.flush(call_.where);
    next_stage();
    for (int other = 0; other < at_.size(); ++other) {
      if (other == at_.rank || !has_read(other)) continue;
      const part& of = part_of(other, stage_ - 1);
      if (are_together(in_, *of.in)) in_.wait(of.ready, call_.where);  // else the host has copied
    }
    next_stage();  // the other ranks' events are used until here
  }
  /// Effects: later commands of the stream wait for the commands of all streams before `share`. Throws: as `end`.
  void wait_for_all() {
    for (int other = 0; other < at_.size(); ++other) {
      if (other == at_.rank) continue;
      const part& of = part_of(other, stage_ - 1);
      if (are_together(in_, *of.in)) {
        in_.wait(of.ready, call_.where);
      } else {
        of.ready.wait(call_.where);
      }
    }
    next_stage();
  }

 private:
  struct part {
    local_memory<Port> from{};
    const stream<Port>* in = nullptr;
    event<Port> ready{};
  };
  [[nodiscard]] const part& part_of(int rank, int stage) const {
    return static_cast<const part*>(round_->parts[static_cast<std::size_t>(rank)])[stage];
  }
  void next_stage() {
    ++stage_;
    at_.team->meet(*round_, at_.rank, stage_, stage_ == 1 ? parts_.data() : nullptr);
  }
  void wait_here() const noexcept {
    try {
      in_.synchronize(call_.where);
    } catch (...) {  // the failure before is thrown
    }
  }

  const local_rank& at_;
  const rank_call& call_;
  const stream<Port>& in_;
  local_operands<Port> operands_;
  std::array<part, 4> parts_{};
  shared<local_round> round_;
  int stage_ = 0;
};

/// Effects: moves elements between all ranks. The memory of one rank's part is `from` or `into`, whichever is smaller;
/// `into` of `broadcast` is the range, and ranks that only give or only take have an empty other side.
/// Throws: `communication_error`, `error`.
template <class Port>
void run_local_move(const local_rank& at, local_move what, const rank_call& call, const stream<Port>& in,
                    const message_range<Port>& from, const message_range<Port>& into) {
  const int size = at.size();
  const int own = at.rank;
  const std::size_t each = call.count * call.element;
  const bool is_root = own == call.root;
  if (!in) throw_empty_handle("stream", call.where);
  local_operands<Port>::check(in, from, "source", call.where);
  local_operands<Port>::check(in, into, "destination", call.where);
  const auto offset = static_cast<std::ptrdiff_t>(each) * own;
  check_apart_or_in_place(in, call, from, into,
                          what == local_move::all_to_all ? 0
                          : what == local_move::scatter  ? -offset
                                                         : offset);
  at.team->check(call);
  local_operation<Port> operation(at, call, in);
  const bool is_broadcast = what == local_move::broadcast;
  const bool in_place = from.bytes == 0 && what == local_move::all_gather;
  local_memory<Port> to = operation.operands().take(into, memory_use::writes, is_broadcast || in_place);
  local_memory<Port> shown = is_broadcast ? to
                             : in_place   ? to.part(static_cast<std::size_t>(own) * each, each)
                                          : operation.operands().take(from, memory_use::reads, true);
  const bool swaps = what == local_move::all_to_all && each != 0 && shown == to;
  const local_memory<Port> result = to;
  if (swaps) to = operation.operands().temporary(to.bytes);
  operation.run([&] {
    operation.share(shown);
    for (int step = 0; step < size; ++step) {
      const int other = (own + step) % size;
      const std::size_t theirs = static_cast<std::size_t>(other) * each;
      const std::size_t mine = static_cast<std::size_t>(own) * each;
      switch (what) {
        case local_move::broadcast:
          if (other == call.root && !is_root) operation.pull(other, 0, to);
          break;
        case local_move::all_gather: operation.pull(other, 0, to.part(theirs, each)); break;
        case local_move::gather:
          if (is_root) operation.pull(other, 0, to.part(theirs, each));
          break;
        case local_move::scatter:
          if (other == call.root) operation.pull(other, mine, to.part(0, each));
          break;
        case local_move::all_to_all: operation.pull(other, mine, to.part(theirs, each)); break;
      }
    }
    operation.end([&](int other) {
      switch (what) {
        case local_move::broadcast:
        case local_move::scatter: return is_root;
        case local_move::gather: return other == call.root;
        default: return true;
      }
    });
  });
  if (swaps) enqueue_sides(to.side(), result.side(), in, call.where);
  operation.operands().unpack();
}

/// Effects: reduces elements of all ranks. Each rank reduces a part, in the order of the ranks.
/// Throws: `communication_error`, `error`.
template <class Port>
void run_local_reduction(const local_rank& at, local_reduction what, const rank_call& call, value_kind kind,
                         const stream<Port>& in, const message_range<Port>& from, const message_range<Port>& into) {
  const int size = at.size();
  const int own = at.rank;
  const bool is_root = own == call.root;
  const bool is_everyone = what == local_reduction::all_reduce;
  if (!in) throw_empty_handle("stream", call.where);
  local_operands<Port>::check(in, from, "source", call.where);
  local_operands<Port>::check(in, into, "destination", call.where);
  check_apart_or_in_place(
      in, call, from, into,
      what == local_reduction::reduce_scatter ? -static_cast<std::ptrdiff_t>(call.count * call.element) * own : 0);
  at.team->check(call);
  local_operation<Port> operation(at, call, in);
  const bool in_place = from.bytes == 0;
  const local_memory<Port> to = operation.operands().take(into, memory_use::writes, in_place);
  const local_memory<Port> shown = in_place ? to : operation.operands().take(from, memory_use::reads, true);
  const auto ranks = static_cast<std::size_t>(size);
  // The part of all_reduce that a rank reduces.
  const auto begin_of = [&](int rank) { return call.count * static_cast<std::size_t>(rank) / ranks; };
  const auto count_of = [&](int rank) {
    switch (what) {
      case local_reduction::all_reduce: return begin_of(rank + 1) - begin_of(rank);
      case local_reduction::reduce: return rank == call.root ? call.count : 0;
      default: return call.count;
    }
  };
  const std::size_t count = count_of(own);
  const std::size_t bytes = count * call.element;
  const std::size_t begin = what == local_reduction::all_reduce ? begin_of(own) * call.element
                            : what == local_reduction::reduce   ? 0
                                                                : static_cast<std::size_t>(own) * bytes;
  const std::size_t written = is_everyone ? begin : 0;
  const local_memory<Port> rows = operation.operands().temporary(bytes * ranks);
  operation.run([&] {
    operation.share(shown);
    if (bytes != 0) {
      for (int step = 0; step < size; ++step) {
        const int other = (own + step) % size;
        operation.pull(other, begin, rows.part(static_cast<std::size_t>(other) * bytes, bytes));
      }
      run_combine<stream<Port>>(in, kind, static_cast<rank_operator>(call.by),
                                {to.memory, static_cast<std::int64_t>((to.first + written) / call.element)},
                                {rows.memory, 0}, std::int64_t{size}, static_cast<std::int64_t>(count), call.where);
    }
    if (is_everyone) {
      operation.share(to);
      for (int step = 1; step < size; ++step) {
        const int other = (own + step) % size;
        const std::size_t first = begin_of(other) * call.element;
        operation.pull(other, first, to.part(first, count_of(other) * call.element));
      }
    }
    operation.end([&](int other) { return what != local_reduction::reduce || (other == call.root && !is_root); });
  });
  operation.operands().unpack();
}

/// Effects: later commands of each rank's stream wait for the earlier ones of all streams.
/// Throws: `communication_error`, `error`.
template <class Port>
void run_local_barrier(const local_rank& at, const rank_call& call, const stream<Port>& in) {
  if (!in) throw_empty_handle("stream", call.where);
  at.team->check(call);
  local_operation<Port> operation(at, call, in);
  operation.run([&] {
    operation.share({});
    operation.wait_for_all();
  });
}

/// What a sender shows its receiver.
template <class Port>
struct local_sent {
  local_memory<Port> from{};
  shared<const stream<Port>> in{};
  shared<const event<Port>> ready{};  // behind the packing
  event<Port> read{};                 // behind the receiver's copy; empty if the host has copied
};

/// An exchange that has begun. Thread safety: one thread at a time.
template <class Port>
class local_exchange {
 public:
  /// Effects: packs the messages that are sent, and shows them to their receivers. Throws: `logic_error`,
  /// `communication_error`, `error`.
  local_exchange(const local_rank& at, const char* verb, const std::vector<listed_message<Port>>& list,
                 const stream<Port>& in, const source_location& where)
      : at_(at),
        where_(where),
        list_(list),
        in_(detail::make_shared<const stream<Port>>(in.another(where))),
        sends_(*in_, where) {
    for (const auto& each : list_) {
      calls_.push_back({each.sends ? "send" : "receive", each.range.count(), each.range.element, each.range.type, -1,
                        -1, each.where});
      check_rank(verb, each.sends ? "destination" : "source", each.peer, at_.size(), each.where);
      local_operands<Port>::check(in, each.range, each.sends ? "source" : "destination", each.where);
    }
    at_.team->check({.verb = verb, .where = where});
    std::vector<local_memory<Port>> from;
    for (const auto& each : list_) {
      if (each.sends) from.push_back(sends_.take(each.range, memory_use::reads, true));
    }
    const auto ready = detail::make_shared<const event<Port>>(in_->record({}, where));
    in_->flush(where);
    try {
      std::size_t number = 0;
      expected_.resize(list_.size());
      for (std::size_t k = 0; k < list_.size(); ++k) {
        if (!list_[k].sends) {
          expected_[k] = at_.team->expect(at_.rank, list_[k].peer);
          continue;
        }
        auto part = detail::make_shared<local_sent<Port>>();
        part->from = from[number++];
        part->in = in_;
        part->ready = ready;
        auto message = detail::make_shared<local_message>();
        message->from = at_.rank;
        message->to = list_[k].peer;
        message->call = calls_[k];
        message->part = part;
        at_.team->post(message);
        posted_.push_back({message, std::move(part)});
      }
    } catch (...) {
      give_up(verb);
      throw;
    }
  }
  local_exchange(const local_exchange&) = delete;
  local_exchange& operator=(const local_exchange&) = delete;
  /// Effects: ends the exchange; while an exception passes, fails the team and takes back what nobody has read.
  ~local_exchange() {
    if (is_finished_) return;
    if (std::uncaught_exceptions() > exceptions_) {
      // The number of a message that never comes is for ever the next one of its ranks.
      at_.team->fail(at_.rank, errc::rank_lost, "leaves an exchange by an exception");
      withdraw();
      return;
    }
    try {
      finish(*in_, where_);
    } catch (const error& failure) {
      report_cleanup_failure(failure.code(), failure.call(), failure.what());
    } catch (...) {
      report_cleanup_exception("exchange");
    }
  }

  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }
  [[nodiscard]] const stream<Port>& order() const noexcept { return *in_; }
  /// Whether `finish` would wait for no rank.
  [[nodiscard]] bool is_met() const {
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (!list_[k].sends && !at_.team->has_message(at_.rank, list_[k].peer, expected_[k])) return false;
    }
    return true;
  }
  /// Effects: receives what the list receives; later commands of `in` see it, and may write what has been sent. Waits
  /// for the peers' calls. Throws: `communication_error`, `error`.
  void finish(const stream<Port>& in, const source_location& where) {
    if (std::exchange(is_finished_, true)) return;
    try {
      local_operands<Port> operands(in, where);
      const bool is_own = in.native_handle() == in_->native_handle() && in.context_of() == in_->context_of();
      if (!is_own) in.wait(in_->record({}, where), where);
      for (std::size_t k = 0; k < list_.size(); ++k) {
        if (!list_[k].sends) receive(operands, in, k, where);
      }
      for (const posted& each : posted_) {
        at_.team->wait_for(*each.message);
        if (each.part->read) in.wait(each.part->read, where);
      }
      operands.unpack();
      // The packed copies end in the order of the stream that made them.
      if (!is_own) in_->wait(in.record({}, where), where);
    } catch (...) {
      give_up("exchange");
      throw;
    }
  }

 private:
  struct posted {
    shared<local_message> message;
    shared<local_sent<Port>> part;
  };
  void receive(local_operands<Port>& operands, const stream<Port>& in, std::size_t k, const source_location& where) {
    const listed_message<Port>& own = list_[k];
    const local_memory<Port> to = operands.take(own.range, memory_use::writes, false);
    const shared<local_message> message = at_.team->take(at_.rank, own.peer, expected_[k], calls_[k]);
    struct end {
      team_state& team;
      local_message& message;
      bool is_read = false;
      ~end() { team.finish(message, is_read); }
    } ends{*at_.team, *message};
    const rank_call& theirs = message->call;
    if (theirs.count != own.range.count() || theirs.element != own.range.element ||
        std::string_view(theirs.type) != own.range.type) {
      at_.team->fail(at_.rank, errc::mismatched_ranks,
                     text("does not take the message of the other rank: ", words_of(at_.rank, calls_[k]), ", ",
                          words_of(own.peer, theirs)));
      throw_error(errc::mismatched_ranks, own.where, words_of(calls_[k]), " on rank ", at_.rank,
                  " does not match its message: ", words_of(own.peer, theirs));
    }
    ends.is_read = true;
    if (to.bytes == 0) return;
    ends.is_read = false;
    auto* const part = static_cast<local_sent<Port>*>(message->part.get());
    try {
      pull_memory(in, to, *part->in, part->from, *part->ready, where);
      if (are_together(in, *part->in)) {
        part->read = in.record({}, where);
        in.flush(where);
      }
    } catch (...) {
      try {
        in.synchronize(where);  // the sender may free its memory afterwards
      } catch (...) {           // the first failure is thrown
      }
      throw;
    }
    ends.is_read = true;
  }
  void give_up(const char* verb) noexcept {
    fail_by_exception(*at_.team, at_.rank, verb);
    withdraw();
  }
  void withdraw() noexcept {
    is_finished_ = true;
    for (const posted& each : posted_) {
      at_.team->withdraw(each.message);
      try {
        if (each.part->read) each.part->read.wait(where_);
      } catch (...) {  // the first failure is thrown
      }
    }
  }

  const local_rank at_;
  const source_location where_;
  const std::vector<listed_message<Port>> list_;
  std::vector<rank_call> calls_;
  std::vector<std::uint64_t> expected_;  // the numbers of the messages that are received
  const shared<const stream<Port>> in_;
  local_operands<Port> sends_;
  std::vector<posted> posted_;
  const int exceptions_ = std::uncaught_exceptions();
  bool is_finished_ = false;
};

/// Effects: waits until the stream is done, a rank fails or the deadline passes. Throws: `communication_error`, `error`.
template <class Port>
void wait_for_team(const local_rank& at, const stream<Port>& in, const source_location& where) {
  const rank_call call{.verb = "wait", .where = where};
  at.team->check(call);
  const event<Port> done = in.record({}, where);
  in.flush(where);
  const bool is_over =
      deadline(at.team->deadline()).wait_until([&] { return done.is_done(where) || at.team->has_failed(); });
  if (!is_over) {
    at.team->fail(at.rank, errc::timed_out,
                  text("calls wait, and its stream is not done within ", duration_text(at.team->deadline())));
  }
  at.team->check(call);
  done.wait(where);
}

extern template YOKE_API void run_local_move(const local_rank&, local_move, const rank_call&, const stream<any_port>&,
                                             const message_range<any_port>&, const message_range<any_port>&);
extern template YOKE_API void run_local_reduction(const local_rank&, local_reduction, const rank_call&, value_kind,
                                                  const stream<any_port>&, const message_range<any_port>&,
                                                  const message_range<any_port>&);
extern template YOKE_API void run_local_barrier(const local_rank&, const rank_call&, const stream<any_port>&);
// Names the visibility here alone: at the definition GCC finds it too late.
extern template class YOKE_API local_exchange<any_port>;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/local/team_run.ipp>
#endif

#endif
