// SPDX-License-Identifier: MIT
// Every driver call of random numbers made to fail in turn: nothing leaks, and the place stays.
#include <memory/memory_faults.hpp>
#include <yoke/random.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
const char* const weaker = "the driver tells less of a kernel: its check is weaker";
}  // namespace

YOKE_DEVICE_TEST_CASE("faults in random numbers", "[algorithm][faults]") {
  loop(
      "into an array, and into a part of it", device,
      [](auto& state) {
        yoke::random_generator rng(5);
        auto a = yoke::zeros<int>({3, 20}, state.stream);
        try {
          rng.fill_integers(a(yoke::whole, yoke::reversed), 10, 20);
        } catch (...) {
          CHECK(rng.position() == 0);
          throw;
        }
        CHECK(rng.position() == 60);
        const std::vector<int> host = a.to_host();
        CHECK(std::all_of(host.begin(), host.end(), [](int each) { return 10 <= each && each < 20; }));
      },
      compiling({{"get_kernel_arg_info", weaker},
                 {"kernel_get_param_info", "how CUDA's driver ends the list of parameters"},
                 {"kernel_get_name", weaker},
                 {"finish", "page-locked memory waits for its unmapping"}}));
}
