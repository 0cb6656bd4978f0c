// SPDX-License-Identifier: MIT
// The communicator of a rank that is a thread of this process.
#ifndef YOKE_LOCAL_COMMUNICATOR_HPP
#define YOKE_LOCAL_COMMUNICATOR_HPP

#include <yoke/distributed/communicator.hpp>
#include <yoke/driver/any/port.hpp>
#include <yoke/local/team_run.hpp>

namespace yoke::inline v0_1 {

/// An exchange in flight. Its destructor finishes it, and waits for the peers' calls. Move-only.
/// Thread safety: one thread at a time.
template <class Port = any_port>
class [[nodiscard]] local_request {
 public:
  local_request() noexcept = default;
  explicit local_request(detail::owner<detail::local_exchange<Port>> of) noexcept : of_(std::move(of)) {}

  /// Receives what the exchange receives. Later commands of the stream see it, and may write what has been sent.
  /// Finishing again does nothing.
  /// Throws: `communication_error` when ranks do not match, one is lost, or the deadline passes; `error`.
  void finish(const stream<Port>& in, const source_location& where = source_location::current()) {
    if (of_) of_->finish(in, where);
  }
  /// Finishes the exchange in the stream that began it, and waits for that stream. Throws: as `finish`.
  void wait(const source_location& where = source_location::current()) {
    if (!of_) return;
    of_->finish(of_->order(), where);
    of_->order().synchronize(where);
  }
  /// Whether the peers have sent all that is to be received. Thread safety: safe.
  [[nodiscard]] bool is_done() const { return !of_ || of_->is_finished() || of_->is_met(); }

 private:
  detail::owner<detail::local_exchange<Port>> of_;
};

/// A rank of a `local_team`. Its verbs return when the other ranks have called theirs and all work is enqueued: later
/// commands of the stream see the result. Move-only.
///
/// Ranges are device memory of the stream's context: allocations, spans, arrays, values, views, also with gaps, and
/// page-locked memory. Streams of one context, and of contexts of CUDA, wait for each other on the device and copy from
/// each other's memory; else the host copies. Sums and products are calculated in the order of the ranks, so that all
/// ranks get the same bits.
/// Throws: each verb, `logic_error` for sizes, ranks and memory that cannot work, before the other ranks see the call;
/// `communication_error` when ranks call different verbs, with each call's line, when a rank has failed or left, and
/// when the deadline of the team passes; `error`. After a failure of a rank, all verbs throw.
/// Thread safety: each rank is one thread at a time.
template <class Port = any_port>
class local_communicator {
 public:
  using port_type = Port;
  using stream_type = stream<Port>;
  using exchange_type = exchange<Port>;
  using request_type = local_request<Port>;
  static constexpr bool enqueues = false;  ///< the host takes part in each verb

  local_communicator(local_communicator&& other) noexcept
      : at_(std::move(other.at_)), exceptions_(std::uncaught_exceptions()) {}
  local_communicator& operator=(local_communicator&& other) noexcept {
    if (this != &other) {
      leave();
      at_ = std::move(other.at_);
    }
    return *this;
  }
  /// The rank leaves its team: who waits for it afterwards gets `communication_error`. While an exception passes, the
  /// team fails.
  ~local_communicator() { leave(); }

  [[nodiscard]] int rank() const noexcept { return at_.rank; }
  [[nodiscard]] int size() const noexcept { return at_.team ? at_.size() : 0; }

