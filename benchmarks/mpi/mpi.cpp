// SPDX-License-Identifier: MIT
// A message between two ranks of MPI from device to device: by yoke's stages, by MPI alone from host to host, and by a program
// that copies all of it, sends it, and copies it back: yoke_bench_mpi [LOG2 OF MOST BYTES] [ROUNDS] [DEVICE]
#include <yoke/mpi.hpp>
#include <yoke/yoke.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

/// Both ranks, and what they move.
struct bench {
  yoke::mpi::communicator<>& world;
  const yoke::stream<>& stream;
  yoke::device_allocation<std::byte> x;
  yoke::pagelocked_array<std::byte> host;
  int rounds;

  /// Returns: the least seconds in which a message has come to its place, of all rounds. Throws: `std::runtime_error` if
  /// something else has come.
  template <class Move>
  double least(const Move& move) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
      const auto value = static_cast<std::byte>(round + 1 + world.rank());
      std::memset(host.data(), static_cast<int>(value), host.size());
      yoke::fill(x, value, stream);
      stream.synchronize();
      world.barrier();
      const auto begin = clock_type::now();
      move(world.rank() == 0);
      std::array<double, 1> seconds{std::chrono::duration<double>(clock_type::now() - begin).count()};
      world.all_reduce(seconds, yoke::largest);
      if (seconds[0] < best) best = seconds[0];
    }
    return best;
  }
  void check(const std::byte* at) const {
    const auto sent = static_cast<std::byte>(rounds);
    if (at[0] != sent || at[host.size() - 1] != sent) throw std::runtime_error("something else has come than was sent");
  }
};

void print_row(yoke::mpi::communicator<>& world, const yoke::stream<>& stream, std::size_t bytes, int rounds) {
  const yoke::context<>& ctx = stream.context_of();
  bench with{world, stream, {ctx, bytes}, {ctx, bytes}, rounds};
  const int count = static_cast<int>(bytes);
  const double staged = with.least([&](bool sends) {
    if (sends) {
      world.send(with.x, 1, stream);
    } else {
      world.receive(with.x, 0, stream);
    }
    stream.synchronize();
  });
  with.check(yoke::to_host(with.x, stream).data());
  const auto mpi_alone = [&](bool sends) {
    const int code = sends ? MPI_Send(with.host.data(), count, MPI_BYTE, 1, 0, MPI_COMM_WORLD)
                           : MPI_Recv(with.host.data(), count, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) throw std::runtime_error("MPI failed");
  };
  const double alone = with.least(mpi_alone);
  with.check(with.host.data());
  const double in_turn = with.least([&](bool sends) {
    if (sends) yoke::copy(with.x, with.host, stream);
    mpi_alone(sends);
    if (!sends) yoke::copy(with.host, with.x, stream);
  });
  with.check(yoke::to_host(with.x, stream).data());
  if (world.rank() != 0) return;
  std::printf("%11zu %9.2f ms %9.2f ms %9.2f ms %8.2f\n", bytes, staged * 1e3, alone * 1e3, in_turn * 1e3,
              in_turn / staged);
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 28;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  yoke::mpi::session mpi{argc, argv};
  auto world = mpi.world();
  if (world.size() != 2 || most < 10 || most > 30 || rounds < 1 || rounds > 200) {
    throw std::runtime_error(
        "usage: mpiexec -n 2 yoke_bench_mpi [LOG2 OF MOST BYTES, 10 to 30] [ROUNDS, 1 to 200] [DEVICE]");
  }
  const yoke::context<> ctx{yoke::choose_device(world, argc > 3 ? argv[3] : "")};
  const yoke::stream<> stream{ctx};
  if (world.rank() == 0) {
    std::printf("%s, the least of %d rounds\n%11s %12s %12s %12s %8s\n", ctx.only_device().name().c_str(), rounds,
                "bytes", "staged", "MPI alone", "copy, send", "quicker");
  }
  auto staged = world.duplicate({.transport = yoke::mpi::transport::staged});
  for (int power = 16; power <= most; power += 2) print_row(staged, stream, std::size_t{1} << power, rounds);
  if (most < 16) print_row(staged, stream, std::size_t{1} << most, rounds);
}
