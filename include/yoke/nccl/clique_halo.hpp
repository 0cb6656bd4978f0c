// SPDX-License-Identifier: MIT
// Halos of all ranks of a clique: by copies between GPUs that see each other's memory, else by one group of messages.
#ifndef YOKE_NCCL_CLIQUE_HALO_HPP
#define YOKE_NCCL_CLIQUE_HALO_HPP

#include <yoke/distributed/halo_exchange.hpp>
#include <yoke/distributed/peer_paths.hpp>
#include <yoke/nccl/clique.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace nccl::detail {
/// Throws: `logic_error` unless a rank's array or stream, which `what` says, is in the context of that rank.
YOKE_API void check_halo_context(const char* what, bool is_own, std::size_t rank, const source_location& where);

template <class Clique>
inline constexpr bool is_a_clique = false;
template <class Port>
inline constexpr bool is_a_clique<clique<Port>> = true;
}  // namespace nccl::detail

namespace detail {

/// The halos of all ranks. `halo_exchange halo{all, grid, arrays}` takes a range of the ranks' arrays for each array of
/// another communicator's exchange; `start` and `finish` take a range of the ranks' streams.
///
/// The messages travel from GPU to GPU, or by NCCL: see `nccl::options::peer_copy_bytes` and `peer_write_bytes`.
/// Without NCCL the GPUs of neighbours have access to each other's memory while this lives.
template <class Clique>
  requires nccl::detail::is_a_clique<std::remove_const_t<Clique>>
class halo_state<Clique> {
 public:
  using port = typename Clique::port_type;
  using order = std::vector<stream<port>>;

  template <std::size_t Rank, class... Arrays>
  halo_state(Clique& all, const array_partition<Rank>& grid, const source_location& where, Arrays&... of) : all_(all) {
    check_partition_ranks("halo_exchange", grid.ranks(), all.size(where), where);
    all.shared()->check_ready(where);
    (nccl::detail::check_members(of, "arrays", all.contexts().size(), where), ...);
    auto at = std::make_tuple(std::ranges::begin(of)...);
    for (const context<port>& each : all.contexts()) {
      sides_.push_back(stream<port>(each, {}, where));
      std::apply([&](auto&... next) { add(grid, each, where, *next++...); }, at);
    }
    sent_.resize(blocks_.size());
    list(where);
  }
  halo_state(const halo_state&) = delete;
  halo_state& operator=(const halo_state&) = delete;
  ~halo_state() = default;

  template <std::ranges::forward_range Streams>
  [[nodiscard]] static order kept_order(const Streams& streams, const source_location& where) {
    order made;
    for (const stream<port>& each : streams) made.push_back(each.another(where));
    return made;
  }
  template <std::ranges::forward_range Streams>
  void start(const Streams& streams, const source_location& where) {
    guarded(streams, true, where, [&] {
      if (!lists_.empty()) {
        send(streams, where);
      } else if (longest_ <= all_.shared()->settings().peer_write_bytes) {
        write(streams, where);
      } else {
        copy(streams, where);
      }
    });
    is_moving_ = true;
  }
  template <std::ranges::forward_range Streams>
  void finish(const Streams& streams, const source_location& where) {
    if (!is_moving_) return;
    check(streams, where);
    is_moving_ = false;
    guarded(streams, false, where, [&] { receive(streams, where); });
  }
  /// Effects: starts and finishes. The messages are in the same streams: nothing else can run meanwhile.
  template <std::ranges::forward_range Streams>
  void run(const Streams& streams, const source_location& where) {
    guarded(streams, true, where, [&] {
      if (lists_.empty()) {
        write(streams, where);
        note_streams(streams, where);
        receive(streams, where);
      } else {
        each_rank(streams, [&](std::size_t rank, const stream<port>& in) { blocks_[rank].pack(in, where); });
        all_.run(lists_, streams, where);
        each_rank(streams, [&](std::size_t rank, const stream<port>& in) { blocks_[rank].unpack(in, where); });
      }
    });
  }
  void drop() noexcept {
    if (std::exchange(is_moving_, false)) give_up();
  }

