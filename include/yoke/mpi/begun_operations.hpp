// SPDX-License-Identifier: MIT
// Operations of MPI over a stream's memory, as the verbs of a communicator begin them.
#ifndef YOKE_MPI_BEGUN_OPERATIONS_HPP
#define YOKE_MPI_BEGUN_OPERATIONS_HPP

#include <yoke/distributed/exchange.hpp>
#include <yoke/mpi/collectives.hpp>
#include <yoke/mpi/messages.hpp>
#include <yoke/mpi/transport.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// Waits for what a stream has so far.
class stream_wait final : public operation {
 public:
  explicit stream_wait(std::unique_ptr<memory_order> order) noexcept : order_(std::move(order)) {}
  [[nodiscard]] progress advance(communicator_state&, const source_location& where) override {
    return order_->has_passed(where) ? progress::done : progress::idle;
  }
  [[nodiscard]] bool has_started() const noexcept override { return true; }
  [[nodiscard]] bool stop(communicator_state&, bool) noexcept override { return true; }
  [[nodiscard]] bool is_settled(communicator_state&) noexcept override { return true; }
  [[nodiscard]] std::string words() const override { return "the work of a stream"; }

 private:
  std::unique_ptr<memory_order> order_;
};

/// Makes operations of a port's streams and memory. Each throws as the verb of its name.
template <class Port>
struct begun_operations {
  using operation_pointer = std::unique_ptr<operation>;
  template <class Range>
  using element = yoke::detail::message_element<std::remove_reference_t<Range>>;

  /// Returns: the order of a stream's memory, with its context's blocks.
  [[nodiscard]] static std::unique_ptr<stream_order<Port>> order_of(communicator_state& state, const stream<Port>& in,
                                                                    const source_location& where) {
    if (!in) [[unlikely]]
      yoke::detail::throw_empty_handle("stream", where);
    return std::make_unique<stream_order<Port>>(in, state.stage_of(in.context_of(), where), where);
  }
  [[nodiscard]] static std::unique_ptr<region> region_of(const communicator_state& state,
                                                         yoke::detail::message_range<Port> range, region_use use,
                                                         bool calculates, const stream_order<Port>& order,
                                                         const source_location& where) {
    const Port& port = order.stream_of().context_of().port(where);
    std::byte* direct = nullptr;
    if (!calculates && range.bytes != 0 && range.host == nullptr &&
        choose_transport(state, port, range, where).chosen == transport::direct) {
      direct = device_address(port, range);
    }
    auto made = std::make_unique<device_region<Port>>(std::move(range), use, order.stream_of(), where);
    if (direct != nullptr) made->address = direct;
    return made;
  }
  /// The use of a side: `calculates` for reductions, which MPI makes of the host's memory.
  struct side_use {
    region_use use;
    bool calculates = false;
  };
  template <class Range>
  [[nodiscard]] static side_facts side_of(const communicator_state& state, Range& range, side_use as,
                                          const stream_order<Port>& order, const source_location& where) {
    auto message = yoke::detail::message_of<Port>(range, where);
    side_facts made{nullptr, message.count(), message.element, message.type};
    if (message.host != nullptr) {
      made.place = 1;
      made.first = reinterpret_cast<std::uintptr_t>(message.host);
    } else if (!message.packing) {
      const std::uint64_t number = yoke::detail::native_value(message.memory);
      const bool is_address = yoke::detail::memory_is_address(order.stream_of().context_of().port(where));
      made.place = is_address ? 2 : number;
      made.first = message.first + (is_address ? number : 0);
    }
    made.memory = region_of(state, std::move(message), as.use, as.calculates, order, where);
    return made;
  }
  static constexpr side_use reads{region_use::reads, false}, writes{region_use::writes, false};
  static constexpr side_use reduces_from{region_use::reads, true}, reduces_into{region_use::writes, true},
      reduces_in_place{region_use::both, true};

