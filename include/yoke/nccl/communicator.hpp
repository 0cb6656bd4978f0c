// SPDX-License-Identifier: MIT
// A rank of NCCL: one GPU of this process, among those of other processes and threads.
#ifndef YOKE_NCCL_COMMUNICATOR_HPP
#define YOKE_NCCL_COMMUNICATOR_HPP

#include <yoke/distributed/communicator.hpp>
#include <yoke/memory/device_allocation.hpp>
#include <yoke/nccl/rank_work.hpp>
#include <yoke/nccl/request.hpp>

#include <optional>

namespace yoke::inline v0_1::nccl {

namespace detail {
/// Returns: the number of an operator, for calls of one communicator. Throws: `logic_error` for another one's.
template <class Op>
[[nodiscard]] abi::operation operator_of(const Op& by, const engine& of, std::size_t member,
                                         const source_location& where) {
  if constexpr (is_scaled_sum<Op>) {
    return by.operation_for(of, member, where);
  } else {
    return operation_of(Op::number);
  }
}
}  // namespace detail

/// How the ranks of another communicator agree on an id: its header specialises it, <yoke/mpi/nccl.hpp> for MPI's.
template <class World>
struct meeting;
/// Ranks that can agree on an id over a context's device.
template <class World, class Port>
concept meeting_ranks = requires(const World& ranks, const context<Port>& in, const source_location& where) {
  meeting<World>::meet(ranks, in, where);
};
namespace detail {
/// Returns: the options of a communicator of such ranks.
template <class World>
[[nodiscard]] options options_of(const World& ranks, const options& with) {
  if constexpr (requires { meeting<World>::with_progress(ranks, with); }) {
    return meeting<World>::with_progress(ranks, with);
  } else {
    return with;
  }
}
}  // namespace detail

/// A rank of a communicator, which drives one GPU. Copies share it; the last one ends it. All ranks call the same verbs
/// in the same order; the calls enqueue work in the stream, and later commands of that stream see the result.
///
/// A call that fails because of NCCL or another rank aborts the communicator, and each later call throws. The end waits
/// for the streams that verbs were given, at most `options::end_within`; while an exception passes, and where the work
/// does not end, it aborts. It is collective: other ranks end theirs, too.
/// Verbs take a recorder in place of the stream, and return the node; a graph keeps the communicator alive.
/// Requires: ranges stay alive until the stream has passed the call.
/// Thread safety: one thread at a time, which is checked; different communicators of one device in the same order on all
/// ranks.
/// Example: `yoke::nccl::communicator comm{id, 4, rank, ctx}; comm.all_reduce(x, yoke::summed, stream);`
template <class Port = any_port>
class communicator {
 public:
  using port_type = Port;
  using stream_type = stream<Port>;
  using exchange_type = exchange<Port>;
  /// Verbs only enqueue work.
  static constexpr bool enqueues = true;

  /// An empty communicator.
  communicator() noexcept = default;
  /// Joins the communicator of an id as number `rank` of `size`. Returns when all ranks have come.
  /// Throws: `logic_error` for a rank out of range, an id that nobody made, and a context that is not the device's
  /// primary one; `unsupported_error` without NCCL or CUDA; `communication_error` when the ranks have not come within
  /// the deadline, and for NCCL's failures.
  /// Wraps `ncclCommInitRankConfig`.
  communicator(const unique_id& id, int size, int rank, const context<Port>& in, const options& with = {},
               const source_location& where = source_location::current())
      : engine_(detail::engine::open(id, size, {detail::place_of(in, rank, where)}, with, where)), context_(in) {}
  /// Joins the ranks of another communicator, which brings the id to all of them. All ranks call this.
  /// Throws: as above, and as that communicator; `logic_error` on all ranks when two of them have one device.
  /// Example: `auto gpus = yoke::nccl::communicator{world, ctx};` with <yoke/mpi/nccl.hpp>
  template <meeting_ranks<Port> World>
  communicator(const World& ranks, const context<Port>& in, const options& with = {},
               const source_location& where = source_location::current())
      : communicator(meeting<World>::meet(ranks, in, where), ranks.size(where), ranks.rank(where), in,
                     detail::options_of(ranks, with), where) {}

