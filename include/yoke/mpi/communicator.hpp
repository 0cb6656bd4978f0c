// SPDX-License-Identifier: MIT
// Communicators of MPI, whose verbs take device memory and a stream.
#ifndef YOKE_MPI_COMMUNICATOR_HPP
#define YOKE_MPI_COMMUNICATOR_HPP

#include <yoke/distributed/communicator.hpp>
#include <yoke/mpi/begun_operations.hpp>
#include <yoke/mpi/communicator_base.hpp>
#include <yoke/mpi/request.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// A communicator of MPI: a group of processes. Its verbs take device memory and a stream: they begin behind what the
/// stream has so far, and when one returns, the host has sent and received, and later commands of the stream see the
/// result. Where MPI cannot reach the memory itself, it travels through page-locked blocks of the host, part by part.
/// A range is an allocation, a span, an array, a view (one with gaps is packed), a `device_value`, page-locked or managed
/// memory. Each verb with `_async` returns at once, with a `request`.
///
/// Throws, all verbs: `logic_error` before MPI is asked, for sizes that do not fit, ranks that do not exist, memory that
/// is empty or of another context; `communication_error` when MPI fails, ranks do not match, or the deadline passes;
/// `error`. After a deadline has passed, and after an operation that ended when the other ranks had begun more of it, the
/// communicator has ended. Page-locked memory, and device memory that MPI reaches directly, of an operation that did not
/// end has to stay until the program ends.
/// Example: `world.all_reduce(gradients, yoke::averaged, stream);`
template <class Port = any_port>
class communicator : public communicator_base {
 public:
  using port_type = Port;
  using stream_type = stream<Port>;
  using exchange_type = exchange<Port>;
  using request_type = request<Port>;
  /// The host drives the verbs.
  static constexpr bool enqueues = false;

  communicator() noexcept = default;
  /// A duplicate of MPI's communicator. All ranks call this, and wait for each other at most the deadline.
  /// Throws: `logic_error` before MPI is initialised or after its end, for a deadline below 0, and for another word in
  /// `YOKE_MPI_TRANSPORT`; `communication_error`. Wraps `MPI_Ibarrier`, `MPI_Comm_dup`.
  explicit communicator(MPI_Comm of, const communicator_options& options = {},
                        const source_location& where = source_location::current())
      : communicator(linked_functions, &detail::linked_library_refuses, of, options, where) {}
  /// The same by another table of functions.
  communicator(const functions& calls, const char* (*library_refuses)() noexcept, MPI_Comm of,
               const communicator_options& options, const source_location& where = source_location::current())
      : communicator_base(detail::duplicate_of(calls, library_refuses, of, options, where)) {}
  /// The same communicator for the streams of another backend. Both share messages and order.
  template <class Other>
    requires(!std::same_as<Other, Port>)
  explicit communicator(const communicator<Other>& other) noexcept : communicator_base(other.shared()) {}

  // The makers of other communicators: all ranks call them, and first wait for each other, at most the deadline of this
  // communicator. A rank that is lost after that, inside of MPI's own call, is waited for without a deadline.

