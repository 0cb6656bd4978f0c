// SPDX-License-Identifier: MIT
// A program whose ranks fail as its argument says; failing_ranks.py starts it, and expects the job to end.
#include <yoke/mpi.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace {

void fail(std::string_view how) {
  if (how == "killed") (void)std::raise(SIGKILL);
  if (how == "stopped") (void)std::raise(SIGSTOP);
  if (how == "exits") std::_Exit(3);
  if (how == "leaves") std::exit(0);  // without an end of MPI
  if (how == "throws") throw std::runtime_error("the model has no weights");
}

void work(yoke::mpi::communicator<>& world, std::string_view how, std::string_view when) {
  if (world.rank() == 1 && when == "before") fail(how);
  const yoke::context ctx{yoke::choose_device(world)};
  const yoke::stream stream{ctx};
  yoke::device_array<float, 1> x(stream, yoke::shape{1 << 20});
  yoke::fill(x, 1.0f, stream);
  for (int step = 0; step < 20; ++step) {
    if (step == 3 && world.rank() == 1) {
      if (how == "late") std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      if (how == "too_late") std::this_thread::sleep_for(std::chrono::seconds(30));
      if (when == "between") fail(how);
      if (when == "in_flight") {
        auto sum = world.all_reduce_async(x, yoke::summed, stream);
        fail(how);
      }
      if (how == "mismatched") {
        world.broadcast(x, 0, stream);
        continue;
      }
    }
    world.all_reduce(x, yoke::summed, stream);
    yoke::fill(x, 1.0f, stream);
    if (how == "late" && step == 6) break;
  }
}

/// One rank comes after the deadline of the others, which catch that, and all go on by another communicator.
void come_late(const yoke::mpi::communicator<>& world) {
  try {
    const auto late = world.duplicate({.deadline = std::chrono::milliseconds(500)});
    if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    std::array<int, 1> sum{1};
    late.all_reduce(sum, yoke::summed);
  } catch (const yoke::communication_error& failure) {  // the operation outlives its communicator
    (void)std::fprintf(stderr, "caught: %s\n", failure.what());
  }
  world.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "", when = argc > 2 ? argv[2] : "";
  if (when == "debug") (void)setenv("YOKE_DEBUG", "other,ranks", 1);
  yoke::mpi::session mpi{argc, argv};
  auto world = mpi.world({.deadline = std::chrono::seconds(3), .check = how == "mismatched" && when != "debug"});
  if (when == "caught") {
    try {
      work(world, how, "between");
    } catch (const std::exception& failure) {  // this rank goes on to the end, the others do not come
      (void)std::fprintf(stderr, "caught: %s\n", failure.what());
      return 0;
    }
  } else if (how == "too_late_once") {
    come_late(world);
  } else {
    work(world, how, when);
  }
  if (world.rank() == 0) std::puts("done");
  return 0;
}
