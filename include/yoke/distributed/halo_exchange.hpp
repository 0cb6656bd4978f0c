// SPDX-License-Identifier: MIT
// Fills the halos of ranks' arrays with the elements of their neighbours.
#ifndef YOKE_DISTRIBUTED_HALO_EXCHANGE_HPP
#define YOKE_DISTRIBUTED_HALO_EXCHANGE_HPP

#include <yoke/distributed/array_partition.hpp>
#include <yoke/distributed/communicator.hpp>

#include <exception>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {
[[noreturn, gnu::cold]] YOKE_API void throw_halo_shape(const std::size_t* given, const std::size_t* expected,
                                                       std::size_t rank, int of, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_halo_ranks(int ranks, int size, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_halo_started(const source_location& where);

/// A face of an array: its elements travel in a block, from a byte on.
template <class Port>
struct halo_face {
  shared<const packed_memory<Port>> elements{};
  std::size_t first = 0;
  std::size_t bytes = 0;
};

/// The blocks and messages of a halo exchange. One message goes to each neighbour.
template <class Communicator>
class halo_state {
 public:
  using port = typename Communicator::port_type;
  using request = std::remove_cvref_t<decltype(std::declval<Communicator&>().run_async(
      std::declval<const exchange<port>&>(), std::declval<const stream<port>&>()))>;

  halo_state(Communicator& comm, const stream<port>& of, const source_location& where)
      : comm_(&comm), side_(of.context_of(), of.device_of(where), {}, where) {}
  halo_state(const halo_state&) = delete;
  halo_state& operator=(const halo_state&) = delete;
  ~halo_state() = default;

  /// Effects: adds a face of the message to a rank, or from it. Messages are in the order of their first faces.
  void add(bool sends, int peer, const shared<const packed_memory<port>>& elements, std::size_t bytes) {
    auto& messages = sends ? sent_ : received_;
    std::size_t k = 0;
    while (k < messages.size() && messages[k].peer != peer) ++k;
    if (k == messages.size()) messages.push_back({peer, 0, {}});
    message& to = messages[k];
    to.faces.push_back({elements, to.bytes, bytes});
    to.bytes += (bytes + 15) / 16 * 16;  // elements of any type stay aligned
  }
  /// Effects: allocates the blocks and makes the list.
  void prepare(const source_location& where) {
    const auto place = [&](std::vector<message>& messages) {
      std::size_t first = 0;
      for (message& each : messages) {
        each.first = first;
        first += (each.bytes + 255) / 256 * 256;
      }
      return device_allocation<std::byte, port>(side_.context_of(), first, where);
    };
    sent_block_ = place(sent_);
    received_block_ = place(received_);
    for (const message& each : sent_) list_.send(block_of(sent_block_, each.first, each.bytes), each.peer, where);
    for (const message& each : received_) {
      list_.receive(block_of(received_block_, each.first, each.bytes), each.peer, where);
    }
  }
  void start(const stream<port>& in, const source_location& where) {
    if (is_moving_) throw_halo_started(where);
    if (sent_free_) in.wait(sent_free_, where);
    move(sent_block_, sent_, in, true, where);
    side_.wait(in.record({}, where), where);
    if (received_free_) side_.wait(received_free_, where);
    request_ = comm_->run_async(list_, side_, where);
    is_moving_ = true;
  }
  void finish(const stream<port>& in, const source_location& where) {
    if (!std::exchange(is_moving_, false)) return;
    request ended = std::move(request_);
    ended.finish(side_, where);
    sent_free_ = side_.record({}, where);
    in.wait(sent_free_, where);
    move(received_block_, received_, in, false, where);
    received_free_ = in.record({}, where);
  }
  /// Effects: gives up an exchange while an exception passes. What is still on its way keeps the block that is sent.
  void drop() noexcept {
    if (!std::exchange(is_moving_, false)) return;
    request_ = request();
    try {
      sent_free_ = side_.record({});
    } catch (...) {  // the exception that passes is thrown
    }
  }

 private:
  struct message {
    int peer = 0;
    std::size_t bytes = 0;
    std::vector<halo_face<port>> faces;
    std::size_t first = 0;
  };
  [[nodiscard]] static device_span<std::byte, port> block_of(const device_allocation<std::byte, port>& block,
                                                             std::size_t first, std::size_t bytes) {
    return {block.context_of().native_handle(), block.native_handle(), first, bytes};
  }
  void move(const device_allocation<std::byte, port>& block, const std::vector<message>& messages,
            const stream<port>& in, bool packs, const source_location& where) const {
    for (const message& each : messages) {
      for (const halo_face<port>& face : each.faces) {
        const auto memory = block_of(block, each.first + face.first, face.bytes);
        packs ? face.elements->pack(in, memory, where) : face.elements->unpack(in, memory, where);
      }
    }
  }

  Communicator* comm_;
  stream<port> side_;  // of the messages, beside the program's own work
  device_allocation<std::byte, port> sent_block_;
  device_allocation<std::byte, port> received_block_;
  std::vector<message> sent_;
  std::vector<message> received_;
  exchange<port> list_;
  event<port> sent_free_;      // behind the last messages: the block of the next ones may be written
  event<port> received_free_;  // behind the last copies out of the block
  request request_{};
  bool is_moving_ = false;
};
}  // namespace detail

/// Halos on their way. Its destructor finishes them in the stream that started them. Move-only.
/// Thread safety: one thread at a time.
template <class Communicator>
class [[nodiscard]] halo_transfer {
  using port = typename Communicator::port_type;

 public:
  halo_transfer(detail::shared<detail::halo_state<Communicator>> of, stream<port> in) noexcept
      : of_(std::move(of)), in_(std::move(in)), exceptions_(std::uncaught_exceptions()) {}
  halo_transfer(halo_transfer&& other) noexcept
      : of_(std::move(other.of_)), in_(std::move(other.in_)), exceptions_(std::uncaught_exceptions()) {}
  halo_transfer& operator=(halo_transfer&&) = delete;
  ~halo_transfer() {
    if (!of_) return;
    if (std::uncaught_exceptions() > exceptions_) {
      of_->drop();
      return;
    }
    try {
      of_->finish(in_, source_location{});
    } catch (const error& failure) {
      detail::report_cleanup_failure(failure.code(), failure.call(), failure.what());
    } catch (...) {
      detail::report_cleanup_exception("halo exchange");
    }
  }
  /// Receives: later commands of the stream see the neighbours' elements in the halos. Finishing again does nothing.
  /// Throws: as `exchange`s of the communicator; `error`.
  void finish(const stream<port>& in, const source_location& where = source_location::current()) {
    const auto of = std::move(of_);
    if (of) of->finish(in, where);
  }

 private:
  detail::shared<detail::halo_state<Communicator>> of_;
  stream<port> in_;
  int exceptions_;
};

/// Fills the halos of a rank's arrays with the neighbours' elements, over any communicator. It is made once, with its
/// blocks and messages, and used at each step.
///
/// `start` packs the elements at the block's edges behind the work that the stream has so far, into one message for each
/// neighbour. Meanwhile the stream may work on what needs no halo, and may write any element of the arrays. `finish`
/// receives. Later commands of its stream see the halos. All ranks start and finish in the same order.
/// Requires: the communicator outlives this. The arrays are not empty; their memory lives as long as this.
/// Thread safety: one thread at a time.
/// Example: `auto moving = halo.start(s); next_inside(u); moving.finish(s); next_edges(u);`
template <class Communicator>
class halo_exchange {
 public:
  using port_type = typename Communicator::port_type;

  /// Exchanges the halos of one array or several, which have the partition's shape for this rank.
  /// Throws: `logic_error` for other shapes, and for a partition among another number of ranks; `error`.
  template <std::size_t Rank, class T>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, device_array<T, Rank, port_type>& of,
                const source_location& where = source_location::current())
      : halo_exchange(comm, grid, where, of) {}
  template <std::size_t Rank, class T, class... More>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, device_array<T, Rank, port_type>& first,
                device_array<More, Rank, port_type>&... more)
      : halo_exchange(comm, grid, source_location{}, first, more...) {}
  /// The same; errors name the given place. For several arrays they name none without it.
  template <std::size_t Rank, class T, class... More>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, const source_location& where,
                device_array<T, Rank, port_type>& first, device_array<More, Rank, port_type>&... more)
      : state_(detail::make_shared<detail::halo_state<Communicator>>(comm, first.stream(where), where)) {
    if (grid.ranks() != comm.size()) detail::throw_halo_ranks(grid.ranks(), comm.size(), where);
    (check(grid, comm.rank(), first, where), ..., check(grid, comm.rank(), more, where));
    // The sender and the receiver of a message go through its faces in the same order: that of the sender's directions.
    for (int number = 0; number < array_partition<Rank>::directions; ++number) {
      const auto towards = array_partition<Rank>::direction(number);
      if (!grid.is_exchanged(towards)) continue;
      if (const auto peer = grid.neighbour(comm.rank(), towards, where)) {
        const index_box<Rank> box = grid.sent(comm.rank(), towards, where);
        add(true, *peer, box, first, where);
        (add(true, *peer, box, more, where), ...);
      }
      const auto from = array_partition<Rank>::direction(array_partition<Rank>::directions - 1 - number);
      if (const auto peer = grid.neighbour(comm.rank(), from, where)) {
        const index_box<Rank> box = grid.received(comm.rank(), from, where);
        add(false, *peer, box, first, where);
        (add(false, *peer, box, more, where), ...);
      }
    }
    state_->prepare(where);
  }

  /// Packs and sends. Returns: the halos on their way.
  /// Throws: `logic_error` if the last ones are not finished; as exchanges of the communicator.
  halo_transfer<Communicator> start(const stream<port_type>& in,
                                    const source_location& where = source_location::current()) {
    stream<port_type> kept = in.another(where);
    state_->start(in, where);
    return {state_, std::move(kept)};
  }
  /// Starts and finishes at once.
  void run(const stream<port_type>& in, const source_location& where = source_location::current()) {
    start(in, where).finish(in, where);
  }

 private:
  template <std::size_t Rank, class T>
  static void check(const array_partition<Rank>& grid, int rank, const device_array<T, Rank, port_type>& of,
                    const source_location& where) {
    (void)of.stream(where);
    const shape<Rank> expected = grid.shape_with_halo(rank, where);
    if (of.layout().shape().extents() == expected.extents()) return;
    detail::throw_halo_shape(of.layout().shape().begin(), expected.begin(), Rank, rank, where);
  }
  template <std::size_t Rank, class T>
  void add(bool sends, int peer, const index_box<Rank>& box, device_array<T, Rank, port_type>& of,
           const source_location& where) {
    if (box.empty()) return;
    const auto face = box(of.view(where), where);
    state_->add(sends, peer, detail::make_shared<const detail::packed_view<T, Rank, port_type>>(face),
                box.size() * sizeof(T));
  }

  detail::shared<detail::halo_state<Communicator>> state_;
};

