// SPDX-License-Identifier: MIT
// The concept of communicators, so that code over ranks is written once for every transport.
#ifndef YOKE_DISTRIBUTED_COMMUNICATOR_HPP
#define YOKE_DISTRIBUTED_COMMUNICATOR_HPP

#include <yoke/distributed/exchange.hpp>
#include <yoke/distributed/operators.hpp>

#include <concepts>

namespace yoke::inline v0_1 {

/// A group of `size()` ranks, of which this is number `rank()`. Its verbs take ranges of device memory and a stream:
/// when a verb returns, later commands of that stream see its result. All ranks call the same verbs in the same order.
///
/// `enqueues` says whether verbs only enqueue work (NCCL) or the host takes part in them (MPI, ranks as threads).
/// Each verb takes the caller's place as its last argument.
/// `run` runs a list of sends and receives; `run_async` starts it and returns a request, whose `finish(stream)` lets
/// later commands of the stream see its result. `barrier` returns when all ranks have called it, and lets later commands
/// of the stream wait for earlier ones of all ranks' streams. `wait` waits for the stream, and throws when a rank is
/// lost or the deadline passes.
template <class C>
concept communicator = requires(C& comm, const C& asked, const stream<typename C::port_type>& in,
                                const exchange<typename C::port_type>& list, const source_location& where) {
  { asked.rank() } -> std::same_as<int>;
  { asked.size() } -> std::same_as<int>;
  { C::enqueues } -> std::convertible_to<bool>;
  comm.run(list, in, where);
  { comm.run_async(list, in, where) } -> std::default_initializable;
  comm.run_async(list, in).finish(in, where);
  comm.barrier(in, where);
  comm.wait(in, where);
};

/// A communicator that moves elements of type `T` between ranks.
template <class C, class T>
concept moves = communicator<C> &&
                requires(C& comm, const device_span<const T, typename C::port_type>& from,
                         const device_span<T, typename C::port_type>& into, const stream<typename C::port_type>& in) {
                  comm.send(from, 0, in);
                  comm.receive(into, 0, in);
                  comm.broadcast(into, 0, in);
                  comm.all_gather(from, into, in);
                  comm.gather(from, into, 0, in);
                  comm.scatter(from, into, 0, in);
                  comm.all_to_all(from, into, in);
                };

/// A communicator that reduces elements of type `T` by the operator `Op`.
template <class C, class T, class Op = summed_t>
concept reduces = communicator<C> && requires(C& comm, const device_span<const T, typename C::port_type>& from,
                                              const device_span<T, typename C::port_type>& into, const Op& by,
                                              const stream<typename C::port_type>& in) {
  comm.all_reduce(into, by, in);
  comm.all_reduce(from, into, by, in);
  comm.reduce(from, into, by, 0, in);
  comm.reduce_scatter(from, into, by, in);
};

}  // namespace yoke::inline v0_1

#endif