  [[nodiscard]] explicit operator bool() const noexcept { return engine_ != nullptr; }
  /// This rank's number. Throws: `logic_error` when empty.
  [[nodiscard]] int rank(const source_location& where = source_location::current()) const { return of(where).rank(0); }
  [[nodiscard]] int size(const source_location& where = source_location::current()) const { return of(where).size(); }
  [[nodiscard]] const context<Port>& context_of() const noexcept { return context_; }
  /// Whether verbs can be called: it is neither empty, nor has it failed or ended.
  [[nodiscard]] bool is_ready() const noexcept { return engine_ != nullptr && engine_->is_ready(); }
  /// NCCL's own handle; null when empty, failed or ended.
  [[nodiscard]] abi::communicator native_handle() const noexcept {
    return engine_ == nullptr ? nullptr : engine_->native(0);
  }

  /// Reduces the ranks' ranges, element by element, to the same result on all ranks, in place.
  /// Throws: `logic_error` for memory that is empty, mapped or of another context; `communication_error`; `error`.
  /// Wraps `ncclAllReduce`.
  template <class Memory, class Op, detail::order_of_work Order>
  auto all_reduce(Memory&& x, const Op& by, Order&& in,
                  const source_location& where = source_location::current()) const {
    using memory = std::remove_reference_t<Memory>;
    if constexpr (detail::check_order<Order, Port>() && detail::check_written<memory, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<memory>, Op>()) {
        detail::work_in<Order, Port> work(of(where), 0, in, where);
        detail::set_all_reduce(work, x, detail::operator_of(by, *engine_, 0, where));
        return run(work, where);
      }
    }
  }
  /// The same for a value on the device, in its own stream. Returns: the value.
  /// Example: `float norm = std::sqrt(comm.all_reduce(yoke::dot(a, a), yoke::summed).get());`
  template <class T, class Op>
  [[nodiscard]] device_value<T, Port> all_reduce(device_value<T, Port> x, const Op& by,
                                                 const source_location& where = source_location::current()) const {
    all_reduce(x, by, x.array().stream(where), where);
    return x;
  }
  /// The same, to another range of the same size. Throws: also `logic_error` for sizes that differ and for ranges that
  /// overlap without being the same.
  template <class From, class Into, class Op, detail::order_of_work Order>
  auto all_reduce(const From& from, Into&& into, const Op& by, Order&& in,
                  const source_location& where = source_location::current()) const {
    using result = std::remove_reference_t<Into>;
    if constexpr (detail::check_order<Order, Port>() && detail::check_ranges<const From, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        detail::work_in<Order, Port> work(of(where), 0, in, where);
        detail::set_all_reduce(work, from, into, detail::operator_of(by, *engine_, 0, where), where);
        return run(work, where);
      }
    }
  }
  /// Reduces the ranks' ranges to `into` of the rank `root`. The other ranks' `into` is not used, and may be empty.
  /// Throws: as `all_reduce`; `logic_error` for a root that is none. Wraps `ncclReduce`.
  template <class From, class Into, class Op, detail::order_of_work Order>
  auto reduce(const From& from, Into&& into, const Op& by, int root, Order&& in,
              const source_location& where = source_location::current()) const {
    using result = std::remove_reference_t<Into>;
    if constexpr (detail::check_order<Order, Port>() && detail::check_ranges<const From, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        detail::check_rank(detail::verb::reduce, "the root", root, size(where), where);
        detail::work_in<Order, Port> work(of(where), 0, in, where);
        detail::set_reduce_source(work, from, detail::operator_of(by, *engine_, 0, where), root);
        if (root == rank(where)) detail::set_reduce_result(work, into, where);
        return run(work, where);
      }
    }
  }
  /// Copies the range of the rank `root` to the ranges of all ranks. Throws: as `reduce`. Wraps `ncclBroadcast`.
  template <class Memory, detail::order_of_work Order>
  auto broadcast(Memory&& x, int root, Order&& in, const source_location& where = source_location::current()) const {
    using memory = std::remove_reference_t<Memory>;
    if constexpr (detail::check_order<Order, Port>() && detail::check_written<memory, Port>()) {
      detail::check_rank(detail::verb::broadcast, "the root", root, size(where), where);
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      detail::set_broadcast(work, x, root, root == rank(where));
      return run(work, where);
    }
  }
  /// Copies the ranks' ranges, in the order of ranks, to `all` of all ranks, which has `size()` times as many elements.
  /// In place if `mine` is this rank's part of `all`. Throws: as `all_reduce`. Wraps `ncclAllGather`.
  template <class Mine, class All, detail::order_of_work Order>
  auto all_gather(const Mine& mine, All&& all, Order&& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() &&
                  detail::check_ranges<const Mine, std::remove_reference_t<All>, Port>()) {
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      detail::set_parts(work, detail::verb::all_gather, mine, all, rank(where), size(where), where);
      return run(work, where);
    }
  }
  /// Reduces the ranks' `all`, and gives each rank its part of the result. In place if `mine` is this rank's part of
  /// `all`. Throws: as `all_reduce`. Wraps `ncclReduceScatter`.
  template <class All, class Mine, class Op, detail::order_of_work Order>
  auto reduce_scatter(const All& all, Mine&& mine, const Op& by, Order&& in,
                      const source_location& where = source_location::current()) const {
    using result = std::remove_reference_t<Mine>;
    if constexpr (detail::check_order<Order, Port>() && detail::check_ranges<const All, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        detail::work_in<Order, Port> work(of(where), 0, in, where);
        detail::set_parts(work, detail::verb::reduce_scatter, mine, all, rank(where), size(where), where);
        work.call().by = detail::operator_of(by, *engine_, 0, where);
        return run(work, where);
      }
    }
  }
  /// Copies the ranks' ranges, in the order of ranks, to `all` of the rank `root`. The other ranks' `all` is not used,
  /// and may be empty. Throws: as `reduce`. Wraps `ncclGather`, before 2.28.3 `ncclSend` and `ncclRecv`.
  template <class Mine, class All, detail::order_of_work Order>
  auto gather(const Mine& mine, All&& all, int root, Order&& in,
              const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() &&
                  detail::check_ranges<const Mine, std::remove_reference_t<All>, Port>()) {
      detail::check_rank(detail::verb::gather, "the root", root, size(where), where);
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      if (root == rank(where)) {
        detail::set_parts(work, detail::verb::gather, mine, all, root, size(where), where);
        work.call().root = root;
      } else {
        detail::set_part(work, detail::verb::gather, mine, yoke::detail::memory_use::reads, root);
      }
      return run(work, where);
    }
  }
  /// Gives each rank its part of `all` of the rank `root`. Throws: as `gather`. Wraps `ncclScatter`, before 2.28.3
  /// `ncclSend` and `ncclRecv`.
  template <class All, class Mine, detail::order_of_work Order>
  auto scatter(const All& all, Mine&& mine, int root, Order&& in,
               const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() &&
                  detail::check_ranges<const All, std::remove_reference_t<Mine>, Port>()) {
      detail::check_rank(detail::verb::scatter, "the root", root, size(where), where);
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      if (root == rank(where)) {
        detail::set_parts(work, detail::verb::scatter, mine, all, root, size(where), where);
        work.call().root = root;
      } else {
        detail::set_part(work, detail::verb::scatter, mine, yoke::detail::memory_use::writes, root);
      }
      return run(work, where);
    }
  }
  /// Part `k` of each rank's `from` goes to the rank `k`, which has the parts in the order of ranks.
  /// Throws: as `all_reduce`; `logic_error` if the ranks cannot share the elements evenly. Wraps `ncclAlltoAll`, before
  /// 2.28.3 `ncclSend` and `ncclRecv`.
  template <class From, class Into, detail::order_of_work Order>
  auto all_to_all(const From& from, Into&& into, Order&& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() &&
                  detail::check_ranges<const From, std::remove_reference_t<Into>, Port>()) {
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      detail::set_all_to_all(work, from, into, size(where), where);
      return run(work, where);
    }
  }
  /// Sends a range to another rank, which receives as many elements. Messages that ranks exchange both ways belong into
  /// a list, or they wait for each other.
  /// Throws: as `all_reduce`; `logic_error` for this rank itself and for a rank that is none. Wraps `ncclSend`.
  template <class From, detail::order_of_work Order>
  auto send(const From& from, int to, Order&& in, const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() && detail::check_range<const From, Port>()) {
      check_other(detail::verb::send, to, where);
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      detail::set_part(work, detail::verb::send, from, yoke::detail::memory_use::reads, to);
      return run(work, where);
    }
  }
  /// Receives a range from another rank. Throws: as `send`. Wraps `ncclRecv`.
  template <class Into, detail::order_of_work Order>
  auto receive(Into&& into, int from, Order&& in, const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>() && detail::check_written<std::remove_reference_t<Into>, Port>()) {
      check_other(detail::verb::receive, from, where);
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      detail::set_part(work, detail::verb::receive, into, yoke::detail::memory_use::writes, from);
      return run(work, where);
    }
  }

  /// Runs the messages of a list together. Throws: as `send`. Wraps `ncclGroupStart`, `ncclSend`, `ncclRecv`,
  /// `ncclGroupEnd`.
  template <detail::order_of_work Order>
  auto run(const exchange<Port>& list, Order&& in, const source_location& where = source_location::current()) const {
    if constexpr (detail::check_order<Order, Port>()) {
      detail::work_in<Order, Port> work(of(where), 0, in, where);
      std::vector<detail::rank_call> calls;
      detail::add_messages(calls, work, list, size(where));
      return run(work, std::move(calls), where);
    }
  }
  /// The same. Returns: the messages in flight.
  request<Port> run_async(const exchange<Port>& list, const stream<Port>& in,
                          const source_location& where = source_location::current()) const {
    run(list, in, where);
    return request<Port>(in.record({}, where), engine_);
  }

  /// Returns when all ranks have called it and the stream has passed all earlier commands.
  /// Throws: as `wait`. Wraps `ncclAllReduce`.
  void barrier(const stream<Port>& in, const source_location& where = source_location::current()) const {
    const abi::stream native = detail::native_of(in, where);
    of(where).check_waits({&native, 1}, where);
    device_allocation<int, Port> word{context_, 1, where};
    all_reduce(word, largest, in, where);
    wait(in, where);
  }
  /// Waits for the stream.
  /// Throws: `communication_error` after the deadline, or when NCCL reports that a rank is lost; the communicator is then
  /// aborted, and the stream is free. `error` if a command of the stream failed; `logic_error` for a stream in a capture.
  /// Wraps `cuStreamQuery`, `ncclCommGetAsyncError`, `ncclCommAbort`.
  void wait(const stream<Port>& in, const source_location& where = source_location::current()) const {
    const abi::stream native = detail::native_of(in, where);
    of(where).wait({&native, 1}, where);
  }
  /// Waits for the streams and ends the communicator. Collective. Throws: as `wait`; when it has failed or ended before.
  /// Wraps `ncclCommDestroy`.
  void close(const source_location& where = source_location::current()) const { of(where).close(where); }
  /// Aborts the communicator: what streams have of it ends, and verbs throw. Throws: nothing. Wraps `ncclCommAbort`.
  void abort() const noexcept {
    if (engine_ != nullptr) engine_->abort();
  }

  // For objects that belong to a communicator.
  [[nodiscard]] const std::shared_ptr<detail::engine>& shared() const noexcept { return engine_; }

 private:
  detail::engine& of(const source_location& where) const {
    if (engine_ == nullptr) [[unlikely]]
      yoke::detail::throw_error(errc::empty_handle, "this communicator is empty (moved from or never made)", where);
    return *engine_;
  }
  void run(detail::rank_work<Port>& work, const source_location& where) const {
    engine_->issue({&work.call(), 1}, where);
    work.finish();
  }
  void run(detail::rank_work<Port>& work, const std::vector<detail::rank_call>& calls,
           const source_location& where) const {
    engine_->issue(calls, where);
    work.finish();
  }
  graph_node<Port> run(detail::recorded_work<Port>& work, const source_location&) const {
    return work.record(engine_, {work.call()});
  }
  graph_node<Port> run(detail::recorded_work<Port>& work, std::vector<detail::rank_call> calls,
                       const source_location&) const {
    return work.record(engine_, std::move(calls));
  }
  void check_other(detail::verb which, int peer, const source_location& where) const {
    detail::check_rank(which, "the other side", peer, size(where), where);
    if (peer == rank(where)) {
      yoke::detail::throw_error(errc::invalid_argument, where, detail::name_of(which), ": rank ", peer,
                                " is this rank itself: use yoke::copy");
    }
  }

  std::shared_ptr<detail::engine> engine_{};
  context<Port> context_ = context<Port>::none();
};

}  // namespace yoke::inline v0_1::nccl

#endif
