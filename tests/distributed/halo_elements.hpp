// SPDX-License-Identifier: MIT
// The elements of ranks' arrays with halos, by brute force.
#ifndef YOKE_TESTS_DISTRIBUTED_HALO_ELEMENTS_HPP
#define YOKE_TESTS_DISTRIBUTED_HALO_ELEMENTS_HPP

#include <yoke/distributed/array_partition.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace yoke_test {

/// Returns: the element of the whole array at an index of a rank's own array: -1 where no neighbour fills the halo.
inline int expected_at(const yoke::array_partition<2>& grid, int rank, std::size_t row, std::size_t column) {
  const auto block = grid.block(rank);
  std::array<std::ptrdiff_t, 2> at{
      static_cast<std::ptrdiff_t>(block.first[0] + row) - static_cast<std::ptrdiff_t>(grid.halo()[0]),
      static_cast<std::ptrdiff_t>(block.first[1] + column) - static_cast<std::ptrdiff_t>(grid.halo()[1])};
  int outside = 0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto extent = static_cast<std::ptrdiff_t>(grid.shape()[axis]);
    const auto first = static_cast<std::ptrdiff_t>(block.first[axis]);
    if (at[axis] < first || at[axis] >= first + static_cast<std::ptrdiff_t>(block.extents[axis])) ++outside;
    if (at[axis] >= 0 && at[axis] < extent) continue;
    if (!grid.options().periodic.rings[axis]) return -1;
    at[axis] = (at[axis] + extent) % extent;
  }
  if (outside == 2 && !grid.options().corners) return -1;
  return static_cast<int>(100 * at[0] + at[1]);
}
/// Returns: a rank's array with its halo; the halo is -1 unless `with_halo`.
inline std::vector<int> own_elements(const yoke::array_partition<2>& grid, int rank, bool with_halo) {
  const auto shape = grid.shape_with_halo(rank);
  std::vector<int> made;
  for (std::size_t row = 0; row < shape[0]; ++row) {
    for (std::size_t column = 0; column < shape[1]; ++column) {
      const bool is_own = grid.own(rank).contains({row, column});
      made.push_back(is_own || with_halo ? expected_at(grid, rank, row, column) : -1);
    }
  }
  return made;
}

}  // namespace yoke_test

#endif
