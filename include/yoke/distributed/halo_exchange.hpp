// SPDX-License-Identifier: MIT
// Fills the halos of ranks' arrays with the elements of their neighbours.
#ifndef YOKE_DISTRIBUTED_HALO_EXCHANGE_HPP
#define YOKE_DISTRIBUTED_HALO_EXCHANGE_HPP

#include <yoke/distributed/array_partition.hpp>
#include <yoke/distributed/communicator.hpp>
#include <yoke/distributed/rank_check.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <exception>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {
/// Throws: `logic_error` for an array of another shape than a partition has for it. `what`: "halo_exchange"; `of`: the
/// rank, or -1 for the whole array.
[[noreturn, gnu::cold]] YOKE_API void throw_part_shape(const char* what, const std::size_t* given,
                                                       const std::size_t* expected, std::size_t rank, int of,
                                                       const source_location& where);
/// Throws: `logic_error` unless the partition is among as many ranks as the communicator has.
YOKE_API void check_partition_ranks(const char* what, int ranks, int size, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_halo_started(const source_location& where);

/// A rank's exchange of halos as it is told to the other ranks.
struct halo_record {
  std::uint64_t number = 0;  // of all words, also of those that are cut off
  char words[504] = "";
};
/// Returns: the record of a partition and of the arrays' types. `rings`: a bool for each axis.
[[nodiscard]] YOKE_API halo_record record_of_halos(const std::string& types, const std::size_t* shape,
                                                   const std::size_t* blocks, const std::size_t* halo,
                                                   const bool* rings, bool corners, std::size_t rank,
                                                   const source_location& where);
/// Throws: `communication_error` (`errc::mismatched_ranks`) with both sides' words unless all records are alike.
YOKE_API void check_halo_records(int rank, std::span<const halo_record> all, const source_location& where);
/// Effects: adds the name of a type, as a rank tells it to the others.
YOKE_API void add_halo_type(std::string& to, const char* name, std::size_t bytes);

template <class Array, std::size_t Rank>
void check_part_shape(const char* what, const Array& of, const shape<Rank>& expected, int rank,
                      const source_location& where) {
  const auto& given = of.layout().shape();
  static_assert(std::remove_cvref_t<decltype(given)>::rank() == Rank, "the array has another rank than the partition");
  if (given == expected) return;
  throw_part_shape(what, given.begin(), expected.begin(), Rank, rank, where);
}

/// A face of an array: its elements travel in a block, from a byte on.
template <class Port>
struct halo_face {
  shared<const packed_memory<Port>> elements{};
  std::size_t first = 0;
  std::size_t bytes = 0;
};
/// The faces that travel between two ranks, in a block from a byte on.
template <class Port>
struct halo_message {
  int peer = 0;
  std::size_t bytes = 0;
  std::vector<halo_face<Port>> faces{};
  std::size_t first = 0;
};

/// The messages that a rank sends or receives, one for each neighbour, and the block that they travel in.
template <class Port>
class halo_block {
 public:
  /// Effects: adds a face to the message of a neighbour. Messages are in the order of their first faces.
  void add(int peer, const shared<const packed_memory<Port>>& elements, std::size_t bytes) {
    std::size_t k = 0;
    while (k < messages_.size() && messages_[k].peer != peer) ++k;
    if (k == messages_.size()) messages_.push_back({peer, 0, {}});
    halo_message<Port>& to = messages_[k];
    to.faces.push_back({elements, to.bytes, bytes});
    to.bytes += (bytes + 15) / 16 * 16;  // elements of any type stay aligned
  }
  void allocate(const context<Port>& in, const source_location& where) {
    std::size_t size = 0;
    for (halo_message<Port>& each : messages_) {
      each.first = size;
      size += (each.bytes + 255) / 256 * 256;
    }
    memory_ = device_allocation<std::byte, Port>(in, size, where);
  }
  [[nodiscard]] const std::vector<halo_message<Port>>& messages() const noexcept { return messages_; }
  [[nodiscard]] device_span<std::byte, Port> memory_of(const halo_message<Port>& message) const {
    return {memory_.context_of().native_handle(), memory_.native_handle(), message.first, message.bytes};
  }
  /// Returns: the memory of the message of a neighbour. Requires: it is one.
  [[nodiscard]] device_span<std::byte, Port> memory_from(int peer) const {
    std::size_t k = 0;
    while (messages_[k].peer != peer) ++k;
    return memory_of(messages_[k]);
  }
  /// Effects: enqueues copies of the faces of a message to memory.
  void pack(const halo_message<Port>& message, const device_span<std::byte, Port>& to, const stream<Port>& in,
            const source_location& where) const {
    for (const halo_face<Port>& face : message.faces) face.elements->pack(in, part(to, face), where);
  }
  /// Effects: enqueues copies of all faces to the block.
  void pack(const stream<Port>& in, const source_location& where) const {
    for (const halo_message<Port>& each : messages_) pack(each, memory_of(each), in, where);
  }
  /// Effects: enqueues copies of the block to all faces.
  void unpack(const stream<Port>& in, const source_location& where) const {
    for (const halo_message<Port>& each : messages_) {
      for (const halo_face<Port>& face : each.faces) face.elements->unpack(in, part(memory_of(each), face), where);
    }
  }

  [[nodiscard]] device_allocation<std::byte, Port> take_memory() noexcept { return std::move(memory_); }
  /// Returns: a block of the same messages.
  [[nodiscard]] halo_block twin(const source_location& where) const {
    halo_block made;
    made.messages_ = messages_;
    made.allocate(memory_.context_of(), where);
    return made;
  }

 private:
  [[nodiscard]] static device_span<std::byte, Port> part(const device_span<std::byte, Port>& of,
                                                         const halo_face<Port>& face) {
    return {of.native_context(), of.native_handle(), of.offset() + face.first, face.bytes};
  }
  std::vector<halo_message<Port>> messages_{};
  device_allocation<std::byte, Port> memory_{};
};

/// The blocks of a rank.
template <class Port>
class halo_blocks {
 public:
  template <std::size_t Rank, class... Arrays>
  halo_blocks(const array_partition<Rank>& grid, int rank, const context<Port>& in, const source_location& where,
              Arrays&... of) {
    (check(grid, rank, of, where), ...);
    // The sender and the receiver of a message go through its faces in the same order: that of the sender's directions.
    for (int number = 0; number < array_partition<Rank>::directions; ++number) {
      const auto towards = array_partition<Rank>::direction(number);
      if (!grid.is_exchanged(towards)) continue;
      if (const auto peer = grid.neighbour(rank, towards, where)) {
        (add(sent_, *peer, grid.sent(rank, towards, where), of, where), ...);
      }
      const auto from = array_partition<Rank>::direction(array_partition<Rank>::directions - 1 - number);
      if (const auto peer = grid.neighbour(rank, from, where)) {
        (add(received_, *peer, grid.received(rank, from, where), of, where), ...);
      }
    }
    sent_.allocate(in, where);
    received_.allocate(in, where);
  }

  [[nodiscard]] const halo_block<Port>& sent() const noexcept { return sent_; }
  [[nodiscard]] const halo_block<Port>& received() const noexcept { return received_; }
  /// Returns: the memory of both blocks, which then are of no use.
  [[nodiscard]] std::array<device_allocation<std::byte, Port>, 2> take_memory() noexcept {
    return {sent_.take_memory(), received_.take_memory()};
  }
  /// Effects: adds the messages to a rank's list.
  void list(exchange<Port>& to, const source_location& where) const {
    for (const auto& each : sent_.messages()) to.send(sent_.memory_of(each), each.peer, where);
    for (const auto& each : received_.messages()) to.receive(received_.memory_of(each), each.peer, where);
  }
  /// Effects: packs in `in`, behind its work and the last use of the blocks.
  void pack(const stream<Port>& in, const source_location& where) const {
    if (is_free) in.wait(is_free, where);
    sent_.pack(in, where);
  }
  /// Effects: fills the halos in `in`, behind the messages.
  void unpack(const stream<Port>& in, const source_location& where) {
    received_.unpack(in, where);
    is_free = in.record({}, where);
  }
  /// Effects: gives up messages, whose last commands are in `in`, while an exception passes.
  void drop(const stream<Port>& in) noexcept {
    try {
      is_free = in.record({});
    } catch (...) {  // the exception that passes is thrown
    }
  }

  /// Effects: messages are received in two blocks by turns. A sender does not wait then until the last ones are read.
  void take_turns(const source_location& where) { next_.block = received_.twin(where); }
  /// Effects: messages are received in the other block from now on.
  void turn() noexcept {
    std::swap(received_, next_.block);
    std::swap(is_free, next_.is_free);
  }

  event<Port> is_free{};  ///< behind the last commands that use the blocks

 private:
  template <std::size_t Rank, class T>
  static void check(const array_partition<Rank>& grid, int rank, const device_array<T, Rank, Port>& of,
                    const source_location& where) {
    (void)of.stream(where);
    check_part_shape("halo_exchange", of, grid.shape_with_halo(rank, where), rank, where);
  }
  template <std::size_t Rank, class T>
  static void add(halo_block<Port>& to, int peer, const index_box<Rank>& box, device_array<T, Rank, Port>& of,
                  const source_location& where) {
    if (box.empty()) return;
    const auto face = box(of.view(where), where);
    to.add(peer, detail::make_shared<const packed_view<T, Rank, Port>>(face), box.size() * sizeof(T));
  }

  struct other_block {
    halo_block<Port> block;
    event<Port> is_free{};
  };
  halo_block<Port> sent_;
  halo_block<Port> received_;
  other_block next_{};
};

/// What an exchange of halos over a communicator holds. A clique's header specialises it: its order of work is a stream
/// of each rank.
template <class Communicator>
class halo_state {
 public:
  static_assert(communicator<Communicator>,
                "halos are exchanged over communicators, and over cliques by <yoke/nccl.hpp>");
  using port = typename Communicator::port_type;
  using order = stream<port>;
  using request = std::remove_cvref_t<decltype(std::declval<Communicator&>().run_async(
      std::declval<const exchange<port>&>(), std::declval<const stream<port>&>()))>;
  /// Whether a copy of the communicator keeps what it is, and memory that its work in flight uses.
  static constexpr bool is_shared =
      requires(Communicator& of, kept_alive (*blocks)()) { of.shared()->keep_while_busy(blocks); };

  template <std::size_t Rank, class First, class... More>
  halo_state(Communicator& comm, const array_partition<Rank>& grid, const source_location& where, First& first,
             More&... more)
      : side_(first.stream(where).context_of(), first.stream(where).device_of(where), {}, where),
        blocks_(checked(grid, comm.size(), where), comm.rank(), side_.context_of(), where, first, more...),
        comm_(kept_of(comm)) {
    blocks_.list(list_, where);
    if (comm.size() != 1) compare(grid, where, first, more...);
  }
  halo_state(const halo_state&) = delete;
  halo_state& operator=(const halo_state&) = delete;
  ~halo_state() {
    if constexpr (is_shared) comm_.shared()->keep_while_busy([&] { return keep_alive(blocks_.take_memory()); });
  }

  [[nodiscard]] static order kept_order(const stream<port>& in, const source_location& where) {
    return in.another(where);
  }
  void start(const stream<port>& in, const source_location& where) {
    if (is_moving_) throw_halo_started(where);
    blocks_.pack(in, where);
    side_.wait(in.record({}, where), where);
    try {
      request_ = comm().run_async(list_, side_, where);
    } catch (...) {
      blocks_.drop(side_);
      throw;
    }
    is_moving_ = true;
  }
  void finish(const stream<port>& in, const source_location& where) {
    if (!std::exchange(is_moving_, false)) return;
    request ended = std::move(request_);
    ended.finish(side_, where);
    in.wait(side_.record({}, where), where);
    blocks_.unpack(in, where);
  }
  /// Effects: starts and finishes. The messages are in the same stream: nothing else can run meanwhile.
  void run(const stream<port>& in, const source_location& where) {
    if (is_moving_) throw_halo_started(where);
    blocks_.pack(in, where);
    try {
      comm().run(list_, in, where);
    } catch (...) {
      blocks_.drop(in);
      throw;
    }
    blocks_.unpack(in, where);
  }
  void drop() noexcept {
    if (!std::exchange(is_moving_, false)) return;
    request_ = request();
    blocks_.drop(side_);
  }

 private:
  using kept = std::conditional_t<is_shared, Communicator, Communicator*>;
  static kept kept_of(Communicator& comm) {
    if constexpr (is_shared) {
      return comm;
    } else {
      return &comm;
    }
  }
  [[nodiscard]] Communicator& comm() noexcept {
    if constexpr (is_shared) {
      return comm_;
    } else {
      return *comm_;
    }
  }
  template <std::size_t Rank>
  static const array_partition<Rank>& checked(const array_partition<Rank>& grid, int size,
                                              const source_location& where) {
    check_partition_ranks("halo_exchange", grid.ranks(), size, where);
    return grid;
  }
  /// Throws: `communication_error` on all ranks unless their partitions and types are the same.
  template <std::size_t Rank, class... Arrays>
  void compare(const array_partition<Rank>& grid, const source_location& where, const Arrays&...) {
    std::string types;
    (add_halo_type(types, device_type_name<typename Arrays::value_type>, sizeof(typename Arrays::value_type)), ...);
    const partition_options<Rank>& options = grid.options();
    const halo_record own = record_of_halos(types, grid.shape().begin(), grid.blocks().begin(), grid.halo().begin(),
                                            options.periodic.rings.data(), options.corners, Rank, where);
    std::vector<halo_record> all(static_cast<std::size_t>(comm().size()));
    gather(std::span<const halo_record>(&own, 1), all, where);
    check_halo_records(comm().rank(), all, where);
  }
  void gather(std::span<const halo_record> own, std::vector<halo_record>& all, const source_location& where) {
    if constexpr (requires { comm().all_gather(own, all, where); }) {  // of memory of the host
      comm().all_gather(own, all, where);
    } else {
      static_assert(moves<Communicator, halo_record>, "ranks compare their halos by the communicator's all_gather");
      device_allocation<halo_record, port> mine(side_.context_of(), 1, where);
      device_allocation<halo_record, port> theirs(side_.context_of(), all.size(), where);
      copy(own, mine, side_, where);
      comm().all_gather(mine, theirs, side_, where);
      comm().wait(side_, where);
      copy(theirs, all, side_, where);
    }
  }

  stream<port> side_;  // of the messages, beside the program's own work
  halo_blocks<port> blocks_;
  exchange<port> list_;
  request request_{};
  bool is_moving_ = false;
  kept comm_;  // ends first: NCCL's end frees the blocks behind its work
};

/// A rank's array, or for a clique a range of the ranks' arrays.
template <class Part, std::size_t Rank, class Port>
inline constexpr bool is_halo_array = false;
template <class T, std::size_t Rank, class Port>
inline constexpr bool is_halo_array<device_array<T, Rank, Port>, Rank, Port> = true;
template <class Part, class Communicator, std::size_t Rank>
concept halo_part = (communicator<Communicator> && is_halo_array<Part, Rank, typename Communicator::port_type>) ||
                    (!communicator<Communicator> && std::ranges::forward_range<Part> && requires(Part& of) {
                      requires is_halo_array<std::remove_reference_t<decltype(*std::ranges::begin(of))>, Rank,
                                             typename Communicator::port_type>;
                    });
/// A stream, or for a clique a range of the ranks' streams.
template <class Order, class Communicator>
concept halo_order =
    requires(halo_state<Communicator>& of, const Order& in, const source_location& where) { of.start(in, where); };
}  // namespace detail