/// Copies the blocks of all ranks to an array of the rank `root`, which is not used on other ranks. `mine` is a rank's
/// array with its halo. Returns when later commands of the stream see the result.
/// Throws: `logic_error` for other shapes than the partition's; as exchanges of the communicator.
template <class Communicator, std::size_t Rank, class Mine, class All>
void gather_blocks(Communicator& comm, const array_partition<Rank>& grid, const Mine& mine, All&& all, int root,
                   const stream<typename Communicator::port_type>& in,
                   const source_location& where = source_location::current()) {
  exchange<typename Communicator::port_type> list;
  list.send(grid.own(comm.rank(), where)(mine, where), root, where);
  if (comm.rank() == root) {
    for (int rank = 0; rank < comm.size(); ++rank) list.receive(grid.block(rank, where)(all, where), rank, where);
  }
  comm.run(list, in, where);
}
/// Copies to each rank its block of an array of the rank `root`, which is not used on other ranks. `mine` is a rank's
/// array with its halo, which keeps its elements. Throws: as above.
template <class Communicator, std::size_t Rank, class All, class Mine>
void scatter_blocks(Communicator& comm, const array_partition<Rank>& grid, const All& all, Mine&& mine, int root,
                    const stream<typename Communicator::port_type>& in,
                    const source_location& where = source_location::current()) {
  exchange<typename Communicator::port_type> list;
  list.receive(grid.own(comm.rank(), where)(mine, where), root, where);
  if (comm.rank() == root) {
    for (int rank = 0; rank < comm.size(); ++rank) list.send(grid.block(rank, where)(all, where), rank, where);
  }
  comm.run(list, in, where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/halo_exchange.ipp>
#endif

#endif
