// SPDX-License-Identifier: MIT
// NCCL's communicator of the ranks of MPI: one GPU a process.
#ifndef YOKE_MPI_NCCL_HPP
#define YOKE_MPI_NCCL_HPP

#include <yoke/mpi/communicator.hpp>
#include <yoke/nccl/communicator.hpp>

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1 {

namespace mpi::inline YOKE_MPI_FLAVOUR::detail {

/// The device of a rank, as the ranks tell each other.
struct device_of_rank {
  char host[64] = "";
  char device[64] = "";

  [[nodiscard]] bool is_same(const device_of_rank& other) const noexcept {
    return std::string_view(host) == other.host && std::string_view(device) == other.device;
  }
};

/// Returns: an id for NCCL, which all ranks get. Throws: `logic_error` on all ranks if two of them have one device;
/// `communication_error` on all ranks if the first one makes no id.
template <class Port>
[[nodiscard]] nccl::unique_id meet_for_nccl(const communicator_base& ranks, const context<Port>& in,
                                            const source_location& where) {
  communicator_state& state = ranks.alive(where);
  (void)nccl::detail::place_of(in, state.rank, where);  // refuses contexts of other backends than CUDA
  device_of_rank mine;
  char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  state.check(state.calls.get_processor_name(host, &length), "MPI_Get_processor_name", where);
  copy_words(mine.host, sizeof mine.host, host, false);
  const device_summary facts = in.devices(where).front().summary(where);
  copy_words(mine.device, sizeof mine.device, facts.uuid.empty() ? facts.name : facts.uuid, false);
  std::vector<device_of_rank> all(static_cast<std::size_t>(state.size));
  ranks.all_gather(std::span<const device_of_rank>(&mine, 1), all, where);
  for (std::size_t first = 0; first < all.size(); ++first) {
    for (std::size_t second = first + 1; second < all.size(); ++second) {
      if (!all[first].is_same(all[second])) continue;
      yoke::detail::throw_error(errc::invalid_argument, where, "ranks ", first, " and ", second, " both use ",
                                std::string_view(all[first].device), " of host ", std::string_view(all[first].host),
                                ": NCCL needs a device for each rank. yoke::choose_device(world) gives each its own");
    }
  }
  struct told {
    nccl::unique_id id{};
    bool is_made = false;
  } word;
  if (state.rank == 0) {
    try {
      word = {nccl::get_unique_id(where), true};
    } catch (...) {
      ranks.broadcast(std::span<told>(&word, 1), 0, where);
      throw;
    }
  }
  ranks.broadcast(std::span<told>(&word, 1), 0, where);
  if (!word.is_made) {
    yoke::detail::throw_error(errc::rank_lost, "rank 0 could not make an id for NCCL: its message says why", where);
  }
  // Without it a rank may wait in NCCL for one that MPI still needs for the broadcast.
  ranks.barrier(where);
  state.has_other_engine = true;
  return word.id;
}

}  // namespace mpi::inline YOKE_MPI_FLAVOUR::detail

/// The ranks of MPI meet by a broadcast of the id. All ranks call the constructor:
/// `auto gpus = yoke::nccl::communicator{world, ctx};`
template <class Of>
struct nccl::meeting<mpi::communicator<Of>> {
  template <class Port>
  [[nodiscard]] static unique_id meet(const mpi::communicator<Of>& ranks, const context<Port>& in,
                                      const source_location& where) {
    return mpi::detail::meet_for_nccl(ranks, in, where);
  }
  /// Returns: the options, by which waits for NCCL let MPI move messages: its ranks might wait for each other otherwise.
  /// They call MPI on the waiting thread, as long as the communicator of MPI lives.
  [[nodiscard]] static options with_progress(const mpi::communicator<Of>& ranks, options with) {
    if (with.while_waiting) return with;
    with.while_waiting = [of = std::weak_ptr<mpi::detail::communicator_state>(ranks.shared())] {
      if (const auto state = of.lock()) state->make_progress();
    };
    return with;
  }
};

}  // namespace yoke::inline v0_1

#endif
