// SPDX-License-Identifier: MIT
// The heat equation on a plate that is divided among ranks: halos travel while the inside is calculated.
#ifndef YOKE_EXAMPLES_RANKS_HEAT_HPP
#define YOKE_EXAMPLES_RANKS_HEAT_HPP

#include <yoke/array.hpp>
#include <yoke/distributed.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace ranks {

/// Returns: whether the heat of all ranks is that of a plate which one loop on the host calculates. Rank 0 writes the
/// picture `picture`, unless it is "".
template <yoke::communicator Communicator>
bool heat(Communicator& comm, const yoke::stream<typename Communicator::port_type>& s, const std::string& picture) {
  constexpr std::size_t size = 64;
  constexpr int steps = 50;
  using plate = yoke::device_array<float, 2, typename Communicator::port_type>;
  const yoke::array_partition<2> grid{{size, size}, comm.size(), yoke::split_rows, {.halo = 1}};
  const int me = comm.rank();

  // A hot corner on rank 0; the halo around the whole plate stays cold.
  std::vector<float> hot(size * size);
  for (std::size_t row = 0; row < 20; ++row) {
    for (std::size_t column = 0; column < 30; ++column) hot[row * size + column] = 100.0F;
  }
  plate whole(s, {size, size});
  whole.assign(hot);
  plate u(s, grid.shape_with_halo(me));
  plate next(s, grid.shape_with_halo(me));
  u.fill(0);
  next.fill(0);
  yoke::scatter_blocks(comm, grid, whole, u, 0, s);

  const auto relax = [](plate& to, const plate& from, const yoke::index_box<2>& at) {
    at(to) = at(from) + 0.2F * (at.shifted(0, -1)(from) + at.shifted(0, 1)(from) + at.shifted(1, -1)(from) +
                                at.shifted(1, 1)(from) - 4 * at(from));
  };
  yoke::halo_exchange halo{comm, grid, u};
  yoke::halo_exchange back{comm, grid, next};
  for (int step = 0; step < steps; ++step) {
    auto moving = halo.start(s);
    relax(next, u, grid.inside(me));  // while the halos travel
    moving.finish(s);
    for (const auto& edge : grid.edges(me)) relax(next, u, edge);
    std::swap(u, next);
    std::swap(halo, back);
  }
  yoke::gather_blocks(comm, grid, u, whole, 0, s);
  if (me != 0) return true;

  std::vector<float> now(hot.begin(), hot.end());
  std::vector<float> then(now.size());
  for (int step = 0; step < steps; ++step) {
    const auto at = [&](std::size_t row, std::size_t column) {
      return row - 1 < size && column - 1 < size ? now[(row - 1) * size + column - 1] : 0.0F;
    };
    for (std::size_t row = 1; row <= size; ++row) {
      for (std::size_t column = 1; column <= size; ++column) {
        then[(row - 1) * size + column - 1] =
            at(row, column) + 0.2F * (at(row - 1, column) + at(row + 1, column) + at(row, column - 1) +
                                      at(row, column + 1) - 4 * at(row, column));
      }
    }
    now.swap(then);
  }
  const auto made = whole.to_host();
  float worst = 0;
  for (std::size_t k = 0; k < made.size(); ++k) worst = std::fmax(worst, std::fabs(made[k] - now[k]));
  if (!picture.empty()) {
    if (std::FILE* const file = std::fopen(picture.c_str(), "wb")) {
      std::fprintf(file, "P5 %zu %zu 255\n", size, size);
      for (const float each : made) std::fputc(static_cast<int>(2.5F * each), file);
      std::fclose(file);
    }
  }
  return worst < 1e-3F;
}

}  // namespace ranks

#endif
