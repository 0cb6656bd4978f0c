// SPDX-License-Identifier: MIT
// What tests over several ranks of MPI start from: the world, and the devices of each rank.
#ifndef YOKE_TESTS_MPI_RANKS_HPP
#define YOKE_TESTS_MPI_RANKS_HPP

#include <support/catch.hpp>

#include <yoke/mpi.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace yoke_test {

namespace mpi = yoke::mpi;

/// The session of the program.
inline mpi::session*& the_session() {
  static mpi::session* session = nullptr;
  return session;
}
/// All ranks of the job; waits end after 20 s.
inline mpi::communicator<>*& the_world() {
  static mpi::communicator<>* world = nullptr;
  return world;
}
inline mpi::communicator<>& world() { return *the_world(); }

/// A context and a stream of a device. Contexts stay until the program ends, because PoCL 3.1 takes half a second for the
/// first compilation in a new one.
struct rank_rig {
  explicit rank_rig(const yoke::device<>& of) : device(of), context(of), stream(context) {}
  yoke::device<> device;
  yoke::context<> context;
  yoke::stream<> stream;
};
inline std::vector<rank_rig>& rigs() {
  static std::vector<rank_rig> all = [] {
    std::vector<rank_rig> made;
    for (const auto& each : yoke::select_test_devices().devices) made.emplace_back(each);
    return made;
  }();
  return all;
}

/// Element `i` of the rank's range, small enough that sums are exact in `float`.
template <class T>
T element_of(int rank, std::size_t i) {
  return static_cast<T>(1 + (static_cast<std::size_t>(rank) * 3 + i) % 5);
}
template <class T>
std::vector<T> elements_of(int rank, std::size_t count, std::size_t first = 0) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = element_of<T>(rank, first + i);
  return made;
}

}  // namespace yoke_test

// A case that runs on each device of the tests, with `rig`. The ranks run the same cases in the same order.
#define YOKE_RANKS_TEST_CASE(name)                                                                                     \
  static void YOKE_CATCH_UNIQUE(yoke_test::rank_rig& rig);                                                             \
  TEST_CASE(name) {                                                                                                    \
    if (yoke_test::rigs().empty()) YOKE_SKIP(yoke::select_test_devices().reason);                                      \
    for (auto& each : yoke_test::rigs()) {                                                                             \
      INFO("on " << each.device.backend_name() << ", rank " << yoke_test::world().rank());                             \
      YOKE_CATCH_UNIQUE(each);                                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  static void YOKE_CATCH_UNIQUE([[maybe_unused]] yoke_test::rank_rig& rig)
#define YOKE_CATCH_UNIQUE YOKE_JOIN_LINE(ranks_case_, __LINE__)
#define YOKE_JOIN_LINE(a, b) YOKE_JOIN_LINE_2(a, b)
#define YOKE_JOIN_LINE_2(a, b) a##b

#endif