/// Halos on their way. Its destructor finishes them in the stream that started them. Move-only.
/// Thread safety: one thread at a time.
template <class Communicator>
class [[nodiscard]] halo_transfer {
  using state = detail::halo_state<Communicator>;

 public:
  halo_transfer(detail::shared<state> of, typename state::order in) noexcept
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
  /// Receives: later commands of the stream, or of a clique's streams, see the neighbours' elements in the halos.
  /// Finishing again does nothing.
  /// Throws: as `exchange`s of the communicator; `error`.
  template <class Order>
    requires detail::halo_order<Order, Communicator>
  void finish(const Order& in, const source_location& where = source_location::current()) {
    if (!of_) return;
    of_->finish(in, where);
    of_ = nullptr;
  }

 private:
  detail::shared<state> of_;
  typename state::order in_;
  int exceptions_;
};

/// Fills the halos of a rank's arrays with the neighbours' elements, over any communicator. It is made once, with its
/// blocks and messages, and used at each step.
///
/// `start` packs the elements at the block's edges behind the work that the stream has so far, into one message for each
/// neighbour. Meanwhile the stream may work on what needs no halo, and may write any element of the arrays. `finish`
/// receives. Later commands of its stream see the halos. All ranks start and finish in the same order.
/// Over a clique, whose ranks one thread drives, each array is a range of the ranks' arrays, and each stream a range of
/// the ranks' streams: <yoke/nccl/clique_halo.hpp>.
/// Making it is collective: the ranks compare their partitions and the types of their arrays.
/// Requires: a communicator of MPI or of a team stays where it is and outlives this, which shares one of NCCL. The arrays
/// are not empty; their memory lives as long as this.
/// Thread safety: one thread at a time.
/// Example: `auto moving = halo.start(s); next_inside(u); moving.finish(s); next_edges(u);`
template <class Communicator>
class halo_exchange {
 public:
  using port_type = typename Communicator::port_type;

