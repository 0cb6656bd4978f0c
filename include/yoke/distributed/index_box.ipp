// SPDX-License-Identifier: MIT
// Bodies of distributed/index_box.hpp: the messages.
#ifndef YOKE_DISTRIBUTED_INDEX_BOX_IPP
#define YOKE_DISTRIBUTED_INDEX_BOX_IPP

#include <yoke/distributed/index_box.hpp>

namespace yoke::inline v0_1 {

void detail::throw_box_outside(const std::size_t* first, const std::size_t* extents, const std::size_t* shape,
                               std::size_t rank, const source_location& where) {
  throw_error(errc::out_of_range, where, "a box of ", shape_text(extents, rank), " from ", shape_text(first, rank),
              " on leaves an array of ", shape_text(shape, rank));
}
void detail::throw_box_axis(const char* what, int axis, std::size_t rank, const source_location& where) {
  throw_error(errc::out_of_range, where, what, " along axis ", axis, ": there are ", rank,
              rank == 1 ? " axis" : " axes", ", which begin at 0");
}
void detail::throw_box_shift(std::size_t first, std::ptrdiff_t by, int axis, const source_location& where) {
  throw_error(errc::out_of_range, where, "a box that begins at ", first, " of axis ", axis, " cannot move by ", by);
}

}  // namespace yoke::inline v0_1

#endif
