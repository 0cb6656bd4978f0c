// SPDX-License-Identifier: MIT
// Runs the verbs of a team: each rank pulls what it needs out of the other ranks' memory, in its own stream.
#ifndef YOKE_LOCAL_TEAM_RUN_HPP
#define YOKE_LOCAL_TEAM_RUN_HPP

#include <yoke/distributed/deadline.hpp>
#include <yoke/driver/any/port.hpp>
#include <yoke/local/combine_run.hpp>
#include <yoke/local/team_exchange.hpp>

#include <cstdint>

namespace yoke::inline v0_1::detail {

/// The verbs that only move elements, and those that reduce them.
enum class local_move : std::uint8_t { broadcast, all_gather, gather, scatter, all_to_all };
enum class local_reduction : std::uint8_t { all_reduce, reduce, reduce_scatter };

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

/// Effects: waits until the stream is done, a rank fails or the deadline passes.
/// Throws: `communication_error` (`errc::timed_out` behind the deadline), `error`.
template <class Port>
void wait_for_team(const local_rank& at, const stream<Port>& in, const source_location& where) {
  const rank_call call{.verb = "wait", .where = where};
  at.team->check(call);
  const event<Port> done = in.record({}, where);
  in.flush(where);
  const bool is_over =
      deadline(at.team->deadline()).wait_until([&] { return done.is_done(where) || at.team->has_failed(); });
  if (!is_over) {
    const std::string late = text("stream is not done within ", duration_text(at.team->deadline()));
    at.team->fail(at.rank, errc::timed_out, text("calls wait, and its ", late));
    throw_error(errc::timed_out, where, "wait on rank ", at.rank, ": its ", late);
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