  /// Exchanges the halos of one array or several, which have the partition's shape for this rank.
  /// Throws: `logic_error` for other shapes, and for a partition among another number of ranks; `communication_error` on
  /// all ranks (`errc::mismatched_ranks`) when their partitions or types differ, and when ranks do not come within the
  /// deadline; `error`.
  template <std::size_t Rank, detail::halo_part<Communicator, Rank> Part>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, Part& of,
                const source_location& where = source_location::current())
      : halo_exchange(comm, grid, where, of) {}
  template <std::size_t Rank, detail::halo_part<Communicator, Rank> First,
            detail::halo_part<Communicator, Rank>... More>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, First& first, More&... more)
      : halo_exchange(comm, grid, source_location{}, first, more...) {}
  /// The same; errors name the given place. For several arrays they name none without it.
  template <std::size_t Rank, detail::halo_part<Communicator, Rank> First,
            detail::halo_part<Communicator, Rank>... More>
  halo_exchange(Communicator& comm, const array_partition<Rank>& grid, const source_location& where, First& first,
                More&... more)
      : state_(detail::make_shared<detail::halo_state<Communicator>>(comm, grid, where, first, more...)) {}

  /// Packs and sends. Returns: the halos on their way.
  /// Throws: `logic_error` if the last ones are not finished, and when moved from; as exchanges of the communicator.
  template <class Order>
    requires detail::halo_order<Order, Communicator>
  halo_transfer<Communicator> start(const Order& in, const source_location& where = source_location::current()) {
    if (!state_) detail::throw_empty_handle("halo exchange", where);
    auto kept = detail::halo_state<Communicator>::kept_order(in, where);
    state_->start(in, where);
    return {state_, std::move(kept)};
  }
  /// Starts and finishes at once: the messages stay in the stream. Other ranks may call `start` and `finish` instead.
  template <class Order>
    requires detail::halo_order<Order, Communicator>
  void run(const Order& in, const source_location& where = source_location::current()) {
    if (!state_) detail::throw_empty_handle("halo exchange", where);
    state_->run(in, where);
  }

 private:
  detail::shared<detail::halo_state<Communicator>> state_;
};

