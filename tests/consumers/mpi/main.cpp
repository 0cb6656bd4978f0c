// SPDX-License-Identifier: MIT
// Ranks of MPI sum what they have, on whatever device there is.
#include <yoke/mpi.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const yoke::mpi::session mpi{argc, argv};
  const auto world = mpi.world({.deadline = std::chrono::seconds(60)});
  if (world.rank() == 0) std::printf("yoke %s\n", YOKE_VERSION_STRING);
  if (yoke::select_test_devices().devices.empty()) return 0;
  const yoke::context ctx{yoke::choose_device(world)};
  const yoke::stream stream{ctx};
  yoke::device_allocation<int> x{ctx, 100};
  yoke::fill(x, world.rank() + 1, stream);
  world.all_reduce(x, yoke::summed, stream);
  const int size = world.size();
  const bool is_right = yoke::to_host(x, stream) == std::vector<int>(100, size * (size + 1) / 2);
  return is_right ? 0 : 1;
}
