// SPDX-License-Identifier: MIT
// Bodies of distributed/array_partition.hpp: the messages.
#ifndef YOKE_DISTRIBUTED_ARRAY_PARTITION_IPP
#define YOKE_DISTRIBUTED_ARRAY_PARTITION_IPP

#include <yoke/distributed/array_partition.hpp>

namespace yoke::inline v0_1 {

void detail::throw_partition_ranks(int ranks, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a partition among ", ranks, " ranks: it takes at least one");
}
void detail::throw_partition_rank(int rank, int ranks, const source_location& where) {
  throw_error(errc::out_of_range, where, "rank ", rank, " is not among the ", ranks, " of the partition");
}
void detail::throw_thin_block(const std::size_t* shape, std::size_t rank, std::size_t axis, std::size_t parts,
                              std::size_t least, std::size_t halo, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a partition of ", shape_text(shape, rank), ": ", parts,
              " blocks along axis ", axis, " have only ", least, least == 1 ? " element" : " elements",
              " there, fewer than the halo of ", halo);
}

}  // namespace yoke::inline v0_1

#endif