  template <class Range, class Op>
  static operation_pointer all_reduce(communicator_state& state, Range& range, const Op&, const stream<Port>& in,
                                      const source_location& where) {
    auto order = order_of(state, in, where);
    auto side = side_of(state, range, reduces_in_place, *order, where);
    return start_all_reduce(state, std::move(order), {}, std::move(side),
                            reduction_of<element<Range>, Op>(state, where), where);
  }
  template <class From, class Into, class Op>
  static operation_pointer all_reduce(communicator_state& state, From& from, Into& into, const Op&,
                                      const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reduces_from, *order, where);
    auto get = side_of(state, into, reduces_into, *order, where);
    return start_all_reduce(state, std::move(order), std::move(give), std::move(get),
                            reduction_of<element<From>, Op>(state, where), where);
  }
  template <class From, class Into, class Op>
  static operation_pointer reduce(communicator_state& state, From& from, Into& into, const Op&, int root,
                                  const stream<Port>& in, const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reduces_from, *order, where);
    side_facts get;
    if (state.rank == root) get = side_of(state, into, reduces_into, *order, where);
    return start_reduce(state, std::move(order), std::move(give), std::move(get),
                        reduction_of<element<From>, Op>(state, where), root, where);
  }
  template <class All, class Mine, class Op>
  static operation_pointer reduce_scatter(communicator_state& state, All& all, Mine& mine, const Op&,
                                          const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, all, reduces_from, *order, where);
    auto get = side_of(state, mine, reduces_into, *order, where);
    return start_reduce_scatter(state, std::move(order), std::move(give), std::move(get),
                                reduction_of<element<All>, Op>(state, where), where);
  }
  template <class Range>
  static operation_pointer broadcast(communicator_state& state, Range& range, int root, const stream<Port>& in,
                                     const source_location& where) {
    auto order = order_of(state, in, where);
    auto side = side_of(state, range, state.rank == root ? reads : writes, *order, where);
    return start_broadcast(state, std::move(order), std::move(side), root, where);
  }
  template <class Mine, class All>
  static operation_pointer all_gather(communicator_state& state, Mine& mine, All& all, const stream<Port>& in,
                                      const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, mine, reads, *order, where);
    auto get = side_of(state, all, writes, *order, where);
    return start_all_gather(state, std::move(order), std::move(give), std::move(get), where);
  }
  template <class Mine, class All>
  static operation_pointer gather(communicator_state& state, Mine& mine, All& all, int root, const stream<Port>& in,
                                  const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    auto give = side_of(state, mine, reads, *order, where);
    side_facts get;
    if (state.rank == root) get = side_of(state, all, writes, *order, where);
    return start_gather(state, std::move(order), std::move(give), std::move(get), root, where);
  }
  template <class All, class Mine>
  static operation_pointer scatter(communicator_state& state, All& all, Mine& mine, int root, const stream<Port>& in,
                                   const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    side_facts give;
    if (state.rank == root) give = side_of(state, all, reads, *order, where);
    auto get = side_of(state, mine, writes, *order, where);
    return start_scatter(state, std::move(order), std::move(give), std::move(get), root, where);
  }
  template <class From, class Into>
  static operation_pointer all_to_all(communicator_state& state, From& from, Into& into, const stream<Port>& in,
                                      const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reads, *order, where);
    auto get = side_of(state, into, writes, *order, where);
    return start_all_to_all(state, std::move(order), std::move(give), std::move(get), where);
  }
  template <class Range>
  static operation_pointer message(communicator_state& state, bool sends, bool waits, Range& range, int peer,
                                   const stream<Port>& in, const source_location& where) {
    state.check_rank(peer, sends ? "the receiving rank" : "the sending rank", where);
    if (waits && peer == state.rank) [[unlikely]] {
      yoke::detail::throw_error(errc::invalid_argument, where, "rank ", peer, " cannot ",
                                sends ? "send to" : "receive from", " itself and wait for it: use a list of both");
    }
    auto order = order_of(state, in, where);
    auto of = yoke::detail::message_of<Port>(range, where);
    const std::size_t size = of.element;
    const char* const type = of.type;
    auto memory = region_of(state, std::move(of), sends ? region_use::reads : region_use::writes, false, *order, where);
    auto made = std::make_unique<message_operation>(std::move(order));
    made->add(state, sends, peer, std::move(memory), where, size, type);
    return made;
  }
  static operation_pointer list(communicator_state& state, const exchange<Port>& list, const stream<Port>& in,
                                const source_location& where) {
    for (const auto& each : list.messages()) {
      state.check_rank(each.peer, each.sends ? "the receiving rank" : "the sending rank", each.where);
    }
    auto order = order_of(state, in, where);
    const stream_order<Port>& of = *order;
    std::vector<std::unique_ptr<region>> memory;
    memory.reserve(list.size());
    for (const auto& each : list.messages()) {
      memory.push_back(
          region_of(state, each.range, each.sends ? region_use::reads : region_use::writes, false, of, each.where));
    }
    // The tags are counted when nothing more can fail.
    auto made = std::make_unique<message_operation>(std::move(order));
    std::size_t number = 0;
    for (const auto& each : list.messages()) {
      made->add(state, each.sends, each.peer, std::move(memory[number++]), each.where, each.range.element,
                each.range.type);
    }
    return made;
  }
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

#endif
