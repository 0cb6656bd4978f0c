// SPDX-License-Identifier: MIT
// Halos and blocks of arrays that are divided among the processes of MPI: the same code as for ranks that are threads.
#include <mpi/ranks.hpp>

#include <yoke/algorithm.hpp>

#include <cstdint>

using namespace yoke_test;

static_assert(yoke::communicator<mpi::communicator<>>);
static_assert(yoke::moves<mpi::communicator<>, float> && yoke::reduces<mpi::communicator<>, float>);
static_assert(yoke::communicator<mpi::communicator<yoke::opencl::port>>);
static_assert(yoke::communicator<mpi::communicator<yoke::cuda::port>>);

YOKE_RANKS_TEST_CASE("halos have the neighbours' elements in each of 50 steps") {
  auto& all = world();
  const yoke::array_partition<2> grid{{29, 17}, all.size(), yoke::split_blocks, {.halo = 1, .periodic = true}};
  const auto shape = grid.shape_with_halo(all.rank());
  yoke::device_array<int, 2> u(rig.stream, shape), next(rig.stream, shape);
  yoke::fill(u, -1, rig.stream);
  yoke::fill(next, -1, rig.stream);
  const auto block = grid.block(all.rank());
  const auto own = grid.own(all.rank());
  std::vector<int> cells;
  const auto value = [](std::size_t row, std::size_t column) { return static_cast<int>((row * 7 + column * 3) % 11); };
  for (std::size_t row = 0; row < block.extents[0]; ++row) {
    for (std::size_t column = 0; column < block.extents[1]; ++column) {
      cells.push_back(value(block.first[0] + row, block.first[1] + column));
    }
  }
  auto start = yoke::to_device_array(cells, {block.extents[0], block.extents[1]}, rig.stream);
  own(u).assign(start);
  yoke::halo_exchange halo{all, grid, u}, back{all, grid, next};
  const auto beside = [&](yoke::device_array<int, 2>& of, std::ptrdiff_t row, std::ptrdiff_t column) {
    auto box = own;
    box.first[0] = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(box.first[0]) + row);
    box.first[1] = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(box.first[1]) + column);
    return box(of);
  };
  // The whole grid on the host, step by step.
  std::vector<std::vector<int>> whole(29, std::vector<int>(17));
  for (std::size_t row = 0; row < 29; ++row) {
    for (std::size_t column = 0; column < 17; ++column) whole[row][column] = value(row, column);
  }
  for (int step = 0; step < 50; ++step) {
    auto moving = halo.start(rig.stream);
    moving.finish(rig.stream);
    own(next).assign(
        (beside(u, -1, 0) + beside(u, 1, 0) + 2 * beside(u, 0, -1) + 3 * beside(u, 0, 1) + beside(u, 0, 0)) % 1009);
    std::swap(u, next);
    std::swap(halo, back);
    auto after = whole;
    for (std::size_t row = 0; row < 29; ++row) {
      for (std::size_t column = 0; column < 17; ++column) {
        after[row][column] =
            (whole[(row + 28) % 29][column] + whole[(row + 1) % 29][column] + 2 * whole[row][(column + 16) % 17] +
             3 * whole[row][(column + 1) % 17] + whole[row][column]) %
            1009;
      }
    }
    whole = after;
  }
  std::vector<int> expected;
  for (std::size_t row = 0; row < block.extents[0]; ++row) {
    for (std::size_t column = 0; column < block.extents[1]; ++column) {
      expected.push_back(whole[block.first[0] + row][block.first[1] + column]);
    }
  }
  CHECK(own(u).to_host() == expected);
}

YOKE_RANKS_TEST_CASE("ranks whose halos differ are told on all ranks") {
  auto& all = world();
  if (all.size() == 1) return;
  const yoke::array_partition<2> both{{24, 17}, all.size(), yoke::split_rows, {.halo = 1}};
  const yoke::array_partition<2> rows{{24, 17}, all.size(), yoke::split_rows, {.halo = {1, 0}}};
  const auto refused = [&](const yoke::array_partition<2>& grid, auto zero, const char* expected) {
    yoke::device_array<decltype(zero), 2> u(rig.stream, grid.shape_with_halo(all.rank()));
    u.fill(zero);
    try {
      yoke::halo_exchange(all, grid, u).run(rig.stream);
      FAIL_CHECK("nothing was thrown");
    } catch (const yoke::communication_error& thrown) {
      CHECK(thrown.code() == yoke::errc::mismatched_ranks);
      CHECK_THAT(thrown.what(), ContainsSubstring(expected) && ContainsSubstring("halos_test.cpp"));
    }
  };
  all.rank() == 0 ? refused(both, 0.0F, "exchanges halos of float of (24, 17)") : refused(both, 0, "halos of float");
  all.rank() == 0 ? refused(rows, 0, "of the widths (1, 1)") : refused(both, 0, "of the widths (1, 0)");
}

YOKE_RANKS_TEST_CASE("unequal blocks of an array are given to the ranks and gathered again") {
  auto& all = world();
  const yoke::array_partition<2> grid{{11, 6}, all.size(), yoke::split_rows, {.halo = 1}};
  std::vector<int> cells(66);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<int>(i);
  auto table = yoke::to_device_array(cells, {11, 6}, rig.stream);
  yoke::device_array<int, 2> again(rig.stream, yoke::shape{11, 6});
  yoke::fill(again, 0, rig.stream);
  yoke::device_array<int, 2> mine(rig.stream, grid.shape_with_halo(all.rank()));
  yoke::scatter_blocks(all, grid, table, mine, 0, rig.stream);
  const auto own = grid.own(all.rank());
  own(mine).assign(own(mine) + 1000);
  yoke::gather_blocks(all, grid, mine, again, all.size() - 1, rig.stream);
  if (all.rank() == all.size() - 1) {
    for (int& each : cells) each += 1000;
    CHECK(again.to_host() == cells);
  }
}
