// SPDX-License-Identifier: MIT
// Bodies of distributed/halo_exchange.hpp: the messages.
#ifndef YOKE_DISTRIBUTED_HALO_EXCHANGE_IPP
#define YOKE_DISTRIBUTED_HALO_EXCHANGE_IPP

#include <yoke/distributed/halo_exchange.hpp>

namespace yoke::inline v0_1 {

void detail::throw_halo_shape(const std::size_t* given, const std::size_t* expected, std::size_t rank, int of,
                              const source_location& where) {
  throw_error(errc::size_mismatch, where, "an array of ", shape_text(given, rank), " for a halo exchange: rank ", of,
              " has ", shape_text(expected, rank), " of its partition, halo included");
}
void detail::check_halo_ranks(int ranks, int size, const source_location& where) {
  if (ranks == size) return;
  throw_error(errc::size_mismatch, where, "a halo exchange of a partition among ", ranks,
              " ranks by a communicator of ", size);
}
void detail::throw_halo_started(const source_location& where) {
  throw_error(errc::invalid_argument, "this halo exchange has been started: finish it first", where);
}

}  // namespace yoke::inline v0_1

#endif
