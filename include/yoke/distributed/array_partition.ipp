// SPDX-License-Identifier: MIT
// Bodies of distributed/array_partition.hpp: the messages.
#ifndef YOKE_DISTRIBUTED_ARRAY_PARTITION_IPP
#define YOKE_DISTRIBUTED_ARRAY_PARTITION_IPP

#include <yoke/distributed/array_partition.hpp>

#include <cstddef>
#include <limits>

namespace yoke::inline v0_1 {

void detail::throw_partition_ranks(int ranks, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a partition among ", ranks, " ranks: it takes at least one");
}
void detail::throw_partition_blocks(const std::size_t* blocks, std::size_t rank, const source_location& where) {
  throw_error(errc::invalid_argument, where, "a partition in ", shape_text(blocks, rank),
              " blocks: it takes at least one along each axis, and at most ", (std::numeric_limits<int>::max)(),
              " in all");
}
void detail::throw_halo_width(const std::size_t* shape, const std::size_t* widths, std::size_t rank, std::size_t axis,
                              const source_location& where) {
  const auto width = static_cast<std::ptrdiff_t>(widths[axis]);
  throw_error(errc::invalid_argument, where, "a partition of ", shape_text(shape, rank), " with a halo of ", width,
              " along axis ", axis,
              width < 0 ? ": the least width is 0" : ": the extent and both sides would pass a pointer difference");
}
void detail::throw_direction(int step, std::size_t axis, const source_location& where) {
  throw_error(errc::out_of_range, where, "a direction of ", step, " along axis ", axis, ": it takes -1, 0 or 1");
}
void detail::throw_direction_number(int number, int directions, const source_location& where) {
  throw_error(errc::out_of_range, where, "direction ", number, " is not among the ", directions,
              " of the partition, which begin at 0");
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
