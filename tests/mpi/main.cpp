// SPDX-License-Identifier: MIT
// The entry point of tests that run on several ranks of MPI: each rank runs all cases, and says only what fails.
#define CATCH_CONFIG_RUNNER
#include <mpi/ranks.hpp>

#include <support/process/variables.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

#if YOKE_CATCH_MAJOR == 2
using listener_base = Catch::TestEventListenerBase;
#else
using listener_base = Catch::EventListenerBase;
#endif

class name_keeper : public listener_base {
 public:
  using listener_base::listener_base;
  void testCaseStarting(const Catch::TestCaseInfo& info) override { yoke_test::current_test_name() = info.name; }
};
CATCH_REGISTER_LISTENER(name_keeper)

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv("YOKE_CACHE") == nullptr) yoke_test::set_variable("YOKE_CACHE", "off");
  yoke::mpi::session mpi{argc, argv};
  yoke::mpi::communicator world = mpi.world({.deadline = std::chrono::seconds(20)});
  yoke_test::the_session() = &mpi;
  yoke_test::the_world() = &world;
  Catch::Session cases;
  if (const int wrong = cases.applyCommandLine(argc, argv); wrong != 0) return wrong;
  if (world.rank() == 0) return cases.run();
  std::ostringstream said;
  std::streambuf* const out = std::cout.rdbuf(said.rdbuf());
  const int result = cases.run();
  std::cout.rdbuf(out);
  if (result != 0) std::fprintf(stderr, "rank %d of %d:\n%s\n", world.rank(), world.size(), said.str().c_str());
  return result;
}
