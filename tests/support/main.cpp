// SPDX-License-Identifier: MIT
// The entry point of the test programs, for Catch2 2.13 and 3.
#define CATCH_CONFIG_RUNNER
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12's own <regex>, in Catch2 2.13, looks uninitialised to it under sanitizers.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <support/catch.hpp>
#include <support/process/variables.hpp>

#include <yoke/trace.hpp>

#include <cstdlib>

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
  // Arrays keep their programs in the user's folder: not those of tests, which compile each time.
  if (std::getenv("YOKE_CACHE") == nullptr) yoke_test::set_variable("YOKE_CACHE", "off");
  // Tests count what a driver of a GPU would be asked for: those of guarded memory say so.
  if (std::getenv("YOKE_ARRAY_POOL") == nullptr) yoke_test::set_variable("YOKE_ARRAY_POOL", "keep");
  const yoke::trace trace;  // of all tests, where YOKE_TRACE names a file
  return Catch::Session().run(argc, argv);
}
