// SPDX-License-Identifier: MIT
// The examples of several ranks, as processes of MPI: `mpiexec -n 4 ranks_mpi`. Each rank takes a device of its host in turn.
#include <yoke/mpi.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "ranks/all.hpp"

int main(int argc, char** argv) {
  const yoke::mpi::session mpi{argc, argv};
  auto world = mpi.world({.deadline = std::chrono::seconds(60)});
  const yoke::context<> context{yoke::choose_device(world)};
  const yoke::stream<> stream{context};
  if (world.rank() == 0)
    std::printf("%d ranks, the first on %s\n", world.size(), context.devices().front().name().c_str());
  int wrong = 0;
  ranks::each_example("ranks_heat_mpi.pgm", [&](const char* name, const auto& function) {
    std::array<int, 1> right{function(world, stream) ? 1 : 0};
    world.all_reduce(right, yoke::smallest);
    if (world.rank() == 0) std::printf("%s: %s\n", name, right[0] == 1 ? "right" : "WRONG");
    wrong += 1 - right[0];
  });
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
