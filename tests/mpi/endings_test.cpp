// SPDX-License-Identifier: MIT
// Operations that end before all ranks have what they wait for: errors on each side, and no result that looks right.
#include <mpi/ranks.hpp>

using namespace yoke_test;

namespace {

mpi::communicator<> in_kilobytes(const mpi::communicator<>& of) {
  return of.duplicate({.deadline = std::chrono::seconds(5), .chunk_bytes = 1024});
}

/// Receives from rank 0 a range of another size. Returns: the error's message.
std::string mismatched(const mpi::communicator<>& in, std::size_t bytes, rank_rig& rig) {
  yoke::device_array<char, 1> x(rig.stream, yoke::shape{bytes});
  try {
    in.receive(x, 0, rig.stream);
  } catch (const yoke::communication_error& failure) {
    CHECK(failure.code() == yoke::errc::mismatched_ranks);
    return failure.what();
  }
  return "nothing was noticed";
}

}  // namespace

YOKE_RANKS_TEST_CASE("sizes that differ by whole parts are noticed") {
  const auto in = in_kilobytes(world());
  const int rank = in.rank();
  if (in.size() == 1) return;
  // Small messages leave at once, so that the sender need not wait for what the receiver does not take.
  for (const auto& [sent, taken] : {std::pair<std::size_t, std::size_t>{4096, 1024},
                                    {1024, 4096},
                                    {1024, 0},
                                    {0, 1024},
                                    {8192, 1024},
                                    {1024, 8192},
                                    {3000, 2048},
                                    {2048, 3000}}) {
    CAPTURE(sent, taken);
    if (rank == 0) {
      yoke::device_array<char, 1> x(rig.stream, yoke::shape{sent});
      yoke::fill(x, 'x', rig.stream);
      in.send(x, 1, rig.stream);
    }
    if (rank == 1) {
      const std::string words = mismatched(in, taken, rig);
      CHECK_THAT(words, ContainsSubstring("receive of " + std::to_string(taken) + " bytes from rank 0 "));
      CHECK_THAT(words, ContainsSubstring(sent > taken ? "sent more elements" : "sent fewer elements"));
      if (sent < taken) CHECK_THAT(words, ContainsSubstring("got " + std::to_string(sent) + " bytes"));
    }
  }
  // Later messages meet.
  yoke::device_array<char, 1> x(rig.stream, yoke::shape{2048});
  yoke::fill(x, rank == 0 ? 'y' : 'n', rig.stream);
  if (rank == 0) in.send(x, 1, rig.stream);
  if (rank == 1) {
    in.receive(x, 0, rig.stream);
    CHECK(x.to_host() == std::vector<char>(2048, 'y'));
  }
  in.barrier();
}