namespace detail {
/// Throws: `logic_error` for what `gather_blocks` and `scatter_blocks` cannot do.
template <class Communicator, std::size_t Rank, class Mine, class All>
void check_blocks(const char* what, Communicator& comm, const array_partition<Rank>& grid, const Mine& mine,
                  const All& all, int root, const source_location& where) {
  check_partition_ranks(what, grid.ranks(), comm.size(), where);
  check_rank(what, "root", root, comm.size(), where);
  check_part_shape(what, mine, grid.shape_with_halo(comm.rank(), where), comm.rank(), where);
  if (comm.rank() == root) check_part_shape(what, all, grid.shape(), -1, where);
}
}  // namespace detail

/// Copies the blocks of all ranks to an array of the rank `root`, which is not used on other ranks. `mine` is a rank's
/// array with its halo. Returns when later commands of the stream see the result.
/// Throws: `logic_error` for other shapes than the partition's, for a partition among another number of ranks, and for a
/// root that is none; as exchanges of the communicator.
template <class Communicator, std::size_t Rank, class Mine, class All>
void gather_blocks(Communicator& comm, const array_partition<Rank>& grid, const Mine& mine, All&& all, int root,
                   const stream<typename Communicator::port_type>& in,
                   const source_location& where = source_location::current()) {
  detail::check_blocks("gather_blocks", comm, grid, mine, all, root, where);
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
  detail::check_blocks("scatter_blocks", comm, grid, mine, all, root, where);
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