  /// Another duplicate, with the same options or others. Throws: `logic_error` for a deadline below 0;
  /// `communication_error`. Wraps `MPI_Ibarrier`, `MPI_Comm_dup`.
  [[nodiscard]] communicator duplicate(const source_location& where = source_location::current()) const {
    return duplicate(this->options(where), where);
  }
  [[nodiscard]] communicator duplicate(const communicator_options& options,
                                       const source_location& where = source_location::current()) const {
    return communicator(detail::duplicate_of(this->alive(where), "duplicate", options, where));
  }
  /// The ranks that give the same `color`, ordered by `key`, then by their rank here. A rank that gives a color below 0
  /// gets an empty communicator. Throws: `communication_error`. Wraps `MPI_Ibarrier`, `MPI_Comm_split`.
  [[nodiscard]] communicator split(int color, int key = 0,
                                   const source_location& where = source_location::current()) const {
    detail::communicator_state& in = this->alive(where);
    detail::meet(in, "split", where);
    MPI_Comm made = MPI_COMM_NULL;
    in.check(in.calls.comm_split(in.comm, color < 0 ? MPI_UNDEFINED : color, key, &made), "MPI_Comm_split", where);
    if (made == MPI_COMM_NULL) return communicator();
    return communicator(detail::make_state(in.calls, in.library_refuses, made, in.options, where));
  }
  /// The ranks of this host. Throws: `communication_error`. Wraps `MPI_Ibarrier`, `MPI_Comm_split_type`.
  [[nodiscard]] communicator of_host(const source_location& where = source_location::current()) const {
    return communicator(detail::host_of(this->alive(where), where));
  }
  /// How a range reaches MPI in verbs that move elements, and why. Reductions of device memory are always staged, and so
  /// is a side with a row for each rank whose rows are longer than a part divided by the number of ranks.
  /// Throws: `logic_error` when empty; `unsupported_error` for `transport::direct` and memory of OpenCL.
  template <class Range>
  [[nodiscard]] transport_choice transport_of(Range&& range, const stream<Port>& in,
                                              const source_location& where = source_location::current()) const {
    return detail::choose_transport(this->alive(where), in.context_of().port(where),
                                    yoke::detail::message_of<Port>(range, where), where);
  }

  using communicator_base::all_gather;
  using communicator_base::all_reduce;
  using communicator_base::barrier;
  using communicator_base::broadcast;

