// SPDX-License-Identifier: MIT
// Halos of all ranks of a clique: by copies between GPUs that see each other's memory, else by one group of messages.
#ifndef YOKE_NCCL_CLIQUE_HALO_HPP
#define YOKE_NCCL_CLIQUE_HALO_HPP

#include <yoke/distributed/halo_exchange.hpp>
#include <yoke/distributed/peer_paths.hpp>
#include <yoke/nccl/clique.hpp>

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace nccl::detail {
/// Throws: `logic_error` unless a rank's array is in the context of that rank.
YOKE_API void check_halo_context(bool is_own, std::size_t rank, const source_location& where);

template <class Clique>
inline constexpr bool is_a_clique = false;
template <class Port>
inline constexpr bool is_a_clique<clique<Port>> = true;
}  // namespace nccl::detail

namespace detail {

/// The halos of all ranks. `halo_exchange halo{all, grid, arrays}` takes a range of the ranks' arrays for each array of
/// another communicator's exchange; `start` and `finish` take a range of the ranks' streams.
///
/// The messages travel by peer copies, in the senders' own streams, or by NCCL: see `nccl::options::peer_copy_bytes`.
/// For peer copies the GPUs of neighbours have access to each other's memory while this lives.
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
    check(streams, where);
    if (is_moving_) throw_halo_started(where);
    try {
      std::size_t rank = 0;
      for (const stream<port>& each : streams) {
        blocks_[rank].start(each, sides_[rank], where);
        ++rank;
      }
      if (lists_.empty()) {
        copy(where);
      } else {
        all_.run(lists_, sides_, where);
      }
    } catch (...) {
      give_up();
      throw;
    }
    all_.shared()->note_verb("halo_exchange");
    is_moving_ = true;
  }
  template <std::ranges::forward_range Streams>
  void finish(const Streams& streams, const source_location& where) {
    if (!is_moving_) return;
    check(streams, where);
    is_moving_ = false;
    try {
      std::size_t rank = 0;
      for (const stream<port>& each : streams) {
        blocks_[rank].finish(each, sides_[rank], where);
        ++rank;
      }
    } catch (...) {
      give_up();
      throw;
    }
  }
  void drop() noexcept {
    if (std::exchange(is_moving_, false)) give_up();
  }

 private:
  template <std::size_t Rank, class... Arrays>
  void add(const array_partition<Rank>& grid, const context<port>& in, const source_location& where, Arrays&... of) {
    const std::size_t rank = blocks_.size();
    (nccl::detail::check_halo_context(of.stream(where).context_of() == in, rank, where), ...);
    blocks_.emplace_back(grid, static_cast<int>(rank), in, where, of...);
  }
  /// Effects: makes the lists, unless the messages travel by copies.
  void list(const source_location& where) {
    if (opens_paths(where)) return;
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
      if (each.context_of() != sides_[rank++].context_of()) nccl::detail::throw_foreign_stream(where);
    }
  }
  /// Effects: enqueues the copies of all messages, as soon as the receivers' blocks are free.
  void copy(const source_location& where) {
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      const halo_block<port>& from = blocks_[rank].sent();
      for (const halo_message<port>& each : from.messages()) {
        const halo_block<port>& into = blocks_[static_cast<std::size_t>(each.peer)].received();
        if (into.is_free) sides_[rank].wait(into.is_free, where);
        const auto source = from.memory_of(each);
        auto destination = into.memory_from(static_cast<int>(rank));
        enqueue_copy(source, destination, sides_[rank], where);
      }
    }
    join(where);
  }
  /// Effects: later commands of a receiver's stream follow the copies of its senders.
  void join(const source_location& where) const {
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      const event<port> sent = sides_[rank].record({}, where);
      for (const halo_message<port>& each : blocks_[rank].sent().messages()) {
        const auto peer = static_cast<std::size_t>(each.peer);
        if (peer != rank) sides_[peer].wait(sent, where);
      }
    }
  }
  /// Effects: what is on its way keeps its blocks: that which is sent, and that of the receiver, whose end waits for its
  /// own GPU alone.
  void give_up() noexcept {
    try {
      if (lists_.empty()) join(source_location{});
    } catch (...) {  // the exception that passes is thrown
    }
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) blocks_[rank].drop(sides_[rank]);
  }

  std::remove_const_t<Clique> all_;  // shares the ranks
  peer_paths paths_;                 // ends behind the blocks, whose end waits for the copies
  std::vector<stream<port>> sides_;
  std::vector<halo_blocks<port>> blocks_;
  std::vector<exchange<port>> lists_;  // of the ranks; none if messages are copied
  bool is_moving_ = false;
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/clique_halo.ipp>
#endif

#endif