 private:
  template <std::size_t Rank, class... Arrays>
  void add(const array_partition<Rank>& grid, const context<port>& in, const source_location& where, Arrays&... of) {
    const std::size_t rank = blocks_.size();
    (nccl::detail::check_halo_context("array", of.stream(where).context_of() == in, rank, where), ...);
    blocks_.emplace_back(grid, static_cast<int>(rank), in, where, of...);
  }
  /// Effects: makes the lists, unless the messages travel by copies.
  void list(const source_location& where) {
    if (opens_paths(where)) {
      for (auto& each : blocks_) each.take_turns(where);
      return;
    }
    lists_.resize(blocks_.size());
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) blocks_[rank].list(lists_[rank], where);
  }
  bool opens_paths(const source_location& where) {
    const std::size_t longest = all_.shared()->settings().peer_copy_bytes;
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      const peer_place here = peer_place_of(all_.contexts()[rank], where);
      for (const halo_message<port>& each : blocks_[rank].sent().messages()) {
        const auto peer = static_cast<std::size_t>(each.peer);
        if (each.bytes > longest) return false;
        longest_ = (std::max)(longest_, each.bytes);
        if (peer != rank && !paths_.open(here, peer_place_of(all_.contexts()[peer], where), where)) return false;
      }
    }
    return true;
  }
  template <class Streams>
  void check(const Streams& streams, const source_location& where) const {
    static_assert(nccl::detail::check_streams<Streams>());
    all_.shared()->check_ready(where);
    nccl::detail::check_members(streams, "streams", sides_.size(), where);
    std::size_t rank = 0;
    for (const stream<port>& each : streams) {
      if (!each) throw_empty_handle("stream", where);
      nccl::detail::check_halo_context("stream", each.context_of() == sides_[rank].context_of(), rank, where);
      ++rank;
    }
  }
  template <class Streams, class Each>
  static void each_rank(const Streams& streams, const Each& use) {
    std::size_t rank = 0;
    for (const stream<port>& in : streams) use(rank++, in);
  }
  /// Effects: enqueues; gives up what is on its way when that throws. `begins`: a step that may not be under way.
  template <class Streams, class Commands>
  void guarded(const Streams& streams, bool begins, const source_location& where, const Commands& enqueue) {
    if (begins) {
      check(streams, where);
      if (is_moving_) throw_halo_started(where);
      if (lists_.empty()) std::for_each(blocks_.begin(), blocks_.end(), [](auto& each) { each.turn(); });
    }
    note_streams(streams, where);
    try {
      enqueue();
    } catch (...) {
      give_up(streams);
      throw;
    }
    if (begins) all_.shared()->note_verb("halo_exchange");
  }
  /// Effects: counts how often these streams have been used one after the other. They are kept: no other one gets their
  /// handle. A default stream may be another thread's.
  template <class Streams>
  void note_streams(const Streams& streams, const source_location& where) {
    bool is_same = latest_.size() == sides_.size();
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      constexpr std::uint64_t last_default = 2;
      is_same = is_same && latest_[rank].native_handle() == in.native_handle() &&
                yoke::detail::number_of_handle(in.native_handle()) > last_default;
    });
    if (is_same) {
      ++uses_;
      return;
    }
    latest_ = kept_order(streams, where);
    uses_ = 1;
  }
  /// Effects: packs, and enqueues NCCL's messages beside.
  template <class Streams>
  void send(const Streams& streams, const source_location& where) {
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      blocks_[rank].pack(in, where);
      sides_[rank].wait(in.record({}, where), where);
    });
    all_.run(lists_, sides_, where);
    for (std::size_t rank = 0; rank < sides_.size(); ++rank) sent_[rank] = sides_[rank].record({}, where);
  }
  /// Effects: packs into the receivers' blocks, as soon as these are free.
  template <class Streams>
  void write(const Streams& streams, const source_location& where) {
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      const halo_block<port>& from = blocks_[rank].sent();
      for (const auto& each : from.messages()) from.pack(each, receiver(rank, each, in, where), in, where);
      sent_[rank] = in.record({}, where);
    });
  }
  /// Effects: packs, and enqueues beside the copies to the receivers' blocks, as soon as these are free.
  template <class Streams>
  void copy(const Streams& streams, const source_location& where) {
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      const halo_block<port>& from = blocks_[rank].sent();
      const stream<port>& side = sides_[rank];
      if (sent_[rank]) in.wait(sent_[rank], where);
      from.pack(in, where);
      side.wait(in.record({}, where), where);
      for (const auto& each : from.messages()) {
        auto into = receiver(rank, each, side, where);
        enqueue_copy(from.memory_of(each), into, side, where);
      }
      sent_[rank] = side.record({}, where);
    });
  }
  /// Effects: `in` waits until a message's receiver has the block free. While the streams stay the same it does so by
  /// itself: the receiver's own last message, which it has waited for, is behind that. Returns: the message's memory
  /// there.
  device_span<std::byte, port> receiver(std::size_t rank, const halo_message<port>& of, const stream<port>& in,
                                        const source_location& where) const {
    const halo_blocks<port>& into = blocks_[static_cast<std::size_t>(of.peer)];
    if (into.is_free && uses_ < 4) in.wait(into.is_free, where);
    return into.received().memory_from(static_cast<int>(rank));
  }
  /// Effects: fills the halos behind the messages.
  template <class Streams>
  void receive(const Streams& streams, const source_location& where) {
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      join(rank, in, where);
      blocks_[rank].unpack(in, where);
    });
  }
  /// Effects: later commands of a receiver's stream follow the messages to it.
  void join(std::size_t rank, const stream<port>& in, const source_location& where) const {
    if (!lists_.empty()) return in.wait(sent_[rank], where);
    for (const auto& each : blocks_[rank].received().messages()) {
      in.wait(sent_[static_cast<std::size_t>(each.peer)], where);
    }
  }
  /// Effects: what is on its way keeps the receivers' blocks, whose end waits for their own GPU alone.
  void give_up() noexcept {
    uses_ = 0;
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      try {
        join(rank, sides_[rank], source_location{});
      } catch (...) {  // the exception that passes is thrown
      }
      blocks_[rank].drop(sides_[rank]);
    }
  }
  /// The same, when commands in the streams may not have their events.
  template <class Streams>
  void give_up(const Streams& streams) noexcept {
    each_rank(streams, [&](std::size_t rank, const stream<port>& in) {
      try {
        sides_[rank].wait(in.record({}));
        sent_[rank] = sides_[rank].record({});
      } catch (...) {  // the exception that passes is thrown
      }
    });
    give_up();
  }

  std::remove_const_t<Clique> all_;  // shares the ranks
  peer_paths paths_;                 // ends behind the blocks, whose end waits for the copies
  std::vector<stream<port>> sides_;
  std::vector<halo_blocks<port>> blocks_;
  std::vector<event<port>> sent_;      // behind the messages of each rank
  order latest_;                       // the streams of the last use
  std::size_t uses_ = 0;               // of these, starts and finishes
  std::size_t longest_ = 0;            // message, if they are copied
  std::vector<exchange<port>> lists_;  // of the ranks; none if messages are copied
  bool is_moving_ = false;
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/clique_halo.ipp>
#endif

#endif