  /// Reduces each element over all ranks, which all get the results. Example: `comm.all_reduce(x, yoke::summed, s);`
  template <class Range, class Op>
    requires detail::reduced_by_ranks<detail::message_element<Range>, Op>
  void all_reduce(Range&& x, const Op&, const stream<Port>& in,
                  const source_location& where = source_location::current()) {
    if constexpr (is_written<Range>())
      reduce_in_place<Op>("all_reduce", detail::local_reduction::all_reduce, x, -1, in, where);
  }
  template <class From, class Into, class Op>
    requires detail::reduced_by_ranks<detail::message_element<Into>, Op>
  void all_reduce(const From& from, Into&& into, const Op&, const stream<Port>& in,
                  const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      const auto source = message(from, where);
      const auto destination = message(into, where);
      detail::check_counts("all_reduce", source.count(), destination.count(), where);
      run<Op, Into>("all_reduce", detail::local_reduction::all_reduce, source, destination, source.count(), -1, in,
                    where);
    }
  }
  /// Reduces each element over all ranks; the rank `root` gets the results. `into` of other ranks is not used.
  template <class Range, class Op>
    requires detail::reduced_by_ranks<detail::message_element<Range>, Op>
  void reduce(Range&& x, const Op&, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) {
    if constexpr (is_written<Range>())
      reduce_in_place<Op>("reduce", detail::local_reduction::reduce, x, root, in, where);
  }
  template <class From, class Into, class Op>
    requires detail::reduced_by_ranks<detail::message_element<Into>, Op>
  void reduce(const From& from, Into&& into, const Op&, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      detail::check_rank("reduce", "root", root, at(where).size(), where);
      const auto source = message(from, where);
      const auto destination = rank() == root ? message(into, where) : detail::message_range<Port>();
      if (rank() == root) detail::check_counts("reduce", source.count(), destination.count(), where);
      run<Op, Into>("reduce", detail::local_reduction::reduce, source, destination, source.count(), root, in, where);
    }
  }
  /// Reduces each element over all ranks; each rank gets the part of its number. Requires: `all` has `size()` times the
  /// elements of `mine`. In place, `mine` is that part of `all`.
  template <class From, class Into, class Op>
    requires detail::reduced_by_ranks<detail::message_element<Into>, Op>
  void reduce_scatter(const From& all, Into&& mine, const Op&, const stream<Port>& in,
                      const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      const auto source = message(all, where);
      const auto destination = message(mine, where);
      detail::check_parts("reduce_scatter", destination.count(), source.count(), at(where).size(), where);
      run<Op, Into>("reduce_scatter", detail::local_reduction::reduce_scatter, source, destination, destination.count(),
                    -1, in, where);
    }
  }
  /// Copies the elements of the rank `root` to all ranks.
  template <class Range>
  void broadcast(Range&& x, int root, const stream<Port>& in,
                 const source_location& where = source_location::current()) {
    if constexpr (is_written<Range>()) {
      detail::check_rank("broadcast", "root", root, at(where).size(), where);
      const auto range = message(x, where);
      move("broadcast", detail::local_move::broadcast, detail::message_range<Port>(), range, range.count(), root, in,
           where);
    }
  }
  /// Copies each rank's elements to all ranks, in the order of the ranks. Requires: `all` has `size()` times the
  /// elements of `mine`. In place, `mine` is the part of `all` of this rank's number, or left out.
  template <class From, class Into>
  void all_gather(const From& mine, Into&& all, const stream<Port>& in,
                  const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      const auto source = message(mine, where);
      const auto destination = message(all, where);
      detail::check_parts("all_gather", source.count(), destination.count(), at(where).size(), where);
      move("all_gather", detail::local_move::all_gather, source, destination, source.count(), -1, in, where);
    }
  }
  template <class Range>
  void all_gather(Range&& all, const stream<Port>& in, const source_location& where = source_location::current()) {
    if constexpr (is_written<Range>()) {
      const auto destination = message(all, where);
      const std::size_t each = destination.count() / static_cast<std::size_t>(at(where).size());
      detail::check_parts("all_gather", each, destination.count(), at(where).size(), where);
      move("all_gather", detail::local_move::all_gather, detail::message_range<Port>(), destination, each, -1, in,
           where);
    }
  }
  /// Copies each rank's elements to the rank `root`, in the order of the ranks. `all` of other ranks is not used.
  template <class From, class Into>
  void gather(const From& mine, Into&& all, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      detail::check_rank("gather", "root", root, at(where).size(), where);
      const auto source = message(mine, where);
      const auto destination = rank() == root ? message(all, where) : detail::message_range<Port>();
      if (rank() == root) detail::check_parts("gather", source.count(), destination.count(), at(where).size(), where);
      move("gather", detail::local_move::gather, source, destination, source.count(), root, in, where);
    }
  }
  /// Copies a part of the elements of the rank `root` to each rank, in the order of the ranks. `all` of other ranks is
  /// not used.
  template <class From, class Into>
  void scatter(const From& all, Into&& mine, int root, const stream<Port>& in,
               const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      detail::check_rank("scatter", "root", root, at(where).size(), where);
      const auto destination = message(mine, where);
      const auto source = rank() == root ? message(all, where) : detail::message_range<Port>();
      if (rank() == root) detail::check_parts("scatter", destination.count(), source.count(), at(where).size(), where);
      move("scatter", detail::local_move::scatter, source, destination, destination.count(), root, in, where);
    }
  }
  /// Copies part `k` of `from` to the rank `k`, where it becomes part `rank()` of `into`. In place, both are the same.
  template <class From, class Into>
  void all_to_all(const From& from, Into&& into, const stream<Port>& in,
                  const source_location& where = source_location::current()) {
    if constexpr (are_of_one_type<From, Into>()) {
      const auto source = message(from, where);
      const auto destination = message(into, where);
      detail::check_counts("all_to_all", source.count(), destination.count(), where);
      const std::size_t each = source.count() / static_cast<std::size_t>(at(where).size());
      detail::check_parts("all_to_all", each, source.count(), at(where).size(), where);
      move("all_to_all", detail::local_move::all_to_all, source, destination, each, -1, in, where);
    }
  }

  /// Sends elements to another rank. Returns when that has received them. Exchanges let ranks send at the same time.
  template <class Range>
  void send(const Range& from, int to, const stream<Port>& in,
            const source_location& where = source_location::current()) {
    if constexpr (detail::check_message_range<const Range, Port>()) {
      check_other("send", to, where);
      exchange<Port> one;
      one.send(from, to, where);
      detail::local_exchange<Port>(at(where), "send", one.messages(), in, where).finish(in, where);
    }
  }
  /// Receives elements of another rank, which sends as many.
  template <class Range>
  void receive(Range&& into, int from, const stream<Port>& in,
               const source_location& where = source_location::current()) {
    if constexpr (is_written<Range>()) {
      check_other("receive", from, where);
      exchange<Port> one;
      one.receive(into, from, where);
      detail::local_exchange<Port>(at(where), "receive", one.messages(), in, where).finish(in, where);
    }
  }
  /// Runs sends and receives together.
  void run(const exchange<Port>& list, const stream<Port>& in,
           const source_location& where = source_location::current()) {
    detail::local_exchange<Port>(at(where), "run", list.messages(), in, where).finish(in, where);
  }
  /// Packs what the list sends and shows it to the receivers. Returns at once: `finish(stream)` of the request receives.
  [[nodiscard]] local_request<Port> run_async(const exchange<Port>& list, const stream<Port>& in,
                                              const source_location& where = source_location::current()) {
    return local_request<Port>(
        detail::make_owner<detail::local_exchange<Port>>(at(where), "run_async", list.messages(), in, where));
  }
  /// Returns when all ranks have called it. Later commands of the stream wait for earlier ones of all ranks' streams.
  void barrier(const stream<Port>& in, const source_location& where = source_location::current()) {
    detail::run_local_barrier(at(where), {.verb = "barrier", .where = where}, in);
  }
  /// Waits until the stream is done. Throws: also when another rank fails meanwhile; `communication_error`
  /// (`errc::timed_out`) when the stream is not done within the deadline of the team, which then fails.
  void wait(const stream<Port>& in, const source_location& where = source_location::current()) {
    detail::wait_for_team(at(where), in, where);
  }

  // For teams.
  explicit local_communicator(detail::local_rank at) noexcept
      : at_(std::move(at)), exceptions_(std::uncaught_exceptions()) {}

 private:
  template <class Range>
  static consteval bool is_written() {
    return detail::check_written_range<std::remove_reference_t<Range>, Port>();
  }
  template <class From, class Into>
  static consteval bool are_of_one_type() {
    if constexpr (detail::check_message_range<const From, Port>() && is_written<Into>()) {
      constexpr bool same =
          std::same_as<detail::message_element<const From>, detail::message_element<std::remove_reference_t<Into>>>;
      static_assert(same, "source and destination have elements of different types");
      return same;
    } else {
      return false;
    }
  }
  template <class Range>
  [[nodiscard]] static detail::message_range<Port> message(Range& range, const source_location& where) {
    return detail::message_of<Port>(range, where);
  }
  void move(const char* verb, detail::local_move what, const detail::message_range<Port>& from,
            const detail::message_range<Port>& into, std::size_t count, int root, const stream<Port>& in,
            const source_location& where) {
    const auto& typed = into.bytes != 0 ? into : from;
    detail::run_local_move(at(where), what, {verb, count, typed.element, typed.type, -1, root, where}, in, from, into);
  }
  template <class Op, class Range>
  void reduce_in_place(const char* verb, detail::local_reduction what, Range& x, int root, const stream<Port>& in,
                       const source_location& where) {
    if (what == detail::local_reduction::reduce) detail::check_rank(verb, "root", root, at(where).size(), where);
    const auto range = message(x, where);
    run<Op, Range>(verb, what, detail::message_range<Port>(), range, range.count(), root, in, where);
  }
  template <class Op, class Range>
  void run(const char* verb, detail::local_reduction what, const detail::message_range<Port>& from,
           const detail::message_range<Port>& into, std::size_t count, int root, const stream<Port>& in,
           const source_location& where) {
    using element = detail::message_element<std::remove_reference_t<Range>>;
    detail::run_local_reduction(
        at(where), what,
        {verb, count, sizeof(element), device_type_name<element>, static_cast<int>(Op::number), root, where},
        detail::kind_of<element>(), in, from, into);
  }
  void check_other(const char* verb, int peer, const source_location& where) const {
    detail::check_rank(verb, verb[0] == 's' ? "destination" : "source", peer, at(where).size(), where);
    if (peer != rank()) return;
    detail::throw_error(errc::invalid_argument, where, verb, ": rank ", peer,
                        " is this rank itself, which cannot do both at once: use an exchange");
  }
  const detail::local_rank& at(const source_location& where) const {
    if (!at_.team) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this communicator was moved from", where);
    return at_;
  }
  void leave() noexcept {
    if (!at_.team) return;
    if (std::uncaught_exceptions() > exceptions_) at_.team->fail(at_.rank, errc::rank_lost, "has thrown an exception");
    at_.team->leave(at_.rank);
    at_.team.reset();
  }

  detail::local_rank at_;
  int exceptions_;
};

}  // namespace yoke::inline v0_1

#endif