  /// Returns when all ranks have called it, each after its stream's commands so far are done.
  void barrier(const stream<Port>& in, const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, detail::start_barrier(state, begun::order_of(state, in, where), where), where);
  }
  /// Waits until the stream's commands so far are done, and drives operations in flight meanwhile.
  void wait(const stream<Port>& in, const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, std::make_unique<detail::stream_wait>(begun::order_of(state, in, where)), where);
  }

  /// Reduces the ranks' ranges element by element; all ranks get the result, in place. Operators are `yoke::summed`,
  /// `multiplied`, `smallest`, `largest`, `averaged`, and function objects without state whose order does not matter.
  /// Wraps `MPI_Iallreduce`.
  template <class Range, class Op>
  void all_reduce(Range&& range, const Op& op, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (reduced<Range, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::all_reduce(state, range, op, in, where), where);
    }
  }
  template <class Range, class Op>
  [[nodiscard]] request<Port> all_reduce_async(Range&& range, const Op& op, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (reduced<Range, Op>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::all_reduce(state, range, op, in, where), in, where);
    }
    return {};
  }

  /// The same for a value on the device, in its own stream. Returns: the value.
  /// Example: `const float norm = std::sqrt(world.all_reduce(yoke::dot(a, a), yoke::summed).get());`
  template <class T, class Op>
  [[nodiscard]] device_value<T, Port> all_reduce(device_value<T, Port> x, const Op& op,
                                                 const source_location& where = source_location::current()) const {
    all_reduce(x, op, x.array().stream(where), where);
    return x;
  }
  /// The same from one range into another. Wraps `MPI_Iallreduce`.
  template <class From, class Into, class Op>
  void all_reduce(From&& from, Into&& into, const Op& op, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::all_reduce(state, from, into, op, in, where), where);
    }
  }
  template <class From, class Into, class Op>
  [[nodiscard]] request<Port> all_reduce_async(From&& from, Into&& into, const Op& op, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::all_reduce(state, from, into, op, in, where), in, where);
    }
    return {};
  }

  /// Reduces the ranks' ranges into the range `into` of the rank `root`; the other ranks' `into` is not used, and may be empty.
  /// Wraps `MPI_Ireduce`.
  template <class From, class Into, class Op>
  void reduce(From&& from, Into&& into, const Op& op, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::reduce(state, from, into, op, root, in, where), where);
    }
  }
  template <class From, class Into, class Op>
  [[nodiscard]] request<Port> reduce_async(From&& from, Into&& into, const Op& op, int root, const stream<Port>& in,
                                           const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::reduce(state, from, into, op, root, in, where), in, where);
    }
    return {};
  }

  /// Reduces the ranks' ranges `all`, of which each rank gets its part: `all` has `size()` times as many elements as
  /// `mine`. Wraps `MPI_Ireduce_scatter_block`.
  template <class All, class Mine, class Op>
  void reduce_scatter(All&& all, Mine&& mine, const Op& op, const stream<Port>& in,
                      const source_location& where = source_location::current()) const {
    if constexpr (reduced<All, Mine, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::reduce_scatter(state, all, mine, op, in, where), where);
    }
  }
  template <class All, class Mine, class Op>
  [[nodiscard]] request<Port> reduce_scatter_async(All&& all, Mine&& mine, const Op& op, const stream<Port>& in,
                                                   const source_location& where = source_location::current()) const {
    if constexpr (reduced<All, Mine, Op>() && detail::check_stays<All>() && detail::check_stays<Mine>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::reduce_scatter(state, all, mine, op, in, where), in, where);
    }
    return {};
  }

  /// Sends the range of the rank `root` to all others, which give a range of the same size. Wraps `MPI_Ibcast`.
  template <class Range>
  void broadcast(Range&& range, int root, const stream<Port>& in,
                 const source_location& where = source_location::current()) const {
    if constexpr (written<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::broadcast(state, range, root, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> broadcast_async(Range&& range, int root, const stream<Port>& in,
                                              const source_location& where = source_location::current()) const {
    if constexpr (written<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::broadcast(state, range, root, in, where), in, where);
    }
    return {};
  }

  /// Gives all ranks the ranges `mine` of all ranks, in their order: `all` has `size()` times as many elements.
  /// Wraps `MPI_Iallgather`.
  template <class Mine, class All>
  void all_gather(Mine&& mine, All&& all, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::all_gather(state, mine, all, in, where), where);
    }
  }
  template <class Mine, class All>
  [[nodiscard]] request<Port> all_gather_async(Mine&& mine, All&& all, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>() && detail::check_stays<Mine>() && detail::check_stays<All>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::all_gather(state, mine, all, in, where), in, where);
    }
    return {};
  }

  /// The same for the rank `root` alone; the other ranks' `all` is not used, and may be empty. Wraps `MPI_Igather`.
  template <class Mine, class All>
  void gather(Mine&& mine, All&& all, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::gather(state, mine, all, root, in, where), where);
    }
  }
  template <class Mine, class All>
  [[nodiscard]] request<Port> gather_async(Mine&& mine, All&& all, int root, const stream<Port>& in,
                                           const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>() && detail::check_stays<Mine>() && detail::check_stays<All>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::gather(state, mine, all, root, in, where), in, where);
    }
    return {};
  }

  /// Gives each rank its part of the range `all` of the rank `root`; the other ranks' `all` is not used, and may be empty.
  /// Wraps `MPI_Iscatter`.
  template <class All, class Mine>
  void scatter(All&& all, Mine&& mine, int root, const stream<Port>& in,
               const source_location& where = source_location::current()) const {
    if constexpr (moved<All, Mine>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::scatter(state, all, mine, root, in, where), where);
    }
  }
  template <class All, class Mine>
  [[nodiscard]] request<Port> scatter_async(All&& all, Mine&& mine, int root, const stream<Port>& in,
                                            const source_location& where = source_location::current()) const {
    if constexpr (moved<All, Mine>() && detail::check_stays<All>() && detail::check_stays<Mine>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::scatter(state, all, mine, root, in, where), in, where);
    }
    return {};
  }

  /// Sends part `i` of `from` to the rank `i`, and puts what the rank `i` sends into part `i` of `into`.
  /// Wraps `MPI_Ialltoall`.
  template <class From, class Into>
  void all_to_all(From&& from, Into&& into, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (moved<From, Into>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::all_to_all(state, from, into, in, where), where);
    }
  }
  template <class From, class Into>
  [[nodiscard]] request<Port> all_to_all_async(From&& from, Into&& into, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (moved<From, Into>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::all_to_all(state, from, into, in, where), in, where);
    }
    return {};
  }

  /// Sends a range to the rank `to`, which receives as many elements. It may return before. Messages between two ranks
  /// meet in the order of the calls. Throws: also `logic_error` for a send to this rank itself, which would wait for
  /// ever. Wraps `MPI_Isend`.
  template <class Range>
  void send(Range&& from, int to, const stream<Port>& in,
            const source_location& where = source_location::current()) const {
    if constexpr (given<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::message(state, true, true, from, to, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> send_async(Range&& from, int to, const stream<Port>& in,
                                         const source_location& where = source_location::current()) const {
    if constexpr (given<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::message(state, true, false, from, to, in, where), in, where);
    }
    return {};
  }

  /// Receives a range from the rank `from`. Throws: also `communication_error` when that rank sends another number of
  /// elements, or a checked communicator elements of another type, and `logic_error` for this rank itself. Wraps
  /// `MPI_Irecv`.
  template <class Range>
  void receive(Range&& into, int from, const stream<Port>& in,
               const source_location& where = source_location::current()) const {
    if constexpr (written<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begun::message(state, false, true, into, from, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> receive_async(Range&& into, int from, const stream<Port>& in,
                                            const source_location& where = source_location::current()) const {
    if constexpr (written<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begun::message(state, false, false, into, from, in, where), in, where);
    }
    return {};
  }

  /// Runs the list's sends and receives together, so that they cannot wait for each other. Messages between two ranks meet
  /// in the order of the list. A rank may send to itself. Wraps `MPI_Isend`, `MPI_Irecv`.
  void run(const exchange<Port>& list, const stream<Port>& in,
           const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, begun::list(state, list, in, where), where);
  }
  [[nodiscard]] request<Port> run_async(const exchange<Port>& list, const stream<Port>& in,
                                        const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    return started(begun::list(state, list, in, where), in, where);
  }

 private:
  using begun = detail::begun_operations<Port>;
  using operation_pointer = std::unique_ptr<detail::operation>;
  explicit communicator(std::shared_ptr<detail::communicator_state> state) noexcept
      : communicator_base(std::move(state)) {}

  // What verbs take, asked at compile time.
  template <class Range>
  static consteval bool given() {
    return yoke::detail::check_message_range<const std::remove_reference_t<Range>, Port>();
  }
  template <class Range>
  static consteval bool written() {
    return yoke::detail::check_written_range<std::remove_reference_t<Range>, Port>();
  }
  template <class From, class Into>
  static consteval bool moved() {
    if constexpr (given<From>() && written<Into>()) {
      constexpr bool is_same = std::same_as<element<From>, element<Into>>;
      static_assert(is_same, "both ranges have to have elements of the same type");
      return is_same;
    } else {
      return false;
    }
  }
  template <class Range, class Op>
  static consteval bool reduced() {
    if constexpr (written<Range>()) {
      return detail::check_reduction<element<Range>, Op>();
    } else {
      return false;
    }
  }
  template <class From, class Into, class Op>
  static consteval bool reduced() {
    if constexpr (moved<From, Into>()) {
      return detail::check_reduction<element<From>, Op>();
    } else {
      return false;
    }
  }
  template <class Range>
  using element = yoke::detail::message_element<std::remove_reference_t<Range>>;

  [[nodiscard]] request<Port> started(operation_pointer of, const stream<Port>& in,
                                      const source_location& where) const {
    try {
      request<Port> made(this->state_, std::move(of), in, where);
      (void)made.is_done(where);  // begins what can begin
      return made;
    } catch (...) {
      this->state_->fail(std::move(of));  // one that no request has taken
      throw;
    }
  }
};
communicator(MPI_Comm) -> communicator<any_port>;
communicator(MPI_Comm, const communicator_options&) -> communicator<any_port>;

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif
