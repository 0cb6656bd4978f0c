// SPDX-License-Identifier: MIT
// Every driver call of random numbers made to fail in turn: nothing leaks, and the place stays.
#include <memory/memory_faults.hpp>
#include <yoke/array.hpp>
#include <yoke/cache.hpp>
#include <yoke/random.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_DEVICE_TEST_CASE("faults in random numbers", "[algorithm][faults]") {
  // The kernel is compiled once; each run loads it.
  const yoke::program_cache in_memory{{}, {}};
  const auto draw = [&](auto& state, auto& to) {
    try {
      yoke::use_array_programs(state.context, in_memory);
    } catch (const yoke::logic_error&) {  // a context that goes on after a fault has it
    }
    yoke::random_generator rng(5);
    try {
      rng.fill_integers(to(yoke::whole, yoke::reversed), 10, 20);
    } catch (...) {
      CHECK(rng.position() == 0);
      throw;
    }
    CHECK(rng.position() == 60);
  };
  {
    rig state(device);
    auto a = yoke::zeros<int>({3, 20}, state.stream);
    draw(state, a);
  }
  fault_loop_options with_a_cache = of_arrays();
  for (const char* const call : {"get_device_info", "get_platform_info", "build_program", "device_get_name",
                                 "device_total_mem", "device_get_uuid"}) {
    with_a_cache.absorbed.push_back({call, "a kept program that cannot be loaded is compiled again"});
  }
  loop(
      "into an array, and into a part of it", device,
      [&](auto& state) {
        auto a = yoke::zeros<int>({3, 20}, state.stream);
        draw(state, a);
        const std::vector<int> host = a.to_host();
        CHECK(std::all_of(host.begin(), host.end(), [](int each) { return 10 <= each && each < 20; }));
      },
      with_a_cache);
}
